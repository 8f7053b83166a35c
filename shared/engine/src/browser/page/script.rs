//! Scripts of ours that ask a page something. They run beside the page's own, in a world that those do not see.

use std::time::Instant;

use serde_json::{Value, json};

use super::Page;
use crate::browser::Trouble;

/// Whether a text can be seen in a part of the page, in pixels of its style sheet; only the first texts are looked at. Of a
/// text that is clipped to a pixel, as what is meant for readers that speak, nothing is seen.
const SHOWS_TEXT: &str = "((width, height) => {
  const root = document.documentElement, body = document.body || root;
  if (!body) return false;
  const clear = /^(transparent|rgba\\(.*, *0(\\.0*)?\\)|.*\\/ *0(\\.0*)?%?\\))$/;
  // What the root and the body have of it is the window's.
  const of_window = [root];
  if (getComputedStyle(root).overflow === 'visible') of_window.push(body);
  const lifts = position => position === 'absolute' || position === 'fixed';
  const clipped = (text, owner) => {
    let {left, top, right, bottom} = text, lifted = 'static';
    for (let holder = owner; holder; holder = holder.parentElement) {
      const style = getComputedStyle(holder);
      if (style.clipPath !== 'none' || lifts(style.position) && style.clip !== 'auto') return null;
      // What is lifted out of the flow is clipped from the element on that it is placed in.
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
    pub(crate) fn title(&mut self, until: Instant) -> Result<String, Trouble> {
        let title = self.evaluate("document.title", until)?;
        Ok(title.as_str().unwrap_or_default().to_owned())
    }

    /// Whether a text can be seen within so many pixels of the style sheet from the page's upper left corner.
    pub(crate) fn shows_text(
        &mut self,
        (width, height): (f64, f64),
        until: Instant,
    ) -> Result<bool, Trouble> {
        let shown = self.evaluate(&format!("{SHOWS_TEXT}({width}, {height})"), until)?;
        shown.as_bool().ok_or(Trouble::Refused)
    }

    /// The value of an expression, awaited if it is a promise.
    pub(super) fn evaluate(&mut self, expression: &str, until: Instant) -> Result<Value, Trouble> {
        let world = json!({ "frameId": self.state.frame, "worldName": "octavo" });
        let world = self.call("Page.createIsolatedWorld", world, until)?;
        let script = json!({
            "expression": expression,
            "contextId": world.get("executionContextId"),
            "awaitPromise": true,
            "returnByValue": true,
        });
        let mut answer = self.call("Runtime.evaluate", script, until)?;
        match answer.get("exceptionDetails") {
            Some(_) => Err(Trouble::Refused),
            None => Ok(answer
                .pointer_mut("/result/value")
                .map_or(Value::Null, Value::take)),
        }
    }
}
