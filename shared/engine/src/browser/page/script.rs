//! Scripts of ours that ask a page something. They run beside the page's own, in a world that those do not see.

use std::time::Instant;

use serde_json::{Value, json};

use super::Page;
use crate::browser::Trouble;

/// Whether a text can be seen in a part of the page, in pixels of its style sheet; only the first texts are looked at.
const SHOWS_TEXT: &str = "((width, height) => {
  const clear = /^(transparent|.*[,/] *0(\\.0*)?%?\\))$/;
  const words = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_TEXT);
  for (let looked = 0; looked < 5000 && words.nextNode(); looked++) {
    const word = words.currentNode, owner = word.parentElement;
    if (!word.data.trim() || !owner?.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (clear.test(getComputedStyle(owner).color)) continue;
    const range = document.createRange();
    range.selectNodeContents(word);
    for (const box of range.getClientRects()) {
      const left = box.left + scrollX, top = box.top + scrollY;
      if (box.width >= 1 && box.height >= 1 && left >= 0 && top >= 0 && left + 1 < width && top + 1 < height) return true;
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
