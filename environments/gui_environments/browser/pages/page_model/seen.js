// What an element was when it was read. Pages use a node again for another thing: rows of a list that is scrolled or
// made shorter, a button that becomes another. A reference is to what was read, so what a node has become since is told
// before anything is done to it. Words that come and go beside others, and numbers that count, change nothing.

const textContentOf = getter(Node.prototype, 'textContent');
const seenAs = new WeakMap();
const LEVELS = 6;
// A longer text around an element is more than its row.
const AROUND_LIMIT = 300;
const OWN_LIMIT = 500;
// From so many digits on a number says which one, and counts nothing.
const NAMING_DIGITS = 4;
const ROWS = /^(row|listitem|option|article|treeitem|menuitem)$/;

// Texts of ancestors during one reading.
let textsAround = new Map();

function textAround(node) {
  let text = textsAround.get(node);
  if (text === undefined) {
    text = textContentOf(node);
    if (text.length > AROUND_LIMIT) text = null;
    textsAround.set(node, text);
  }
  return text;
}

// Texts of what is around it, from the inside out.
function textsOutward(node) {
  const texts = [];
  for (let at = composedParent(node); at && texts.length < LEVELS; at = composedParent(at)) {
    if (nodeTypeOf(at) !== ELEMENT || isRootOrBody(at)) break;
    const text = textAround(at);
    if (text === null) break;
    texts.push(text);
  }
  return texts;
}

function ownText(node) {
  if (node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement || isEditingHost(node)) return '';
  const button = node instanceof HTMLInputElement && BUTTON_INPUT.test(typeOf(node));
  return [attributeOf(node, 'aria-label'), button ? node.value : textContentOf(node)]
    .filter(Boolean)
    .join(' ')
    .slice(0, OWN_LIMIT);
}

// A link's address without what is only asked of it.
const leadsNow = (node) =>
  localNameOf(node) === 'a' ? (attributeOf(node, 'href') ?? '').replace(/\?[^#]*/, '').slice(0, OWN_LIMIT) : '';

const lookOf = (node, name) => ({ name, own: ownText(node), leads: leadsNow(node), around: textsOutward(node) });

function noteSeen(node, name) {
  seenAs.set(node, lookOf(node, name));
}

const isCounting = (word) => /^\p{N}/u.test(word) && word.length < NAMING_DIGITS;
const tellingWords = (text) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !isCounting(word)));

// Some words went, and others came.
function isRenamed(before, now) {
  const [then, today] = [tellingWords(before), tellingWords(now)];
  return [...then].some((word) => !today.has(word)) && [...today].some((word) => !then.has(word));
}

// Its neighbours of the same kind, as far as this many nodes away.
const NEAR_NODES = 8;

function alikeOf(node) {
  const found = [];
  for (const next of [nextSiblingOf, previousSiblingOf]) {
    let at = next(node);
    for (let count = 0; at && count < NEAR_NODES; count++, at = next(at))
      if (nodeTypeOf(at) === ELEMENT && isAlike(at, node)) found.push(at);
  }
  return found;
}

const isAlike = (a, b) => localNameOf(a) === localNameOf(b) && attributeOf(a, 'class') === attributeOf(b, 'class');

const numbersOf = (text) => (text.match(/\p{N}+/gu) ?? []).join(' ');
const withoutNumbers = (text) => collapsed(text.replace(/\p{N}+/gu, ''));

// Whether a row shows another entry: where the rows differ by their numbers alone, by those; else when most of the
// words are gone that it does not share with most rows, and that are not of what is further in.
function isAnotherEntry(row, before, now, inner) {
  const alike = alikeOf(row);
  if (!alike.length && !ROWS.test(roleOf(row)) && localNameOf(row) !== 'tr') return false;
  const texts = alike.map((other) => textContentOf(other).slice(0, OWN_LIMIT));
  if (texts.some((text) => withoutNumbers(text) === withoutNumbers(before)) && numbersOf(before) !== numbersOf(now))
    return true;
  const words = texts.map(tellingWords);
  const isShared = (word) => words.length > 1 && 2 * words.filter((one) => one.has(word)).length >= words.length;
  const added = [...tellingWords(before)].filter((word) => !inner.has(word));
  const own = added.filter((word) => !isShared(word));
  const [telling, today] = [own.length ? own : added, tellingWords(now)];
  return telling.length > 0 && today.size > 0 && 2 * telling.filter((word) => today.has(word)).length < telling.length;
}

function isInAnotherRow(node, before, now) {
  if (isNumberedAlike(node, before.own, now.own)) return true;
  let inner = new Set();
  let at = node;
  for (let level = 0; level < Math.min(before.around.length, now.around.length); level++) {
    at = composedParent(at);
    if (isAnotherEntry(at, before.around[level], now.around[level], inner)) return true;
    inner = tellingWords(before.around[level]);
  }
  return false;
}

// Pages of a list, say: it and its neighbours differ by their numbers alone.
const isNumberedAlike = (node, before, now) =>
  numbersOf(before) !== numbersOf(now) &&
  alikeOf(node).some((other) => withoutNumbers(ownText(other)) === withoutNumbers(before));

// What it was and is, when that is not the same: {problem, was, name}; else null. Told once.
function becameAnother(node) {
  const before = seenAs.get(node);
  if (!before) return null;
  textsAround = new Map();
  const role = roleOf(node);
  const now = lookOf(node, bounded(nameOf(node, role) || collapsed(shownContent(node)), NAME_LIMIT));
  textsAround = new Map();
  const renamed = isRenamed(before.own, now.own) || before.leads !== now.leads;
  if (!renamed && !isInAnotherRow(node, before, now)) return null;
  seenAs.set(node, now);
  return { problem: renamed ? 'renamed' : 'moved', was: before.name, name: now.name, role: role || 'clickable' };
}

// It is being acted on: what it becomes by that is expected.
function letBecome(node) {
  seenAs.delete(node);
}
