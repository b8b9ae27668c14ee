// The walk: from the composed tree of one document to items, in document order, wrappers left out, text once.
//
// An item is {role, name, states, element, children, text, frame}: `text` items have text only; `element` is kept for
// what gets a reference. Items become lines in `world.js`.

const SKIPPED = new Set(
  ('script style template noscript head meta link title base datalist param source track map defs symbol desc metadata ' +
    'clippath mask lineargradient radialgradient filter pattern marker rp').split(' ')
);
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search']);
const CONTAINERS = new Set(
  ('alert alertdialog application article dialog feed figure grid group list listbox log marquee menu menubar radiogroup ' +
    'rowgroup scrollbar status table tablist tabpanel timer toolbar tooltip tree treegrid').split(' ')
);
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const REFERRED = new Set(['heading', 'dialog', 'alertdialog', 'image', 'table', 'grid', 'treegrid', 'iframe', 'canvas', 'video', 'audio', 'listbox', 'tree', 'menu']);
const QUIET_UNNAMED = new Set(['group', 'list', 'rowgroup', 'status', 'figure', 'article', 'image', 'application', 'log', 'alert', 'tabpanel', 'toolbar', 'marquee', 'timer', 'tooltip', 'radiogroup', 'menubar', 'feed', 'math', 'form', 'region']);
// Operable although transparent or clipped: what a person sees in their place is drawn by the page.
const DRAWN_BY_PAGES = /^(checkbox|radio|file|range|color|date|time|month|week|datetime-local)$/;
const INLINE_BOXES = /^(inline|contents|ruby)/;

// Pages of more elements than this are pruned by boxes before styles are looked at; smaller ones are walked whole.
const LARGE_PAGE_ELEMENTS = 3000;
// Points across and down at which a large page is asked for what is there, so that boxes which have left the box of
// their parent (positioned layers, mostly) are found although the parent is out of sight.
const GRID = [4, 3];

let reading = null;
let focusedElement = null;

