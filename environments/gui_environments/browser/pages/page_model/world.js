// What the session calls: readings as lines, elements by their numbers, frames and closed shadow roots by handle.

const numbers = new WeakMap();
const elements = new Map();
const forgotten = new FinalizationRegistry((number) => elements.delete(number));
let lastNumber = 0;
let lastHosts = [];

// Given a reference although nothing can be done to them but look, scroll and narrow a reading.
const REFERRED = new Set([
  'heading',
  'dialog',
  'alertdialog',
  'image',
  'table',
  'grid',
  'treegrid',
  'iframe',
  'canvas',
  'video',
  'audio',
  'listbox',
  'tree',
  'menu',
]);

// Numbers are this document's own; the session gives each its reference.
function numberOf(element) {
  let number = numbers.get(element);
  if (number === undefined) {
    number = ++lastNumber;
    numbers.set(element, number);
    elements.set(number, new WeakRef(element));
    forgotten.register(element, number);
  }
  return number;
}

const element = (number) => {
  const found = elements.get(number)?.deref();
  // A page may have moved it into the document of a frame, where points and references are others.
  return found && isConnected(found) && ownerOf(found) === document ? found : null;
};

function wantsReference(item) {
  return (
    item.acts ||
    item.frame !== undefined ||
    REFERRED.has(item.role) ||
    (LANDMARKS.has(item.role) && item.children.length > 3)
  );
}

// Lines are [depth, role, name or text, number or 0, states, frame or -1]; with `hints` asked for also where the line
// parts from the one before, the head of its column, and two strings of attributes.
function addLines(items, depth, options, lines, column = '') {
  for (const item of items) {
    if (isText(item)) {
      const text = bounded(item.text.trim(), TEXT_LIMIT);
      if (text && options.filter !== 'interactive') {
        const line = [depth, 'text', text, 0, '', -1];
        if (options.hints && item.element) addHints(line, item, column);
        addLine(lines, options, line);
      }
      continue;
    }
    if (options.filter === 'interactive' && !item.acts && item.frame === undefined) {
      addLines(item.children, depth, options, lines);
      continue;
    }
    const number = wantsReference(item) && !options.hints ? numberOf(item.element) : 0;
    if (item.acts && !options.hints) noteSeen(item.element, item.name);
    const line = [depth, item.role, item.name, number, item.states, item.frame ?? -1];
    if (options.hints) addHints(line, item, column);
    addLine(lines, options, line);
    addLines(item.children, depth + 1, options, lines, item.column ?? column);
  }
}

function addHints(line, item, column) {
  line[PLACE] = placeOf(item.element);
  line.push(partingOf(item.element), item.column ?? column);
  if (item.acts) line.push(saidOf(item.element), hintsOf(item.element));
}

const PLACE = 3;

function addLine(lines, options, line) {
  if (line[0] >= options.depth) lines.deeper++;
  else lines.list.push(line);
}

function wholeDocument() {
  const root = documentElementOf(document);
  const left = -scrollX;
  const top = -scrollY;
  return [
    left,
    top,
    left + Math.max(scrollWidthOf(root), innerWidth),
    top + Math.max(scrollHeightOf(root), innerHeight),
  ];
}

// Of a document that has no element, such as one that a page has emptied.
const NOTHING_READ = {
  lines: [],
  deeper: 0,
  full: false,
  inert: false,
  hosts: 0,
  large: false,
  frames: [],
  above: 0,
  below: 0,
};

const pageModel = {
  // `options`: {filter: 'visible' | 'interactive' | 'all', depth, budget, clip: [l, t, r, b] or null, number: of the
  // element to start at or 0, hints: for a search, with each line's place
  // for `locatePlaces` in place of its number}. Null when that element is gone.
  read(options) {
    const root = options.number ? element(options.number) : documentElementOf(document);
    if (!root) return options.number ? null : NOTHING_READ;
    places = [];
    const everything = options.filter === 'all';
    const viewport = [0, 0, innerWidth, innerHeight];
    const clip = everything ? wholeDocument() : options.clip ? meet(viewport, options.clip) : viewport;
    const items = walk(root, {
      filter: options.filter,
      clip,
      everything,
      background: [255, 255, 255, 1],
      budget: options.budget,
      hints: !!options.hints,
      wanted: options.wanted ?? null,
      root,
    });
    const lines = { list: [], deeper: 0 };
    addLines(items, 0, options, lines);
    lastHosts = reading.hosts;
    const answer = {
      lines: lines.list,
      deeper: lines.deeper,
      full: reading.full,
      inert: reading.inert,
      hosts: lastHosts.length,
      large: reading.size > LARGE_PAGE_ELEMENTS,
      frames: reading.frames.map((frame) => ({ number: numberOf(frame.element), clip: frame.clip })),
      above: Math.max(0, Math.round(scrollY)),
      below: Math.max(0, Math.round(scrollHeightOf(documentElementOf(document)) - scrollY - innerHeight)),
    };
    focusedElement = null;
    styles = names = labelsFor = new Map();
    textsAround = new Map();
    reading = null;
    return answer;
  },

  element,

  // The numbers of elements that exist, in the document or out of it.
  living: () => [...elements].filter(([, kept]) => kept.deref()).map(([number]) => number),

  // Lays the page out, if it has changed.
  isBoxed: (node) => clientRectsOf(node).length > 0,

  viewport: () => [innerWidth, innerHeight],

  window: () => [screenX, screenY, outerWidth, outerHeight, screen.width, screen.height],

  // CSS zoom of the frames around this document shows in it.
  pixelRatio: () => devicePixelRatio,

  // Hosts of the last reading whose shadow roots the page may keep closed, at most `limit`; they are not offered again.
  hosts(limit) {
    const offered = lastHosts.splice(0, limit);
    for (const host of offered) probed.add(host);
    return offered;
  },

  root: () => document,

  // How many of these elements are this document's, and not known to be clickable before.
  keepListening(...nodes) {
    let learned = 0;
    for (const node of nodes) {
      if (nodeTypeOf(node) !== ELEMENT || ownerOf(node) !== document || isRootOrBody(node)) continue;
      if (listening.has(node) || ACTIONABLE.has(roleOf(node))) continue;
      listening.add(node);
      learned++;
    }
    return learned;
  },

  keepClosedRoot(host, root) {
    closedRoots.set(host, root);
  },

  ...formMembers,
  ...searchMembers,
  ...siftMembers,
  ...textMembers,
};
