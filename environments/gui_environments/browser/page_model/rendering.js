// What a person sees: boxes and what clips them, transparency, sizes and colours that hide text.

// Computed styles of one reading. Reading a style twice is the dearest thing a walk does.
let styles = new Map();

function styleOf(element) {
  let style = styles.get(element);
  if (!style) {
    style = getComputedStyle(element);
    styles.set(element, style);
  }
  return style;
}

// Boxes thinner than this (CSS pixels) show nothing: text for screen readers is clipped to one pixel.
const SEEN_PX = 1;
// Text smaller than this cannot be read.
const READABLE_PX = 3;
// Sums of differences of three colour channels up to this look the same.
const SAME_COLOUR = 12;
const OPAQUE = 0.05;

const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
const sides = (box) => [box.left, box.top, box.right, box.bottom];
const shows = (box, clip) =>
  Math.min(box.right, clip[2]) - Math.max(box.left, clip[0]) > SEEN_PX &&
  Math.min(box.bottom, clip[3]) - Math.max(box.top, clip[1]) > SEEN_PX;

// Not drawn at all, with everything below it.
function isAbsent(element, style) {
  return (
    style.display === 'none' ||
    (attributeOf(element, 'aria-hidden') === 'true' && !isRootOrBody(element)) ||
    hasAttribute(element, 'inert')
  );
}

const isRootOrBody = (element) => element === documentElementOf(document) || element === bodyOf(document);

// Cut away by `clip` or `clip-path`, in their plain forms.
function isCutAway(style) {
  if (style.clip !== 'auto' && (style.position === 'absolute' || style.position === 'fixed')) {
    const [top, right, bottom, left] = (style.clip.match(/-?[\d.]+/g) ?? []).map(Number);
    if (right - left <= SEEN_PX || bottom - top <= SEEN_PX) return true;
  }
  const path = style.clipPath;
  if (path === 'none') return false;
  const inset = /^inset\(([\d.]+)%(?: ([\d.]+)%)?/.exec(path);
  if (inset) return Number(inset[1]) >= 50 || Number(inset[2] ?? 0) >= 50;
  return /^(circle|ellipse)\(0(px|%)?[ )]/.test(path);
}

// The clips that hold for what is inside `element`: `flow` for most, `absolute` and `fixed` for what is positioned so,
// which is not clipped by every ancestor.
function clipsInside(element, style, box, clips, everything) {
  const clipping = style.overflowX !== 'visible' || style.overflowY !== 'visible';
  const contained =
    style.transform !== 'none' ||
    style.filter !== 'none' ||
    style.perspective !== 'none' ||
    style.contain.includes('paint');
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

const parsedColours = new Map();

// Red, green, blue and alpha; null for what is not written as rgb().
function colour(text) {
  let parsed = parsedColours.get(text);
  if (parsed === undefined) {
    const numbers = /^rgba?\(/.test(text) ? (text.match(/[\d.]+/g) ?? []).map(Number) : [];
    parsed = numbers.length >= 3 ? [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1] : null;
    parsedColours.set(text, parsed);
  }
  return parsed;
}

// What is painted behind the text of an element, where that is plain: a colour. Null where it is a picture, half
// transparent, or out of the flow and so over anything.
function backgroundInside(style, behind) {
  if (style.backgroundImage !== 'none') return null;
  const own = colour(style.backgroundColor);
  if (own === null) return null;
  if (own[3] === 1) return own;
  if (own[3] > 0) return null;
  return style.position === 'static' || style.position === 'relative' ? behind : null;
}

function isColouredAway(style, behind, box) {
  const ink = colour(style.webkitTextFillColor || style.color);
  if (ink === null) return false;
  if (ink[3] < OPAQUE) return style.backgroundClip !== 'text' && style.textShadow === 'none';
  if (behind === null || style.textShadow !== 'none') return false;
  const difference = Math.abs(ink[0] - behind[0]) + Math.abs(ink[1] - behind[1]) + Math.abs(ink[2] - behind[2]);
  return difference <= SAME_COLOUR && !isOverPicture(box);
}

// Whether something other than plain colour lies under the middle of `box`, painted by an element that is no ancestor.
function isOverPicture(box) {
  for (const element of elementsAt(document, (box.left + box.right) / 2, (box.top + box.bottom) / 2)) {
    if (/^(img|video|canvas|svg|picture|iframe|object)$/.test(localNameOf(element))) return true;
    const style = styleOf(element);
    if (style.backgroundImage !== 'none') return true;
    if (colour(style.backgroundColor)?.[3] === 1) return false;
  }
  return false;
}
