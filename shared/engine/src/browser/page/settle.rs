//! Waits until a page is worth printing.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Page;
use crate::browser::state::State;
use crate::browser::{Pace, Trouble};

/// Brings on what is loaded only when it is seen, and waits for fonts and pictures. Runs beside the page's own scripts, in
/// a world that they do not see.
const SETTLE: &str = "(async () => {
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
  const root = document.scrollingElement || document.documentElement;
  for (let top = innerHeight, screens = 0; top < root.scrollHeight && screens < 100; top += innerHeight, screens++) {
    scrollTo(0, top);
    await pause(15);
  }
  scrollTo(0, 0);
  await document.fonts.ready;
  await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})));
})()";

impl Page {
    /// Waits until the document is there with all that it asks for, at most as long as its pace allows.
    pub(super) fn settle(&mut self, pace: &Pace) -> Result<(), Trouble> {
        self.wait(pace.load, |state| state.loaded)?;
        self.wait_until_quiet(pace)?;
        let options = json!({ "frameId": self.state.frame, "worldName": "settle" });
        let prepared = self.prepare(&options, pace.settle);
        match prepared {
            Ok(()) | Err(Trouble::Late | Trouble::Refused) => {}
            Err(Trouble::Gone) => return Err(Trouble::Gone),
        }
        self.wait_until_quiet(pace)
    }

    fn prepare(&mut self, world: &Value, until: Instant) -> Result<(), Trouble> {
        let world = self.call("Page.createIsolatedWorld", world.clone(), until)?;
        let script = json!({
            "expression": SETTLE,
            "contextId": world.get("executionContextId"),
            "awaitPromise": true,
        });
        self.call("Runtime.evaluate", script, until).map(drop)
    }

    fn wait_until_quiet(&mut self, pace: &Pace) -> Result<(), Trouble> {
        let quiet = pace.quiet;
        let is_quiet = move |state: &State| {
            let since = state.quiet_since();
            since.is_some_and(|since| since.elapsed() >= quiet)
        };
        self.wait(pace.settle, is_quiet)
    }

    /// Takes events until `done` or the time is over.
    fn wait(&mut self, until: Instant, done: impl Fn(&State) -> bool) -> Result<(), Trouble> {
        const LOOK: Duration = Duration::from_millis(20);
        while !done(&self.state) && Instant::now() < until {
            let look = until.min(Instant::now() + LOOK);
            if let Some(message) = self.connection.receive(look)? {
                self.take(message)?;
            }
        }
        Ok(())
    }
}
