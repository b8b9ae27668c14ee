// What a person acts on: controls, links, what pages make clickable, and the labels that stand for controls.

// Operable although transparent or clipped: what a person sees in their place is drawn by the page.
const DRAWN_BY_PAGES = /^(checkbox|radio|file|range|color|date|time|month|week|datetime-local)$/;

function visitActionable(element, role, here, inside, into) {
  if (!here.seen && !isStandIn(element, here)) {
    // Not shown itself, but what is inside may be (visibility, positions).
    if (!NAMED_BY_CONTENT.has(role) || here.style.display === 'contents' || isOutgrown(here)) {
      if (here.style.display === 'contents' && !into.clear) return takeActionable(element, role, inside, into);
      const items = [];
      visitChildren(element, here.style, { ...inside, items });
      // What shows of it is pressed in its place.
      if (NAMED_BY_CONTENT.has(role) && items.length && !items.some(isAction) && !here.clear)
        return takeActionable(element, role, inside, into);
      into.items.push(...items);
    }
    return undefined;
  }
  if (role === 'link' && isInkless(element, here, inside)) return undefined;
  return takeActionable(element, role, inside, into);
}

// A link of nothing but text that cannot be seen.
function isInkless(element, here, inside) {
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child))
    if (nodeTypeOf(child) === ELEMENT) return false;
  if (!firstChildOf(element) || shadowOf(element)) return false;
  return parseFloat(here.style.fontSize) < READABLE_PX || isColouredAway(element, here.style, inside.behind, here.box);
}

const isOutgrown = (here) =>
  here.box.width <= SEEN_PX || here.box.height <= SEEN_PX || here.style.visibility !== 'visible';

// A control that the page hides and draws itself: operable where it lies, or through a label that is shown.
function isStandIn(element, here) {
  if (!isDrawnByPages(element)) return false;
  if (
    here.style.visibility === 'visible' &&
    here.clear &&
    here.box.width > 4 &&
    here.box.height > 4 &&
    shows(here.box, here.clip) &&
    !isCutAway(here.style, here.box)
  )
    return true;
  return labelsOf(element).some(isLabelShown);
}

function isDrawnByPages(element) {
  if (element instanceof HTMLSelectElement || DRAWN_BY_PAGES.test(typeOf(element))) return true;
  // The field behind a drawn choice, and behind the boxes of a code. Other transparent fields are traps for robots.
  if (!(element instanceof HTMLInputElement)) return false;
  return roleOf(element) === 'combobox' || attributeOf(element, 'autocomplete') === 'one-time-code';
}

function isLabelShown(label) {
  const style = styleOf(label);
  return (
    style.visibility === 'visible' &&
    Number(style.opacity) >= OPAQUE &&
    !isCutAway(style, boxOf(label)) &&
    shows(boxOf(label), reading.clip)
  );
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
  const shown = shownContent(element)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  return (
    shown.length < 2 ||
    name
      .replace(/[^\p{L}\p{N}]+/gu, '')
      .toLowerCase()
      .includes(shown)
  );
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

// What listens for clicks, as the session tells. It may listen for what is inside it, so only what holds nothing else
// to act on, and little text, is taken for clickable.
const listening = new WeakSet();
const LISTENER_TEXT_LIMIT = 200;

const isListener = (items) => items.every(isText) && joinedText(items).length <= LISTENER_TEXT_LIMIT;

// Pages make anything clickable. What only inherits the hand of its parent is part of the parent.
function isClickable(element, here, into) {
  if (hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown')) return true;
  if (here.style.cursor === 'pointer' && !into.pointer) return here.tag !== 'path' && !isRootOrBody(element);
  return hasAttribute(element, 'tabindex') && element.tabIndex >= 0 && !isRootOrBody(element);
}

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
  const text = collapsed(
    contentText(element, here.style, { seen: new Set([control]), referred: true, inside: false, hidden: false })
  );
  const listed = shows(boxOf(control), reading.clip) && name.includes(text);
  return visitChildren(element, here.style, { ...inside, named: inside.named || listed });
}
