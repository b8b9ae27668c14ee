// What an element is to somebody who was asked about it, and holding the next press, or the next keys, to that: what
// would arrive anywhere else is stopped before the page and the browser respond, and told.

const JUDGED_LIMIT = 500;
// A longer text of something that is no control is not what it is called by.
const CALLED_LIMIT = 200;
const KEY_EVENTS = ['keydown', 'keypress', 'keyup', 'beforeinput', 'compositionstart'];

const anchorAddress = getter(HTMLAnchorElement.prototype, 'href');
const areaAddress = getter(HTMLAreaElement.prototype, 'href');
const formAddress = getter(HTMLFormElement.prototype, 'action');
const buttonForm = getter(HTMLButtonElement.prototype, 'form');
const buttonAddress = getter(HTMLButtonElement.prototype, 'formAction');
const buttonType = getter(HTMLButtonElement.prototype, 'type');
const inputForm = getter(HTMLInputElement.prototype, 'form');
const inputAddress = getter(HTMLInputElement.prototype, 'formAction');

let expectation = null;

function formLedTo(node) {
  const isButton = node instanceof HTMLButtonElement;
  if (isButton ? buttonType(node) !== 'submit' : !/^(submit|image)$/.test(typeOf(node))) return '';
  const form = isButton ? buttonForm(node) : inputForm(node);
  if (!form) return '';
  if (hasAttribute(node, 'formaction')) return isButton ? buttonAddress(node) : inputAddress(node);
  return formAddress(form);
}

// Where it leads when it is pressed: a link's address, that of the form of a button, what a label stands for.
function leadsTo(node) {
  const control = node instanceof HTMLLabelElement ? labelControl(node) : null;
  if (control) return roleOf(control) + ' ' + quoted(nameOf(control, roleOf(control)));
  for (let at = node; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) {
    if (at instanceof HTMLAnchorElement && hasAttribute(at, 'href')) return anchorAddress(at);
    if (at instanceof HTMLAreaElement && hasAttribute(at, 'href')) return areaAddress(at);
    const form = formLedTo(at);
    if (form) return form;
  }
  return '';
}

function calledText(node, role) {
  if (TEXT_FIELDS.has(role) || node instanceof HTMLSelectElement || isRootOrBody(node)) return '';
  const text = collapsed(shownContent(node));
  return ACTIONABLE.has(role) || text.length <= CALLED_LIMIT ? bounded(text, JUDGED_LIMIT) : '';
}

function identityOf(node) {
  forgetCached();
  const role = roleOf(node);
  const identity = {
    role: role || tagOf(node),
    name: bounded(nameOf(node, role), JUDGED_LIMIT),
    text: calledText(node, role),
    leads: bounded(leadsTo(node), 2 * JUDGED_LIMIT),
    page: bounded(location.href, 2 * JUDGED_LIMIT),
  };
  forgetCached();
  return identity;
}

const sameIdentity = (a, b) =>
  a.role === b.role && a.name === b.name && a.text === b.text && a.leads === b.leads && a.page === b.page;

// What acts when `hit` is pressed: the control around it, or it alone.
function actedOn(hit) {
  for (let at = hit; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at))
    if (ACTIONABLE.has(roleOf(at))) return at;
  return hit;
}

const keysGoTo = () => focused() ?? documentElementOf(document);

// A label stands for its field, an option for its select.
const isTargetsField = (field) => {
  const { target } = expectation;
  return field === target || field === fieldAt(numberOf(target)) || field === closest(target, 'select');
};

// A closed shadow root shows itself to a listener as its host.
function isPressExpected(event) {
  const { target } = expectation;
  const labels = standInLabels(target);
  const hit = event.composedPath()[0];
  const reached = [hit, deepestAt(event.clientX, event.clientY)];
  return reached.some((one) => one instanceof Element && reach(one, target, labels) === 2);
}

function isStillExpected() {
  const { target, identity } = expectation;
  return target && isConnected(target) && sameIdentity(identityOf(target), identity);
}

function judge(event) {
  const isKey = expectation.kind === 'keys';
  const meant = isStillExpected() && (isKey ? isTargetsField(keysGoTo()) : isPressExpected(event));
  if (meant) return true;
  const found = isKey ? keysGoTo() : deepestAt(event.clientX, event.clientY);
  if (found) expectation.found = identityOf(isKey ? found : actedOn(found));
  return false;
}

function meetExpected(event) {
  if (!event.isTrusted || !expectation) return;
  if (expectation.passes === null) {
    expectation.passes = judge(event);
    // Told at once: the press may be the end of this document. The session has put it there.
    globalThis.toldArrival?.(expectation.passes ? 'meant' : 'stopped');
  }
  // Of several clicks each has to reach it; what it is called may have changed with the first.
  else if (expectation.passes && event.type === 'pointerdown' && !isPressExpected(event)) {
    expectation.passes = false;
    expectation.partly = true;
    expectation.found = identityOf(actedOn(deepestAt(event.clientX, event.clientY)));
  }
  if (expectation.passes) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}

function meetPointer(event) {
  if (event.isTrusted && expectation?.target) expectation.pointed = isPressExpected(event);
}

function endExpecting() {
  removeEventListener('pointermove', meetPointer, { capture: true });
  for (const type of [...GUARDED_EVENTS, ...KEY_EVENTS]) removeEventListener(type, meetExpected, { capture: true });
  expectation = null;
}

// Before a field is set without input: whether it is still what was expected, where something is.
function mayBeSet(field) {
  if (!expectation) return true;
  if (isStillExpected() && isTargetsField(field)) {
    expectation.passes = true;
    return true;
  }
  expectation.passes = false;
  expectation.found = identityOf(field);
  return false;
}

Object.assign(pageModel, {
  // Null when the element is gone.
  identity(number) {
    const node = element(number);
    return node && identityOf(node);
  },

  // What a press at a point of this document acts on: a frame, with its number, or an element with its identity.
  hitAt(x, y) {
    const hit = deepestAt(x, y);
    if (!hit) return null;
    if (FRAMES.has(localNameOf(hit))) return { frame: numberOf(hit), number: numberOf(hit), ...identityOf(hit) };
    const node = actedOn(hit);
    return { frame: 0, number: numberOf(node), ...identityOf(node) };
  },

  // What keys go to here: a frame, or an element.
  keysGoTo() {
    const node = keysGoTo();
    return {
      frame: FRAMES.has(localNameOf(node)) ? numberOf(node) : 0,
      number: numberOf(node),
      box: sides(boxOf(node)),
      ...identityOf(node),
    };
  },

  rootNumber: () => numberOf(documentElementOf(document)),

  // From now on `kind` ('press' or 'keys') may only go to that element, as long as it is this; 0: to nothing here.
  expect(number, identity, kind) {
    endExpecting();
    const target = number ? element(number) : null;
    expectation = { target, identity, kind, passes: null, partly: false, found: null, pointed: false };
    addEventListener('pointermove', meetPointer, { capture: true, passive: true });
    const types = kind === 'keys' ? KEY_EVENTS : GUARDED_EVENTS;
    for (const type of types) addEventListener(type, meetExpected, { capture: true, passive: false });
    return !number || !!(target && isStillExpected());
  },

  // Whether the last motion of the mouse arrived at the element.
  pointedAsExpected: () => !!expectation?.pointed,

  // Whether it went there: null when nothing came at all; and what it would have gone to.
  unexpect() {
    const verdict = expectation && { passes: expectation.passes, partly: expectation.partly, found: expectation.found };
    endExpecting();
    return verdict;
  },
});
