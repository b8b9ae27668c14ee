// Text being written: white space as a browser shows it, breaks between blocks, marks of lists, a budget.

// Control characters, marks that break words or turn the direction of text around, pictures of icon fonts.
const UNWRITTEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u202a-\u202e\u2066-\u2069\ue000-\uf8ff]/g;

// `gap`: line breaks owed before the next word; `mark`: of a list item, owed too; `left`: characters of the budget.
let page = null;

const newPage = (budget) => ({ text: '', gap: 0, space: false, indent: '', mark: '', left: budget, full: false });

function writeWords(words) {
  const clean = words.replace(UNWRITTEN, '').replace(/\s+/g, ' ');
  const trimmed = clean.trim();
  if (trimmed) {
    startWriting(clean[0] === ' ');
    put(trimmed);
  }
  if (clean.endsWith(' ')) page.space = true;
}

function writePreserved(words) {
  const clean = words.replace(UNWRITTEN, '').replace(/\r\n?/g, '\n');
  if (!clean.trim()) return breakLines((clean.match(/\n/g) ?? []).length ? 1 : 0);
  startWriting(false);
  return put(clean.replace(/\n/g, '\n' + page.indent));
}

// What stands where a frame is: no page's text has the character around it.
function writeFrame(index) {
  breakLines(2);
  startWriting(false);
  page.text += `\u0000${index}\u0000`;
  breakLines(2);
}

function startWriting(spaced) {
  if (page.gap && page.text) page.text += '\n'.repeat(page.gap) + page.indent;
  else if ((page.space || spaced) && page.text && !/\s$/.test(page.text) && !page.mark) page.text += ' ';
  page.text += page.mark;
  page.gap = 0;
  page.space = false;
  page.mark = '';
}

function put(text) {
  page.left -= text.length;
  if (page.left < 0) page.full = true;
  page.text += text;
}

// The first line of an item stands where its mark is: no break comes between.
function breakLines(count) {
  if (count === 0 || page.mark) return;
  page.gap = Math.max(page.gap, count);
  page.space = false;
}

function owedMark(mark) {
  if (page.gap && page.text) page.text += '\n'.repeat(page.gap) + page.indent;
  page.gap = 0;
  page.space = false;
  page.mark = mark;
}

// What `write` writes, on one line.
function writtenAside(write) {
  const outer = page;
  page = newPage(outer.left);
  write();
  const { text, left, full } = page;
  page = outer;
  page.left = left;
  page.full ||= full;
  return collapsed(text);
}
