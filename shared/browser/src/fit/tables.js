// Zooms tables that are too wide, and splits those that would be too small.

// The number of elements that copies of all tables may have, and that cells of one table may be.
const MAX_CLONES = 200000;
let clones = 0;

// The outermost tables that are too wide.
const wideTables = (doc, width) => {
  const rightToLeft = isRightToLeft();
  const wide = Array.from(doc.querySelectorAll('table')).slice(0, 5000)
    .filter((table) => reach(table.getBoundingClientRect(), width, rightToLeft) > width + 1);
  const all = new Set(wide);
  return wide.filter((table) => !Array.from(ancestors(table)).slice(1).some((ancestor) => all.has(ancestor)));
};

// The cells of a table with their columns; nothing if it is too large, irregular or a layout of other tables.
const grid = (table) => {
  if (table.querySelector('table') || table.rows.length === 0) return null;
  const cells = [], open = [];
  let columns = 0;
  for (const row of table.rows) {
    if (isLate()) return null;
    let column = 0;
    for (const cell of row.cells) {
      while (open[column] > 0) column++;
      const span = Math.min(cell.colSpan, 1000), rows = cell.rowSpan || 65534;
      cells.push({cell, first: column, last: column + span - 1});
      for (let at = column; at < column + span; at++) open[at] = rows;
      column += span;
      if (cells.length > MAX_CLONES || column > 2000) return null;
    }
    for (let at = 0; at < open.length; at++) open[at] = Math.max(0, (open[at] || 0) - 1);
    columns = Math.max(columns, column);
  }
  return {cells, columns};
};

// The first and last columns of the tables of at most `room` that a table is split into, each of which repeats its first
// column; `null` if it cannot be split.
const plan = (table, room) => {
  const found = isLate() ? null : grid(table);
  if (!found || found.columns < 3) return null;
  const {cells, columns} = found, spacing = parseFloat(getComputedStyle(table).borderSpacing) || 0;
  const widths = new Array(columns).fill(spacing);
  for (const {cell, first, last} of cells) {
    if (first === last) widths[first] = Math.max(widths[first], cell.getBoundingClientRect().width + spacing);
  }
  const parts = [], partOf = [];
  let used = Infinity;
  for (let column = 1; column < columns; column++) {
    if (used + widths[column] > room) {
      parts.push([column, column]);
      used = widths[0];
    }
    used += widths[column];
    parts[parts.length - 1][1] = column;
    partOf[column] = parts.length - 1;
  }
  if (parts.length < 2 || isLate()) return null;
  const size = (element) => 1 + element.querySelectorAll('*').length;
  // Each part has a copy of everything but the cells that are only in other parts.
  let copies = size(table) * parts.length;
  for (const {cell, first, last} of cells) {
    if (first > 0) copies -= size(cell) * (parts.length - 1 - partOf[last] + partOf[first]);
  }
  if (isLate() || clones + copies > MAX_CLONES) return null;
  clones += copies;
  return {table, parts, spans: new Map(cells.map(({cell, first, last}) => [cell, {first, last}]))};
};

// Replaces a table by its parts and returns them; none if the time is over.
const split = ({table, parts, spans}) => {
  if (isLate()) return [];
  const copied = (element, [begins, stops]) => {
    const copy = element.cloneNode(false);
    for (const child of element.childNodes) {
      const span = spans.get(child);
      if (!span && !/^(tr|thead|tbody|tfoot|col|colgroup)$/.test(child.localName)) {
        copy.append(child.cloneNode(true));
      } else if (!span) {
        if (!child.localName.startsWith('col')) copy.append(copied(child, [begins, stops]));
      } else {
        const {first, last} = span, own = Math.max(0, Math.min(last, stops) - Math.max(first, begins) + 1);
        if (own === 0 && first > 0) continue;
        const cell = child.cloneNode(true);
        cell.colSpan = own + (first === 0 ? 1 : 0);
        copy.append(cell);
      }
    }
    return copy;
  };
  const copies = parts.map((part) => copied(table, part));
  for (const copy of copies.slice(1)) {
    for (const element of [copy, ...copy.querySelectorAll('[id]')]) element.removeAttribute('id');
    set(copy, {'margin-top': '1em'});
  }
  table.replaceWith(...copies);
  return copies;
};

const zoomed = new Set();
// Zooms each table to the room that it has; nothing is changed if that is less than `readable` and `mayTurn` is set.
const zoomTables = (width, scale, tables, readable, mayTurn) => {
  const rightToLeft = isRightToLeft(), room = width / scale;
  const zooms = tables.map((table) => {
    const box = table.getBoundingClientRect(), start = rightToLeft ? width - box.right : box.left;
    const space = Math.max(room - Math.max(start, 0) - 1, room / 4), present = Number(table.style.zoom) || 1;
    return {table, zoom: Math.min(1, Math.floor(present * space / box.width * 1000 - 1) / 1000)};
  });
  const isReadable = zooms.every(({zoom}) => zoom * scale >= readable);
  if (!isReadable && mayTurn) return false;
  for (const {table, zoom} of zooms) {
    zoomed.add(table);
    set(table, {zoom: `${Math.max(zoom, 0.05)}`});
  }
  return isReadable;
};
