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

// Elements of the last reading with hints, counted from 1. Few of them will ever be used, so they have no numbers yet.
let places = [];

const placeOf = (element) => places.push(element);

const searchMembers = {
  // `read`, with hints, as one string of JSON: the protocol takes long over many values.
  readToSearch: (options) => JSON.stringify(pageModel.read({ ...options, hints: true })),

  // The numbers of the elements at these places; the others are let go.
  numberPlaces(wanted) {
    const given = wanted.map((place) => (isConnected(places[place - 1]) ? numberOf(places[place - 1]) : 0));
    places = [];
    return given;
  },
};
