// Fits the content of a page to its print width. Runs in the driver's isolated world while the scripts of the page are
// disabled. Reads and writes alternate in few passes, because a read after a write lays the page out again.
((maxPassTime) => {
  const MAX_ELEMENTS = 200000, MAX_CLONES = 200000, MAX_DEPTH = 512, MAX_FRAME_DEPTH = 3;
  // A word of this many characters breaks inside if it makes the page too wide.
  const LONG_WORD = /\S{25}/, LONG_LINE = 40, MIN_BROKEN_WIDTH = '12em';
  const REPLACED = 'img, svg, video, canvas, object, embed, iframe, input, textarea, select, button, math';
  let ends = 0;
  const begin = () => { ends = performance.now() + maxPassTime; };
  const isLate = () => performance.now() > ends;
  const set = (element, properties) => {
    for (const name in properties) element.style?.setProperty(name, properties[name], 'important');
  };

  // The elements of a document or shadow tree, with those of open shadow trees.
  const elements = (root, found = []) => {
    for (const element of root.querySelectorAll('*')) {
      if (found.length >= MAX_ELEMENTS || (found.length % 256 === 0 && isLate())) break;
      found.push(element);
      if (element.shadowRoot) elements(element.shadowRoot, found);
    }
    return found;
  };
  const parent = (element) => element.parentElement || element.getRootNode().host || null;
  const ancestors = function* (element) {
    let depth = 0;
    for (let at = element; at && depth < MAX_DEPTH; at = parent(at), depth++) yield at;
  };
  // Documents of frames that the page may read, each with its element.
  const frames = (doc) => Array.from(doc.querySelectorAll('iframe')).slice(0, 100)
    .map((frame) => ({frame, inner: frame.contentDocument}))
    .filter(({inner}) => inner?.documentElement && inner.readyState !== 'loading');

  // Boxes that already cut their content in the layout for a screen, which is what their author sees.
  const clippedOnScreen = new WeakSet();
  const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
  const isCut = (element) => ({
    x: element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0,
    y: element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0,
  });

  // Opens closed details; returns whether there are any.
  const openDetails = (doc, depth = 0) => {
    const closed = doc.querySelectorAll('details:not([open])');
    for (const details of closed) {
      // Of several with one name, the browser keeps only one open.
      details.removeAttribute('name');
      details.open = true;
    }
    const inner = depth < MAX_FRAME_DEPTH ? frames(doc).map(({inner}) => openDetails(inner, depth + 1)) : [];
    return closed.length > 0 || inner.includes(true);
  };

  // Called in the layout for a screen.
  const prepare = () => {
    begin();
    const opened = openDetails(document);
    for (const element of elements(document)) {
      const cut = isCut(element);
      if (!cut.x && !cut.y) continue;
      const style = getComputedStyle(element);
      if (clips(style.overflowX) && cut.x || clips(style.overflowY) && cut.y) clippedOnScreen.add(element);
    }
    return opened;
  };

  // Shows what can only be reached by scrolling, or what a box cuts in print only.
  const expand = (doc) => {
    begin();
    const view = doc.defaultView, roots = [doc.documentElement, doc.body], expanded = [];
    for (const element of elements(doc)) {
      const cut = isCut(element);
      if (!cut.x && !cut.y || roots.includes(element)) continue;
      const style = view.getComputedStyle(element);
      const releases = (overflow) => scrolls(overflow) || clips(overflow) && !clippedOnScreen.has(element);
      const x = cut.x && releases(style.overflowX), y = cut.y && releases(style.overflowY);
      if (x || y) expanded.push({element, x, y, style});
    }
    const changes = expanded.map(({element, x, y, style}) => {
      const name = element.localName;
      if (name === 'textarea') return {height: `${element.scrollHeight + 4}px`, 'max-height': 'none'};
      if (name === 'input') return {'field-sizing': 'content', width: 'auto', 'max-width': '100%'};
      if (name === 'select') return {height: `${element.scrollHeight + 4}px`, 'max-height': 'none'};
      const changes = {overflow: 'visible', transition: 'none'};
      if (y) Object.assign(changes, {height: 'auto', 'max-height': 'none'});
      if (x && style.display.endsWith('flex') && style.flexDirection.startsWith('row')) changes['flex-wrap'] = 'wrap';
      return changes;
    });
    expanded.forEach(({element}, index) => set(element, changes[index]));
    const outer = new Set();
    for (const {element, y} of expanded) {
      if (!y || isLate()) continue;
      for (const ancestor of ancestors(element)) {
        if (ancestor === element) continue;
        if (outer.has(ancestor)) break;
        outer.add(ancestor);
      }
    }
    // An ancestor of a fixed height would cut its grown content, or let it cover what follows.
    for (let round = 0; round < 4 && outer.size > 0; round++) {
      const found = Array.from(outer, (element) => ({element, cut: isCut(element), style: view.getComputedStyle(element)}))
        .filter(({element, cut, style}) => cut.y || roots.includes(element) || style.position === 'fixed');
      if (found.length === 0) break;
      for (const {element, style} of found) {
        const isFixed = style.position === 'fixed';
        outer.delete(element);
        set(element, {height: 'auto', 'max-height': 'none', overflow: 'visible', transition: 'none'});
        if (isFixed) set(element, {position: 'absolute'});
      }
    }
    for (const {element} of expanded) {
      if (view.getComputedStyle(element).position === 'fixed') set(element, {position: 'absolute', bottom: 'auto'});
    }
  };

  // Makes frames as large as their documents.
  const growFrames = (doc, depth = 0) => {
    if (depth >= MAX_FRAME_DEPTH) return;
    for (const {frame, inner} of frames(doc)) {
      if (frame.clientWidth === 0 || /^no$/i.test(frame.getAttribute('scrolling'))) continue;
      expand(inner);
      growFrames(inner, depth + 1);
      const root = inner.scrollingElement || inner.documentElement;
      if (root.scrollWidth > root.clientWidth + 1) wrap(inner, root.clientWidth);
      const width = root.scrollWidth, height = root.scrollHeight;
      if (width > root.clientWidth + 1) set(frame, {width: `${width}px`, 'max-width': 'none'});
      if (height <= root.clientHeight + 1) continue;
      set(frame, {height: `${height}px`, 'max-height': 'none'});
      if (depth > 0 || height < innerHeight) continue;
      // A frame that is taller than a page would begin on a new page; an absolute box does not.
      const space = document.createElement('div');
      set(space, {display: 'block', height: `${height}px`, width: `${Math.max(width, root.clientWidth)}px`});
      set(frame, {position: 'absolute'});
      frame.after(space);
    }
  };

  const root = () => document.scrollingElement || document.documentElement;
  const isRightToLeft = () => getComputedStyle(document.body || root()).direction === 'rtl';
  // How far a box reaches from the side where lines start.
  const reach = (rect, width, rightToLeft) => rightToLeft ? width - rect.left : rect.right;

  // The reach of what is visible of a box: ancestors may clip it.
  const visibleReach = (element, box, width, rightToLeft) => {
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) return 0;
    let visible = reach(box, width, rightToLeft), escapes = false;
    for (const ancestor of ancestors(element)) {
      const style = getComputedStyle(ancestor);
      if (style.position === 'fixed') return 0;
      const isContaining = style.position !== 'static' || style.transform !== 'none';
      if (ancestor !== element && (!escapes || isContaining) && style.overflowX !== 'visible' && ancestor.clientWidth > 0
          && ancestor !== document.documentElement && ancestor !== document.body) {
        visible = Math.min(visible, reach(ancestor.getBoundingClientRect(), width, rightToLeft));
      }
      escapes = style.position === 'absolute' || escapes && !isContaining;
    }
    return visible;
  };

  const ownTexts = (element) => Array.from(element.childNodes).filter((node) => node.nodeType === 3 && /\S/.test(node.data));

  // Width that visible text and images need; 0 if it is not more than `width`.
  const needed = (width) => {
    begin();
    const rightToLeft = isRightToLeft(), range = document.createRange();
    let most = 0;
    for (const element of elements(document)) {
      if (isLate()) return Math.max(most, root().scrollWidth);
      const boxes = ownTexts(element).map((node) => {
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
      });
      if (element.matches(REPLACED)) boxes.push(element.getBoundingClientRect());
      for (const box of boxes) {
        if (box.width > 0 && reach(box, width, rightToLeft) > Math.max(most, width) + 1) {
          most = Math.max(most, visibleReach(element, box, width, rightToLeft));
        }
      }
    }
    return most > width + 1 ? most : 0;
  };
  const isTooWide = (width) => root().scrollWidth > width + 1;

  // The outermost tables that are too wide.
  const wideTables = (doc, width) => {
    const rightToLeft = isRightToLeft();
    const wide = Array.from(doc.querySelectorAll('table')).slice(0, 5000)
      .filter((table) => reach(table.getBoundingClientRect(), width, rightToLeft) > width + 1);
    const all = new Set(wide);
    return wide.filter((table) => !Array.from(ancestors(table)).slice(1).some((ancestor) => all.has(ancestor)));
  };

  // The box around an element whose width follows from its words.
  const flexibleBox = (element) => {
    for (const box of ancestors(element)) {
      const outer = parent(box);
      if (outer && /flex|grid/.test(getComputedStyle(outer).display)) return box;
    }
    return null;
  };

  // Breaks lines and long words that are too wide, and lets tables and images be narrower than their style says.
  const wrap = (doc, width) => {
    begin();
    const view = doc.defaultView, rightToLeft = isRightToLeft(), range = doc.createRange();
    const tables = wideTables(doc, width), changes = new Map(), blocks = new Set();
    const change = (element, properties) => changes.set(element, {...changes.get(element), ...properties});
    for (const table of tables) change(table, {width: 'auto', 'min-width': '0', 'max-width': '100%'});
    for (const element of elements(doc)) {
      if (isLate()) break;
      if (element.matches('img, video, canvas, svg[viewBox]')) {
        const box = element.getBoundingClientRect(), start = rightToLeft ? width - box.right : box.left;
        const room = width - Math.min(Math.max(start, 0), width / 2);
        if (box.width > room + 1) change(element, {'max-width': `${room}px`, 'min-width': '0', height: 'auto'});
        continue;
      }
      for (const node of ownTexts(element)) {
        range.selectNodeContents(node);
        const cell = element.closest('td, th'), isInTable = cell && tables.some((table) => table.contains(cell));
        if (!isInTable && reach(range.getBoundingClientRect(), width, rightToLeft) <= width + 1) continue;
        const style = view.getComputedStyle(element);
        const keepsLines = style.whiteSpace.startsWith('pre') && style.textWrapMode === 'nowrap';
        const keepsSpaces = style.textWrapMode === 'nowrap' && !keepsLines && (!isInTable || node.data.length > LONG_LINE);
        if (keepsLines || keepsSpaces) {
          for (const block of ancestors(element)) {
            blocks.add(block);
            if (!view.getComputedStyle(block).display.startsWith('inline')) break;
          }
        }
        if (LONG_WORD.test(node.data)) {
          change(element, {'overflow-wrap': 'anywhere', 'word-break': 'normal'});
          const box = isInTable ? cell : flexibleBox(element);
          if (box) change(box, {'min-width': MIN_BROKEN_WIDTH});
        } else if (!isInTable) {
          change(element, {'overflow-wrap': 'break-word'});
        }
      }
    }
    for (const block of blocks) {
      if (isLate()) break;
      for (const element of [block, ...block.querySelectorAll('*')]) {
        const style = view.getComputedStyle(element);
        if (style.textWrapMode !== 'nowrap') continue;
        change(element, {'white-space': style.whiteSpace.startsWith('pre') ? 'pre-wrap' : 'normal'});
      }
    }
    for (const [element, properties] of changes) set(element, properties);
  };

  // The cells of a table with their columns; nothing if it is too large, irregular or a layout of other tables.
  const grid = (table) => {
    if (table.querySelector('table') || table.rows.length === 0) return null;
    const cells = [], open = [];
    let columns = 0;
    for (const row of table.rows) {
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

  // Splits a table into several that are not wider than `room`. Each repeats the first column.
  const split = (table, room) => {
    const found = grid(table);
    if (!found || found.columns < 3) return [];
    const {cells, columns} = found, spacing = parseFloat(getComputedStyle(table).borderSpacing) || 0;
    const widths = new Array(columns).fill(spacing);
    for (const {cell, first, last} of cells) {
      if (first === last) widths[first] = Math.max(widths[first], cell.getBoundingClientRect().width + spacing);
    }
    const parts = [];
    let used = Infinity;
    for (let column = 1; column < columns; column++) {
      if (used + widths[column] > room) {
        parts.push([column, column]);
        used = widths[0];
      }
      used += widths[column];
      parts[parts.length - 1][1] = column;
    }
    const size = table.querySelectorAll('*').length;
    if (parts.length < 2 || size * parts.length > MAX_CLONES) return [];
    const copies = parts.map(() => table.cloneNode(true));
    copies.forEach((copy, index) => {
      const [begins, stops] = parts[index], copied = grid(copy);
      copy.querySelectorAll('col, colgroup').forEach((column) => column.remove());
      for (const {cell, first, last} of copied.cells) {
        const count = Math.max(0, Math.min(last, stops) - Math.max(first, begins) + 1) + (first === 0 ? 1 : 0);
        if (count === 0) cell.remove();
        else cell.colSpan = count;
      }
      if (index > 0) {
        copy.querySelectorAll('[id]').forEach((element) => element.removeAttribute('id'));
        copy.removeAttribute('id');
        set(copy, {'margin-top': '1em'});
      }
    });
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

  // Fits the page to a width in pixels. Returns the scale at which it fits, and whether the page should be turned.
  const fit = (width, readable, mayTurn) => {
    for (const table of zoomed) table.style.removeProperty('zoom');
    zoomed.clear();
    expand(document);
    growFrames(document);
    if (!isTooWide(width)) return {scale: 1, turns: false};
    wrap(document, width);
    if (!isTooWide(width)) return {scale: 1, turns: false};
    const tables = wideTables(document, width);
    const displays = tables.map((table) => [table.style.getPropertyValue('display'), table.style.getPropertyPriority('display')]);
    for (const table of tables) set(table, {display: 'none'});
    const rest = needed(width);
    tables.forEach((table, index) => table.style.setProperty('display', ...displays[index]));
    let scale = rest > width ? width / rest : 1;
    if (scale < readable && mayTurn) return {scale: 1, turns: true};
    if (!zoomTables(width, scale, tables, readable, mayTurn)) {
      if (mayTurn) return {scale: 1, turns: true};
      const least = Math.min(1, readable / scale), copies = [];
      for (const table of tables) {
        if (Number(table.style.zoom) * scale >= readable) continue;
        table.style.removeProperty('zoom');
        const box = table.getBoundingClientRect();
        const parts = split(table, (width / scale - Math.max(0, isRightToLeft() ? width - box.right : box.left)) / least);
        copies.push(...parts);
      }
      for (const copy of copies) set(copy, {zoom: `${least}`});
      zoomTables(width, scale, wideTables(document, width / scale), readable, false);
    }
    const now = needed(width / scale);
    if (now > 0) scale = Math.min(scale, width / now);
    return {scale: Math.max(scale, 0.05), turns: false};
  };

  globalThis.octavo = {fit};
  return prepare();
})
