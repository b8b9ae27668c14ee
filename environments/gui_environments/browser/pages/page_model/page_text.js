// The text that a document shows, to be read by itself: the main content first, then what is around it. The same things
// are hidden here as in readings.

const BLANK_AROUND = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre section article header footer nav main form fieldset ' +
    'figure'
  ).split(' ')
);
const UNTEXTED = new Set('img canvas video audio picture object embed input textarea select progress meter'.split(' '));
const BUTTON_INPUT = /^(button|submit|reset)$/;

function textOfDocument(budget) {
  if (!documentElementOf(document)) return { main: '', rest: '', full: false, inert: false, hosts: 0, frames: [] };
  const found = { deaf: [], layers: [], again: false };
  const answer = textUnder(budget, { deaf: [], layers: [] }, found);
  return found.deaf.length || found.again ? textUnder(budget, found, {}) : answer;
}

// `known`: what may lie over text, and the colours of what it may lie on; `found` takes what there is of them.
function textUnder(budget, known, found) {
  styles = new Map();
  names = new Map();
  labelsFor = new Map();
  reading = { hosts: [], frames: [], dataTables: new Map(), everything: true, clip: wholeDocument() };
  Object.assign(reading, { covers: known.deaf, layers: [...known.layers], deaf: [], inked: [], again: false });
  const root = topModal() ?? documentElementOf(document);
  const main = mainOf(root);
  page = newPage(budget);
  if (main) writeElement(main, contextOf(main), null);
  const mainText = page.text;
  page = { ...newPage(page.left), full: page.full };
  writeElement(root, contextOf(root), main);
  const answer = {
    main: mainText.toWellFormed(),
    rest: page.text.toWellFormed(),
    full: page.full,
    inert: root !== documentElementOf(document),
    hosts: reading.hosts.length,
    frames: reading.frames.map(numberOf),
  };
  lastHosts = reading.hosts;
  Object.assign(found, { deaf: reading.deaf.filter(isOpaqueCover), layers: reading.layers, again: reading.again });
  styles = names = labelsFor = new Map();
  reading = page = null;
  return answer;
}

// The one element that says it is the main content; null when none does, or several do.
function mainOf(root) {
  for (const selector of ['main, [role=main]', 'article, [role=article]']) {
    const shown = [...documentQueryAll(document, selector)].filter(
      (found) => found !== root && containsComposed(root, found) && isSeen(found) && shownContent(found)
    );
    if (shown.length === 1) return shown[0];
  }
  return null;
}

function contextOf(element) {
  const clips = { flow: reading.clip, absolute: reading.clip, fixed: [0, 0, innerWidth, innerHeight] };
  const around = [];
  for (let at = composedParent(element); at && nodeTypeOf(at) === ELEMENT; at = composedParent(at)) around.unshift(at);
  let context = { clips, behind: [255, 255, 255, 1], opacity: 1 };
  for (const at of around) {
    if (isAbsent(at, styleOf(at)) || isUnseen(at, styleOf(at), context)) return { ...context, hidden: true };
    context = insideOf(at, styleOf(at), context);
  }
  return context;
}

const isUnseen = (element, style, { opacity }) =>
  opacity * opacityOf(style) < OPAQUE || isCutAway(style, boxOf(element)) || facesAway(element, style);

function insideOf(element, style, { clips, behind, opacity }) {
  const inner = style.display === 'contents' ? clips : clipsInside(element, style, boxOf(element), clips, true);
  return { clips: inner, behind: backgroundInside(style, behind), opacity: opacity * opacityOf(style) };
}

function writeElement(element, context, left) {
  const tag = localNameOf(element);
  if (element === left || context.hidden || page.full || SKIPPED.has(tag)) return;
  const style = styleOf(element);
  if (isAbsent(element, style) || isUnseen(element, style, context)) return;
  if (tag === 'br') return breakLines(Math.min(page.gap + 1, 2));
  const box = boxOf(element);
  const clip = style.position === 'fixed' ? context.clips.fixed : context.clips.flow;
  const seen = style.visibility === 'visible' && shows(box, clip);
  noteHost(element, { seen, tag, box });
  noteLayer(element, style);
  if (FRAMES.has(tag) && tag !== 'object' && tag !== 'embed') {
    const opens = element.clientWidth > SEEN_PX && element.clientHeight > SEEN_PX;
    if (seen && opens) writeFrame(reading.frames.push(element) - 1);
    return;
  }
  if (UNTEXTED.has(tag)) {
    if (seen) writeField(element);
    return void (page.space = true);
  }
  writeBlock(element, tag, style, insideOf(element, style, context), left);
}

