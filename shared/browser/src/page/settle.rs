//! Waits until a page is ready to be rendered.

use std::time::{Duration, Instant};

use chromiumoxide_cdp::cdp::browser_protocol::performance::{
    GetMetricsParams, GetMetricsReturns, Metric,
};

use crate::Page;
use crate::message::Message;
use crate::state::State;
use crate::{BrowserError, Deadlines};

/// Maximum time after the document itself is loaded. A page that never stops requesting is rendered as it is then.
const MAX_SETTLE: Duration = Duration::from_secs(8);

/// Whether a document that has run no script and has no event listener is final: nothing in it loads later, navigates or
/// is animated, and none of a limited number of elements skips its layout until it is visible, as its fonts would be
/// missing until then.
const IS_FINAL: &str = "(() => {
  const dynamic = `audio, embed, frame, iframe, object, video, animate, animateMotion, animateTransform, set, [loading=lazy],
    meta[http-equiv=refresh i], link:is([rel*=fetch i], [rel*=load i], [rel*=render i])`;
  const all = Array.from(document.querySelectorAll('*'));
  const skipsLayout = (element) => getComputedStyle(element).contentVisibility === 'auto';
  if (document.querySelector(dynamic) || document.getAnimations().length > 0) return false;
  return all.length < 10000 && !all.some(skipsLayout);
})()";

/// Triggers lazy loading by scrolling, if `scrolls` is set, and waits for fonts and images. Observers of the viewport are
/// notified when a frame is rendered.
const SETTLE: &str = "(async (scrolls) => {
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const go = (top) => scrollTo({top, behavior: 'instant'});
  for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
  const root = document.scrollingElement || document.documentElement;
  const maxScreens = scrolls ? 100 : 0;
  for (let top = innerHeight, screens = 0; top < root.scrollHeight && screens < maxScreens; top += innerHeight, screens++) {
    go(top);
    await Promise.race([frame(), pause(50)]);
  }
  if (scrolls) go(0);
  await document.fonts.ready;
  await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})));
})";

impl Page {
    /// Waits until the document and all its resources are loaded, or a deadline has passed.
    pub(super) fn settle(&mut self, deadlines: &Deadlines) -> Result<(), BrowserError> {
        self.wait(deadlines.load, |state| state.loaded)?;
        let now = Instant::now();
        let left = deadlines
            .settle
            .saturating_duration_since(now)
            .min(MAX_SETTLE);
        let is_final = self.no_shadow_trees && self.state.loaded && self.is_final(now + left)?;
        let quiet = if is_final {
            Duration::ZERO
        } else {
            deadlines.quiet
        };
        // Lazy resources need some of the time as well.
        self.wait_until_quiet(now + left / 2, quiet)?;
        let settled = self.evaluate(&format!("{SETTLE}({})", !is_final), now + left);
        none_if_not_executed(settled)?;
        self.wait_until_quiet(now + left, quiet)
    }

    /// Whether a document cannot change any more.
    fn is_final(&mut self, until: Instant) -> Result<bool, BrowserError> {
        let metrics = self.call::<GetMetricsReturns>(&GetMetricsParams {}, until);
        // Read the metrics before the driver runs a script, which would count as well.
        if !none_if_not_executed(metrics)?.is_some_and(|metrics| is_inert(&metrics.metrics)) {
            return Ok(false);
        }
        let is_final = none_if_not_executed(self.evaluate(IS_FINAL, until))?;
        Ok(is_final.and_then(|is_final| is_final.as_bool()) == Some(true))
    }

    fn wait_until_quiet(&mut self, until: Instant, quiet: Duration) -> Result<(), BrowserError> {
        loop {
            let ends = self.state.quiet_since().map(|since| since + quiet);
            let next = ends.map_or(until, |ends| ends.min(until));
            if next <= Instant::now() {
                return Ok(());
            }
            self.handle_next(next)?;
        }
    }

    /// Handles events until `done` returns true or the deadline passes.
    pub(super) fn wait(
        &mut self,
        until: Instant,
        done: impl Fn(&State) -> bool,
    ) -> Result<(), BrowserError> {
        while !done(&self.state) && Instant::now() < until {
            self.handle_next(until)?;
        }
        Ok(())
    }

    fn handle_next(&mut self, until: Instant) -> Result<(), BrowserError> {
        let message: Option<Message> = self.connection.receive(until)?;
        message.map_or(Ok(()), |message| self.handle(message))
    }
}

/// Whether no script of a page has run and it has no event listener.
fn is_inert(metrics: &[Metric]) -> bool {
    let is_zero = |name| {
        let metric = metrics.iter().find(|metric| metric.name == name);
        metric.is_some_and(|metric| metric.value == 0.0)
    };
    is_zero("ScriptDuration") && is_zero("JSEventListeners")
}

/// The result of a command that the page may reject, or not execute in time: `None` in these cases.
pub(crate) fn none_if_not_executed<T>(
    result: Result<T, BrowserError>,
) -> Result<Option<T>, BrowserError> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(BrowserError::TimedOut | BrowserError::Rejected { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_inert_if_no_script_has_run_and_it_has_no_listener() {
        let metrics = |script: f64, listeners: f64| {
            [
                Metric::new("Nodes", 9.0),
                Metric::new("JSEventListeners", listeners),
                Metric::new("ScriptDuration", script),
            ]
        };
        assert!(is_inert(&metrics(0.0, 0.0)));
        assert!(!is_inert(&metrics(0.000_03, 0.0)));
        assert!(!is_inert(&metrics(0.0, 1.0)));
        // A metric that is missing is not zero.
        assert!(!is_inert(&[Metric::new("ScriptDuration", 0.0)]));
        assert!(!is_inert(&[]));
    }
}
