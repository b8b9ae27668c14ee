// What cuts elements and text away: boxes that clip what is in them, shapes, sides that face away, and what lies over.

const shapes = new Map();

// The part of its box that a `clip-path` leaves, from parts of width and height and pixels: from the box to sides
// in the viewport. Null for shapes that are not looked into.
function shapeOf(path) {
  let shape = shapes.get(path);
  if (shape === undefined) {
    shape = parsedShape(path);
    shapes.set(path, shape);
  }
  return shape;
}

const lengthIn = (text, size) => (text.endsWith('%') ? (parseFloat(text) / 100) * size : parseFloat(text));

const CORNERS = 1000;

function parsedShape(path) {
  const [, kind, written] = /^(inset|circle|ellipse|polygon|path)\((.*)\)/s.exec(path) ?? [];
  switch (kind) {
    case 'inset': {
      const [top, right = top, bottom = top, left = right] = written.split(' round ')[0].trim().split(/\s+/);
      return ({ width, height }) => [
        lengthIn(left, width),
        lengthIn(top, height),
        width - lengthIn(right, width),
        height - lengthIn(bottom, height),
      ];
    }
    case 'circle':
    case 'ellipse':
      return /(^|\s)0(px|%)?(\s|$)/.test(written.split(' at ')[0]) ? () => [0, 0, 0, 0] : null;
    case 'polygon': {
      const corners = written.replace(/^(evenodd|nonzero),\s*/, '').split(',').slice(0, CORNERS);
      const points = corners.map((point) => point.trim().split(/\s+/));
      return ({ width, height }) => around(points.map(([x, y]) => [lengthIn(x, width), lengthIn(y ?? x, height)]));
    }
    case 'path': {
      // A point or a line leaves nothing.
      return (written.match(/-?[\d.]+/g) ?? []).length <= 4 ? () => [0, 0, 0, 0] : null;
    }
  }
  return null;
}

const around = (points) => {
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
};

// The sides in the viewport that a `clip-path` leaves of an element; null where it has none, or one not looked into.
function shapeSides(style, box) {
  const shape = style.clipPath === 'none' ? null : shapeOf(style.clipPath);
  if (!shape) return null;
  const [left, top, right, bottom] = shape(box);
  return [box.left + left, box.top + top, box.left + right, box.top + bottom];
}

function isCutAway(style, box) {
  if (style.clip !== 'auto' && (style.position === 'absolute' || style.position === 'fixed')) {
    const [top, right, bottom, left] = (style.clip.match(/-?[\d.]+/g) ?? []).map(Number);
    if (right - left <= SEEN_PX || bottom - top <= SEEN_PX) return true;
  }
  const shown = shapeSides(style, box);
  return !!shown && !shows(box, shown);
}

// Its back is to the viewer, and not drawn. The sides of a card that is turned over are turned with the card.
function facesAway(element, style) {
  if (style.backfaceVisibility !== 'hidden') return false;
  let matrix = matrixOf(style);
  for (let at = composedParent(element); at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) {
    const around = styleOf(at);
    if (around.transformStyle !== 'preserve-3d') break;
    matrix = matrixOf(around).multiply(matrix);
  }
  return matrix.m33 < 0;
}

const matrixOf = (style) => new DOMMatrix(style.transform === 'none' ? '' : style.transform);

const isPaintContained = (style) => /paint|strict|content/.test(style.contain);

