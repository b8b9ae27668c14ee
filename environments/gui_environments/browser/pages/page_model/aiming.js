// From an element to the points at which a press reaches it, and what is in the way where none does. Scrolls, and
// changes nothing else.

const scrollIntoView = uncurried(Element.prototype.scrollIntoView);

const COVER_NAME_LIMIT = 80;

// Why nothing can be done to an element at all; null when that is to be tried.
function obstacle(target, labels, enabled) {
  if (target instanceof HTMLOptionElement && !bodyBoxes(target).length) {
    const select = closest(target, 'select');
    if (select) return { problem: 'option', number: numberOf(select), name: optionText(target) };
  }
  if (enabled && isDisabled(target)) return { problem: 'disabled' };
  for (let at = target; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at))
    if (hasAttribute(at, 'inert')) return { problem: 'inert' };
  const modal = topModal();
  if (modal && !containsComposed(modal, target)) return { problem: 'modal', ...described(modal) };
  if (labels.some((label) => bodyBoxes(label).length && getComputedStyle(label).visibility === 'visible')) return null;
  if (!bodyBoxes(target).length) {
    const hidden = !clientRectsOf(target).length && getComputedStyle(target).display !== 'contents';
    return { problem: hidden ? 'hidden' : 'sizeless', form: LABELABLE.has(localNameOf(target)) };
  }
  if (getComputedStyle(target).visibility !== 'visible' && !showsInside(target))
    return { problem: 'hidden', form: LABELABLE.has(localNameOf(target)) };
  return null;
}

function showsInside(node) {
  let found = false;
  eachChild(node, (child) => {
    if (!found && nodeTypeOf(child) === ELEMENT)
      found = getComputedStyle(child).visibility === 'visible' || showsInside(child);
  });
  return found;
}

// Pages may give elements names that look like more than a name.
const tagOf = (node) => localNameOf(node).replace(/[^\w-]+/g, '');

// What a person would call an element that is in the way.
function described(node) {
  const written = attributeOf(node, 'aria-label') || referredTo(node, 'aria-labelledby').map(shownContent).join(' ');
  const name = bounded(collapsed(written || attributeOf(node, 'title') || shownContent(node)), COVER_NAME_LIMIT);
  return { number: numberOf(node), role: roleOf(node) || tagOf(node), name };
}

// The outermost layer over the target: what holds the hit element and not the target. What took the place of a target
// that is gone is just that.
function coverOf(hit, target) {
  let cover = hit;
  if (!isConnected(target)) return hit;
  for (let at = hit; at && nodeTypeOf(at) === ELEMENT && !containsComposed(at, target); at = composedParent(at))
    cover = at;
  return cover;
}

const isInSight = (node) => bodyBoxes(node).some((box) => shows(box, [0, 0, innerWidth, innerHeight]));

function forgetCached() {
  styles = new Map();
  names = new Map();
  labelsFor = new Map();
  textsAround = new Map();
}

Object.assign(pageModel, {
  // `options`: {align: null or how to scroll it into view, enabled: whether it has to be, patience: how long it may
  // move}. What keeps it from being reached, or {points, cover, moving, outside, deaf,
  // frame}.
  async aim(number, options) {
    const target = element(number);
    if (!target) return { problem: 'removed' };
    forgetCached();
    const labels = standInLabels(target);
    const problem = obstacle(target, labels, options.enabled) ?? (options.enabled ? becameAnother(target) : null);
    if (problem) return problem;
    const body = bodyBoxes(target).length ? target : (labels.find((label) => bodyBoxes(label).length) ?? target);
    const align = options.align ?? (isInSight(body) ? null : 'center');
    if (align) {
      scrollIntoView(body, { block: align, inline: align, behavior: 'instant' });
    }
    const still = await standsStill(body, options.patience);
    if (!isConnected(target)) return { problem: 'removed' };
    const found = probe(target, labels);
    forgetCached();
    forgetChanges();
    return {
      points: [...found.own, ...found.through],
      cover: found.cover && described(found.cover),
      moving: !still,
      outside: found.outside,
      deaf: getComputedStyle(target).pointerEvents === 'none',
      frame: FRAMES.has(localNameOf(target)),
    };
  },

  // For each point of this document, whether a press there goes into the frame that `owner` shows; with the first
  // thing that is over it.
  reaches(owner, points) {
    const node = element(owner);
    if (!node) return null;
    const hits = points.map(([x, y]) => deepestAt(x, y));
    const over = hits.find((hit) => hit && hit !== node && !containsComposed(hit, node));
    return { reached: hits.map((hit) => hit === node), cover: over ? described(coverOf(over, node)) : null };
  },

  // The number of an element whose handle the session has.
  numbered: (node) => numberOf(node),
});
