// What all scripts that fit a page share: its elements and frames, and the time that they may take. The scripts are one
// function of the driver's isolated world and run while the scripts of the page are disabled. Reads and writes alternate in
// few passes, because a read after a write lays the page out again.
const MAX_ELEMENTS = 200000, MAX_DEPTH = 512, MAX_FRAME_DEPTH = 3, MAX_FRAMES = 100;

// The end of the current pass. All frames share one.
let ends = 0;
const begin = () => { ends = performance.now() + maxPassTime; };
const isLate = () => performance.now() > ends;

const set = (element, properties) => {
  for (const name in properties) element.style?.setProperty(name, properties[name], 'important');
};

// Names of elements hide members of their form or document in every world [HTML Standard, LegacyOverrideBuiltIns]. The form of an
// image may be one that does not contain it.
const NAMED = ':is(button, embed, fieldset, form, iframe, img, input, object, output, select, textarea):is([name], [id])';
const MEMBERS = new RegExp(`^(${[
  'adoptedStyleSheets', 'after', 'body', 'checkVisibility', 'childNodes', 'children', 'client(Width|Height)', 'cloneNode',
  'closest', 'contains', 'create(Element|Range|TreeWalker)', 'defaultView', 'documentElement', 'getAttribute',
  'getBoundingClientRect', 'getRootNode', 'host', 'innerText', 'localName', 'matches', 'nodeType', 'parentElement',
  'querySelectorAll', 'readyState', 'removeAttribute', 'scroll(Width|Height)', 'scrollingElement', 'setAttribute',
  'shadowRoot', 'style', 'styleSheets', 'textContent',
].join('|')})$`);
const hidesMember = (element, attribute, hasForm) => {
  const is = (selector) => Element.prototype.matches.call(element, selector);
  const isOfForm = is('img') ? hasForm : !is('form') && Boolean(element.form);
  return isOfForm || is(attribute === 'name' ? 'embed, form, iframe, img, object' : 'object, img[name]');
};
const showMembers = (root, {querySelector, querySelectorAll} = DocumentFragment.prototype) => {
  const hasForm = querySelector.call(root, 'form') !== null;
  for (const element of querySelectorAll.call(root, NAMED)) {
    for (const name of ['name', 'id']) {
      const isMember = MEMBERS.test(Element.prototype.getAttribute.call(element, name));
      if (isMember && hidesMember(element, name, hasForm)) {
        Element.prototype.removeAttribute.call(element, name);
      }
    }
  }
};

// The elements of a document or shadow tree, with those of open shadow trees, each of which is entered with `enter`.
const elements = (root, enter = () => {}, found = []) => {
  for (const element of root.querySelectorAll('*')) {
    if (found.length >= MAX_ELEMENTS || (found.length % 256 === 0 && isLate())) break;
    found.push(element);
    if (!element.shadowRoot) continue;
    enter(element.shadowRoot);
    elements(element.shadowRoot, enter, found);
  }
  return found;
};
const parent = (element) => element.parentElement || element.getRootNode().host || null;
const ancestors = function* (element) {
  let depth = 0;
  for (let at = element; at && depth < MAX_DEPTH; at = parent(at), depth++) yield at;
};
// Documents of frames that the page may read, each with its element.
const frames = (doc, depth) => (depth < MAX_FRAME_DEPTH ? Array.from(doc.querySelectorAll('iframe')) : []).slice(0, MAX_FRAMES)
  .map((frame) => ({frame, inner: frame.contentDocument}))
  .filter(({inner}) => inner?.documentElement && inner.readyState !== 'loading');

const root = () => document.scrollingElement || document.documentElement;
const isRightToLeft = () => getComputedStyle(document.body || root()).direction === 'rtl';
// How far a box reaches from the side where lines start.
const reach = (rect, width, rightToLeft) => rightToLeft ? width - rect.left : rect.right;
const isTooWide = (width) => root().scrollWidth > width + 1;
const ownTexts = (element) => Array.from(element.childNodes).filter((node) => node.nodeType === 3 && /\S/.test(node.data));
