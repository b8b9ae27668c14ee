// What is painted over what, and covers that the mouse goes through: asked what lies at a point, the browser leaves
// them out.

const placedTo = uncurried(Node.prototype.compareDocumentPosition);
const FOLLOWS = 4;
const HOLDS_LAYERS = /paint|layout|strict|content/;

const isInTopLayer = (element) => matches(element, ':modal, :popover-open');

const makesLayer = (style, placed) =>
  (placed && style.zIndex !== 'auto') ||
  /fixed|sticky/.test(style.position) ||
  Number(style.opacity) < 1 ||
  [style.transform, style.filter, style.perspective, style.clipPath, style.maskImage].some((one) => one !== 'none') ||
  style.isolation === 'isolate' ||
  style.mixBlendMode !== 'normal' ||
  HOLDS_LAYERS.test(style.contain);

// The layers that an element is in, from the outermost: {node, z}. What is placed in something that makes no layer is
// stacked beside that.
function layersOf(element) {
  const layers = [];
  for (let at = element; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) {
    const style = styleOf(at);
    const placed = style.position !== 'static';
    const makes = makesLayer(style, placed);
    const top = isInTopLayer(at);
    if (top || makes || (placed && !layers.length))
      layers.unshift({ node: at, z: top ? Infinity : Number(style.zIndex) || 0 });
    if (top) break;
  }
  return layers;
}

// Neither may hold the other.
function paintsOver(over, under) {
  const [above, below] = [layersOf(over), layersOf(under)];
  let at = 0;
  while (above[at] && below[at] && above[at].node === below[at].node) at++;
  const [upper, lower] = [above[at], below[at]];
  const isLater = (one, other) => (placedTo(other, one) & FOLLOWS) !== 0;
  if (upper && lower) return upper.z === lower.z ? isLater(upper.node, lower.node) : upper.z > lower.z;
  if (upper) return upper.z >= 0;
  return lower ? lower.z < 0 : isLater(over, under);
}

// While a document is read: one more of such covers, or of the layers that text may lie on.
function noteLayer(element, style) {
  if (style.position === 'static') return;
  const painted = colour(style.backgroundColor);
  if (!((painted?.[3] ?? 0) > 1 - OPAQUE)) return;
  if (style.pointerEvents === 'none') return void reading.deaf.push(element);
  reading.layers.push(painted);
  const { left, top, right, bottom } = boxOf(element);
  reading.again ||= reading.inked.some(
    ({ ink, x, y }) => x > left && x < right && y > top && y < bottom && difference(ink, painted) <= SAME_COLOUR
  );
}

// To ask what is painted there is dear: only for text that looks hidden by what is around it, or has the colour of a
// layer. What is read before such a layer is read again.
function mayLieOnLayer(ink, behind, box) {
  if (behind === null || difference(ink, behind) <= SAME_COLOUR) return true;
  if (reading.layers.some((painted) => difference(ink, painted) <= SAME_COLOUR)) return true;
  reading.inked.push({ ink, x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
  return false;
}

// `points` of text in `parent`.
function isUnderDeafCover(parent, points) {
  return reading.covers.some((cover) => {
    const { left, top, right, bottom } = boxOf(cover);
    if (!points.every(([x, y]) => x > left && x < right && y > top && y < bottom)) return false;
    if (containsComposed(cover, parent) || containsComposed(parent, cover)) return false;
    return paintsOver(cover, parent);
  });
}
