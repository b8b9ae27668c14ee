// The walk: from the composed tree of one document to items, in document order, wrappers left out, text once.
//
// An item is {role, name, states, element, children, text, frame}: `text` items have text and the `element` it begins
// in; of others `element` is kept for what gets a reference. Items become lines in `world.js`.

const SKIPPED = new Set(
  (
    'script style template noscript head meta link title base datalist param source track map defs symbol desc ' +
    'metadata clippath mask lineargradient radialgradient filter pattern marker rp'
  ).split(' ')
);
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
const INLINE_BOXES = /^(inline|contents|ruby)/;

// Pages of more elements than this are pruned by boxes before styles are looked at; smaller ones are walked whole.
const LARGE_PAGE_ELEMENTS = 3000;
// Points across and down at which a large page is asked for what is there, so that boxes which have left the box of
// their parent (positioned layers, mostly) are found although the parent is out of sight.
const GRID = [4, 3];

let reading = null;
let focusedElement = null;

// `options`: {filter, clip, everything, background, budget, hints, wanted: the nodes to read, null for all}. Returns
// the items of `root`.
function walk(root, options) {
  const items = walkUnder(root, options, [], []);
  const covers = reading.deaf.filter(isOpaqueCover);
  return covers.length || reading.again ? walkUnder(root, options, covers, reading.layers) : items;
}

// `covers`: what else is known to lie over text; `layers`: colours of what it may lie on.
function walkUnder(root, options, covers, layers) {
  styles = new Map();
  names = new Map();
  labelsFor = new Map();
  unsaidIn = new Set();
  focusedElement = focused();
  const size = byTagName(document, '*').length;
  reading = {
    ...options,
    left: options.budget,
    full: false,
    frames: [],
    hosts: [],
    inert: false,
    dataTables: new Map(),
    columnHeads: new Map(),
    covers,
    layers,
    deaf: [],
    inked: [],
    again: false,
  };
  reading.size = size;
  reading.large = !options.everything && size > LARGE_PAGE_ELEMENTS;
  reading.hit = reading.large ? hitElements(options.clip) : null;
  const items = [];
  const modal = topModal();
  const start = modal && !containsComposed(modal, root) ? modal : root;
  if (start !== root) reading.inert = true;
  const clips = {
    flow: options.clip,
    absolute: options.clip,
    fixed: options.everything ? [0, 0, innerWidth, innerHeight] : options.clip,
  };
  const into = {
    items,
    clips,
    behind: options.background,
    named: false,
    clear: false,
    opacity: 1,
    pointer: inheritedPointer(start),
  };
  if (!isAbsentAbove(start)) visit(start, into);
  return items;
}

function focused() {
  let element = activeElementOf(document);
  while (element && shadowOf(element)?.activeElement) element = shadowOf(element).activeElement;
  return element && !isRootOrBody(element) ? element : null;
}

function topModal() {
  const modals = documentQueryAll(document, 'dialog:modal');
  return modals.length ? modals[modals.length - 1] : null;
}

function containsComposed(ancestor, node) {
  for (let at = node; at; at = composedParent(at)) if (at === ancestor) return true;
  return false;
}

function isAbsentAbove(element) {
  for (let at = composedParent(element); at && nodeTypeOf(at) === ELEMENT; at = composedParent(at))
    if (isAbsent(at, styleOf(at))) return true;
  return false;
}

function inheritedPointer(element) {
  const parent = composedParent(element);
  return !!parent && nodeTypeOf(parent) === ELEMENT && styleOf(parent).cursor === 'pointer';
}

function hitElements(clip) {
  const hit = new Set();
  const [left, top, right, bottom] = clip;
  for (let row = 0; row < GRID[1]; row++) {
    for (let column = 0; column < GRID[0]; column++) {
      const x = left + ((column + 0.5) / GRID[0]) * (right - left);
      const y = top + ((row + 0.5) / GRID[1]) * (bottom - top);
      for (let at = elementAt(document, x, y); at && !hit.has(at); at = composedParent(at)) hit.add(at);
    }
  }
  return hit;
}

