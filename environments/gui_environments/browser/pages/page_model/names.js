// Accessible names as Chromium works them out (accname 1.2, HTML-AAM, and where it departs from them).

// Labels by the id they are for, a map for each tree; filled when first asked for, for one reading.
let labelsFor = new Map();
let names = new Map();
// Elements whose name leaves out text that stands in them.
let unsaidIn = new Set();
let unsaid = false;

// What is inside these does not count towards the name of what they are inside of.
const WORDLESS = new Set(
  (
    'alert alertdialog application article banner blockquote complementary contentinfo dialog document feed figure ' +
    'grid group image log main marquee menu menubar meter navigation note progressbar radiogroup row search ' +
    'separator status table tablist tabpanel timer toolbar tree treegrid'
  ).split(' ')
);

const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const labelControl = getter(HTMLLabelElement.prototype, 'control');

function labelsOf(element) {
  if (!LABELABLE.has(localNameOf(element))) return [];
  const labels = [];
  const around = closest(element, 'label');
  const id = attributeOf(element, 'id');
  if (id) labels.push(...(labelIndex(rootOf(element)).get(id) ?? []));
  if (around && !labels.includes(around)) labels.push(around);
  return labels
    .filter((label) => labelControl(label) === element)
    .sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
}

function labelIndex(root) {
  let index = labelsFor.get(root);
  if (!index) {
    index = new Map();
    const labels = nodeTypeOf(root) === DOCUMENT ? byTagName(root, 'label') : root.querySelectorAll('label');
    for (const label of labels) {
      const id = attributeOf(label, 'for');
      if (!id) continue;
      if (index.has(id)) index.get(id).push(label);
      else index.set(id, [label]);
    }
    labelsFor.set(root, index);
  }
  return index;
}

function nameOf(element, role) {
  let name = names.get(element);
  if (name === undefined) {
    unsaid = false;
    name = collapsed(
      alternative(element, { role, seen: new Set(), referred: false, inside: false, hidden: false }).text
    );
    names.set(element, name);
    if (unsaid) unsaidIn.add(element);
  }
  return name;
}

const NOTHING = { text: '', apart: false };
// `apart`: stands for itself and is kept apart from its neighbours by a space.
const apart = (text) => ({ text, apart: true });

// `t.referred`: reached through aria-labelledby or a label; `t.inside`: part of the content of what is named;
// `t.hidden`: the reference began at something hidden, so hidden text counts.
function alternative(element, t) {
  if (t.seen.has(element)) return NOTHING;
  t.seen.add(element);
  const style = styleOf(element);
  if (t.inside && !t.hidden && isUnspoken(element, style)) return NOTHING;
  if (!t.referred) {
    const references = referredTo(element, 'aria-labelledby');
    if (references.length) {
      const text = textOfReferences(references);
      if (text) return apart(text);
    }
  }
  const role = t.role ?? roleOf(element);
  const embedded = t.inside || t.referred ? valueInName(element, role) : null;
  if (embedded !== null && (t.inside || embedded)) return apart(embedded);
  const label = attributeOf(element, 'aria-label');
  if (label && label.trim()) return apart(label);
  const native = nativeName(element, role, t);
  if (native !== null) return apart(native);
  if (t.inside && isWordless(element, role)) {
    unsaid = true;
    return fallbackName(element, role, t);
  }
  if (t.inside || t.referred || NAMED_BY_CONTENT.has(role)) {
    const text = contentText(element, style, t);
    if (collapsed(text)) return { text, apart: false };
  }
  return fallbackName(element, role, t);
}

function isWordless(element, role) {
  const tag = localNameOf(element);
  if (/^(form|header|hgroup|blockquote)$/.test(tag)) return true;
  return WORDLESS.has(role) && !/^(svg|table|tr|footer)$/.test(tag);
}

function isUnspoken(element, style) {
  if (style.display === 'none' || style.contentVisibility === 'hidden') return true;
  if (attributeOf(element, 'aria-hidden') === 'true' || hasAttribute(element, 'inert')) return true;
  return false;
}

