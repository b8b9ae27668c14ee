// Where secrets are shown: fields that hold one, and rendered text, whatever nodes it is broken into. Tells places and
// never a text.

const valueOfInput = getter(HTMLInputElement.prototype, 'value');
const valueOfArea = getter(HTMLTextAreaElement.prototype, 'value');
const dataOf = getter(CharacterData.prototype, 'data');
const namesOfAttributes = asking(Element.prototype.getAttributeNames);
const rangeStart = uncurried(Range.prototype.setStart);
const rangeEnd = uncurried(Range.prototype.setEnd);
const rectsOfRange = asking(Range.prototype.getClientRects);

// What nobody sees is not looked for: white space, and marks without a width.
const UNSEEN_CHARACTERS = /[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g;
const UNSEEN_CHARACTER = /[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/;
const NOT_RENDERED = new Set(['script', 'style', 'template', 'noscript']);
const WITHOUT_TEXT = /^(hidden|file|checkbox|radio|range|color)$/;
const seenOnly = (text) => text.replace(UNSEEN_CHARACTERS, '');

// Between two strings that are looked through together; no expression matches it.
const APART = '\u0001';

// One look through the document. `texts`: rendered text nodes in the order of the composed tree; `starts`: where each
// begins in `text`, which is what all of them show, without white space. `shown`: elements with what fields show or a
// style sheet may write beside them, each [element, string].
let covering = null;

const isFound = (text) => covering.finders.some((finder) => finder.test(seenOnly(text)));

// What is to be covered: `runs`, each the ranges of one run of text, and `elements`.
function findHits(expressions) {
  covering = { expressions, elements: [], runs: [], frames: [], hosts: [], roots: [] };
  Object.assign(covering, { fields: [], beside: [], texts: [], starts: [], text: '', visible: new Map() });
  covering.finders = expressions.map((expression) => new RegExp(expression));
  visitToCover(documentElementOf(document));
  covering.elements.push(...foundIn(covering.fields), ...foundIn(covering.beside).filter(showsBeside));
  for (const expression of expressions)
    for (const match of covering.text.matchAll(new RegExp(expression, 'g')))
      covering.runs.push(rangesOf(match.index, match.index + match[0].length));
  const { elements, runs, frames, hosts, roots } = covering;
  covering = null;
  return { elements, runs, frames, hosts, roots };
}

// Of many strings mostly none holds anything: they are looked through together first.
function foundIn(shown) {
  if (!isFound(shown.map(([, text]) => text).join(APART))) return [];
  return shown.filter(([, text]) => isFound(text)).map(([element]) => element);
}

const measured = (hits) =>
  [
    ...hits.elements.map((element) => sides(boxOf(element))),
    ...hits.runs.flatMap((ranges) => joined(ranges.flatMap((range) => [...rectsOfRange(range)].map(sides)))),
  ].filter(hasArea);

function visitToCover(node) {
  const type = nodeTypeOf(node);
  if (type === TEXT) return void noteText(node);
  if (type !== ELEMENT) return void eachChild(node, visitToCover);
  const tag = localNameOf(node);
  if (NOT_RENDERED.has(tag)) return;
  if (FRAMES.has(tag)) covering.frames.push(node);
  if (secretive.has(node) && holdsSomething(node)) covering.elements.push(node);
  const shown = shownByField(node, tag);
  if (shown) covering.fields.push([node, shown]);
  else noteAttributes(node);
  const shadow = shadowOf(node);
  if (shadow) covering.roots.push(shadow);
  else if (tag.includes('-') && !probed.has(node)) covering.hosts.push(node);
  eachChild(node, visitToCover);
}

function noteText(node) {
  const text = seenOnly(dataOf(node));
  const parent = text && composedParent(node);
  if (!parent || nodeTypeOf(parent) !== ELEMENT) return;
  let visible = covering.visible.get(parent);
  if (visible === undefined) covering.visible.set(parent, (visible = isVisible(parent)));
  if (!visible) return;
  covering.texts.push(node);
  covering.starts.push(covering.text.length);
  covering.text += text;
}

function noteAttributes(element) {
  let text = '';
  for (const name of namesOfAttributes(element)) text += attributeOf(element, name) + APART;
  if (text) covering.beside.push([element, text]);
}

function holdsSomething(field) {
  if (field instanceof HTMLInputElement) return !!valueOfInput(field);
  return field instanceof HTMLTextAreaElement ? !!valueOfArea(field) : true;
}

// The strings that a field may show; '' for what is none.
function shownByField(element, tag) {
  if (tag === 'input' && element instanceof HTMLInputElement) {
    if (WITHOUT_TEXT.test(typeOf(element))) return '';
    return valueOfInput(element) + APART + (attributeOf(element, 'placeholder') ?? '');
  }
  if (tag === 'textarea' && element instanceof HTMLTextAreaElement)
    return valueOfArea(element) + APART + (attributeOf(element, 'placeholder') ?? '');
  if (tag === 'select' && element instanceof HTMLSelectElement)
    return [...element.options].map((option) => option.label).join(APART);
  return '';
}

// What a style sheet writes beside an element from its attributes.
const showsBeside = (element) =>
  localNameOf(element) === 'img' ||
  ['::before', '::after'].some((pseudo) =>
    isFound(getComputedStyle(element, pseudo).content)
  );

// The ranges of a run of what is shown.
function rangesOf(start, end) {
  const ranges = [];
  for (let at = lastStartUpTo(start); at < covering.texts.length && covering.starts[at] < end; at++) {
    const [from, to] = [start - covering.starts[at], end - covering.starts[at]];
    ranges.push(rangeInNode(covering.texts[at], Math.max(0, from), to));
  }
  return ranges;
}

// Pieces of one line as one: a gap between them would show where the words end.
function joined(boxes) {
  const lines = [];
  for (const box of boxes) {
    const last = lines[lines.length - 1];
    const height = box[3] - box[1];
    const onLine = last && Math.min(last[3], box[3]) - Math.max(last[1], box[1]) > height / 2;
    if (onLine && box[0] - last[2] < 2 * height && last[0] - box[2] < 2 * height)
      lines[lines.length - 1] = [
        Math.min(last[0], box[0]),
        Math.min(last[1], box[1]),
        Math.max(last[2], box[2]),
        Math.max(last[3], box[3]),
      ];
    else lines.push(box);
  }
  return lines;
}

function lastStartUpTo(position) {
  let [low, high] = [0, covering.starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (covering.starts[middle] <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

// `from` and `to` count the characters that are seen.
function rangeInNode(node, from, to) {
  const data = dataOf(node);
  let seen = 0;
  let [start, end] = [data.length, data.length];
  for (let at = 0; at < data.length; at++) {
    if (UNSEEN_CHARACTER.test(data[at])) continue;
    if (seen === from) start = at;
    if (++seen === to) {
      end = at + 1;
      break;
    }
  }
  const range = makeRange(document);
  rangeStart(range, node, start);
  rangeEnd(range, node, end);
  return range;
}

const hasArea = ([left, top, right, bottom]) => right > left && bottom > top;
