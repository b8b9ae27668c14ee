// Text as it stands in an element: words kept apart where boxes are, case and generated content as shown.

// Boxes of these kinds flow on in one line; all others are words apart, boxless ones (`contents`, slots) too.
const INLINE = new Set(['inline', 'ruby', 'ruby-text']);

function contentText(element, style, t) {
  let text = '';
  let separate = false;
  const add = (piece) => {
    if (!piece.text) return;
    if (text && (separate || piece.apart)) text += ' ';
    text += piece.text;
    separate = piece.apart;
  };
  const inside = { seen: t.seen, referred: t.referred, inside: true, hidden: t.hidden };
  add(generatedText(element, '::before'));
  eachChild(element, (child) => {
    const type = nodeTypeOf(child);
    if (type === TEXT) {
      const parent = slotOfText(child) ?? element;
      if (t.hidden || styleOf(parent).visibility === 'visible')
        add({ text: shownText(child, styleOf(parent)), apart: false });
    } else if (type === ELEMENT) {
      addElement(child, inside, add);
    }
  });
  add(generatedText(element, '::after'));
  return text;
}

const SILENT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'rt',
  'rp',
  'datalist',
  'head',
  'title',
  'desc',
  'defs',
  'metadata',
]);

function addElement(child, t, add) {
  const name = localNameOf(child);
  if (name === 'br' || name === 'wbr') return add({ text: '\n', apart: false });
  if (SILENT.has(name)) return undefined;
  if (
    (name === 'ul' || name === 'ol' || attributeOf(child, 'role') === 'group') &&
    attributeOf(composedParent(child), 'role') === 'treeitem'
  )
    return undefined;
  const style = styleOf(child);
  const piece = alternative(child, { ...t, role: undefined });
  return add({ text: piece.text, apart: piece.apart || !INLINE.has(style.display) });
}

// Text as it is shown: white space collapsed later, case by `text-transform`.
function shownText(node, style) {
  const text = node.data;
  switch (style.textTransform) {
    case 'none':
      return text;
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
  }
  return text;
}

function generatedText(element, which) {
  const style = getComputedStyle(element, which);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '' || style.display === 'none') return NOTHING;
  const [shown, spoken] = splitAlternative(content);
  const text = piecesOf(spoken ?? shown, element, style);
  return { text, apart: spoken !== undefined || !INLINE.has(style.display) };
}

// `content: "→" / "next"`: what is shown, and what is said for it.
function splitAlternative(content) {
  let inString = false;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === '\\') at++;
    else if (content[at] === '"') inString = !inString;
    else if (content[at] === '/' && !inString && content[at - 1] === ' ')
      return [content.slice(0, at), content.slice(at + 1)];
  }
  return [content, undefined];
}

function piecesOf(content, element, style) {
  let text = '';
  for (const [whole, string, attribute] of content.matchAll(
    /url\("(?:[^"\\]|\\.)*"\)|"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)|open-quote|close-quote/g
  )) {
    if (string !== undefined) text += unescaped(string);
    else if (attribute !== undefined) text += attributeOf(element, attribute) ?? '';
    else if (whole.endsWith('-quote')) text += quoteMark(style.quotes, whole);
  }
  return text;
}

const unescaped = (string) =>
  string.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, code, letter) =>
    code ? String.fromCodePoint(parseInt(code, 16)) : letter
  );

function quoteMark(quotes, which) {
  const marks = [...quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]);
  const [open, close] = marks.length >= 2 ? marks : ['“', '”'];
  return which === 'open-quote' ? open : close;
}
