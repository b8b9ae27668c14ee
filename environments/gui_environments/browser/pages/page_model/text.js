// Strings, and a way to the DOM that a page cannot bend.
//
// A form exposes its fields as properties of itself, ahead of the DOM's own (`<input name=children>`), and so does the
// document, in isolated worlds too. So whatever may meet a form or the document is taken from the prototypes.

const { apply } = Reflect;
const NO_PARAMETERS = [];
const uncurried =
  (method) =>
  (node, ...parameters) =>
    apply(method, node, parameters);
const asking = (method) => (node) => apply(method, node, NO_PARAMETERS);
const getter = (prototype, name) => asking(Object.getOwnPropertyDescriptor(prototype, name).get);

const attributeOf = uncurried(Element.prototype.getAttribute);
const hasAttribute = uncurried(Element.prototype.hasAttribute);
const boxOf = asking(Element.prototype.getBoundingClientRect);
const clientRectsOf = asking(Element.prototype.getClientRects);
const matches = uncurried(Element.prototype.matches);
const closest = uncurried(Element.prototype.closest);
const queryOne = uncurried(Element.prototype.querySelector);
const innerTextOf = getter(HTMLElement.prototype, 'innerText');
const isEditable = getter(HTMLElement.prototype, 'isContentEditable');
const localNameOf = getter(Element.prototype, 'localName');
const openShadowOf = getter(Element.prototype, 'shadowRoot');
const slotOfElement = getter(Element.prototype, 'assignedSlot');
const slotOfText = getter(Text.prototype, 'assignedSlot');
const scrollWidthOf = getter(Element.prototype, 'scrollWidth');
const scrollHeightOf = getter(Element.prototype, 'scrollHeight');
const scrollLeftOf = getter(Element.prototype, 'scrollLeft');
const scrollTopOf = getter(Element.prototype, 'scrollTop');
const nodeTypeOf = getter(Node.prototype, 'nodeType');
const parentOf = getter(Node.prototype, 'parentNode');
const firstChildOf = getter(Node.prototype, 'firstChild');
const nextSiblingOf = getter(Node.prototype, 'nextSibling');
const previousSiblingOf = getter(Node.prototype, 'previousSibling');
const isConnected = getter(Node.prototype, 'isConnected');
const ownerOf = getter(Node.prototype, 'ownerDocument');
const rootOf = uncurried(Node.prototype.getRootNode);
const documentElementOf = getter(Document.prototype, 'documentElement');
const bodyOf = getter(Document.prototype, 'body');
const activeElementOf = getter(Document.prototype, 'activeElement');
const inDocumentById = uncurried(Document.prototype.getElementById);
const inFragmentById = uncurried(DocumentFragment.prototype.getElementById);
const elementAt = uncurried(Document.prototype.elementFromPoint);
const elementsAt = uncurried(Document.prototype.elementsFromPoint);
const documentQueryAll = uncurried(Document.prototype.querySelectorAll);
const byTagName = uncurried(Document.prototype.getElementsByTagName);
const makeRange = uncurried(Document.prototype.createRange);

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;

// Longest name and longest run of text in one line; what is cut ends in "…".
const NAME_LIMIT = 300;
const TEXT_LIMIT = 2000;

const collapsed = (text) => text.replace(/\s+/g, ' ').trim();

// Also without halves of characters, which no encoding takes.
const bounded = (text, limit) => (text.length > limit ? text.slice(0, limit - 1) + '…' : text).toWellFormed();

// In quotes, on one line: a value that a page writes cannot look like another line or a reference.
const quoted = (text) =>
  '"' +
  text
    .replace(/["\\]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ') +
  '"';

// Roots the browser knows and the page keeps closed, told by the session (`keepClosedRoot`).
const closedRoots = new WeakMap();

const shadowOf = (element) => openShadowOf(element) ?? closedRoots.get(element) ?? null;

// Calls `take` with each child of a node in the composed tree: a shadow root's in place of its host's, slotted nodes in
// their slots, once.
function eachChild(node, take) {
  if (nodeTypeOf(node) === ELEMENT) {
    const shadow = shadowOf(node);
    if (shadow) {
      node = shadow;
    } else if (localNameOf(node) === 'slot' && node instanceof HTMLSlotElement) {
      const assigned = node.assignedNodes();
      if (assigned.length) {
        for (const child of assigned) take(child);
        return;
      }
    }
  }
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) take(child);
}

function composedParent(node) {
  const type = nodeTypeOf(node);
  const slot = type === ELEMENT ? slotOfElement(node) : type === TEXT ? slotOfText(node) : null;
  if (slot) return slot;
  const parent = parentOf(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}

function byId(near, id) {
  const root = rootOf(near);
  return nodeTypeOf(root) === DOCUMENT
    ? inDocumentById(root, id)
    : root instanceof ShadowRoot
      ? inFragmentById(root, id)
      : null;
}

const referredTo = (element, attribute) =>
  (attributeOf(element, attribute) ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((id) => byId(element, id))
    .filter(Boolean);
