// Sees to it that a press meant for an element reaches that element: something may have come over it, or it may have
// moved, since it was looked at, or because of the press before. A press that would land elsewhere in this document is
// stopped before the page's handlers and the browser's own response, and what it would have hit is kept to be told.

const GUARDED_EVENTS = (
  'pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu dragstart touchstart touchend'
).split(' ');
// A guard that nobody ends is over by then. A page may be busy for longer than input is waited for (5 s).
const GUARD_MS = 10000;

// `target` null: no press is meant for this document. `presses`: that are to come; `begun` and `passed` of them;
// `passes`: the one going on; `hit`: what a stopped one would have hit; `over`: what the button came up over instead.
let guard = null;

// A closed shadow root shows itself to a listener as its host.
function isMeant(hit, event) {
  const { target, labels } = guard;
  if (!target) return false;
  return reach(hit, target, labels) > 0 || reach(deepestAt(event.clientX, event.clientY), target, labels) > 0;
}

function judgePress(event) {
  if (guard.begun === guard.presses) return endGuard();
  guard.begun++;
  const hit = event.composedPath()[0];
  guard.passes = !(hit instanceof Element) || isMeant(hit, event);
  if (guard.passes) guard.passed++;
  else guard.hit ??= described(guard.target ? coverOf(hit, guard.target) : hit);
  return undefined;
}

function judgeRelease(event) {
  const hit = event.composedPath()[0];
  const elsewhere = hit instanceof Element && event.button === 0 && !isMeant(hit, event);
  guard.over = elsewhere ? described(coverOf(hit, guard.target)) : null;
}

function meetPress(event) {
  if (!event.isTrusted || !guard) return;
  if (performance.now() > guard.until) return void endGuard();
  if (event.type === 'pointerdown' || guard.passes === null) judgePress(event);
  else if (guard.passes && event.type === 'pointerup') judgeRelease(event);
  if (!guard) return;
  if (guard.passes) {
    if (event.type === 'click' && containsComposed(guard.target, event.composedPath()[0])) guard.over = null;
    return;
  }
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
  // Before `presses` of them: whether the element is still there. Number 0: none is meant for this document.
  guard(number, presses) {
    endGuard();
    const target = number ? element(number) : null;
    if (number && !target) return false;
    forgetCached();
    const labels = target ? standInLabels(target) : [];
    if (target) letBecome(target);
    const until = performance.now() + GUARD_MS;
    const nothing = { begun: 0, passed: 0, passes: null, hit: null, over: null, pointed: false };
    guard = { ...nothing, target, labels, presses, until };
    forgetCached();
    for (const type of GUARDED_EVENTS) addEventListener(type, meetPress, { capture: true, passive: false });
    addEventListener('pointermove', meetMotion, { capture: true, passive: true });
    return true;
  },

  expectMotion() {
    if (guard) guard.pointed = false;
  },

  // Whether the last motion of the mouse arrived at the element.
  pointed: () => !!guard?.pointed,

  // After them: {passed, hit, over}, or null where there is no guard any more.
  unguard() {
    const told = guard && { passed: guard.passed, hit: guard.hit, over: guard.over };
    endGuard();
    return told;
  },
});