// `into` says where items go and what holds there: {items, clips, behind, named, clear, pointer}. `named`: the
// text here is part of a name that is already said. `clear`: transparent or cut away, so only what pages draw
// themselves is taken.
function visit(element, into) {
  const tag = localNameOf(element);
  if (SKIPPED.has(tag) || reading.full) return;
  if (tag === 'br') return void addSpace(into.items);
  if (reading.large && isPruned(element, into.clips.flow)) return;
  const style = styleOf(element);
  if (isAbsent(element, style)) {
    reading.inert ||= hasAttribute(element, 'inert') && style.display !== 'none';
    return;
  }
  const position = style.position;
  const clip =
    position === 'fixed' ? into.clips.fixed : position === 'absolute' ? into.clips.absolute : into.clips.flow;
  const box = boxOf(element);
  const opacity = into.opacity * opacityOf(style);
  const clear = into.clear || opacity < OPAQUE || isCutAway(style, box) || facesAway(element, style);
  const here = { style, box, clip, clear, tag, seen: style.visibility === 'visible' && shows(box, clip) && !clear };
  const inside = {
    items: into.items,
    clips: style.display === 'contents' ? into.clips : clipsInside(element, style, box, into.clips, reading.everything),
    behind: backgroundInside(style, into.behind),
    named: into.named,
    clear,
    opacity,
    pointer: style.cursor === 'pointer',
  };
  noteHost(element, here);
  noteLayer(element, style);
  const blocky = !INLINE_BOXES.test(style.display);
  if (blocky) breakText(into.items);
  visitByRole(element, here, inside, into);
  if (blocky) breakText(into.items);
}

function isPruned(element, clip) {
  const box = boxOf(element);
  if (box.width === 0 || box.height === 0 || reading.hit.has(element)) return false;
  if (box.top >= clip[3] || box.left >= clip[2]) return true;
  if (box.bottom <= clip[1]) return box.top + scrollHeightOf(element) <= clip[1];
  if (box.right <= clip[0]) return box.left + scrollWidthOf(element) <= clip[0];
  return false;
}

// Elements whose shadow root may be closed: the session can tell.
function noteHost(element, here) {
  if (shadowOf(element) || probed.has(element) || !here.seen) return;
  const custom = here.tag.includes('-') && matches(element, ':defined');
  if (custom || (MAY_HOST.has(here.tag) && !firstChildOf(element) && here.box.width > 8 && here.box.height > 8))
    reading.hosts.push(element);
}

const probed = new WeakSet();
const MAY_HOST = new Set(
  'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' ')
);

function visitByRole(element, here, inside, into) {
  const role = roleOf(element);
  if (FRAMES.has(here.tag)) return visitFrame(element, here, into);
  if (here.tag === 'label' && !ariaRole(element)) return visitLabel(element, here, inside, into);
  if (here.tag === 'details') return visitDetails(element, here, inside, into);
  if (ACTIONABLE.has(role)) return visitActionable(element, role, here, inside, into);
  if (into.clear && !inside.clear) return undefined;
  const listens = here.seen && listening.has(element);
  const actable = here.seen && isClickable(element, here, into);
  if (CELLS.has(role) || role === 'row') return visitTablePart(element, role, here, inside, into, actable);
  if (
    role === 'heading' ||
    role === 'listitem' ||
    role === 'term' ||
    role === 'definition' ||
    ((actable || listens) && !into.named)
  ) {
    return visitNamed(element, role, here, inside, into, actable);
  }
  if (role === 'image' || role === 'canvas' || role === 'video' || role === 'audio')
    return visitPicture(element, role, here, inside, into);
  if (role === 'meter' || role === 'progressbar' || role === 'separator') return visitMeter(element, role, here, into);
  if (LANDMARKS.has(role) || CONTAINERS.has(role)) return visitContainer(element, role, here, inside, into);
  return visitChildren(element, here.style, inside);
}

