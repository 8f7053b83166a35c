// Size and side margins that the document declares for its pages, in pixels; `null` where it declares none.
(() => {
  const MAX_RULES = 20000;
  const SIZES = {a5: [148, 210], a4: [210, 297], a3: [297, 420], b5: [176, 250], b4: [250, 353], 'jis-b5': [182, 257],
    'jis-b4': [257, 364], letter: [215.9, 279.4], legal: [215.9, 355.6], ledger: [279.4, 431.8]};
  const found = {}, declared = {};
  let hasNamedPages = false;
  let left = MAX_RULES;
  const visit = (sheet) => {
    let rules;
    try { rules = sheet?.cssRules || []; } catch { return; }
    for (const rule of rules) {
      if (left-- <= 0) return;
      if (rule instanceof CSSPageRule) {
        if (rule.selectorText === '') take(rule.style);
        else if (!rule.selectorText.startsWith(':')) hasNamedPages = true;
      } else if (!rule.media || matchMedia(rule.media.mediaText).matches) {
        visit(rule instanceof CSSImportRule ? rule.styleSheet : rule);
      }
    }
  };
  const take = (style) => {
    for (const name of ['size', 'margin-left', 'margin-right']) {
      const value = style.getPropertyValue(name), isImportant = style.getPropertyPriority(name) === 'important';
      if (!value || found[name] && !isImportant) continue;
      found[name] = isImportant;
      declared[name] = value;
    }
  };
  const pixels = (value) => {
    try { return CSSNumericValue.parse(value).to('px').value; } catch { return null; }
  };
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    if (!sheet.disabled && matchMedia(sheet.media?.mediaText || 'all').matches) visit(sheet);
  }
  const words = (declared.size || 'auto').split(/\s+/);
  const turned = words.includes('landscape') ? true : words.includes('portrait') ? false : null;
  const named = words.map((word) => SIZES[word]).find(Boolean)?.map((side) => side * 96 / 25.4);
  const lengths = words.map(pixels).filter((side) => side > 0);
  let size = named && turned ? [named[1], named[0]] : named || null;
  if (lengths.length > 0) size = [lengths[0], lengths[1] ?? lengths[0]];
  return {size, hasNamedPages, landscape: turned, left: pixels(declared['margin-left']), right: pixels(declared['margin-right'])};
})()
