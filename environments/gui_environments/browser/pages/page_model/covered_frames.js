// Where secrets are in every frame that a document draws while a picture of it is taken. Tells places and never a text.

// While a picture is taken: the boxes of every frame that the document draws, since the picture may be of any of them.
let watching = null;
// A watch that nobody ends is over by then.
const WATCH_MS = 20000;
// Frames are drawn every 16 ms, on a busy machine far more slowly.
const DRAWN_MS = 1000;

function startWatching(expressions) {
  endWatching();
  watching = { expressions, drawn: [], hits: null, changed: true, until: performance.now() + WATCH_MS };
  watching.observer = new MutationObserver(() => (watching.changed = true));
  noteSecrets();
}

// Where they are in the frame that is about to be drawn. What is looked for is looked for again after a change only.
function noteSecrets() {
  if (!watching) return;
  if (performance.now() > watching.until) return void endWatching();
  if (watching.observer.takeRecords().length) watching.changed = true;
  if (watching.changed) lookAgain();
  watching.drawn.push(measured(watching.hits));
  watching.request = requestAnimationFrame(noteSecrets);
}

function lookAgain() {
  watching.hits = hitsNow(watching.expressions);
  watching.changed = false;
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of [document, ...watching.hits.roots]) watching.observer.observe(root, all);
}

function endWatching() {
  if (!watching) return;
  cancelAnimationFrame(watching.request);
  watching.observer.disconnect();
  watching = null;
}

const NOTHING_HIT = { elements: [], runs: [], frames: [], hosts: [], roots: [] };
const hitsNow = (expressions) => (documentElementOf(document) ? findHits(expressions) : NOTHING_HIT);

// What moved from one to the next is between them when it is drawn, or a bit further.
function way(before, after) {
  const moved = Math.max(...before.map((side, at) => Math.abs(side - after[at])));
  return [
    Math.min(before[0], after[0]) - moved,
    Math.min(before[1], after[1]) - moved,
    Math.max(before[2], after[2]) + moved,
    Math.max(before[3], after[3]) + moved,
  ];
}

function allWays(drawn) {
  const boxes = [...drawn[0]];
  for (let at = 1; at < drawn.length; at++) {
    const [before, after] = [drawn[at - 1], drawn[at]];
    if (before.length === after.length) boxes.push(...after.map((box, place) => way(before[place], box)));
    else boxes.push(...after);
  }
  const told = new Map(boxes.map((box) => [box.join(), box]));
  return [...told.values()];
}

function answerBoxes(hits, boxes) {
  const viewport = [0, 0, innerWidth, innerHeight];
  const frames = hits.frames.map((frame) => {
    const box = sides(boxOf(frame));
    return { number: numberOf(frame), box, shown: hasArea(meet(box, viewport)) };
  });
  lastHosts = hits.hosts;
  return {
    boxes,
    frames: frames.filter((frame) => hasArea(frame.box)),
    hosts: hits.hosts.length,
    viewport: [innerWidth, innerHeight],
  };
}

Object.assign(pageModel, {
  // Not behind another tab of its window.
  isShown: () => document.visibilityState === 'visible',

  // From now on note what the expressions find in each frame that is drawn, until `endCovering`. Answers, once one is
  // drawn, boxes in this viewport of what is found, and of frames; and how many elements may hide a shadow root that
  // the page keeps closed, which `hosts` then offers.
  // What is not `shown`, out of sight, draws none.
  async beginCovering(expressions, shown) {
    startWatching(expressions);
    if (shown && document.visibilityState === 'visible')
      await Promise.race([nextFrame(), new Promise((done) => setTimeout(done, DRAWN_MS))]);
    const hits = watching?.hits ?? hitsNow(expressions);
    return answerBoxes(hits, measured(hits));
  },

  // The same for all frames that were drawn since. Fields change without a word: they are looked at again.
  endCovering(expressions) {
    const hits = hitsNow(expressions);
    const drawn = [...(watching?.drawn ?? []), measured(hits)];
    endWatching();
    return answerBoxes(hits, allWays(drawn));
  },
});