function visitChildren(element, style, inside) {
  if (style.contentVisibility === 'hidden') return;
  const before = inside.named || inside.clear ? '' : shownMark(element, '::before', inside);
  if (before) addText(inside.items, before, element);
  eachChild(element, (child) => {
    if (isUnwanted(child)) return;
    const type = nodeTypeOf(child);
    if (type === ELEMENT) visit(child, inside);
    else if (type === TEXT) visitText(child, element, style, inside);
  });
  const after = inside.named || inside.clear ? '' : shownMark(element, '::after', inside);
  if (after) addText(inside.items, after, element);
}

// Of a large page a search reads parts.
const isUnwanted = (node) => !!reading.wanted && !reading.wanted.has(node);

// Words that a style sheet adds; lone symbols are decoration.
function shownMark(element, which, inside) {
  const style = getComputedStyle(element, which);
  if (style.content === 'none' || style.content === 'normal' || isMarkUnseen(element, style, inside.behind)) return '';
  const { text } = generatedText(element, which);
  return /[\p{L}\p{N}*]/u.test(text) ? text : '';
}

// What has no box that could be asked for is judged by its style.
function isMarkUnseen(element, style, behind) {
  if (style.visibility !== 'visible' || opacityOf(style) < OPAQUE || isDotted(style)) return true;
  if (parseFloat(style.fontSize) < READABLE_PX || parseFloat(style.textIndent) < -FAR_PX) return true;
  const placed = style.position === 'absolute' || style.position === 'fixed';
  if (placed && [style.left, style.top].some((side) => Math.abs(parseFloat(side)) > FAR_PX)) return true;
  if (isCutAway(style, boxOf(element))) return true;
  const ink = colour(style.webkitTextFillColor || style.color);
  const own = colour(style.backgroundColor);
  const flat = own?.[3] === 1 ? own : placed || style.backgroundImage !== 'none' ? null : behind;
  return !!ink && (ink[3] < OPAQUE || (!!flat && difference(ink, flat) <= SAME_COLOUR)) && !hasShadow(style);
}

// The text of a node as far as it is shown; '' for nothing.
function shownPart(node, parent, style, inside) {
  if (style.visibility !== 'visible' || parseFloat(style.fontSize) < READABLE_PX || isDotted(style)) return '';
  const range = makeRange(document);
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  if (!shows(box, inside.clips.flow) || isColouredAway(parent, style, inside.behind, box)) return '';
  if (isTextCovered(parent, box)) return '';
  if (sticksOut(box, inside.clips.flow)) {
    const clip = hardClip(parent);
    if (sticksOut(box, clip)) return shownText({ data: wordsWithin(node, clip) }, style);
  }
  return shownText(node, style);
}

function visitText(node, parent, style, inside) {
  if (inside.named || inside.clear || reading.filter === 'interactive') return;
  const data = node.data;
  if (!/\S/.test(data)) {
    if (data) addSpace(inside.items);
    return;
  }
  const text = shownPart(node, parent, style, inside);
  if (text) addText(inside.items, style.whiteSpaceCollapse === 'preserve' ? text : text.replace(/\s+/g, ' '), parent);
}

function addText(items, text, element) {
  const last = items[items.length - 1];
  if (last && last.text !== undefined && !last.ended) last.text += text;
  else items.push({ text, element });
  spend(text.length);
}

function addSpace(items) {
  const last = items[items.length - 1];
  if (last && last.text !== undefined) last.text += ' ';
}

function breakText(items) {
  const last = items[items.length - 1];
  if (last && last.text !== undefined) last.ended = true;
}

function spend(characters) {
  reading.left -= characters;
  if (reading.left < 0) reading.full = true;
}

function itemOf(element, role, name) {
  spend(role.length + name.length + 10);
  return { role, name: bounded(name, NAME_LIMIT), states: stateText(element, role, name), element, children: [] };
}

const isAction = (item) => item.acts || item.frame !== undefined || item.children?.some(isAction);
const isText = (item) => item.text !== undefined;
const joinedText = (items) => collapsed(items.map((item) => item.text).join(' '));
