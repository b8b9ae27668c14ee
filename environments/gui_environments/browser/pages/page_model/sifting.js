// Which parts of a large page a search has to read: told by their words alone, without boxes, names or what is hidden.
// What is chosen is then read as every page is, so that nothing is offered because of what stands here.

// Nodes of a part that is one thing to a person, such as a row or a card, at most.
const PART_NODES = 80;
// Nodes on each side of a part that are read with it: in a flat list they belong to it.
const BESIDE_PART = 6;
// Nodes that are chosen, but for what they stand in.
const CHOSEN_NODES = 1500;
// Of parts that fit alike, how many from the end of the page are read before others, for `the last one`.
const LAST_PARTS = 20;
// How much a word in the heading before a part counts beside one in it.
const IN_HEADING = 0.4;
// What a word that every part has counts beside one that a single part has, about.
const EVERYWHERE = 0.2;
const HEADS_OF_TABLE = 60;
const TEXT_SIFTED = 2000;

const WORDED = new Set([...SAID_ATTRIBUTES, ...HINT_ATTRIBUTES, 'aria-label', 'alt', 'value', 'label', 'href', 'src']);
const LETTERS_AND_SIGNS = /\p{L}+|[^\s\p{L}\d]+/gu;
const NUMBERS_TOO = /\p{L}+|\d+|[^\s\p{L}\d]+/gu;

const attributeNamesOf = uncurried(Element.prototype.getAttributeNames);
const isRendered = uncurried(Element.prototype.checkVisibility);
const queryEvery = uncurried(Element.prototype.querySelectorAll);

// The page between the two calls of a search: its nodes in the order of the composed tree; for each the place after
// the last one inside it, and the numbers of the words that stand on it.
let sifted = null;

function sift(numbers) {
  const known = new Map();
  sifted = { nodes: [], ends: [], words: [], known, parts: numbers ? NUMBERS_TOO : LETTERS_AND_SIGNS };
  gather(topModal() ?? documentElementOf(document));
  return [...known.keys()].join(' ').toWellFormed();
}

function gather(node) {
  const type = nodeTypeOf(node);
  if (type !== ELEMENT && !(type === TEXT && /\S/.test(node.data))) return;
  if (type === ELEMENT && (SKIPPED.has(localNameOf(node)) || isLeftOut(node))) return;
  const place = sifted.nodes.push(node) - 1;
  sifted.words[place] = [];
  if (type === TEXT) {
    takeWords(place, node.data);
  } else {
    takeWordsOf(place, node);
    eachChild(node, gather);
    if (sifted.nodes.length === place + 1) noteHost(node, { tag: localNameOf(node), seen: true, box: boxOf(node) });
  }
  sifted.ends[place] = sifted.nodes.length;
}

const isLeftOut = (element) =>
  (attributeOf(element, 'aria-hidden') === 'true' && !isRootOrBody(element)) || hasAttribute(element, 'inert');

function takeWords(place, text) {
  const words = sifted.words[place];
  for (const word of text.slice(0, TEXT_SIFTED).match(sifted.parts) ?? []) {
    let number = sifted.known.get(word);
    if (number === undefined) sifted.known.set(word, (number = sifted.known.size));
    words.push(number);
  }
}

function takeWordsOf(place, element) {
  for (const name of attributeNamesOf(element)) {
    if (WORDED.has(name)) takeWords(place, attributeOf(element, name).slice(0, HINT_LIMIT).replace(/^data:.*/s, ''));
    else if (name === 'aria-labelledby')
      for (const label of referredTo(element, name)) takeWords(place, textContentOf(label));
  }
  if (!LABELABLE.has(localNameOf(element)) || localNameOf(element) === 'button') return;
  for (const label of labelsOf(element)) takeWords(place, textContentOf(label));
  if (!(element instanceof HTMLSelectElement)) takeWords(place, valueOf(element, '') ?? '');
}

// Of the words at a place those that may be meant: how surely, by their places in the description. `found`, `weights`
// and `roles` are those of `meant_words`; an element of a role counts as the last place.
function hitsAt(place, { found, weights, roles }, hits) {
  for (const word of sifted.words[place]) {
    const list = found[word];
    if (!list) continue;
    for (let at = 0; at < list.length; at += 2) hits[list[at]] = Math.max(hits[list[at]] ?? 0, list[at + 1]);
  }
  const node = sifted.nodes[place];
  if (roles.length && nodeTypeOf(node) === ELEMENT && roles.includes(roleOf(node))) hits[weights.length - 1] = 1;
}

