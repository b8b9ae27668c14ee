// Whether an element stands still, frame by frame.

const animationsOf = uncurried(Element.prototype.getAnimations);

// A page that is not shown draws no frames: then time has to do.
const FRAME_PATIENCE_MS = 100;

const nextFrame = () =>
  new Promise((done) => {
    requestAnimationFrame(done);
    setTimeout(done, FRAME_PATIENCE_MS);
  });

const sameBoxes = (a, b) =>
  a.length === b.length &&
  a.every((box, at) => Math.abs(box.left - b[at].left) < 0.5 && Math.abs(box.top - b[at].top) < 0.5);

const MOVING =
  /^(transform|translate|rotate|scale|left|top|right|bottom|inset|margin|padding|width|height|offset|flex|grid|zoom)/;

// Whether an animation that ends moves the element, or what it is in: when it has just begun, nothing has moved.
function isOnItsWay(target) {
  for (let at = target; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at))
    for (const animation of animationsOf(at)) {
      const { effect, playState } = animation;
      if (playState !== 'running' || !effect || effect.getComputedTiming().endTime === Infinity) continue;
      const properties = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
      if (properties.some((property) => MOVING.test(property))) return true;
    }
  return false;
}

// Whether the boxes stand still from one frame to the next, within `patience`.
async function standsStill(target, patience) {
  const end = performance.now() + patience;
  let before = bodyBoxes(target);
  for (;;) {
    await nextFrame();
    const now = bodyBoxes(target);
    if (sameBoxes(before, now) && !isOnItsWay(target)) return true;
    if (performance.now() >= end) return false;
    before = now;
  }
}
