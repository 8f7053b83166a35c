// The text that a reader of the page sees.

// Scripts without spaces between words, whose characters count as words.
const UNSPACED = ['Hani', 'Hira', 'Kana', 'Thai', 'Laoo', 'Mymr', 'Khmr'].map((script) => `\\p{scx=${script}}`).join('');
const WORDS = new RegExp(`[${UNSPACED}]\\p{M}*|[^\\s${UNSPACED}]+`, 'gu');

const DRAWN_INPUTS = /^(text|search|url|tel|email|number|button|submit|reset)$/;

// Whether the text of an element takes no space, is transparent, or lies before the start of the page.
const isInvisible = (element, style) => {
  if (style.opacity === '0' || style.fontSize === '0px' || parseFloat(style.textIndent) < -500) return true;
  const isOutOfFlow = style.position === 'absolute' || style.position === 'fixed';
  if (!isOutOfFlow && style.overflow === 'visible') return false;
  const box = element.getBoundingClientRect();
  if (isOutOfFlow && (box.right < 0 || box.bottom + scrollY < 0)) return true;
  return (box.width <= 2 || box.height <= 2) && style.overflow !== 'visible' && style.display !== 'inline';
};

// Whether an element in `box` is invisible anyway, or in a box out of the flow, which its overflow does not clip.
const isExempt = (element, box, invisible) => {
  for (const at of ancestors(element)) {
    if (at === box) return false;
    if (invisible.has(at)) return true;
    const style = getComputedStyle(at);
    if (style.position === 'fixed' || style.position === 'absolute' && getComputedStyle(box).position === 'static') return true;
  }
  return true;
};

// Returns for a box that cuts text whether it shows a rectangle of words whole, and whether it shows nothing of it.
const visibilityIn = (box, style) => {
  const {left, right, top, bottom} = box.getBoundingClientRect();
  const x = clips(style.overflowX), y = clips(style.overflowY), ellipsis = parseFloat(style.fontSize);
  const clamps = style.webkitLineClamp !== 'none', cutsLine = style.textOverflow === 'ellipsis' && x;
  const isOtherLine = (word) => y && ((word.top + word.bottom) / 2 > bottom || (word.top + word.bottom) / 2 < top);
  const isOutside = (word) => isOtherLine(word) || x && (word.left >= right || word.right <= left);
  const isShown = (word) => {
    if (isOtherLine(word)) return false;
    // An ellipsis takes the place of the last word of a line.
    const isLast = cutsLine || clamps && word.bottom + word.height / 2 > bottom, room = isLast ? ellipsis : -1;
    const isRightToLeft = style.direction === 'rtl';
    return !(x || isLast) || word.left >= left + (isRightToLeft ? room : -1) && word.right <= right - (isRightToLeft ? -1 : room);
  };
  return {isShown, isOutside};
};

// Returns the text of a node without the words that a box cuts off, and their number. Only where the box cuts a line, words are
// measured one by one.
const withoutCutWords = (node, range, {isShown, isOutside}) => {
  const words = Array.from(node.data.matchAll(WORDS)), shown = [];
  let hidden = 0;
  const measure = (first, last) => {
    if (isLate()) return;
    range.setStart(node, words[first].index);
    range.setEnd(node, words[last].index + words[last][0].length);
    const boxes = Array.from(range.getClientRects());
    if (boxes.every(isShown)) {
      for (let index = first; index <= last; index++) shown.push(words[index][0]);
    } else if (first < last && !boxes.every(isOutside)) {
      const middle = (first + last) >> 1;
      measure(first, middle);
      measure(middle + 1, last);
    } else {
      hidden += last - first + 1;
    }
  };
  measure(0, words.length - 1);
  return {text: hidden > 0 ? ` ${shown.join(' ')} ` : node.data, hidden};
};