const textOfReferences = (elements) =>
  elements
    .map((element) => {
      const style = styleOf(element);
      const hidden = style.display === 'none' || style.visibility !== 'visible' || !clientRectsOf(element).length;
      return collapsed(alternative(element, { seen: new Set(), referred: true, inside: false, hidden }).text);
    })
    .filter(Boolean)
    .join(' ');

// The value of a field that stands in the middle of a label: null for what is no field.
function valueInName(element, role) {
  switch (role) {
    case 'textbox':
    case 'searchbox':
    case 'spinbutton':
    case 'combobox':
    case 'listbox':
    case 'slider':
    case 'progressbar':
      return valueOf(element, role) ?? '';
  }
  return null;
}

function nativeName(element, role, t) {
  if (element instanceof HTMLInputElement || LABELABLE.has(localNameOf(element))) {
    // A label that says nothing still takes the place of content, title and placeholder.
    const labels = labelsOf(element);
    if (labels.length) return labelText(labels, t.seen);
  }
  switch (localNameOf(element)) {
    case 'input':
      return inputName(element);
    case 'img':
    case 'area':
      return attributeOf(element, 'alt') ?? attributeOf(element, 'title');
    case 'iframe':
      return attributeOf(element, 'title') ?? '';
    case 'details':
      return element.open || !t.inside ? null : summaryText(element, t);
    case 'fieldset':
      return childName(element, 'legend', t);
    case 'table':
      return childName(element, 'caption', t) ?? (attributeOf(element, 'summary') || null);
    case 'figure':
      return childName(element, 'figcaption', t);
    case 'option':
      return attributeOf(element, 'label') || null;
    case 'optgroup':
      return attributeOf(element, 'label') ?? '';
    case 'select':
    case 'textarea':
      return t.inside ? '' : null;
  }
  if (element instanceof SVGElement) return childText(element, 'title') || attributeOf(element, 'xlink:title');
  return null;
}

function summaryText(details, t) {
  for (const child of details.children) if (isSummary(child)) return alternative(child, { ...t, role: undefined }).text;
  return 'Details';
}

// Labels that are not rendered do not count.
const labelText = (labels, seen) =>
  labels
    .filter((label) => styleOf(label).visibility === 'visible' && isSpoken(label))
    .map((label) =>
      collapsed(alternative(label, { seen: new Set(seen), referred: true, inside: false, hidden: false }).text)
    )
    .filter(Boolean)
    .join(' ');

function isSpoken(element) {
  for (let node = element; node && nodeTypeOf(node) === ELEMENT; node = composedParent(node))
    if (styleOf(node).display === 'none') return false;
  return true;
}

function inputName(input) {
  const value = attributeOf(input, 'value');
  switch (typeOf(input)) {
    case 'button':
      return value ?? attributeOf(input, 'title');
    case 'submit':
      return value ?? 'Submit';
    case 'reset':
      return value ?? 'Reset';
    case 'image':
      return attributeOf(input, 'alt') || value || attributeOf(input, 'title') || 'Submit';
    case 'file':
      return input.multiple ? 'Choose Files' : 'Choose File';
  }
  return null;
}

function childText(element, name) {
  for (const child of element.children) if (localNameOf(child) === name) return child.textContent;
  return null;
}

function childName(element, name, t) {
  for (const child of element.children) {
    if (localNameOf(child) !== name) continue;
    return (
      collapsed(alternative(child, { seen: new Set(t.seen), referred: true, inside: false, hidden: false }).text) ||
      null
    );
  }
  return null;
}

function fallbackName(element, role, t) {
  const title = attributeOf(element, 'title');
  const titled = title && (!t.inside || role === 'image' || localNameOf(element) === 'a' || isFocusable(element));
  if (titled) return apart(title);
  if (!t.inside && (TEXT_FIELDS.has(role) || role === 'combobox')) {
    const placeholder = attributeOf(element, 'placeholder') || attributeOf(element, 'aria-placeholder');
    if (placeholder) return apart(placeholder);
  }
  return NOTHING;
}
