//! Scripts that read a page. They run in an isolated world, which the page's own scripts do not see.

use std::time::Instant;

use chromiumoxide_cdp::cdp::browser_protocol::page::{
    CreateIsolatedWorldParams, CreateIsolatedWorldReturns,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::EvaluateParams;
use serde_json::Value;

use crate::BrowserError;
use crate::Page;
use crate::returns::Evaluate;

/// Whether text is visible in an area of the page, in CSS pixels; only the first text nodes are examined. Text that is
/// clipped to a pixel, such as text for screen readers, is not visible.
const SHOWS_TEXT: &str = "((width, height) => {
  const root = document.documentElement, body = document.body || root;
  if (!body) return false;
  const clear = /^(transparent|rgba\\(.*, *0(\\.0*)?\\)|.*\\/ *0(\\.0*)?%?\\))$/;
  // Overflow of the root and the body applies to the viewport.
  const of_window = [root];
  if (getComputedStyle(root).overflow === 'visible') of_window.push(body);
  const lifts = position => position === 'absolute' || position === 'fixed';
  const clipped = (text, owner) => {
    let {left, top, right, bottom} = text, lifted = 'static';
    for (let holder = owner; holder; holder = holder.parentElement) {
      const style = getComputedStyle(holder);
      if (style.clipPath !== 'none' || lifts(style.position) && style.clip !== 'auto') return null;
      // Text out of the flow is clipped by its containing block and the ancestors of that.
      const holds = !lifts(lifted) || style.transform !== 'none' || lifted === 'absolute' && style.position !== 'static';
      if (!holds) continue;
      lifted = style.position;
      if (of_window.includes(holder) || holder.ownerSVGElement || /^(inline|contents)$/.test(style.display)) continue;
      const box = holder.getBoundingClientRect();
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
  const words = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let looked = 0; looked < 5000 && words.nextNode(); looked++) {
    const word = words.currentNode, owner = word.parentElement;
    if (!word.data.trim() || !owner?.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (clear.test(getComputedStyle(owner).webkitTextFillColor)) continue;
    const range = document.createRange();
    range.selectNodeContents(word);
    for (const text of range.getClientRects()) {
      const seen = clipped(text, owner);
      if (!seen) break;
      const left = seen.left + scrollX, top = seen.top + scrollY;
      const is_large = seen.right - seen.left >= 2 && seen.bottom - seen.top >= 2;
      if (is_large && left >= 0 && top >= 0 && left + 1 < width && top + 1 < height) return true;
    }
  }
  return false;
})";

impl Page {
    /// The document's title; empty if it has none.
    pub fn title(&mut self, until: Instant) -> Result<String, BrowserError> {
        let title = self.evaluate("document.title", until)?;
        Ok(title.as_str().unwrap_or_default().to_owned())
    }

    /// Whether text is visible within this width and height in CSS pixels, from the page's upper left corner.
    pub fn shows_text(
        &mut self,
        (width, height): (f64, f64),
        until: Instant,
    ) -> Result<bool, BrowserError> {
        let shown = self.evaluate(&format!("{SHOWS_TEXT}({width}, {height})"), until)?;
        let malformed = || BrowserError::malformed("result of a script", "not a boolean");
        shown.as_bool().ok_or_else(malformed)
    }

    /// The value of an expression, awaited if it is a promise.
    pub(super) fn evaluate(
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
