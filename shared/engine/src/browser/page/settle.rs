//! Waits until a page is worth printing.

use std::time::{Duration, Instant};

use super::Page;
use crate::browser::state::State;
use crate::browser::{Pace, Trouble};

/// Longest time for what comes after the document itself. A page that never stops asking is shown as it is then.
const LONGEST: Duration = Duration::from_secs(8);

/// Brings on what is loaded only when it is seen, and waits for fonts and pictures. Runs beside the page's own scripts, in
/// a world that they do not see. What observes the window hears of it when a frame is drawn.
const SETTLE: &str = "(async () => {
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const go = (top) => scrollTo({top, behavior: 'instant'});
  for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
  const root = document.scrollingElement || document.documentElement;
  for (let top = innerHeight, screens = 0; top < root.scrollHeight && screens < 100; top += innerHeight, screens++) {
    go(top);
    await Promise.race([frame(), pause(50)]);
  }
  go(0);
  await document.fonts.ready;
  await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})));
})()";

impl Page {
    /// Waits until the document is there with all that it asks for, at most as long as its pace allows.
    pub(super) fn settle(&mut self, pace: &Pace) -> Result<(), Trouble> {
        self.wait(pace.load, |state| state.loaded)?;
        let now = Instant::now();
        let left = pace.settle.saturating_duration_since(now).min(LONGEST);
        // What is seen only later needs its time as well.
        self.wait_until_quiet(now + left / 2, pace.quiet)?;
        match self.evaluate(SETTLE, now + left) {
            Ok(_) | Err(Trouble::Late | Trouble::Refused) => {}
            Err(Trouble::Gone) => return Err(Trouble::Gone),
        }
        self.wait_until_quiet(now + left, pace.quiet)
    }

    fn wait_until_quiet(&mut self, until: Instant, quiet: Duration) -> Result<(), Trouble> {
        let is_quiet = move |state: &State| {
            let since = state.quiet_since();
            since.is_some_and(|since| since.elapsed() >= quiet)
        };
        self.wait(until, is_quiet)
    }

    /// Takes events until `done` or the time is over.
    pub(super) fn wait(
        &mut self,
        until: Instant,
        done: impl Fn(&State) -> bool,
    ) -> Result<(), Trouble> {
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
