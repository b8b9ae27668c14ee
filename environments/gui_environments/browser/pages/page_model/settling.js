// When a document is quiet after an action: nothing in it changes from frame to frame, but for what always does.

// Frames without a change that make quiet.
const QUIET_FRAMES = 2;
// What still changed so shortly before the wait was given up changes by itself, and is not waited for again.
const RESTLESS_MS = 100;
const WATCHED_EVENTS = ['scroll', 'input', 'change', 'focusin', 'focusout', 'toggle'];

const restless = new WeakSet();
const allAnimations = uncurried(Document.prototype.getAnimations);
let watch = null;

function noteChange(nodes) {
  const fresh = nodes.filter((node) => !restless.has(node));
  if (!fresh.length) return;
  watch.changes++;
  const now = performance.now();
  for (const node of fresh) watch.changed.set(node, now);
}

const noteEvent = (event) => noteChange([event.target]);

function startWatch() {
  endWatch();
  watch = { changes: 0, changed: new Map(), began: performance.now(), focused: activeElementOf(document) };
  watch.observer = new MutationObserver((records) => noteChange(records.map((record) => record.target)));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  watch.observer.observe(document, all);
  for (const type of WATCHED_EVENTS) addEventListener(type, noteEvent, { capture: true, passive: true });
  watchSubmissions();
}

// What changed so far was of our own doing.
function forgetChanges() {
  if (!watch) return;
  watch.observer.takeRecords();
  watch.changes = 0;
  watch.changed.clear();
}

function endWatch() {
  if (!watch) return;
  watch.observer.disconnect();
  for (const type of WATCHED_EVENTS) removeEventListener(type, noteEvent, { capture: true });
  endWatchingSubmissions();
  watch = null;
}

// Transitions and the like that will end; what spins for ever is not waited for.
const isEnding = (animation) =>
  animation.playState === 'running' && Number.isFinite(animation.effect?.getComputedTiming().endTime ?? Infinity);

Object.assign(pageModel, {
  watchChanges() {
    endSubmission();
    startWatch();
  },

  hasChanged: () => !!watch && (watch.changes > 0 || isKeptBack()),

  // Waits until the document is quiet, at most so many milliseconds, and ends the watch: {changed, quiet, kept}, the
  // last being the field because of which a form was not sent, as `keptBack` says it.
  async quiet(most) {
    if (!watch) startWatch();
    const mine = watch;
    const end = performance.now() + most;
    let seen = mine.changes;
    let frames = 0;
    while (frames < QUIET_FRAMES && performance.now() < end) {
      await nextFrame();
      const calm = mine.changes === seen && !allAnimations(document).some(isEnding);
      frames = calm ? frames + 1 : 0;
      seen = mine.changes;
    }
    const now = performance.now();
    const quiet = frames >= QUIET_FRAMES;
    if (!quiet) for (const [node, at] of mine.changed) if (now - at <= RESTLESS_MS) restless.add(node);
    const active = activeElementOf(document);
    // What has the focus in a frame may change there, unseen from here.
    const changed = mine.changes > 0 || active !== mine.focused || (active && FRAMES.has(localNameOf(active)));
    const kept = keptBack();
    if (watch === mine) endWatch();
    return { changed: !!changed || !!kept, quiet, kept };
  },
});
