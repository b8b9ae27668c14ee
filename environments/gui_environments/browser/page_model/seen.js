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

// One of several that are alike.
function isRow(node) {
  if (ROWS.test(roleOf(node)) || localNameOf(node) === 'tr') return true;
  const alike = (other) =>
    other !== node &&
    localNameOf(other) === localNameOf(node) &&
    attributeOf(other, 'class') === attributeOf(node, 'class');
  const parent = parentOf(node);
  for (let at = parent && firstChildOf(parent); at; at = nextSiblingOf(at))
    if (nodeTypeOf(at) === ELEMENT && alike(at)) return true;
  return false;
}

// Whether most of what a row around it says beside what is further in has been replaced.
function isInAnotherRow(node, before, now) {
  let inner = new Set();
  let at = node;
  for (let level = 0; level < Math.min(before.length, now.length); level++) {
    at = composedParent(at);
    const words = tellingWords(before[level]);
    const added = [...words].filter((word) => !inner.has(word));
    inner = words;
    if (!added.length || !isRow(at)) continue;
    const today = tellingWords(now[level]);
    const kept = added.filter((word) => today.has(word)).length;
    if (2 * kept < added.length && today.size) return true;
  }
  return false;
}

// What it was and is, when that is not the same: {problem, was, name}; else null. Told once.
function becameAnother(node) {
  const before = seenAs.get(node);
  if (!before) return null;
  textsAround = new Map();
  const role = roleOf(node);
  const now = lookOf(node, bounded(nameOf(node, role) || collapsed(shownContent(node)), NAME_LIMIT));
  textsAround = new Map();
  const renamed = isRenamed(before.own, now.own) || before.leads !== now.leads;
  if (!renamed && !isInAnotherRow(node, before.around, now.around)) return null;
  seenAs.set(node, now);
  return { problem: renamed ? 'renamed' : 'moved', was: before.name, name: now.name, role: role || 'clickable' };
}

// It is being acted on: what it becomes by that is expected.
function letBecome(node) {
  seenAs.delete(node);
}
