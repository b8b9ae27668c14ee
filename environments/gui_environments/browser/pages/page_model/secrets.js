// Filling in a secret: into one field of this document, and nowhere else whatever becomes of the focus. Each character
// is entered here, in the document that was judged, and not sent to wherever the browser's focus is by then. Pages see
// what a keyboard makes: keys going down and up around each, which they may tell from real ones, and real input.

const runCommand = uncurried(Document.prototype.execCommand);
const ENTERED = /^(text|number|editable)$/;

const takesText = (field) => !!field && ENTERED.test(kindOf(field)) && !isDisabled(field) && !isReadOnly(field);

function keyOf(character) {
  const code = /[a-z0-9]/i.test(character) ? character.toUpperCase().charCodeAt(0) : 0;
  const key = character === '\n' ? 'Enter' : character;
  return { key, keyCode: code, which: code, bubbles: true, cancelable: true, composed: true, view: window };
}

// What comes before input, which the command does not send: editors may take it over.
function announceInput(target, character) {
  const inputType = character === '\n' ? 'insertLineBreak' : 'insertText';
  const data = character === '\n' ? null : character;
  const announced = { inputType, data, bubbles: true, cancelable: true, composed: true };
  return dispatch(target, new InputEvent('beforeinput', announced));
}

// Whether the field that has the focus by then could take it, if the page let it through.
function enterCharacter(target, character) {
  const key = keyOf(character);
  const letThrough =
    dispatch(target, new KeyboardEvent('keydown', key)) &&
    dispatch(focused() ?? target, new KeyboardEvent('keypress', { ...key, charCode: character.codePointAt(0) }));
  if (letThrough) {
    const told = focused();
    if (!takesText(told)) return false;
    secretive.add(told);
    if (!announceInput(told, character)) return true;
    // Whoever was told of it may have moved the focus.
    if (focused() !== told) return false;
    if (character === '\n') runCommand(document, 'insertLineBreak');
    else runCommand(document, 'insertText', false, character);
  }
  dispatch(focused() ?? target, new KeyboardEvent('keyup', key));
  return true;
}

// Two frames, and the tasks that were put off until then.
async function pageAnswered() {
  await twoFrames();
  await new Promise((done) => setTimeout(done, 1));
}

// Whether it stands there, as far as one field can tell: a page may spread it over several.
const isKept = (field, text) => focused() !== field || kindOf(field) === 'editable' || field.value.includes(text);

// Why nothing may be entered; '' where it may.
function hindranceToSecret(field, origin) {
  if (!field || self.origin !== origin) return 'gone';
  if (focused() !== field) return 'focus';
  if (!takesText(field)) return 'field';
  if (!(document instanceof HTMLDocument)) return 'document';
  if (!mayBeSet(field)) return 'held';
  return '';
}

Object.assign(pageModel, {
  // As the browser has it: of what a frame shows without an address of its own it is that of the page around it, and
  // 'null' is of nobody.
  origin: () => self.origin,

  // Enter `text` into the field with the focus, which is that one, as long as the document is of `origin`. How many
  // characters went in, what stopped it, and whether the field has it: {entered, problem, kept}.
  async enterSecret(number, text, origin) {
    const problem = hindranceToSecret(fieldAt(number), origin);
    if (problem) return { entered: 0, problem };
    // Told at once, for whoever holds keys to this element: what is entered may be the end of this document.
    if (expectation) globalThis.toldArrival?.('meant');
    const characters = [...text];
    let careful = false;
    for (let at = 0; at < characters.length; at++) {
      const target = focused();
      if (!takesText(target) || !enterCharacter(target, characters[at])) return { entered: at, problem: 'focus' };
      if (at === 0) {
        const then = fieldNow();
        await pageAnswered();
        const now = fieldNow();
        careful = then.field !== now.field || then.value !== now.value;
      } else if (careful) await pageAnswered();
    }
    return { entered: characters.length, problem: '', kept: isKept(fieldAt(number) ?? focused(), text) };
  },
});
