//! Has the spare browser's child do a step on a document, in a scratch directory of its own.

use std::fs::{copy, metadata, rename};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::limits::MARKUP_BYTES;
use sandbox::{Finished, Limits, SandboxError, Standby};
use task::{OUTPUT, Task};

use super::Step;
use crate::error::EngineError;

/// How long one that is still being begun is waited for: as long as one that would be begun now.
const BEGUN_WITHIN: Duration = Duration::from_secs(10);

impl Step<'_> {
    /// Has the spare do a task. `None` if there is none that can; then there is none any more.
    pub(super) fn claim(
        &self,
        task: &Task,
        limits: Limits,
    ) -> Result<Option<Finished>, EngineError> {
        let is_document = task.page.is_none();
        let spare = self.spare.and_then(|spare| spare.take(is_document));
        let usable = |_: &Standby| is_document && task.attachments.is_empty();
        let Some(mut standby) = spare.filter(usable) else {
            return Ok(None);
        };
        let is_ready = standby.is_ready(BEGUN_WITHIN, self.request.stop);
        if is_ready || !self.request.stop.load(Ordering::Relaxed) {
            self.spare.iter().for_each(|spare| spare.note(is_ready));
        }
        match is_ready && lay_out(&task.source, standby.scratch()) {
            true => self.run_claimed(standby, task, limits),
            false => Ok(None),
        }
    }

    fn run_claimed(
        &self,
        standby: Standby,
        task: &Task,
        limits: Limits,
    ) -> Result<Option<Finished>, EngineError> {
        let told = Task {
            source: source_in(standby.scratch()),
            directory: standby.scratch().to_owned(),
            scratch: standby.scratch().to_owned(),
            ..task.clone()
        };
        let told = serde_json::to_value(&told)
            .map_err(|error| EngineError::service("a task cannot be written", error))?;
        let wall = self.budget.cap(limits).wall;
        let (finished, scratch) = match standby.claim(&told, wall, self.request.stop) {
            Ok(claimed) => claimed,
            // It has died in this very moment, and the document has not come to it.
            Err(SandboxError::Describe(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        (self.request.spent)(finished.cpu);
        let made = scratch.path().join(OUTPUT);
        if made.symlink_metadata().is_ok() {
            let moved = rename(made, task.output());
            moved.map_err(|error| EngineError::service("a result cannot be moved", error))?;
        }
        scratch.wipe()?;
        Ok(Some(finished))
    }
}

/// Puts a copy of the document where the spare can read it; the child may write there, but not to the document. One that is too
/// large to be read is not copied.
fn lay_out(source: &Path, scratch: &Path) -> bool {
    let fits = metadata(source).is_ok_and(|found| found.len() <= MARKUP_BYTES);
    fits && copy(source, source_in(scratch)).is_ok()
}

fn source_in(scratch: &Path) -> PathBuf {
    scratch.join("source")
}
