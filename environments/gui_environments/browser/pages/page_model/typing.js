// Whether a field takes what is typed at once. Some pages answer each character a moment later: they move the focus to
// the next box of a code, or put the value back and set it again. Values never leave the page from here.

let typing = null;

const hasFocus = asking(Document.prototype.hasFocus);

// What has the focus, and what is in it.
function fieldNow() {
  const field = focused();
  const plain = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return { field, value: plain ? field.value : null };
}

// Comes after the handlers of the page's, so that what they do at once is in it.
function noteInput() {
  typing = fieldNow();
}

Object.assign(pageModel, {
  // Before a character is typed.
  expectCharacter() {
    typing = null;
    addEventListener('input', noteInput);
  },

  // After it, two frames, and the tasks put off until then: whether what the character did was done at once. A document
  // without the focus has nothing to say: out of sight it draws no frames, and waiting for those takes long.
  async tookCharacter() {
    if (typing !== null || hasFocus(document)) {
      await nextFrame();
      await nextFrame();
      await new Promise((done) => setTimeout(done, 1));
    }
    removeEventListener('input', noteInput);
    const now = fieldNow();
    return typing === null || (typing.field === now.field && typing.value === now.value);
  },

  // A moment for the page to answer.
  async drawnFrames(count) {
    if (!hasFocus(document)) return;
    for (let drawn = 0; drawn < count; drawn++) await nextFrame();
  },
});
