// Sees to it that a press meant for an element reaches that element: something may have come over it, or it may have
// moved, since it was looked at. A press that would land elsewhere in this document is stopped before the page's
// handlers and the browser's own response, and what it would have hit is kept to be told.

const GUARDED_EVENTS = (
  'pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu dragstart touchstart touchend'
).split(' ');
// A guard that nobody ends is over by then.
const GUARD_MS = 1000;

let guard = null;

// A closed shadow root shows itself to a listener as its host.
function isMeant(hit, event) {
  const { target, labels } = guard;
  return reach(hit, target, labels) > 0 || reach(deepestAt(event.clientX, event.clientY), target, labels) > 0;
}

function meetPress(event) {
  if (!event.isTrusted || !guard) return;
  if (performance.now() > guard.until) {
    endGuard();
    return;
  }
  if (guard.passes === null) {
    const hit = event.composedPath()[0];
    guard.passes = !(hit instanceof Element) || isMeant(hit, event);
    if (!guard.passes) guard.hit = described(coverOf(hit, guard.target));
  }
  if (guard.passes) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}

function meetMotion(event) {
  const hit = event.composedPath()[0];
  if (event.isTrusted && guard && hit instanceof Element) guard.pointed = isMeant(hit, event);
}

function endGuard() {
  removeEventListener('pointermove', meetMotion, { capture: true });
  for (const type of GUARDED_EVENTS) removeEventListener(type, meetPress, { capture: true });
  guard = null;
}

Object.assign(pageModel, {
  // Before a press: whether the element is still there.
  guard(number) {
    endGuard();
    const target = element(number);
    if (!target) return false;
    forgetCached();
    const until = performance.now() + GUARD_MS;
    guard = { target, labels: standInLabels(target), passes: null, hit: null, pointed: false, until };
    forgetCached();
    for (const type of GUARDED_EVENTS) addEventListener(type, meetPress, { capture: true, passive: false });
    addEventListener('pointermove', meetMotion, { capture: true, passive: true });
    return true;
  },

  // Whether the last motion of the mouse arrived at the element.
  pointed: () => !!guard?.pointed,

  // After it: what it would have hit, or null.
  unguard() {
    const hit = guard?.hit ?? null;
    endGuard();
    return hit;
  },
});
