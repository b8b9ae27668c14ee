// Colours that hide text: its own on the same, or none at all.

const parsedColours = new Map();
let sampler = null;

// Red, green, blue and alpha; null for what is no colour.
function colour(text) {
  let parsed = parsedColours.get(text);
  if (parsed === undefined) {
    const numbers = /^rgba?\(/.test(text) ? (text.match(/[\d.]+/g) ?? []).map(Number) : [];
    parsed = numbers.length >= 3 ? [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1] : sampledColour(text);
    parsedColours.set(text, parsed);
  }
  return parsed;
}

// Of colours in other spaces (oklch, lab, color) what a canvas makes of them.
function sampledColour(text) {
  if (!/^(color|oklch|oklab|lch|lab|hsla?|hwb)\(/.test(text)) return null;
  sampler ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  sampler.clearRect(0, 0, 1, 1);
  sampler.fillStyle = text;
  sampler.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = sampler.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

const COLOURS = /(?:rgba?|color|oklch|oklab|lch|lab|hsla?|hwb)\([^()]*\)/g;

// The colours of what is painted by gradients alone; null for pictures.
const gradientColours = (image) =>
  /url\(|image-set\(|element\(|paint\(/.test(image) ? null : (image.match(COLOURS) ?? []).map(colour);

// Gradients from transparent to transparent.
function isClearPaint(image) {
  const colours = gradientColours(image);
  return !!colours?.length && colours.every((one) => one && one[3] < OPAQUE);
}

const difference = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);

// The one colour of a background; null where it has several, is a picture, or lets through what is behind.
function flatBackground(style, behind) {
  if (style.backgroundImage !== 'none') {
    const colours = gradientColours(style.backgroundImage);
    const isFlat = (one) => one?.[3] === 1 && difference(one, colours[0]) <= SAME_COLOUR;
    return colours?.length && colours.every(isFlat) ? colours[0] : null;
  }
  const own = colour(style.backgroundColor);
  if (own === null || own[3] === 0) return own && behind;
  if (own[3] === 1) return own;
  return behind && [0, 1, 2].map((at) => own[at] * own[3] + behind[at] * (1 - own[3])).concat(1);
}

// What is painted behind the text of an element, where that is plain: a colour. Null where it is a picture, or out of
// the flow and so over anything.
function backgroundInside(style, behind) {
  const inFlow = style.position === 'static' || style.position === 'relative';
  return flatBackground(style, inFlow ? behind : null);
}

// The colour under the middle of `box`, behind `element`, as what is there is painted; null where that is unclear.
function paintedBehind(element, box) {
  const stack = elementsAt(document, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
  const own = stack.findIndex((other) => other === element || containsComposed(other, element));
  if (own < 0) return null;
  for (const other of stack.slice(own)) {
    if (isPictured(other)) return null;
    const flat = flatBackground(styleOf(other), null);
    if (flat) return flat;
    const { backgroundImage, backgroundColor } = styleOf(other);
    if (backgroundImage !== 'none' || (colour(backgroundColor)?.[3] ?? 1) > 0) return null;
  }
  return [255, 255, 255, 1];
}

// The colour that something which is not around `element` paints behind its text, in its own layer: null where that is
// unclear, undefined where there is no such thing.
function layerBehind(element, box) {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return undefined;
  const stack = elementsAt(document, x, y);
  const own = stack.findIndex((other) => other === element || containsComposed(other, element));
  for (const other of own < 0 ? [] : stack.slice(own)) {
    const style = styleOf(other);
    if (!isPictured(other) && style.backgroundImage === 'none' && colour(style.backgroundColor)?.[3] === 0) continue;
    if (other === element || containsComposed(other, element)) return undefined;
    return isPictured(other) ? null : flatBackground(style, null);
  }
  return undefined;
}

const isPictured = (element) => /^(img|video|canvas|svg|picture|iframe|object)$/.test(localNameOf(element));

const BEHIND_LEVELS = 5;

// A background that is drawn by `::before` or `::after` is no element's.
function hasPaintedMark(element) {
  let at = element;
  for (let level = 0; at && nodeTypeOf(at) === ELEMENT && level < BEHIND_LEVELS; level++, at = composedParent(at))
    for (const which of ['::before', '::after']) {
      const style = getComputedStyle(at, which);
      const painted = style.backgroundImage !== 'none' || (colour(style.backgroundColor)?.[3] ?? 1) > 0;
      if (style.content !== 'none' && style.content !== 'normal' && painted) return true;
    }
  return false;
}

// Text through which the background of an element around it shows.
function isInkedByBackground(element) {
  let at = element;
  for (let level = 0; at && nodeTypeOf(at) === ELEMENT && level < BEHIND_LEVELS; level++, at = composedParent(at)) {
    const style = styleOf(at);
    if (style.backgroundClip.includes('text'))
      return style.backgroundImage !== 'none' || (colour(style.backgroundColor)?.[3] ?? 1) >= OPAQUE;
  }
  return false;
}

function inkOf(element, style) {
  if (!(element instanceof SVGElement)) return colour(style.webkitTextFillColor || style.color);
  if (style.stroke !== 'none') return null;
  if (style.fill === 'none' || Number(style.fillOpacity) < OPAQUE) return [0, 0, 0, 0];
  return colour(style.fill);
}

const hasShadow = (style) =>
  style.textShadow !== 'none' &&
  (style.textShadow.match(COLOURS) ?? []).some((one) => (colour(one)?.[3] ?? 1) >= OPAQUE);

function isColouredAway(element, style, behind, box) {
  const ink = inkOf(element, style);
  if (ink === null || hasShadow(style)) return false;
  if (ink[3] < OPAQUE) return !isInkedByBackground(element);
  const layer = mayLieOnLayer(ink, behind, box) ? layerBehind(element, box) : undefined;
  if (layer !== undefined) behind = layer;
  else behind ??= paintedBehind(element, box);
  if (behind === null || difference(ink, behind) > SAME_COLOUR) return false;
  return !isOverPicture(box) && !hasPaintedMark(element);
}

// Whether something other than plain colour lies under the middle of `box`, painted by an element that is no ancestor.
function isOverPicture(box) {
  for (const element of elementsAt(document, (box.left + box.right) / 2, (box.top + box.bottom) / 2)) {
    if (isPictured(element)) return true;
    const style = styleOf(element);
    if (style.backgroundImage !== 'none') return !flatBackground(style, null);
    if (colour(style.backgroundColor)?.[3] === 1) return false;
  }
  return false;
}