// The page cut into parts, each with its hits and the heading before it. What is larger than a part is one by itself,
// without what it holds.
function partsOf(meant) {
  const parts = [];
  let heading = null;
  for (let place = 0, end; place < sifted.nodes.length; place = end) {
    end = sifted.ends[place] - place <= PART_NODES ? sifted.ends[place] : place + 1;
    const hits = {};
    for (let at = place; at < end; at++) hitsAt(at, meant, hits);
    const part = { place, end, hits, heading };
    if (nodeTypeOf(sifted.nodes[place]) === ELEMENT && roleOf(sifted.nodes[place]) === 'heading') heading = part;
    parts.push(part);
  }
  return parts;
}

// Words that few parts have tell more.
function scored(parts, weights) {
  const counts = weights.map(() => 0);
  for (const { hits } of parts) for (const at of Object.keys(hits)) counts[at]++;
  const worth = weights.map((weight, at) => weight * (EVERYWHERE + 1 / (1 + Math.log2(1 + counts[at]))));
  for (const part of parts) {
    const above = part.heading?.hits ?? {};
    const surely = (at) => Math.max(part.hits[at] ?? 0, IN_HEADING * (above[at] ?? 0));
    part.score = worth.reduce((sum, each, at) => sum + each * surely(at), 0);
  }
  return parts.filter((part) => part.score > 0);
}

// The best first; of those that fit alike what is in view, then the last ones of the page.
function inOrder(parts) {
  const last = new Set(parts.slice(-LAST_PARTS));
  for (const part of parts) part.rank = isInView(sifted.nodes[part.place]) ? 2 : last.has(part) ? 1 : 0;
  return parts.sort((one, other) => other.score - one.score || other.rank - one.rank || one.place - other.place);
}

const isInView = (node) => nodeTypeOf(node) === ELEMENT && shows(boxOf(node), [0, 0, innerWidth, innerHeight]);

// The nodes to read: parts that fit, what stands beside them, their headings, the heads of their tables, all frames.
function chosenNodes(meant) {
  const chosen = new Set();
  const take = (from, to) => {
    for (const node of sifted.nodes.slice(Math.max(from, 0), to)) takeWithAbove(node, chosen);
  };
  for (const node of sifted.nodes)
    if (nodeTypeOf(node) === ELEMENT && FRAMES.has(localNameOf(node))) takeWithAbove(node, chosen);
  const tables = new Set();
  let left = CHOSEN_NODES;
  for (const part of inOrder(scored(partsOf(meant), meant.weights))) {
    if (left <= 0) break;
    const node = sifted.nodes[part.place];
    const element = nodeTypeOf(node) === ELEMENT ? node : composedParent(node);
    if (!isRendered(element)) continue;
    left -= part.end - part.place + 2 * BESIDE_PART;
    take(part.place - BESIDE_PART, part.end + BESIDE_PART);
    if (part.heading) take(part.heading.place, part.heading.end);
    takeHeads(composedClosest(element, TABLES), tables, chosen);
  }
  return chosen;
}

function takeWithAbove(node, chosen) {
  for (let at = node; at && !chosen.has(at); at = composedParent(at)) chosen.add(at);
}

function takeHeads(table, done, chosen) {
  if (!table || done.has(table)) return;
  done.add(table);
  for (const head of [...queryEvery(table, 'th, [role=columnheader]')].slice(0, HEADS_OF_TABLE)) {
    takeWithAbove(head, chosen);
    takeInside(head, chosen);
  }
}

function takeInside(node, chosen) {
  eachChild(node, (child) => {
    chosen.add(child);
    if (nodeTypeOf(child) === ELEMENT) takeInside(child, chosen);
  });
}

const siftMembers = {
  // The words of a large page; null where all of it can be read. `numbers`: whether they count. `hosts`: how many
  // elements may hide a shadow root, for the member of that name.
  wordsToSift(numbers) {
    if (byTagName(document, '*').length <= LARGE_PAGE_ELEMENTS) return null;
    reading = { hosts: [] };
    const words = sift(numbers);
    lastHosts = reading.hosts;
    reading = null;
    forgetCached();
    return { words, hosts: lastHosts.length };
  },
};
