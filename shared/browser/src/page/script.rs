//! Scripts that read a page. They run in an isolated world, which the page's own scripts do not see.

use std::time::Instant;

use chromiumoxide_cdp::cdp::browser_protocol::page::{
    CreateIsolatedWorldParams, CreateIsolatedWorldReturns,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::EvaluateParams;
use serde_json::Value;

use crate::BrowserError;
use crate::Page;
use crate::fit::MAX_TEXT;
use crate::returns::Evaluate;

/// Whether text is visible in an area of the page, in CSS pixels; only the first text nodes are examined. Text that is
/// clipped to a pixel, such as text for screen readers, is not visible.
const SHOWS_TEXT: &str = "((width, height) => {
  const root = document.documentElement, body = document.body || root;
  if (!body) return false;
  const transparent = /^(transparent|rgba\\(.*, *0(\\.0*)?\\)|.*\\/ *0(\\.0*)?%?\\))$/;
  // Overflow of the root and the body applies to the viewport.
  const viewportRoots = [root];
  if (getComputedStyle(root).overflow === 'visible') viewportRoots.push(body);
  const isOutOfFlow = position => position === 'absolute' || position === 'fixed';
  const clipped = (rect, owner) => {
    let {left, top, right, bottom} = rect, lastPosition = 'static';
    for (let ancestor = owner; ancestor; ancestor = ancestor.parentElement) {
      const style = getComputedStyle(ancestor);
      if (style.clipPath !== 'none' || isOutOfFlow(style.position) && style.clip !== 'auto') return null;
      // Text out of the flow is clipped by its containing block and the ancestors of that.
      const isContaining = style.transform !== 'none' || lastPosition === 'absolute' && style.position !== 'static';
      if (isOutOfFlow(lastPosition) && !isContaining) continue;
      lastPosition = style.position;
      if (viewportRoots.includes(ancestor) || ancestor.ownerSVGElement || /^(inline|contents)$/.test(style.display)) continue;
      const box = ancestor.getBoundingClientRect();
      if (style.overflowX !== 'visible') {
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
      }
      if (style.overflowY !== 'visible') {
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
    }
    return {left, top, right, bottom};
  };
  const textNodes = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let visited = 0; visited < 5000 && textNodes.nextNode(); visited++) {
    const node = textNodes.currentNode, owner = node.parentElement;
    if (!node.data.trim() || !owner?.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (transparent.test(getComputedStyle(owner).webkitTextFillColor)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const visible = clipped(rect, owner);
      if (!visible) break;
      const left = visible.left + scrollX, top = visible.top + scrollY;
      const isLarge = visible.right - visible.left >= 2 && visible.bottom - visible.top >= 2;
      if (isLarge && left >= 0 && top >= 0 && left + 1 < width && top + 1 < height) return true;
    }
  }
  return false;
})";

/// The title of the page. An element with this name hides the member of the document.
const TITLE: &str = "typeof document.title === 'string' ? document.title.toWellFormed() : ''";
const HAS_OWN_FONTS: &str = "Array.from(document.fonts).some((font) => font.status === 'loaded')";

impl Page {
    /// The document's title; empty if it has none.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn title(&mut self, until: Instant) -> Result<String, BrowserError> {
        let title = self.evaluate(TITLE, until)?;
        Ok(title.as_str().unwrap_or_default().to_owned())
    }

    /// Whether text is visible within this width and height in CSS pixels, from the page's upper left corner.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn shows_text(
        &mut self,
        (width, height): (f64, f64),
        until: Instant,
    ) -> Result<bool, BrowserError> {
        let shown = self.evaluate(&format!("{SHOWS_TEXT}({width}, {height})"), until)?;
        let malformed = || BrowserError::malformed("result of a script", "not a boolean");
        shown.as_bool().ok_or_else(malformed)
    }

    /// The text that the page displays, up to [`MAX_TEXT`].
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn text(&mut self, until: Instant) -> Result<String, BrowserError> {
        let script = format!(
            "(document.body || document.documentElement)?.innerText?.slice(0, {MAX_TEXT}).toWellFormed()"
        );
        let text = self.evaluate(&script, until)?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Whether the page has loaded fonts of its own.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn has_own_fonts(&mut self, until: Instant) -> Result<bool, BrowserError> {
        let found = self.evaluate(HAS_OWN_FONTS, until)?;
        Ok(found.as_bool().unwrap_or_default())
    }

    /// The value of an expression, awaited if it is a promise.
    pub(crate) fn evaluate(
        &mut self,
        expression: &str,
        until: Instant,
    ) -> Result<Value, BrowserError> {
        let mut world = CreateIsolatedWorldParams::new(self.state.frame.clone());
        world.world_name = Some("octavo".to_owned());
        let world: CreateIsolatedWorldReturns = self.call(&world, until)?;
        let mut script = EvaluateParams::new(expression);
        script.context_id = Some(world.execution_context_id);
        script.await_promise = Some(true);
        script.return_by_value = Some(true);
        let evaluated: Evaluate = self.call(&script, until)?;
        match evaluated.exception_details {
            Some(exception) => Err(BrowserError::Rejected {
                method: EvaluateParams::IDENTIFIER.to_owned(),
                reason: exception.text,
            }),
            None => Ok(evaluated.result.value.unwrap_or_default()),
        }
    }
}
