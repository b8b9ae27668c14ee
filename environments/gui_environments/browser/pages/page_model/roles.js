// Roles, by ARIA first and by HTML else, and which of them a person can act on.

const KNOWN_ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader ' +
    'combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form ' +
    'generic grid gridcell group heading image img insertion link list listbox listitem log main marquee math ' +
    'menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph ' +
    'presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator ' +
    'slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox ' +
    'timer toolbar tooltip tree treegrid treeitem'
  ).split(' ')
);

const ACTIONABLE = new Set(
  (
    'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton option menuitem ' +
    'menuitemcheckbox menuitemradio tab treeitem date time month week datetime color file summary'
  ).split(' ')
);

// Their text is their name, and is not said again below them.
const NAMED_BY_CONTENT = new Set(
  (
    'button link checkbox radio switch option menuitem menuitemcheckbox menuitemradio tab heading cell gridcell ' +
    'columnheader rowheader row tooltip summary treeitem'
  ).split(' ')
);

const TEXT_FIELDS = new Set(['textbox', 'searchbox', 'spinbutton', 'date', 'time', 'month', 'week', 'datetime']);

const INPUT_ROLES = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  color: 'color',
  file: 'file',
  date: 'date',
  time: 'time',
  month: 'month',
  week: 'week',
  'datetime-local': 'datetime',
};

const HTML_ROLES = {
  article: 'article',
  aside: 'complementary',
  button: 'button',
  dialog: 'dialog',
  fieldset: 'group',
  figure: 'figure',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  img: 'image',
  li: 'listitem',
  main: 'main',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  option: 'option',
  optgroup: 'group',
  output: 'status',
  progress: 'progressbar',
  search: 'search',
  summary: 'summary',
  table: 'table',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  tr: 'row',
  ul: 'list',
  video: 'video',
  audio: 'audio',
  canvas: 'canvas',
  iframe: 'iframe',
  frame: 'iframe',
  object: 'iframe',
  embed: 'iframe',
  svg: 'image',
};

const SECTIONING =
  'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], ' +
  '[role=navigation], [role=region]';

const typeOf = (input) => (input instanceof HTMLInputElement ? input.type : '');

function isFocusable(element) {
  if (element.tabIndex >= 0) return true;
  return hasAttribute(element, 'tabindex') && !Number.isNaN(parseInt(attributeOf(element, 'tabindex'), 10));
}

function ariaRole(element) {
  const written = attributeOf(element, 'role');
  if (!written) return null;
  for (const token of written.toLowerCase().split(/\s+/)) {
    if (!KNOWN_ROLES.has(token)) continue;
    if (token === 'none' || token === 'presentation') {
      const kept =
        isFocusable(element) || hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby');
      return kept ? null : 'none';
    }
    return token === 'img' ? 'image' : token;
  }
  return null;
}

function htmlRole(element) {
  const name = localNameOf(element);
  switch (name) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') || hasAttribute(element, 'xlink:href') ? 'link' : '';
    case 'input':
      if (typeOf(element) === 'hidden') return '';
      if (hasAttribute(element, 'list') && !(typeOf(element) in INPUT_ROLES && typeOf(element) !== 'search'))
        return 'combobox';
      return INPUT_ROLES[typeOf(element)] ?? 'textbox';
    case 'select':
      return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    case 'summary':
      return isSummary(element) ? 'summary' : '';
    case 'header':
      return closest(element, SECTIONING) ? '' : 'banner';
    case 'footer':
      return closest(element, SECTIONING) ? '' : 'contentinfo';
    case 'form':
    case 'section':
      if (!hasAttribute(element, 'aria-label') && !hasAttribute(element, 'aria-labelledby')) return '';
      return name === 'form' ? 'form' : 'region';
    case 'th':
      return attributeOf(element, 'scope') === 'row' ? 'rowheader' : 'columnheader';
  }
  if (Object.hasOwn(HTML_ROLES, name)) return HTML_ROLES[name];
  return '';
}

// The first summary of its details is the one that opens it.
function isSummary(element) {
  const parent = parentOf(element);
  if (!(parent instanceof HTMLDetailsElement)) return false;
  for (const child of parent.children) if (localNameOf(child) === 'summary') return child === element;
  return false;
}

// '' for what has no role of its own.
function roleOf(element) {
  const role = ariaRole(element);
  if (role === 'none' || role === 'generic') return '';
  if (role) return role;
  const implicit = htmlRole(element);
  if (!implicit && isEditingHost(element)) return 'textbox';
  return implicit;
}

function isEditingHost(element) {
  const value = attributeOf(element, 'contenteditable');
  return (
    value !== null &&
    value.toLowerCase() !== 'false' &&
    value.toLowerCase() !== 'inherit' &&
    element instanceof HTMLElement &&
    isEditable(element)
  );
}