// The clips that hold for what is inside `element`: `flow` for most, `absolute` and `fixed` for what is positioned so,
// which is not clipped by every ancestor.
function clipsInside(element, style, box, clips, everything) {
  const shape = shapeSides(style, box);
  if (shape) {
    const { flow, absolute, fixed } = clips;
    clips = { flow: meet(flow, shape), absolute: meet(absolute, shape), fixed: meet(fixed, shape) };
  }
  const clipping = style.overflowX !== 'visible' || style.overflowY !== 'visible' || isPaintContained(style);
  const contained =
    style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || isPaintContained(style);
  if (!clipping && style.position === 'static' && !contained) return clips;
  let inner = style.position === 'fixed' ? clips.fixed : style.position === 'absolute' ? clips.absolute : clips.flow;
  if (clipping && !isRootOrBody(element)) inner = innerClip(element, style, box, inner, everything);
  return {
    flow: inner,
    absolute: style.position !== 'static' || contained ? inner : clips.absolute,
    fixed: contained ? inner : clips.fixed,
  };
}

function innerClip(element, style, box, clip, everything) {
  const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
  if (!everything || !scrolls) return meet(clip, sides(box));
  if (!shows(box, clip)) return meet(clip, sides(box));
  // All that scrolling can bring into view.
  const left = box.left - scrollLeftOf(element);
  const top = box.top - scrollTopOf(element);
  return [
    left,
    top,
    left + Math.max(scrollWidthOf(element), box.width),
    top + Math.max(scrollHeightOf(element), box.height),
  ];
}

// Boxes around text that cut off what sticks out of them, and cannot be scrolled by hand.
const HARD_LEVELS = 8;

function hardClip(element) {
  let clip = [-Infinity, -Infinity, Infinity, Infinity];
  let at = element;
  for (let level = 0; at && nodeTypeOf(at) === ELEMENT && level < HARD_LEVELS && !isRootOrBody(at); level++) {
    const style = styleOf(at);
    const [across, down] = [style.overflowX, style.overflowY].map((flow) => /hidden|clip/.test(flow));
    const [left, top, right, bottom] = sides(boxOf(at));
    if (across) clip = meet(clip, [left, -Infinity, right, Infinity]);
    if (down) clip = meet(clip, [-Infinity, top, Infinity, bottom]);
    if (style.position === 'fixed') break;
    at = composedParent(at);
  }
  return clip;
}

const sticksOut = (box, clip) =>
  box.left < clip[0] - SEEN_PX ||
  box.top < clip[1] - SEEN_PX ||
  box.right > clip[2] + SEEN_PX ||
  box.bottom > clip[3] + SEEN_PX;

// The words of a text that such boxes leave, with a mark where others are missing.
function wordsWithin(node, clip) {
  const range = makeRange(document);
  const kept = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getBoundingClientRect();
    const inside = meet(sides(box), clip);
    const shown = inside[2] - inside[0] > SEEN_PX && inside[3] - inside[1] > box.height / 2;
    if (shown) kept.push(word);
    else if (kept[kept.length - 1] !== '…') kept.push('…');
  }
  return kept.every((word) => word === '…') ? '' : ` ${kept.join(' ')} `;
}

// What is painted so over others, where it is, that nothing of them shows.
function isOpaqueCover(element) {
  const style = styleOf(element);
  if (style.visibility !== 'visible' || !((colour(style.backgroundColor)?.[3] ?? 0) > 1 - OPAQUE)) return false;
  for (let at = element; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) {
    const { position } = styleOf(at);
    if (opacityOf(styleOf(at)) < 1 - OPAQUE) return false;
    // Scrolling brings out what is under these.
    if (reading.everything && (position === 'fixed' || position === 'sticky')) return false;
  }
  return true;
}

function isCoveredAt(element, x, y) {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const isKin = (other) => other === element || containsComposed(other, element) || containsComposed(element, other);
  const top = elementAt(document, x, y);
  if (!top || isKin(top)) return false;
  const stack = elementsAt(document, x, y);
  const own = stack.findIndex(isKin);
  return own > 0 && stack.slice(0, own).some(isOpaqueCover);
}

function isTextCovered(parent, box) {
  const points = [0.25, 0.75].map((part) => [box.left + part * box.width, (box.top + box.bottom) / 2]);
  return points.every(([x, y]) => isCoveredAt(parent, x, y)) || isUnderDeafCover(parent, points);
}
