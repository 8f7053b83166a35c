//! Waits until a page is worth printing.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Page;
use crate::browser::state::{State, text};
use crate::browser::{Pace, Trouble};

/// Longest time for what comes after the document itself. A page that never stops asking is shown as it is then.
const LONGEST: Duration = Duration::from_secs(8);

/// Whether nothing of a document can come or change any more, of which no script has run and nothing is listened for: nothing
/// in it loads later, leads elsewhere or moves, and none of not too many parts is laid out only when it is seen, whose fonts
/// would be missing until then.
const IS_STILL: &str = "(() => {
  const restless = `audio, embed, frame, iframe, object, video, animate, animateMotion, animateTransform, set, [loading=lazy],
    meta[http-equiv=refresh i], link:is([rel*=fetch i], [rel*=load i], [rel*=render i])`;
  const all = Array.from(document.querySelectorAll('*'));
  const waits = (part) => getComputedStyle(part).contentVisibility === 'auto';
  return !document.querySelector(restless) && document.getAnimations().length === 0 && all.length < 10000 && !all.some(waits);
})()";

/// Brings on what is loaded only when it is seen, if there may be such, and waits for fonts and pictures. Runs beside the
/// page's own scripts, in a world that they do not see. What observes the window hears of it when a frame is drawn.
const SETTLE: &str = "(async (scrolls) => {
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const go = (top) => scrollTo({top, behavior: 'instant'});
  for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
  const root = document.scrollingElement || document.documentElement;
  const most = scrolls ? 100 : 0;
  for (let top = innerHeight, screens = 0; top < root.scrollHeight && screens < most; top += innerHeight, screens++) {
    go(top);
    await Promise.race([frame(), pause(50)]);
  }
  if (scrolls) go(0);
  await document.fonts.ready;
  await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})));
})";

impl Page {
    /// Waits until the document is there with all that it asks for, at most as long as its pace allows.
    pub(super) fn settle(&mut self, pace: &Pace) -> Result<(), Trouble> {
        self.wait(pace.load, |state| state.loaded)?;
        let now = Instant::now();
        let left = pace.settle.saturating_duration_since(now).min(LONGEST);
        let is_still = self.is_seen_through && self.state.loaded && self.is_still(now + left)?;
        let quiet = if is_still { Duration::ZERO } else { pace.quiet };
        // What is seen only later needs its time as well.
        self.wait_until_quiet(now + left / 2, quiet)?;
        let settled = self.evaluate(&format!("{SETTLE}({})", !is_still), now + left);
        unless_gone(settled)?;
        self.wait_until_quiet(now + left, quiet)
    }

    /// Whether a document is as it will stay.
    fn is_still(&mut self, until: Instant) -> Result<bool, Trouble> {
        let metrics = self.call("Performance.getMetrics", json!({}), until);
        // Before our own script runs, which counts as well.
        if !unless_gone(metrics)?.is_some_and(|metrics| is_inert(&metrics)) {
            return Ok(false);
        }
        let still = unless_gone(self.evaluate(IS_STILL, until))?;
        Ok(still.and_then(|still| still.as_bool()) == Some(true))
    }

    fn wait_until_quiet(&mut self, until: Instant, quiet: Duration) -> Result<(), Trouble> {
        loop {
            let ends = self.state.quiet_since().map(|since| since + quiet);
            let next = ends.map_or(until, |ends| ends.min(until));
            if next <= Instant::now() {
                return Ok(());
            }
            if let Some(message) = self.connection.receive(next)? {
                self.take(message)?;
            }
        }
    }

    /// Takes events until `done` or the time is over.
    pub(super) fn wait(
        &mut self,
        until: Instant,
        done: impl Fn(&State) -> bool,
    ) -> Result<(), Trouble> {
        while !done(&self.state) && Instant::now() < until {
            if let Some(message) = self.connection.receive(until)? {
                self.take(message)?;
            }
        }
        Ok(())
    }
}

/// Whether no script of a page has run and nothing waits for an event.
fn is_inert(metrics: &Value) -> bool {
    let metrics = metrics.get("metrics").and_then(Value::as_array);
    let value = |name: &str| {
        let mut metrics = metrics.into_iter().flatten();
        metrics
            .find(|metric| text(metric, "name") == name)?
            .get("value")?
            .as_f64()
    };
    value("ScriptDuration") == Some(0.0) && value("JSEventListeners") == Some(0.0)
}

/// An answer that a page may owe, and a browser may not.
fn unless_gone(answer: Result<Value, Trouble>) -> Result<Option<Value>, Trouble> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Trouble::Late | Trouble::Refused) => Ok(None),
        Err(Trouble::Gone) => Err(Trouble::Gone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_inert_of_which_nothing_has_run_and_nothing_is_listened_for() {
        let metrics = |script: f64, listeners: u32| {
            json!({ "metrics": [
                { "name": "Nodes", "value": 9 }, { "name": "JSEventListeners", "value": listeners },
                { "name": "ScriptDuration", "value": script },
            ] })
        };
        assert!(is_inert(&metrics(0.0, 0)));
        assert!(!is_inert(&metrics(0.000_03, 0)));
        assert!(!is_inert(&metrics(0.0, 1)));
        // Nothing told is nothing known.
        assert!(!is_inert(
            &json!({ "metrics": [{ "name": "ScriptDuration", "value": 0 }] })
        ));
        assert!(!is_inert(&json!({})));
    }
}
