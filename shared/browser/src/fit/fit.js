// Fits the width of a page: by scrolling boxes, lines, tables and the whole page, in this order.

const REPLACED = 'img, svg, video, canvas, object, embed, iframe, input, textarea, select, button, math';

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

// Fits the page to a width in pixels. Returns the scale at which it fits, the smallest scale of any of its content, whether
// the page should be turned, and whether tables were split, which changes the order of their words.
const fit = (width, readable, mayTurn) => {
  const unscaled = {scale: 1, smallest: 1, turns: false, splits: false}, turned = {...unscaled, turns: true};
  for (const table of zoomed) table.style.removeProperty('zoom');
  zoomed.clear();
  begin();
  expand(document);
  begin();
  growFrames(document);
  if (!isTooWide(width)) return unscaled;
  begin();
  wrap(document, width);
  if (!isTooWide(width)) return unscaled;
  const tables = wideTables(document, width);
  const displays = tables.map((table) => [table.style.getPropertyValue('display'), table.style.getPropertyPriority('display')]);
  let rest = 0;
  try {
    for (const table of tables) set(table, {display: 'none'});
    rest = needed(width);
  } finally {
    tables.forEach((table, index) => table.style.setProperty('display', ...displays[index]));
  }
  let scale = rest > width ? width / rest : 1, splits = false;
  if (scale < readable && mayTurn) return turned;
  if (!zoomTables(width, scale, tables, readable, mayTurn)) {
    if (mayTurn) return turned;
    const least = Math.min(1, readable / scale), small = tables.filter((table) => Number(table.style.zoom) * scale < readable);
    for (const table of small) table.style.removeProperty('zoom');
    begin();
    const plans = small.map((table) => {
      const box = table.getBoundingClientRect(), start = isRightToLeft() ? width - box.right : box.left;
      return plan(table, (width / scale - Math.max(0, start)) / least);
    });
    const copies = plans.filter(Boolean).flatMap(split);
    splits = copies.length > 0;
    for (const copy of copies) {
      zoomed.add(copy);
      set(copy, {zoom: `${least}`});
    }
    zoomTables(width, scale, wideTables(document, width / scale), readable, false);
  }
  const now = needed(width / scale);
  if (now > 0) scale = Math.min(scale, width / now);
  const zooms = Array.from(zoomed).filter((table) => table.isConnected).map((table) => Number(table.style.zoom) || 1);
  scale = Math.max(scale, 0.05);
  return {scale, smallest: scale * zooms.reduce((a, b) => Math.min(a, b), 1), turns: false, splits};
};
