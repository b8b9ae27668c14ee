// Forms that the browser does not send because their fields are not as they have to be: it says so in a bubble of its
// own, which is no part of the page. Listens only.

const listenOn = uncurried(EventTarget.prototype.addEventListener);
const stopListeningOn = uncurried(EventTarget.prototype.removeEventListener);
const fieldForm = (node) => (LABELABLE.has(localNameOf(node)) ? node.form : null);
const MESSAGE_LIMIT = 200;

// The last submission that an action began: {form, root, event, invalid: Map of fields and what they say, sent}.
let submission = null;

const isSubmitButton = (node) =>
  node instanceof HTMLButtonElement
    ? buttonType(node) === 'submit'
    : node instanceof HTMLInputElement && /^(submit|image)$/.test(typeOf(node));

function submissionBy(event) {
  if (event.type === 'click') return event.composedPath().find(isSubmitButton);
  const [field] = event.composedPath();
  return event.key === 'Enter' && field instanceof HTMLInputElement ? field : null;
}

function noteSubmission(event) {
  const by = event.isTrusted ? submissionBy(event) : null;
  const form = by && fieldForm(by);
  if (!form) return;
  endSubmission();
  // The events are told to nobody outside of the tree that the form and its fields are in.
  submission = { form, root: rootOf(form), event, invalid: new Map(), sent: false };
  for (const type of ['invalid', 'submit']) listenOn(submission.root, type, followSubmission, { capture: true });
}

function followSubmission(event) {
  const node = event.target;
  if (!event.isTrusted || !submission) return;
  if (event.type === 'submit') submission.sent ||= node === submission.form;
  else if (node instanceof HTMLElement && fieldForm(node) === submission.form)
    submission.invalid.set(typeOf(node) === 'radio' ? attributeOf(node, 'name') : node, [node, node.validationMessage]);
}

function endSubmission() {
  if (!submission) return;
  for (const type of ['invalid', 'submit']) stopListeningOn(submission.root, type, followSubmission, { capture: true });
  submission = null;
}

function watchSubmissions() {
  for (const type of ['click', 'keydown']) addEventListener(type, noteSubmission, { capture: true, passive: true });
}

function endWatchingSubmissions() {
  for (const type of ['click', 'keydown']) removeEventListener(type, noteSubmission, { capture: true });
}

// A page that takes the submission into its own hands may ask its fields whether they are right, without a bubble: the
// browser moves the focus where it shows one.
function isKeptBack() {
  if (!submission || submission.sent || !submission.invalid.size) return false;
  const [[field]] = submission.invalid.values();
  return isConnected(field) && (!submission.event.defaultPrevented || focused() === field);
}

// The first field because of which the form was not sent: {number, role, name, message, more: of such fields}; or null.
function keptBack() {
  if (!isKeptBack()) return null;
  const [[field, message]] = submission.invalid.values();
  forgetCached();
  const role = roleOf(field);
  const name = bounded(nameOf(field, role), NAME_LIMIT);
  forgetCached();
  const tells = !(isSecret(field) && field.value && message.includes(field.value));
  const said = tells ? bounded(collapsed(message), MESSAGE_LIMIT) : '';
  return { number: numberOf(field), role, name, message: said, more: submission.invalid.size - 1 };
}