// `options`: {filter, clip, everything, background, budget}. Returns the items of `root`.
function walk(root, options) {
  styles = new Map();
  names = new Map();
  labelsFor = new Map();
  unsaidIn = new Set();
  focusedElement = focused();
  const size = byTagName(document, '*').length;
  reading = { ...options, left: options.budget, full: false, frames: [], hosts: [], inert: false, dataTables: new Map() };
  reading.large = !options.everything && size > LARGE_PAGE_ELEMENTS;
  reading.hit = reading.large ? hitElements(options.clip) : null;
  const items = [];
  const modal = topModal();
  const start = modal && !containsComposed(modal, root) ? modal : root;
  if (start !== root) reading.inert = true;
  const clips = { flow: options.clip, absolute: options.clip, fixed: options.everything ? EVERYWHERE : options.clip };
  const into = { items, clips, behind: options.background, named: false, clear: false, pointer: inheritedPointer(start) };
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
  for (let at = composedParent(element); at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) if (isAbsent(at, styleOf(at))) return true;
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

// `into` says where items go and what holds there: {items, clips, behind, named, clear, pointer}. `named`: the text here
// is part of a name that is already said. `clear`: transparent or cut away, so only what pages draw themselves is taken.
function visit(element, into) {
  const tag = localNameOf(element);
  if (SKIPPED.has(tag) || reading.full) return;
  if (reading.large && isPruned(element, into.clips.flow)) return;
  const style = styleOf(element);
  if (isAbsent(element, style)) {
    reading.inert ||= hasAttribute(element, 'inert') && style.display !== 'none';
    return;
  }
  const position = style.position;
  const clip = position === 'fixed' ? into.clips.fixed : position === 'absolute' ? into.clips.absolute : into.clips.flow;
  const box = boxOf(element);
  const clear = into.clear || Number(style.opacity) < OPAQUE || isCutAway(style);
  const here = { style, box, clip, clear, tag, seen: style.visibility === 'visible' && shows(box, clip) && !clear };
  const inside = {
    items: into.items,
    clips: style.display === 'contents' ? into.clips : clipsInside(element, style, box, into.clips, reading.everything),
    behind: backgroundInside(style, into.behind),
    named: into.named,
    clear,
    pointer: style.cursor === 'pointer',
  };
  noteHost(element, here);
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
  if (custom || (MAY_HOST.has(here.tag) && !firstChildOf(element) && here.box.width > 8 && here.box.height > 8)) reading.hosts.push(element);
}

const probed = new WeakSet();
const MAY_HOST = new Set('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));

function visitByRole(element, here, inside, into) {
  const role = roleOf(element);
  if (FRAMES.has(here.tag)) return visitFrame(element, here, into);
  if (here.tag === 'label') return visitLabel(element, here, inside, into);
  if (here.tag === 'details') return visitDetails(element, here, inside, into);
  if (ACTIONABLE.has(role)) return visitActionable(element, role, here, inside, into);
  if (into.clear && !inside.clear) return undefined;
  const actable = here.seen && isClickable(element, here, into);
  if (CELLS.has(role) || role === 'row') return visitTablePart(element, role, here, inside, into, actable);
  if (role === 'heading' || role === 'listitem' || role === 'term' || role === 'definition' || (actable && !into.named)) {
    return visitNamed(element, role, here, inside, into, actable);
  }
  if (role === 'image' || role === 'canvas' || role === 'video' || role === 'audio') return visitPicture(element, role, here, inside, into);
  if (role === 'meter' || role === 'progressbar' || role === 'separator') return visitMeter(element, role, here, into);
  if (LANDMARKS.has(role) || CONTAINERS.has(role)) return visitContainer(element, role, here, inside, into);
  return visitChildren(element, here.style, inside);
}

function visitChildren(element, style, inside) {
  if (style.contentVisibility === 'hidden') return;
  const before = inside.named || inside.clear ? '' : shownMark(element, '::before');
  if (before) addText(inside.items, before);
  eachChild(element, (child) => {
    const type = nodeTypeOf(child);
    if (type === ELEMENT) visit(child, inside);
    else if (type === TEXT) visitText(child, element, style, inside);
  });
  const after = inside.named || inside.clear ? '' : shownMark(element, '::after');
  if (after) addText(inside.items, after);
}

// Words that a style sheet adds; lone symbols are decoration.
function shownMark(element, which) {
  const content = getComputedStyle(element, which).content;
  if (content === 'none' || content === 'normal' || !/[\p{L}\p{N}*]/u.test(content)) return '';
  return generatedText(element, which).text;
}

function visitText(node, parent, style, inside) {
  if (inside.named || inside.clear || reading.filter === 'interactive') return;
  const data = node.data;
  if (!/\S/.test(data)) {
    const last = inside.items[inside.items.length - 1];
    if (last && last.text !== undefined && data) last.text += ' ';
    return;
  }
  if (style.visibility !== 'visible' || parseFloat(style.fontSize) < READABLE_PX) return;
  const range = makeRange(document);
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  if (!shows(box, inside.clips.flow) || isColouredAway(style, inside.behind, box)) return;
  addText(inside.items, style.whiteSpaceCollapse === 'preserve' ? shownText(node, style) : shownText(node, style).replace(/[\s​]+/g, ' '));
}

function addText(items, text) {
  const last = items[items.length - 1];
  if (last && last.text !== undefined && !last.ended) last.text += text;
  else items.push({ text });
  spend(text.length);
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

// ---- what a person acts on

function visitActionable(element, role, here, inside, into) {
  if (!here.seen && !isStandIn(element, here)) {
    // Not shown itself, but what is inside may be (visibility, positions).
    if (!NAMED_BY_CONTENT.has(role) || here.style.display === 'contents' || isOutgrown(here)) {
      if (here.style.display === 'contents' && !into.clear) return takeActionable(element, role, inside, into);
      visitChildren(element, here.style, inside);
    }
    return undefined;
  }
  return takeActionable(element, role, inside, into);
}

const isOutgrown = (here) => here.box.width <= SEEN_PX || here.box.height <= SEEN_PX || here.style.visibility !== 'visible';

// A control that the page hides and draws itself: operable where it lies, or through a label that is shown.
function isStandIn(element, here) {
  if (!(element instanceof HTMLSelectElement) && !DRAWN_BY_PAGES.test(typeOf(element))) return false;
  if (here.style.visibility === 'visible' && here.clear && here.box.width > 4 && here.box.height > 4 && shows(here.box, here.clip) && !isCutAway(here.style)) return true;
  return labelsOf(element).some(isLabelShown);
}

function isLabelShown(label) {
  const style = styleOf(label);
  return style.visibility === 'visible' && Number(style.opacity) >= OPAQUE && !isCutAway(style) && shows(boxOf(label), reading.clip);
}

function takeActionable(element, role, inside, into) {
  const name = nameOf(element, role);
  const item = itemOf(element, role, name);
  item.acts = true;
  into.items.push(item);
  const content = { ...inside, items: item.children, named: true };
  if (element instanceof HTMLSelectElement) {
    if (reading.root === element) takeOptions(element, item.children);
    return;
  }
  if (role === 'treeitem' || role === 'listbox' || role === 'combobox') content.named = role === 'combobox';
  if (TEXT_FIELDS.has(role)) {
    content.named = true;
  } else if (NAMED_BY_CONTENT.has(role) && !said(element, name)) {
    content.named = false;
  }
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return;
  visitChildren(element, inside.style ?? styleOf(element), content);
  if (role === 'treeitem') dropSaid(item);
}

// Whether the name says what is shown inside.
function said(element, name) {
  if (unsaidIn.has(element)) return false;
  if (!hasAttribute(element, 'aria-label') && !hasAttribute(element, 'aria-labelledby')) return true;
  const shown = shownContent(element).replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
  return shown.length < 2 || name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase().includes(shown);
}

function dropSaid(item) {
  item.children = item.children.filter((child) => !isText(child) || !item.name.includes(collapsed(child.text)));
}

function takeOptions(select, items) {
  for (const option of select.options) {
    if (option.hidden) continue;
    const item = itemOf(option, 'option', optionText(option));
    item.acts = true;
    items.push(item);
  }
}

// Pages make anything clickable. What only inherits the hand of its parent is part of the parent.
function isClickable(element, here, into) {
  if (hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown')) return true;
  if (here.style.cursor === 'pointer' && !into.pointer) return here.tag !== 'path' && !isRootOrBody(element);
  return hasAttribute(element, 'tabindex') && element.tabIndex >= 0 && !isRootOrBody(element);
}

// ---- labels, details, frames

// The text of a label is the name of its control, and is not said twice.
function visitLabel(element, here, inside, into) {
  const control = labelControl(element);
  if (!control) {
    if (here.seen && isClickable(element, here, into)) return visitNamed(element, '', here, inside, into, true);
    return visitChildren(element, here.style, inside);
  }
  const role = roleOf(control);
  const name = nameOf(control, role);
  const style = styleOf(control);
  if (here.seen && ACTIONABLE.has(role) && (style.display === 'none' || style.visibility !== 'visible')) {
    takeActionable(control, role, { ...inside, items: [] }, into);
    return visitChildren(element, here.style, { ...inside, named: true });
  }
  const text = collapsed(contentText(element, here.style, { seen: new Set([control]), referred: true, inside: false, hidden: false }));
  const listed = shows(boxOf(control), reading.clip) && name.includes(text);
  return visitChildren(element, here.style, { ...inside, named: inside.named || listed });
}

function visitDetails(element, here, inside, into) {
  let summary = null;
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) if (nodeTypeOf(child) === ELEMENT && isSummary(child)) summary = child;
  if (!summary && here.seen) {
    const item = { role: 'summary', name: 'Details', states: element.open ? ' expanded' : ' collapsed', element, children: [], acts: true };
    into.items.push(item);
  }
  if (element.open) return visitChildren(element, here.style, inside);
  if (summary) visit(summary, inside);
  return undefined;
}

function visitFrame(element, here, into) {
  if (!here.seen) return;
  const name = collapsed(attributeOf(element, 'aria-label') || attributeOf(element, 'title') || '');
  const item = { role: 'iframe', name: bounded(name, NAME_LIMIT), states: '', element, children: [], frame: reading.frames.length };
  reading.frames.push({ element, clip: reading.everything ? null : frameClip(element, here), behind: into.behind });
  into.items.push(item);
  spend(30);
}

// The part of a frame's own viewport that is shown, in its own pixels.
function frameClip(element, here) {
  const scale = element.offsetWidth ? here.box.width / element.offsetWidth : 1;
  const left = here.box.left + (element.clientLeft + parseFloat(here.style.paddingLeft)) * scale;
  const top = here.box.top + (element.clientTop + parseFloat(here.style.paddingTop)) * scale;
  const shown = meet(here.clip, sides(here.box));
  return [(shown[0] - left) / scale, (shown[1] - top) / scale, (shown[2] - left) / scale, (shown[3] - top) / scale];
}

// ---- what carries text and structure

// Headings, list items and clickable things: one line with their text when they hold only text.
function visitNamed(element, role, here, inside, into, acts) {
  const items = [];
  visitChildren(element, here.style, { ...inside, items, named: inside.named && role !== 'listitem' && !acts });
  // Text that is clipped or coloured away does not name; what names the element in ARIA does.
  if (role === 'heading' && !here.seen && !items.length) return;
  const item = itemOf(element, role || 'clickable', '');
  item.acts = acts;
  const written = attributeOf(element, 'aria-label');
  if (items.every(isText)) {
    item.name = bounded(joinedText(items), TEXT_LIMIT);
    if (acts && !item.name) item.name = bounded(nameOf(element, 'button'), NAME_LIMIT);
    if (!item.name && role !== 'heading' && !acts) return;
    if (!item.name && !written && !acts) return;
  } else {
    item.children = items;
  }
  if (written && written.trim()) item.name = bounded(collapsed(written), NAME_LIMIT);
  if (role === 'listitem' && !acts && item.children.length === 1 && !item.name) into.items.push(item.children[0]);
  else into.items.push(item);
}

function visitPicture(element, role, here, inside, into) {
  if (here.tag === 'svg' && !here.seen) return;
  const name = nameOf(element, role);
  if (here.seen && !inside.named && (name || role !== 'image' || isClickable(element, here, into))) {
    const item = itemOf(element, role, name);
    item.acts = isClickable(element, here, into);
    into.items.push(item);
  }
  if (here.tag === 'img') takeAreas(element, into.items);
  else if (here.tag === 'svg' && !name) visitChildren(element, here.style, inside);
  else if (role === 'image' && here.tag !== 'svg') visitChildren(element, here.style, { ...inside, named: true });
}

function takeAreas(image, items) {
  const map = (attributeOf(image, 'usemap') ?? '').replace(/^#/, '');
  if (!map) return;
  for (const area of documentQueryAll(document, 'map area[href]')) {
    if (attributeOf(parentOf(area), 'name') !== map) continue;
    const item = itemOf(area, 'link', nameOf(area, 'link'));
    item.acts = true;
    items.push(item);
  }
}

function visitMeter(element, role, here, into) {
  if (!here.seen || role === 'separator' || into.named) return;
  into.items.push(itemOf(element, role, nameOf(element, role)));
}

function visitContainer(element, role, here, inside, into) {
  const name = into.named ? '' : nameOf(element, role);
  const items = [];
  const naming = /^(fieldset|table|figure)$/.test(here.tag) ? { fieldset: 'legend', table: 'caption', figure: 'figcaption' }[here.tag] : null;
  visitContainerChildren(element, here, { ...inside, items }, name ? naming : null);
  const acts = here.seen && !into.named && isClickable(element, here, into) && hasAttribute(element, 'onclick');
  if (!items.length && !(name && here.seen && !into.named)) return;
  if (role === 'table' && !isDataTable(element, items)) return void into.items.push(...items);
  if (!name && !acts && QUIET_UNNAMED.has(role)) {
    if (items.length) into.items.push(...items);
    return;
  }
  const item = itemOf(element, role, name);
  item.acts = acts;
  item.children = items;
  if (items.length === 1 && isText(items[0]) && !name) {
    item.name = bounded(collapsed(items[0].text), TEXT_LIMIT);
    item.children = [];
  }
  into.items.push(item);
}

// `naming`: the child whose text is the container's name.
function visitContainerChildren(element, here, inside, naming) {
  if (!naming) return visitChildren(element, here.style, inside);
  eachChild(element, (child) => {
    if (nodeTypeOf(child) === TEXT) visitText(child, element, here.style, inside);
    else if (nodeTypeOf(child) === ELEMENT) visit(child, localNameOf(child) === naming ? { ...inside, named: true } : inside);
  });
  return undefined;
}

// A table that only places things is left out, and its cells are read as text.
function isDataTable(table, items) {
  let declared = reading.dataTables.get(table);
  if (declared === undefined) {
    declared = localNameOf(table) !== 'table' || !!ariaRole(table) || !!table.caption || !!table.tHead || !!queryOne(table, 'th');
    reading.dataTables.set(table, declared);
  }
  return declared || (items.length > 0 && items.every((item) => item.role === 'row'));
}

function visitTablePart(element, role, here, inside, into, acts) {
  const items = [];
  visitChildren(element, here.style, { ...inside, items });
  if (role === 'row') return takeRow(element, items, into, acts);
  if (!items.length && !acts) return undefined;
  const cell = { role, name: '', states: stateText(element, role, ''), element, children: [], acts, cell: true };
  const label = attributeOf(element, 'aria-label');
  if (items.every(isText)) cell.name = bounded(joinedText(items), TEXT_LIMIT);
  else cell.children = items;
  if (label && label.trim() && !into.named) cell.name = bounded(collapsed(label), NAME_LIMIT);
  spend(4);
  into.items.push(cell);
  return undefined;
}

// A row of text is one line; one that holds something to act on has lines below it.
function takeRow(element, items, into, acts) {
  if (!items.length) return;
  const plain = items.every((item) => item.cell && !item.acts && !item.children.length);
  const row = itemOf(element, 'row', '');
  row.acts = acts;
  if (plain) {
    row.name = bounded(items.map((item) => item.name).filter(Boolean).join(' | '), TEXT_LIMIT);
    if (!row.name) return;
    into.items.push(row);
    return;
  }
  row.children = items.flatMap((item) => (item.cell && !item.acts && item.children.length && !item.name ? item.children : [item]));
  const table = composedClosest(element, 'table, [role=table], [role=grid], [role=treegrid]');
  if (!acts && table && localNameOf(table) === 'table' && !ariaRole(table) && !isDataTable(table, [])) {
    into.items.push(...row.children.map((item) => (item.cell && !item.acts && !item.children.length ? { text: item.name, ended: true } : item)));
    return;
  }
  into.items.push(row);
}

function composedClosest(element, selector) {
  for (let at = element; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) if (matches(at, selector)) return at;
  return null;
}
