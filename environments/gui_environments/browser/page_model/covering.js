// Where secrets are shown: fields that hold one, and rendered text, whatever nodes it is broken into. Tells places and
// never a text.

const valueOfInput = getter(HTMLInputElement.prototype, 'value');
const valueOfArea = getter(HTMLTextAreaElement.prototype, 'value');
const dataOf = getter(CharacterData.prototype, 'data');
const attributesOf = getter(Element.prototype, 'attributes');
const rangeStart = uncurried(Range.prototype.setStart);
const rangeEnd = uncurried(Range.prototype.setEnd);
const rectsOfRange = asking(Range.prototype.getClientRects);

// What nobody sees is not looked for: white space, and marks without a width.
const UNSEEN_CHARACTERS = /[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g;
const UNSEEN_CHARACTER = /[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/;
const NOT_RENDERED = new Set(['script', 'style', 'template', 'noscript']);
const WITHOUT_TEXT = /^(hidden|file|checkbox|radio|range|color)$/;
const seenOnly = (text) => text.replace(UNSEEN_CHARACTERS, '');

// `texts`: rendered text nodes in the order of the composed tree; `starts`: where each begins in `text`, which is what
// all of them show, without white space.
let covering = null;

const isFound = (text) => !!text && covering.finders.some((finder) => finder.test(seenOnly(text)));

function findBoxes(expressions) {
  covering = { boxes: [], frames: [], hosts: [], texts: [], starts: [], text: '' };
  covering.finders = expressions.map((expression) => new RegExp(expression));
  visitToCover(documentElementOf(document));
  for (const expression of expressions) {
    for (const match of covering.text.matchAll(new RegExp(expression, 'g')))
      coverText(match.index, match.index + match[0].length);
  }
  const found = covering;
  covering = null;
  return found;
}

function visitToCover(node) {
  if (nodeTypeOf(node) === TEXT) return void noteText(node);
  if (nodeTypeOf(node) !== ELEMENT) return void eachChild(node, visitToCover);
  const tag = localNameOf(node);
  if (NOT_RENDERED.has(tag)) return;
  if (FRAMES.has(tag)) covering.frames.push(node);
  if (showsInItself(node)) covering.boxes.push(sides(boxOf(node)));
  if (tag.includes('-') && !shadowOf(node) && !probed.has(node)) covering.hosts.push(node);
  eachChild(node, visitToCover);
}

function noteText(node) {
  const text = seenOnly(dataOf(node));
  const parent = text && composedParent(node);
  if (!parent || nodeTypeOf(parent) !== ELEMENT || !isVisible(parent)) return;
  covering.texts.push(node);
  covering.starts.push(covering.text.length);
  covering.text += text;
}

// A field, and what a style sheet writes beside an element from its attributes.
function showsInItself(element) {
  if (element instanceof HTMLInputElement) return showsInInput(element);
  if (element instanceof HTMLTextAreaElement)
    return (!!valueOfArea(element) && secretive.has(element)) || isFound(valueOfArea(element)) || hasFoundHint(element);
  if (element instanceof HTMLSelectElement) return [...element.options].some((option) => isFound(option.label));
  if (secretive.has(element)) return true;
  return [...attributesOf(element)].some((attribute) => isFound(attribute.value)) && showsBeside(element);
}

function showsInInput(input) {
  if (WITHOUT_TEXT.test(typeOf(input))) return false;
  const value = valueOfInput(input);
  return (!!value && secretive.has(input)) || isFound(value) || hasFoundHint(input);
}

const hasFoundHint = (field) => isFound(attributeOf(field, 'placeholder'));

const showsBeside = (element) =>
  localNameOf(element) === 'img' ||
  ['::before', '::after'].some((pseudo) => isFound(getComputedStyle(element, pseudo).content));

// The place of a run of what is shown.
function coverText(start, end) {
  let at = lastStartUpTo(start);
  for (; at < covering.texts.length && covering.starts[at] < end; at++) {
    const [from, to] = [start - covering.starts[at], end - covering.starts[at]];
    coverInNode(covering.texts[at], Math.max(0, from), to);
  }
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
function coverInNode(node, from, to) {
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
  for (const box of rectsOfRange(range)) covering.boxes.push(sides(box));
}

const hasArea = ([left, top, right, bottom]) => right > left && bottom > top;

Object.assign(pageModel, {
  // Boxes in this viewport of what the expressions find, and of frames; how many elements may hide a shadow root that
  // the page keeps closed, which `hosts` then offers.
  secretBoxes(expressions) {
    if (!documentElementOf(document)) return { boxes: [], frames: [], hosts: 0, viewport: [innerWidth, innerHeight] };
    const found = findBoxes(expressions);
    lastHosts = found.hosts;
    const frames = found.frames.map((frame) => ({ number: numberOf(frame), box: sides(boxOf(frame)) }));
    return {
      boxes: found.boxes.filter(hasArea),
      frames: frames.filter((frame) => hasArea(frame.box)),
      hosts: found.hosts.length,
      viewport: [innerWidth, innerHeight],
    };
  },
});
