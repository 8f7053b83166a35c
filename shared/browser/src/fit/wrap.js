// Breaks what is too wide, or lets it be narrower than its style says.

// A word of this many characters breaks inside if it makes the page too wide.
const LONG_WORD = /\S{25}/, LONG_LINE = 40, MIN_BROKEN_WIDTH = '12em';

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
