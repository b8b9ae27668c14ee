// Tables: a row of text is one line, a row with something to act on is several; tables that only place things vanish.

const TABLES = 'table, [role=table], [role=grid], [role=treegrid]';
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

// A table that only places things is left out; its rows of text stay rows.
function isDataTable(table) {
  let declared = reading.dataTables.get(table);
  if (declared === undefined) {
    declared =
      localNameOf(table) !== 'table' ||
      !!ariaRole(table) ||
      !!table.caption ||
      !!table.tHead ||
      !!queryOne(table, 'th');
    reading.dataTables.set(table, declared);
  }
  return declared;
}

function visitTablePart(element, role, here, inside, into, acts) {
  const items = [];
  visitChildren(element, here.style, { ...inside, items });
  if (!acts && listening.has(element) && here.seen) acts = !items.some(isAction);
  if (role === 'row') return takeRow(element, items, into, acts);
  if (!items.length && !acts) return undefined;
  const cell = { role, name: '', states: stateText(element, role, ''), element, children: [], acts, cell: true };
  const label = attributeOf(element, 'aria-label');
  if (items.every(isText)) cell.name = bounded(joinedText(items), TEXT_LIMIT);
  else cell.children = items;
  if (label && label.trim() && !into.named) cell.name = bounded(collapsed(label), NAME_LIMIT);
  spend(4);
  into.items.push(cell);
  return undefined;
}

// A row of text is one line; one that holds something to act on has lines below it.
function takeRow(element, items, into, acts) {
  if (!items.length) return;
  const plain = items.every((item) => item.cell && !item.acts && !item.children.length);
  if (reading.hints) nameColumns(element, items);
  const row = itemOf(element, 'row', '');
  row.acts = acts;
  if (plain) {
    row.name = bounded(
      items
        .map((item) => item.name)
        .filter(Boolean)
        .join(' | '),
      TEXT_LIMIT
    );
    if (!row.name) return;
    into.items.push(row);
    return;
  }
  row.children = items.flatMap((item) =>
    item.cell && !item.acts && item.children.length && !item.name ? item.children : [item]
  );
  const table = composedClosest(element, TABLES);
  if (!acts && table && localNameOf(table) === 'table' && !ariaRole(table) && !isDataTable(table)) {
    into.items.push(
      ...row.children.map((item) =>
        item.cell && !item.acts && !item.children.length
          ? { text: item.name, ended: true, element: item.element }
          : item
      )
    );
    return;
  }
  into.items.push(row);
}

// For a search: what stands at the head of its column is kept with each cell and with what lies in it.
function nameColumns(row, items) {
  const table = composedClosest(row, TABLES);
  if (!table) return;
  const heads = reading.columnHeads.get(table) ?? [];
  reading.columnHeads.set(table, heads);
  for (const cell of items) {
    if (!cell.cell) continue;
    const column = columnOf(cell.element);
    if (cell.role === 'columnheader') heads[column] = bounded(cell.name || namesIn(cell.children), NAME_LIMIT);
    else for (const item of [cell, ...cell.children]) item.column = heads[column] ?? '';
  }
}

const namesIn = (items) => collapsed(items.map((item) => item.text ?? item.name).join(' '));

// Counted from 0, wide cells before it as several.
function columnOf(cell) {
  let column = 0;
  for (let at = cell.previousElementSibling; at; at = at.previousElementSibling)
    column += at instanceof HTMLTableCellElement ? at.colSpan : 1;
  return column;
}

function composedClosest(element, selector) {
  for (let at = element; at && nodeTypeOf(at) === ELEMENT; at = composedParent(at))
    if (matches(at, selector)) return at;
  return null;
}
