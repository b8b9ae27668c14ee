// What a person sees: boxes, transparency, sizes. What clips and what colours hide has files of its own.

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
// What is moved farther than this (CSS pixels) from its place is moved out of sight.
const FAR_PX = 900;

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

// How much of an element is drawn over what is behind it, by its own style alone: 0 is nothing.
function opacityOf(style) {
  let opacity = Number(style.opacity);
  if (style.filter !== 'none')
    for (const [, number, unit] of style.filter.matchAll(/opacity\(([\d.]+)(%?)\)/g))
      opacity *= unit ? Number(number) / 100 : Number(number);
  return style.maskImage !== 'none' && isClearPaint(style.maskImage) ? 0 : opacity;
}

// Dots are shown in place of what is written.
const isDotted = (style) => (style.webkitTextSecurity ?? 'none') !== 'none';
