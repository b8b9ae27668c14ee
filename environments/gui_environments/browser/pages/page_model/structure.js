// What carries text and structure: headings, items, landmarks and groups, pictures, details, frames.

const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search']);
const CONTAINERS = new Set(
  (
    'alert alertdialog application article dialog feed figure grid group list listbox log marquee menu menubar ' +
    'radiogroup rowgroup scrollbar status table tablist tabpanel timer toolbar tooltip tree treegrid'
  ).split(' ')
);
// Say nothing themselves when they have no name.
const QUIET_UNNAMED = new Set([
  'group',
  'list',
  'rowgroup',
  'status',
  'figure',
  'article',
  'image',
  'application',
  'log',
  'alert',
  'tabpanel',
  'toolbar',
  'marquee',
  'timer',
  'tooltip',
  'radiogroup',
  'menubar',
  'feed',
  'math',
  'form',
  'region',
]);

// Headings, list items and clickable things: one line with their text when they hold only text.
function visitNamed(element, role, here, inside, into, acts) {
  const items = [];
  visitChildren(element, here.style, { ...inside, items, named: inside.named && !acts });
  if (!acts && listening.has(element) && here.seen) acts = isListener(items);
  if (!acts && !role) return void into.items.push(...items);
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
  const naming = /^(fieldset|table|figure)$/.test(here.tag)
    ? { fieldset: 'legend', table: 'caption', figure: 'figcaption' }[here.tag]
    : null;
  visitContainerChildren(element, here, { ...inside, items }, name ? naming : null);
  const acts = here.seen && !into.named && isClickable(element, here, into) && hasAttribute(element, 'onclick');
  if (!items.length && !(name && here.seen && !into.named)) return;
  if (role === 'table' && !isDataTable(element)) return void into.items.push(...items);
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
    if (isUnwanted(child)) return;
    if (nodeTypeOf(child) === TEXT) visitText(child, element, here.style, inside);
    else if (nodeTypeOf(child) === ELEMENT)
      visit(child, localNameOf(child) === naming ? { ...inside, named: true } : inside);
  });
  return undefined;
}

function visitDetails(element, here, inside, into) {
  let summary = null;
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child))
    if (nodeTypeOf(child) === ELEMENT && isSummary(child)) summary = child;
  if (!summary && here.seen) {
    const item = {
      role: 'summary',
      name: 'Details',
      states: element.open ? ' expanded' : ' collapsed',
      element,
      children: [],
      acts: true,
    };
    into.items.push(item);
  }
  if (element.open) return visitChildren(element, here.style, inside);
  if (summary) visit(summary, inside);
  return undefined;
}

function visitFrame(element, here, into) {
  if (!here.seen || element.clientWidth <= SEEN_PX || element.clientHeight <= SEEN_PX) return;
  const name = collapsed(attributeOf(element, 'aria-label') || attributeOf(element, 'title') || '');
  const item = {
    role: 'iframe',
    name: bounded(name, NAME_LIMIT),
    states: '',
    element,
    children: [],
    frame: reading.frames.length,
  };
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
