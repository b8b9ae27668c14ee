// Points at which a press reaches an element, among those of the boxes that show it. Changes nothing.

const elementInShadowAt = uncurried(ShadowRoot.prototype.elementFromPoint);

// Places tried in each box of an element, as parts of its width and height: the middle first, then around it.
const PROBES = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.2],
  [0.9, 0.2],
  [0.1, 0.8],
  [0.9, 0.8],
];
const CLOSE = 14;
const CLOSE_PROBES = Array.from({ length: CLOSE * CLOSE }, (_, at) => [
  ((at % CLOSE) + 0.5) / CLOSE,
  (Math.floor(at / CLOSE) + 0.5) / CLOSE,
]);
// Boxes of one element that are tried: lines of a long link, mostly.
const BOXES_TRIED = 6;
// Levels below an element without a box of its own at which boxes are looked for.
const BOX_DEPTH = 4;

// The part of a picture that an `area` of its map covers, as a box.
function areaBoxes(area) {
  const map = closest(area, 'map');
  const image = map && documentQueryAll(document, 'img[usemap]');
  const shown = image && [...image].find((one) => attributeOf(one, 'usemap') === '#' + attributeOf(map, 'name'));
  if (!shown) return [];
  const { left, top, width, height } = boxOf(shown);
  const numbers = (attributeOf(area, 'coords') ?? '').split(/[\s,;]+/).map(Number);
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return [new DOMRect(left, top, width, height)];
  const [x, y, r] = numbers;
  if (numbers.length === 3) return [new DOMRect(left + x - r, top + y - r, 2 * r, 2 * r)];
  const across = numbers.filter((_, at) => at % 2 === 0);
  const down = numbers.filter((_, at) => at % 2 === 1);
  const [west, north] = [Math.min(...across), Math.min(...down)];
  return [new DOMRect(left + west, top + north, Math.max(...across) - west, Math.max(...down) - north)];
}

// The boxes that show an element: its own, or those of what is inside where it has none.
function bodyBoxes(node, depth = BOX_DEPTH) {
  if (node instanceof HTMLAreaElement) return areaBoxes(node);
  const own = [...clientRectsOf(node)].filter((box) => box.width > 0 && box.height > 0);
  if (own.length || depth === 0) return own.slice(0, BOXES_TRIED);
  const inner = [];
  eachChild(node, (child) => {
    if (inner.length < BOXES_TRIED && nodeTypeOf(child) === ELEMENT) inner.push(...bodyBoxes(child, depth - 1));
  });
  if (!inner.length && getComputedStyle(node).display === 'contents') {
    const range = makeRange(document);
    range.selectNodeContents(node);
    inner.push(...[...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0));
  }
  return inner.slice(0, BOXES_TRIED);
}

function deepestAt(x, y) {
  let hit = elementAt(document, x, y);
  for (;;) {
    const shadow = hit && shadowOf(hit);
    const inner = shadow && elementInShadowAt(shadow, x, y);
    if (!inner || rootOf(inner) !== shadow) return hit;
    hit = inner;
  }
}

// Labels that do what their control does when they are pressed.
const standInLabels = (target) =>
  /^(checkbox|radio|file)$/.test(typeOf(target)) || (target instanceof HTMLInputElement && isDrawnByPages(target))
    ? labelsOf(target)
    : [];

// 2: the press is the target's own; 1: it reaches it through something inside that acts itself; 0: it does not.
function reach(hit, target, labels) {
  if (!hit) return 0;
  const holder = containsComposed(target, hit) ? target : labels.find((label) => containsComposed(label, hit));
  if (!holder) return 0;
  for (let at = hit; at && at !== holder; at = composedParent(at))
    if (nodeTypeOf(at) === ELEMENT && at !== target && ACTIONABLE.has(roleOf(at))) return holder === target ? 1 : 0;
  return 2;
}

function probe(target, labels) {
  const found = { own: [], through: [], actor: null, cover: null, outside: true };
  for (const body of [target, ...labels])
    for (const box of bodyBoxes(body)) probeBox(box, PROBES, target, labels, found);
  // Thin, bent or mostly covered ones are looked for closer, and where what is inside has left their box.
  if (!found.own.length) {
    const boxes = [...bodyBoxes(target), ...innerBoxes(target)].slice(0, BOXES_TRIED);
    for (const box of boxes) if (!found.own.length) probeBox(box, CLOSE_PROBES, target, labels, found);
  }
  // What fills it, and is not all there is to it, does something else.
  if (!found.own.length && found.actor && shownContent(found.actor) !== shownContent(target)) {
    found.through = [];
    found.cover = found.actor;
  }
  return found;
}

function probeBox(box, probes, target, labels, found) {
  const [left, top, right, bottom] = meet(sides(box), [0, 0, innerWidth, innerHeight]);
  if (right <= left || bottom <= top) return;
  found.outside = false;
  for (const [across, down] of probes) {
    const point = [left + across * (right - left), top + down * (bottom - top)];
    const hit = deepestAt(...point);
    const reached = reach(hit, target, labels);
    if (reached === 2) found.own.push(point);
    else if (reached) {
      found.through.push(point);
      found.actor ??= actorOf(hit, target);
    } else if (hit && !found.cover && !containsComposed(hit, target)) found.cover = coverOf(hit, target);
  }
}

// What inside of the target acts itself where it is hit.
function actorOf(hit, target) {
  for (let at = hit; at && at !== target; at = composedParent(at))
    if (nodeTypeOf(at) === ELEMENT && ACTIONABLE.has(roleOf(at))) return at;
  return null;
}

function innerBoxes(node) {
  const boxes = [];
  eachChild(node, (child) => {
    if (boxes.length < BOXES_TRIED && nodeTypeOf(child) === ELEMENT) boxes.push(...bodyBoxes(child));
  });
  return boxes;
}
