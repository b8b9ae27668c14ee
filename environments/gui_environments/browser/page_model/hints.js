// What authors call an element and nobody sees: attributes that help to find it, and never are read as content.

const HINT_ATTRIBUTES = ['id', 'name', 'title', 'type', 'autocomplete', 'data-testid', 'data-original-title', 'class'];
const ICON = 'i, svg, img, use, [class*=icon]';
const HINT_LIMIT = 300;

function hintsOf(element) {
  const words = HINT_ATTRIBUTES.map((name) => attributeOf(element, name));
  // Of an address the path, without what is only a place in the page.
  if (localNameOf(element) === 'a') words.push((attributeOf(element, 'href') ?? '').replace(/^\w+:\/\/[^/]*/, ''));
  const icon = queryOne(element, ICON);
  if (icon) {
    for (const name of ['class', 'href', 'alt', 'src'])
      words.push((attributeOf(icon, name) ?? '').replace(/^data:.*/s, ''));
  }
  return bounded(words.filter(Boolean).join(' '), HINT_LIMIT);
}
