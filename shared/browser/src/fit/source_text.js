// The text that a reader of the page sees, of at most `most` UTF-16 units. Called in the layout for print.
((most, maxPassTime) => {
  const MAX_ELEMENTS = 200000, MAX_FRAME_DEPTH = 3;
  const ends = performance.now() + maxPassTime;
  const hidden = [];
  const hide = (element) => {
    if (!element.style) return;
    hidden.push([element, element.getAttribute('style')]);
    element.style.setProperty('display', 'none', 'important');
  };
  const parts = [], roots = [];
  let length = 0;
  const add = (text) => {
    if (!text || length >= most) return;
    parts.push(text.slice(0, most - length));
    length += text.length;
  };
  const DRAWN_INPUTS = /^(text|search|url|tel|email|number|button|submit|reset)$/;

  // Whether the text of an element takes no space, is transparent, or lies before the start of the page.
  const isInvisible = (element, style) => {
    if (style.opacity === '0' || style.fontSize === '0px') return true;
    const box = element.getBoundingClientRect();
    if (style.position === 'absolute' || style.position === 'fixed') {
      if (box.right < 0 || box.bottom + scrollY < 0) return true;
    }
    if (parseFloat(style.textIndent) < -500) return true;
    return (box.width <= 2 || box.height <= 2) && style.overflow !== 'visible' && style.display !== 'inline';
  };

  const visit = (root, doc, depth) => {
    const view = doc.defaultView, tree = doc.createTreeWalker(root, NodeFilter.SHOW_ELEMENT, (element) =>
      view.getComputedStyle(element).display === 'none' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const found = [];
    for (let visited = 0; visited < MAX_ELEMENTS && tree.nextNode(); visited++) {
      if (visited % 256 === 0 && performance.now() > ends) break;
      const element = tree.currentNode, name = element.localName;
      if (element.shadowRoot) visit(element.shadowRoot, doc, depth);
      if (name === 'iframe') {
        const inner = depth < MAX_FRAME_DEPTH && element.clientWidth > 0 ? element.contentDocument : null;
        if (inner?.documentElement) visit(inner.documentElement, inner, depth + 1);
      } else if (name === 'input' && DRAWN_INPUTS.test(element.type)) {
        found.push(element.value || element.placeholder);
      } else if (name === 'textarea') {
        found.push(element.value || element.placeholder);
      } else if (name === 'select' && element.size < 2 && !element.multiple) {
        found.push(element.selectedOptions[0]?.label);
        hide(element);
      } else if (element !== doc.body && isInvisible(element, view.getComputedStyle(element))) {
        hide(element);
      }
    }
    roots.push([root, found]);
  };
  visit(document.documentElement, document, 0);
  for (const [root, values] of roots.reverse()) {
    if (root.host) {
      for (const child of root.children) if (child.checkVisibility()) add(child.innerText ?? child.textContent);
    } else {
      add(root.innerText ?? root.textContent);
    }
    for (const value of values) add(value);
  }
  for (const [element, style] of hidden) {
    if (style === null) element.removeAttribute('style');
    else element.setAttribute('style', style);
  }
  return parts.join('\n');
})