// The text of at most `most` UTF-16 units, or `null` if the time was too short to find what boxes cut off; and the number of
// words found that boxes cut off on the screen as well. Called in the layout for print.
const sourceText = (most) => {
  begin();
  const invisible = new Set(), cutting = [], roots = [];
  let visited = 0;
  const visit = (root, doc, depth) => {
    const view = doc.defaultView;
    let style = null;
    const tree = doc.createTreeWalker(root, NodeFilter.SHOW_ELEMENT, (element) => {
      style = view.getComputedStyle(element);
      return style.display === 'none' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    });
    const values = [];
    while (tree.nextNode()) {
      if (visited >= MAX_ELEMENTS || visited % 256 === 0 && isLate()) break;
      visited++;
      const element = tree.currentNode, name = element.localName;
      if (element.shadowRoot) visit(element.shadowRoot, doc, depth);
      if (name === 'iframe') {
        const inner = depth < MAX_FRAME_DEPTH && element.clientWidth > 0 ? element.contentDocument : null;
        if (inner?.documentElement) visit(inner.documentElement, inner, depth + 1);
      } else if (name === 'input' && DRAWN_INPUTS.test(element.type)) {
        values.push(element.value || element.placeholder);
      } else if (name === 'textarea') {
        values.push(element.value || element.placeholder);
      } else if (name === 'select' && element.size < 2 && !element.multiple) {
        values.push(element.selectedOptions[0]?.label);
        invisible.add(element);
      } else if (element !== doc.body) {
        if (isInvisible(element, style)) invisible.add(element);
        else if (clips(style.overflowX) || clips(style.overflowY)) {
          const {x, y} = isCut(element);
          const cuts = [[x, style.overflowX], [y, style.overflowY]].some(([isCut, overflow]) =>
            isCut && clips(overflow) && !releases(element, overflow));
          if (cuts) cutting.push({element, style, doc});
        }
      }
    }
    roots.push([root, values]);
  };
  visit(document.documentElement, document, 0);
  const isComplete = visited < MAX_ELEMENTS && !isLate();

  begin();
  // The browser updates every range of a document whenever a text changes, so each document has one.
  const texts = new Map(), ranges = new Map();
  let hidden = 0;
  for (const {element, style, doc} of isComplete ? cutting : []) {
    const visibility = visibilityIn(element, style), range = ranges.get(doc) || doc.createRange();
    ranges.set(doc, range);
    const tree = doc.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (tree.nextNode() && !isLate()) {
      const node = tree.currentNode, owner = node.parentElement;
      if (texts.has(node) || !/\S/.test(node.data) || !owner.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
      range.selectNodeContents(node);
      if (Array.from(range.getClientRects()).every(visibility.isShown) || isExempt(owner, element, invisible)) continue;
      const found = withoutCutWords(node, range, visibility);
      hidden += found.hidden;
      texts.set(node, found.text);
    }
  }
  if (!isComplete || isLate()) return {text: null, hidden};

  const styles = Array.from(invisible).filter((element) => element.style).map((element) => [element, element.getAttribute('style')]);
  for (const [element] of styles) set(element, {display: 'none'});
  const originals = Array.from(texts.keys(), (node) => [node, node.data]);
  for (const [node, text] of texts) node.data = text;
  const parts = [];
  let length = 0;
  const add = (text) => {
    if (!text || length >= most) return;
    parts.push(text.slice(0, most - length));
    length += text.length;
  };
  for (const [root, values] of roots.reverse()) {
    if (root.host) {
      for (const child of root.children) if (child.checkVisibility()) add(child.innerText ?? child.textContent);
    } else {
      add(root.innerText ?? root.textContent);
    }
    for (const value of values) add(value);
  }
  for (const [node, text] of originals) node.data = text;
  for (const [element, style] of styles) {
    if (style === null) element.removeAttribute('style');
    else element.setAttribute('style', style);
  }
  return {text: parts.join('\n').toWellFormed(), hidden};
};
