// Opens what is closed, and shows what can only be reached by scrolling.

const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
const isCut = (element) => ({
  x: element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0,
  y: element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0,
});

// Boxes that cut nothing in the layout for a screen, which is what their author sees. A box that was not examined then, for
// lack of time or because its frame was not loaded, is not among them.
const wholeOnScreen = new WeakSet();
// Whether a box with this overflow shows in print what it cuts.
const releases = (element, overflow) => scrolls(overflow) || clips(overflow) && wholeOnScreen.has(element);

// Opens closed details and examines boxes that cut; returns whether any were closed. Called in the layout for a screen.
const prepare = (doc = document, depth = 0) => {
  if (depth === 0) begin();
  if (isLate()) return false;
  showMembers(doc, Document.prototype);
  const all = elements(doc, (tree) => showMembers(tree)), closed = all.filter((element) => element.localName === 'details' && !element.open);
  for (const details of closed) {
    // Of several with one name, the browser keeps only one open.
    details.removeAttribute('name');
    details.open = true;
  }
  for (const [index, element] of all.entries()) {
    if (index % 256 === 0 && isLate()) break;
    const cut = isCut(element), style = cut.x || cut.y ? getComputedStyle(element) : null;
    const isClipped = style && (cut.x && clips(style.overflowX) || cut.y && clips(style.overflowY));
    if (!isClipped) wholeOnScreen.add(element);
  }
  const opened = frames(doc, depth).map(({inner}) => prepare(inner, depth + 1));
  return closed.length > 0 || opened.includes(true);
};

// Shows what can only be reached by scrolling, or what a box cuts in print only.
const expand = (doc) => {
  const view = doc.defaultView, roots = [doc.documentElement, doc.body], expanded = [];
  for (const element of elements(doc)) {
    const cut = isCut(element);
    if (!cut.x && !cut.y || roots.includes(element)) continue;
    const style = view.getComputedStyle(element);
    const x = cut.x && releases(element, style.overflowX), y = cut.y && releases(element, style.overflowY);
    if (x || y) expanded.push({element, x, y, style});
  }
  const changes = expanded.map(({element, x, y, style}) => {
    const name = element.localName;
    if (name === 'textarea' || name === 'select') return {height: `${element.scrollHeight + 4}px`, 'max-height': 'none'};
    if (name === 'input') return {'field-sizing': 'content', width: 'auto', 'max-width': '100%'};
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
  for (const {frame, inner} of frames(doc, depth)) {
    if (isLate()) return;
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
