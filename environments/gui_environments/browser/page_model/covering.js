// Where secrets are shown: fields that hold one, and rendered text, whatever nodes it is broken into. Tells places and
// never a text.

const valueOfInput = getter(HTMLInputElement.prototype, 'value');
const valueOfArea = getter(HTMLTextAreaElement.prototype, 'value');
const dataOf = getter(CharacterData.prototype, 'data');
const everyAttributeOf = getter(Element.prototype, 'attributes');
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
  return [...everyAttributeOf(element)].some((attribute) => isFound(attribute.value)) && showsBeside(element);
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

// The places of a run of what is shown.
function coverText(start, end) {
  const boxes = [];
  for (let at = lastStartUpTo(start); at < covering.texts.length && covering.starts[at] < end; at++) {
    const [from, to] = [start - covering.starts[at], end - covering.starts[at]];
    boxes.push(...boxesInNode(covering.texts[at], Math.max(0, from), to));
  }
  covering.boxes.push(...joined(boxes));
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
function boxesInNode(node, from, to) {
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
  return [...rectsOfRange(range)].map(sides);
}

const hasArea = ([left, top, right, bottom]) => right > left && bottom > top;

// While a picture is taken: the boxes of every frame that the document draws, since the picture may be of any of them.
let watching = null;
// A watch that nobody ends is over by then.
const WATCH_MS = 20000;
// Frames are drawn every 16 ms, on a busy machine far more slowly.
const DRAWN_MS = 1000;

function noteSecrets() {
  if (!watching || performance.now() > watching.until) return;
  watching.drawn.push(findBoxes(watching.expressions).boxes.filter(hasArea));
  watching.request = requestAnimationFrame(noteSecrets);
}

// What moved from one to the next is between them when it is drawn, or a bit further.
function way(before, after) {
  const moved = Math.max(...before.map((side, at) => Math.abs(side - after[at])));
  return [
    Math.min(before[0], after[0]) - moved,
    Math.min(before[1], after[1]) - moved,
    Math.max(before[2], after[2]) + moved,
    Math.max(before[3], after[3]) + moved,
  ];
}

function allWays(drawn) {
  const boxes = [...drawn[0]];
  for (let at = 1; at < drawn.length; at++) {
    const [before, after] = [drawn[at - 1], drawn[at]];
    if (before.length === after.length) boxes.push(...after.map((box, place) => way(before[place], box)));
    else boxes.push(...after);
  }
  const told = new Map(boxes.map((box) => [box.join(), box]));
  return [...told.values()];
}

function answerBoxes(found, boxes) {
  const viewport = [0, 0, innerWidth, innerHeight];
  const frames = found.frames.map((frame) => {
    const box = sides(boxOf(frame));
    return { number: numberOf(frame), box, shown: hasArea(meet(box, viewport)) };
  });
  lastHosts = found.hosts;
  return {
    boxes,
    frames: frames.filter((frame) => hasArea(frame.box)),
    hosts: found.hosts.length,
    viewport: [innerWidth, innerHeight],
  };
}

const NOTHING_FOUND = { boxes: [], frames: [], hosts: [] };

Object.assign(pageModel, {
  // Not behind another tab of its window.
  isShown: () => document.visibilityState === 'visible',

  // From now on note what the expressions find in each frame that is drawn, until `endCovering`. Answers, once one is
  // drawn, boxes in this viewport of what is found, and of frames; and how many elements may hide a shadow root that
  // the page keeps closed, which `hosts` then offers.
  // What is not `shown`, out of sight, draws none.
  async beginCovering(expressions, shown) {
    if (watching) cancelAnimationFrame(watching.request);
    watching = { expressions, drawn: [], until: performance.now() + WATCH_MS };
    if (documentElementOf(document)) noteSecrets();
    if (shown && document.visibilityState === 'visible')
      await Promise.race([nextFrame(), new Promise((done) => setTimeout(done, DRAWN_MS))]);
    const found = documentElementOf(document) ? findBoxes(expressions) : NOTHING_FOUND;
    return answerBoxes(found, found.boxes.filter(hasArea));
  },

  // The same for all frames that were drawn since.
  endCovering(expressions) {
    const found = documentElementOf(document) ? findBoxes(expressions) : NOTHING_FOUND;
    const drawn = [...(watching?.drawn ?? []), found.boxes.filter(hasArea)];
    if (watching) cancelAnimationFrame(watching.request);
    watching = null;
    return answerBoxes(found, allWays(drawn));
  },
});
