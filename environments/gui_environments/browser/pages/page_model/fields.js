// Form fields: what one takes, whether a person could use it now, and what it holds. What is in a password field never
// leaves here.

const PICKED = /^(date|time|month|week|datetime-local|color|range)$/;
const NOT_ENTERED = /^(hidden|button|submit|reset|image)$/;
const ARIA_TOGGLE = /^(checkbox|switch|menuitemcheckbox)$/;
const ARIA_CHOICE = /^(radio|menuitemradio)$/;
const isVisible = uncurried(Element.prototype.checkVisibility);

// What is asked for by its label is the label's control.
function fieldAt(number) {
  const found = element(number);
  return found instanceof HTMLLabelElement ? (labelControl(found) ?? found) : found;
}

// '' for what is no field.
function kindOf(field) {
  if (field instanceof HTMLSelectElement) return 'select';
  if (field instanceof HTMLOptionElement) return 'option';
  if (field instanceof HTMLTextAreaElement) return 'text';
  if (field instanceof HTMLInputElement) return inputKind(field.type);
  const role = roleOf(field);
  if (ARIA_TOGGLE.test(role)) return 'checkbox';
  if (ARIA_CHOICE.test(role)) return 'radio';
  return field instanceof HTMLElement && isEditable(field) ? 'editable' : '';
}

function inputKind(type) {
  if (type === 'checkbox' || type === 'radio' || type === 'file' || type === 'number') return type;
  if (PICKED.test(type)) return 'picked';
  return NOT_ENTERED.test(type) ? '' : 'text';
}

// Why a person could not use the field now, as a word; '' when they could.
function hindrance(field) {
  const shown = field instanceof HTMLOptionElement ? closest(field, 'select') : field;
  if (!shown) return 'hidden';
  const modal = topModal();
  if (modal && !containsComposed(modal, shown)) return 'behind';
  for (let at = shown; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at))
    if (hasAttribute(at, 'inert')) return 'inert';
  if (!isSeen(shown) && !labelsOf(shown).some(isSeen)) return 'hidden';
  if (isDisabled(shown)) return 'disabled';
  return isReadOnly(shown) ? 'readonly' : '';
}

const isSeen = (node) => isVisible(node, { visibilityProperty: true, contentVisibilityAuto: true });

const isCheckedNow = (field) =>
  field instanceof HTMLInputElement ? field.checked && !field.indeterminate : isTrue(field, 'aria-checked');

function optionsOf(select) {
  return [...select.options].map((option) => {
    const group = parentOf(option) instanceof HTMLOptGroupElement ? parentOf(option) : null;
    return {
      text: optionText(option),
      value: option.value,
      group: group ? collapsed(group.label) : '',
      disabled: option.disabled || !!group?.disabled,
      hidden: option.hidden,
      selected: option.selected,
    };
  });
}

// The text of what people edit in place, without the line break that ends it.
const editedText = (field) => innerTextOf(field).replace(/\u00a0/g, ' ').replace(/\n$/, '');

// What the field holds, to compare; a password too.
function heldBy(field) {
  switch (kindOf(field)) {
    case 'select':
      return optionsOf(field)
        .map((option, index) => (option.selected ? index : -1))
        .filter((index) => index >= 0);
    case 'option':
      return field.selected;
    case 'checkbox':
    case 'radio':
      return isCheckedNow(field);
    case 'editable':
      return editedText(field);
  }
  return field.value;
}

const isSame = (one, other) =>
  Array.isArray(one) ? one.length === other.length && one.every((at, index) => at === other[index]) : one === other;

function describeField(field) {
  const kind = kindOf(field);
  const { type } = field;
  return {
    kind,
    type: typeof type === 'string' ? type : '',
    role: roleOf(field),
    hindrance: kind ? hindrance(field) : '',
    lines: !(field instanceof HTMLInputElement),
    maxLength: kind === 'text' && field.maxLength >= 0 ? field.maxLength : null,
    multiple: field.multiple === true,
    options: kind === 'select' ? optionsOf(field) : [],
    empty: kind === 'editable' ? !editedText(field) : !!kind && field.value === '',
    min: attributeOf(field, 'min'),
    max: attributeOf(field, 'max'),
    step: attributeOf(field, 'step'),
  };
}
