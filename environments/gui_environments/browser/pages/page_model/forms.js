// Giving a form field its value the way the browser's own controls do: the value first, past what a framework puts in
// the way, then the events. Text is entered by the session, with real keys, into what is focused and selected here.

const writeInput = uncurried(Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set);
const makeElement = uncurried(Document.prototype.createElement);
const dispatch = uncurried(EventTarget.prototype.dispatchEvent);
const focusOn = uncurried(HTMLElement.prototype.focus);
const clickOn = uncurried(HTMLElement.prototype.click);

// The values that fields held before they were set, to tell what a page put back from what it made up.
const heldBefore = new WeakMap();

function beginSetting(field) {
  heldBefore.set(field, heldBy(field));
  letBecome(field);
}

const announce = (field, ...types) => {
  for (const type of types) dispatch(field, new Event(type, { bubbles: true, composed: true }));
};

// A field of the same kind that no page knows tells what the value would become and whether it is in range.
function tried(field, value) {
  const trial = makeElement(document, 'input');
  for (const name of ['type', 'min', 'max', 'step', 'value']) {
    if (hasAttribute(field, name)) trial.setAttribute(name, attributeOf(field, name));
  }
  writeInput(trial, value);
  const { badInput, rangeUnderflow, rangeOverflow, stepMismatch } = trial.validity;
  const outside = rangeUnderflow || rangeOverflow;
  return { value: trial.value, problem: badInput ? 'format' : outside ? 'range' : stepMismatch ? 'step' : '' };
}

function isFocusedOn(field) {
  let active = activeElementOf(document);
  while (active && active !== field && shadowOf(active)?.activeElement) active = shadowOf(active).activeElement;
  return active === field;
}

function selectContent(field) {
  if (kindOf(field) === 'editable') getSelection().selectAllChildren(field);
  else field.select();
}

// Two frames, or as long when the tab draws none.
const FRAMES_MS = 150;
const twoFrames = () =>
  new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
    setTimeout(done, FRAMES_MS);
  });

// What fields that were set hold, by their numbers, to tell when that changes later.
const SET_LIMIT = 100;
const setTo = new Map();

function rememberSet(number, held) {
  setTo.delete(number);
  setTo.set(number, held);
  if (setTo.size > SET_LIMIT) setTo.delete(setTo.keys().next().value);
}

// As it may be told: null for a password.
function toldValue(field, held) {
  if (isSecret(field)) return null;
  if (Array.isArray(held)) return held.map((index) => optionText(field.options[index]));
  return typeof held === 'string' ? bounded(held, NAME_LIMIT) : held;
}

// Paragraphs of what is edited in place have gaps between them.
const withoutGaps = (text) => text.replace(/\n+/g, '\n').trim();

const formMembers = {
  // Null when the element is gone.
  field(number) {
    const field = fieldAt(number);
    labelsFor = new Map();
    const description = field && { ...describeField(field), became: becameAnother(field) };
    labelsFor = new Map();
    return description;
  },

  tryValue: (number, value) => tried(fieldAt(number), value),

  // Focus the field and select all in it. Whether the focus went there.
  beginEntering(number) {
    const field = fieldAt(number);
    if (!mayBeSet(field)) return false;
    beginSetting(field);
    focusOn(field);
    if (!isFocusedOn(field)) return false;
    selectContent(field);
    return true;
  },

  // Whether the focus is there still.
  endEntering(number) {
    const field = fieldAt(number);
    const stayed = !field || isFocusedOn(field);
    if (field && kindOf(field) !== 'editable') announce(field, 'change');
    return stayed;
  },

  // Fields that hold something else than when they were set, or when it was told last: {number, held}.
  drifted(besides, typed) {
    const told = [];
    for (const [number, held] of setTo) {
      const field = fieldAt(number);
      const now = field && heldBy(field);
      if (!field) setTo.delete(number);
      else if (!isSame(held, now)) {
        setTo.set(number, now);
        if (number !== besides && !(typed && isFocusedOn(field))) told.push({ number, held: toldValue(field, now) });
      }
    }
    return told;
  },

  setPicked(number, value) {
    const field = fieldAt(number);
    if (!mayBeSet(field)) return;
    beginSetting(field);
    focusOn(field);
    writeInput(field, value);
    announce(field, 'input', 'change');
  },

  // `indices` of the options that are to be selected, all others not.
  choose(number, indices) {
    const field = fieldAt(number);
    if (!mayBeSet(field)) return;
    beginSetting(field);
    focusOn(field);
    if (field.multiple) [...field.options].forEach((option, index) => (option.selected = indices.includes(index)));
    else field.selectedIndex = indices[0];
    announce(field, 'input', 'change');
  },

  // The select of an option, and the option's place in it.
  optionPlace(number) {
    const option = fieldAt(number);
    const select = closest(option, 'select');
    return select ? [numberOf(select), option.index] : null;
  },

  toggle(number) {
    const field = fieldAt(number);
    if (!mayBeSet(field)) return;
    beginSetting(field);
    focusOn(field);
    clickOn(field);
  },

  // Whether the field holds `wanted`, whether it holds what it held before, and what it holds: null for a password.
  // Null when it is gone. Asked for when the page has had time to react.
  async outcome(number, wanted) {
    await twoFrames();
    const field = fieldAt(number);
    if (!field) return null;
    const held = heldBy(field);
    const before = heldBefore.get(field);
    rememberSet(number, held);
    return {
      same: isSame(held, wanted) || (kindOf(field) === 'editable' && withoutGaps(held) === withoutGaps(wanted)),
      unchanged: before !== undefined && isSame(held, before),
      held: isSecret(field) ? null : typeof held === 'string' ? bounded(held, NAME_LIMIT) : held,
    };
  },
};
