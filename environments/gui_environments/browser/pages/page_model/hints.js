// What a search needs beside a reading: attributes that help to find an element and never are read as content, and
// what stands together with it.

const SAID_ATTRIBUTES = ['title', 'placeholder', 'aria-placeholder', 'aria-description', 'data-tooltip', 'data-title'];
const HINT_ATTRIBUTES = (
  'id name type autocomplete data-testid data-original-title data-action data-icon onclick class'
).split(' ');
const ICON = 'i, svg, img, use, [class*=icon]';
const HINT_LIMIT = 300;

const wordsOfAttributes = (element, attributes) =>
  attributes
    .map((name) => attributeOf(element, name))
    .filter(Boolean)
    .join(' ');

// What people see when they point at it.
const saidOf = (element) => bounded(collapsed(wordsOfAttributes(element, SAID_ATTRIBUTES)), HINT_LIMIT);

// What only authors see.
function hintsOf(element) {
  const words = [wordsOfAttributes(element, HINT_ATTRIBUTES)];
  // Of an address the path, without what is only a place in the page.
  if (localNameOf(element) === 'a') words.push((attributeOf(element, 'href') ?? '').replace(/^\w+:\/\/[^/]*/, ''));
  const icon = queryOne(element, ICON);
  if (icon) {
    for (const name of ['class', 'href', 'alt', 'src'])
      words.push((attributeOf(icon, name) ?? '').replace(/^data:.*/s, ''));
  }
  return bounded(words.filter(Boolean).join(' '), HINT_LIMIT);
}

// How deep elements are, and those above and at the element of the last line, by depth.
let depths = new Map();
let trail = [];

function depthOf(element) {
  let depth = depths.get(element);
  if (depth === undefined) {
    const above = composedParent(element);
    depth = above && nodeTypeOf(above) === ELEMENT ? depthOf(above) + 1 : 0;
    depths.set(element, depth);
  }
  return depth;
}

// How deep the innermost element is that holds both this line's element and the one of the line before; -1 for none.
function partingOf(element) {
  const depth = depthOf(element);
  let shared = depth;
  for (let at = element; shared >= 0 && trail[shared] !== at; shared--) {
    trail[shared] = at;
    at = composedParent(at);
  }
  trail.length = depth + 1;
  return shared;
}

// Elements of the last reading with hints, counted from 1. Few of them will ever be used, so they have no numbers yet.
let places = [];

const placeOf = (element) => places.push(element);

// Whether the middle of an element is in view, and where it is, in pixels of the viewport.
function positionOf(element) {
  const box = boxOf(element);
  const [x, y] = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
  noteSeen(element, nameOf(element, roleOf(element)));
  return { number: numberOf(element), x, y, inView: x >= 0 && y >= 0 && x < innerWidth && y < innerHeight };
}

const searchMembers = {
  // `read`, with hints, as one string of JSON: the protocol takes long over many values.
  // `options.found`: of what was sifted the words that may be meant, see `hitsAt`; null to read all.
  readToSearch(options) {
    const wanted = options.found ? chosenNodes(options.found) : null;
    const answer = JSON.stringify(pageModel.read({ ...options, hints: true, wanted }));
    depths = new Map();
    trail = [];
    return answer;
  },

  // Where the elements at these places are, and their numbers; null for what is gone. The others are let go.
  locatePlaces(wanted) {
    const found = wanted.map((place) => (isConnected(places[place - 1]) ? positionOf(places[place - 1]) : null));
    places = [];
    sifted = null;
    forgetCached();
    return found;
  },
};
