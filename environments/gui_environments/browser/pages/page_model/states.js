// Values and states, as they are printed behind a name. What is in a password field is never among them.

// Options named with their select, and characters for them.
const OPTIONS_LISTED = 12;
const OPTIONS_CHARACTERS = 240;
const VALUE_LIMIT = 300;

const optionText = (option) => collapsed(attributeOf(option, 'label') || option.text);

// The value of a field as text, null where there is none.
function valueOf(element, role) {
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map(optionText).join(', ');
  if (element instanceof HTMLTextAreaElement) return isSecret(element) ? null : element.value;
  if (element instanceof HTMLInputElement) return inputValue(element);
  if (element instanceof HTMLProgressElement) return element.position < 0 ? null : String(element.value);
  if (element instanceof HTMLMeterElement) return String(element.value);
  const text = attributeOf(element, 'aria-valuetext') ?? attributeOf(element, 'aria-valuenow');
  if (text !== null) return text;
  if (role === 'textbox' || role === 'searchbox' || role === 'combobox') return shownContent(element);
  return null;
}

// Fields that hold a password, or held one when they were looked at before: a page may show it for a while. And those
// that a secret was filled into.
const secretive = new WeakSet();

function isSecret(element) {
  if (!(element instanceof HTMLInputElement)) return secretive.has(element);
  const says = /\b(current|new)-password\b/.test(attributeOf(element, 'autocomplete') ?? '');
  if (typeOf(element) === 'password' || says || isDotted(styleOf(element))) secretive.add(element);
  return secretive.has(element);
}

function inputValue(input) {
  if (isSecret(input)) return null;
  switch (input.type) {
    case 'checkbox':
    case 'radio':
    case 'button':
    case 'submit':
    case 'reset':
    case 'image':
    case 'hidden':
      return null;
    case 'file':
      return [...input.files].map((file) => file.name).join(', ');
  }
  return input.value;
}

const shownContent = (element) => (element instanceof HTMLElement ? innerTextOf(element).trim() : '');

// What ARIA says to be disabled holds for all in it that can be used, but where something nearer says otherwise.
function isSaidDisabled(element) {
  for (let at = element; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) {
    const said = attributeOf(at, 'aria-disabled');
    if (said === 'true' || said === 'false') return said === 'true';
  }
  return false;
}

const isMadeDisabled = (element) =>
  (LABELABLE.has(localNameOf(element)) || /^(option|optgroup|fieldset)$/.test(localNameOf(element))) &&
  matches(element, ':disabled');

const isDisabled = (element) => isMadeDisabled(element) || isSaidDisabled(element);

function checkedState(element, role) {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    return element.indeterminate && element.type === 'checkbox' ? 'mixed' : element.checked ? 'checked' : '';
  }
  if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|treeitem|option)$/.test(role)) return '';
  const checked = attributeOf(element, 'aria-checked');
  return checked === 'true' ? 'checked' : checked === 'mixed' ? 'mixed' : '';
}

function expandedState(element, role) {
  if (role === 'summary') return parentOf(element).open ? 'expanded' : 'collapsed';
  const expanded = attributeOf(element, 'aria-expanded');
  return expanded === 'true' ? 'expanded' : expanded === 'false' ? 'collapsed' : '';
}

function isSelected(element) {
  return element instanceof HTMLOptionElement ? element.selected : attributeOf(element, 'aria-selected') === 'true';
}

const isTrue = (element, attribute) => attributeOf(element, attribute) === 'true';

function isFieldRole(role) {
  return TEXT_FIELDS.has(role) || /^(combobox|listbox|checkbox|radio|switch|slider|color|file|radiogroup)$/.test(role);
}

// ' value="x" required', or ''.
function stateText(element, role, name) {
  const words = [];
  if (role === 'heading') words.push('level=' + headingLevel(element));
  if (isFieldRole(role)) words.push(...fieldWords(element, role, name));
  else if (role === 'meter' || role === 'progressbar') words.push(...valueWords(element, role));
  words.push(checkedState(element, role));
  const usable = ACTIONABLE.has(role) || isFieldRole(role) || role === 'clickable';
  if (isMadeDisabled(element) || isTrue(element, 'aria-disabled') || (usable && isSaidDisabled(element)))
    words.push('disabled');
  words.push(expandedState(element, role));
  if (isSelected(element)) words.push('selected');
  if (isTrue(element, 'aria-pressed')) words.push('pressed');
  const current = attributeOf(element, 'aria-current');
  if (current && current !== 'false')
    words.push(current === 'true' ? 'current' : 'current=' + current.replace(/[^\w-]/g, ''));
  if (element === focusedElement) words.push('focused');
  return words
    .filter(Boolean)
    .map((word) => ' ' + word)
    .join('');
}

function headingLevel(element) {
  const written = parseInt(attributeOf(element, 'aria-level') ?? '', 10);
  return written > 0 ? written : /^h[1-6]$/.test(localNameOf(element)) ? Number(localNameOf(element)[1]) : 2;
}

function valueWords(element, role) {
  const value = valueOf(element, role);
  return value ? ['value=' + quoted(bounded(value, VALUE_LIMIT))] : [];
}

function fieldWords(element, role, name) {
  const words = [];
  if (isSecret(element)) words.push('password', element.value ? 'filled' : '');
  else words.push(...valueWords(element, role));
  const placeholder = attributeOf(element, 'placeholder');
  if (placeholder && collapsed(placeholder) !== name && !element.value)
    words.push('placeholder=' + quoted(bounded(collapsed(placeholder), NAME_LIMIT)));
  if (element instanceof HTMLSelectElement) words.push(optionWords(element));
  if (element.required === true || isTrue(element, 'aria-required')) words.push('required');
  if (isReadOnly(element)) words.push('readonly');
  if (attributeOf(element, 'aria-invalid') && attributeOf(element, 'aria-invalid') !== 'false') words.push('invalid');
  if (element.multiple === true) words.push('multiple');
  return words;
}

const isReadOnly = (element) =>
  isTrue(element, 'aria-readonly') || (element.readOnly === true && /^(input|textarea)$/.test(localNameOf(element)));

function optionWords(select) {
  const shown = [];
  let characters = 0;
  const options = [...select.options].filter((option) => !option.hidden);
  for (const option of options) {
    const text = optionText(option) + (option.disabled || parentOf(option).disabled === true ? ' (disabled)' : '');
    characters += text.length;
    if (shown.length === OPTIONS_LISTED || characters > OPTIONS_CHARACTERS) break;
    shown.push(text);
  }
  const more = options.length - shown.length;
  return 'options=' + quoted(shown.join(' | ') + (more ? ` | … ${more} more` : ''));
}