function writeBlock(element, tag, style, inside, left) {
  const role = tag === 'tr' || hasAttribute(element, 'role') ? roleOf(element) : '';
  const inline = INLINE_BOXES.test(style.display) || style.display.includes('math');
  const apart = inline ? 0 : BLANK_AROUND.has(tag) ? 2 : 1;
  // What stands in the line as a box of its own is a word of its own.
  const boxed = /^inline-/.test(style.display);
  if (boxed) page.space = true;
  const nested = page.indent !== '' && (tag === 'ul' || tag === 'ol');
  breakLines(nested ? 1 : apart);
  if (role === 'row' && isDataRow(element)) writeRow(element, inside, left);
  else if (style.display === 'list-item') writeItem(element, style, inside, left);
  else writeChildren(element, style, inside, left);
  breakLines(nested ? 1 : apart);
  if (boxed) page.space = true;
}

// A row of words is a row, whatever the table is for.
const BLOCKS = 'table, ul, ol, dl, p, h1, h2, h3, h4, h5, h6, form, textarea, blockquote, pre, iframe';

function isDataRow(row) {
  const table = composedClosest(row, 'table, [role=table], [role=grid], [role=treegrid]');
  return (!!table && isDataTable(table)) || !queryOne(row, BLOCKS);
}

function writeRow(row, inside, left) {
  const cells = [];
  eachChild(row, (cell) => {
    if (nodeTypeOf(cell) !== ELEMENT || isAbsent(cell, styleOf(cell))) return;
    cells.push(writtenAside(() => writeElement(cell, inside, left)));
  });
  while (cells.length && !cells[cells.length - 1]) cells.pop();
  if (cells.length) writeWords(cells.join(' | '));
}

function writeItem(item, style, inside, left) {
  const before = page.indent;
  const marked = style.listStyleType !== 'none' || localNameOf(item) === 'li';
  if (localNameOf(item) !== 'summary' && marked) {
    owedMark(itemMark(item));
    page.indent = before + '  ';
  }
  writeChildren(item, style, inside, left);
  page.mark = '';
  page.indent = before;
}

function itemMark(item) {
  const list = parentOf(item);
  if (!(list instanceof HTMLOListElement)) return '- ';
  let number = list.start;
  for (let child = firstChildOf(list); child && child !== item; child = nextSiblingOf(child)) {
    if (child instanceof HTMLLIElement) number = (child.value || number) + 1;
  }
  return `${item.value || number}. `;
}

// What fields show: their value, never a password.
function writeField(field) {
  if (field instanceof HTMLInputElement) {
    if (BUTTON_INPUT.test(field.type)) writeWords(` ${nameOf(field, 'button')} `);
    else if (kindOf(field) === 'text' || kindOf(field) === 'number') writeWords(` ${inputValue(field) ?? ''} `);
  } else if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement) {
    writeWords(` ${valueOf(field, '')} `);
  }
}

function writeChildren(element, style, inside, left) {
  if (style.contentVisibility === 'hidden') return;
  const closed = element instanceof HTMLDetailsElement && !element.open;
  const before = shownMark(element, '::before', inside);
  if (before) writeWords(before);
  eachChild(element, (child) => {
    const type = nodeTypeOf(child);
    if (type === ELEMENT && (!closed || isSummary(child))) writeElement(child, inside, left);
    else if (type === TEXT && !closed) writeText(child, element, style, inside);
  });
  const after = shownMark(element, '::after', inside);
  if (after) writeWords(after);
}

function writeText(node, parent, style, inside) {
  const data = node.data;
  const preserved = style.whiteSpaceCollapse !== 'collapse';
  if (!/\S/.test(data)) return preserved ? writePreserved(data) : writeWords(data);
  const text = shownPart(node, parent, style, inside);
  if (!text) return undefined;
  return preserved ? writePreserved(text) : writeWords(text);
}

const textMembers = { pageText: textOfDocument };
