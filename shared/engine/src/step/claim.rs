//! Runs a step on a document in the child of the prewarmed browser, in a scratch directory of its own.

use std::fs::{copy, metadata, rename};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::limits::MARKUP_BYTES;
use sandbox::{Finished, Limits, SandboxError, Standby};
use task::{OUTPUT, Task};

use super::Step;
use crate::error::EngineError;

/// How long a browser that is still starting is awaited: as long as one that is started now.
const READY_WITHIN: Duration = Duration::from_secs(10);

impl Step<'_> {
    /// Runs a task in the prewarmed browser's child. `None` if no such browser is usable; none is waiting then.
    pub(super) fn claim(
        &self,
        task: &Task,
        limits: Limits,
    ) -> Result<Option<Finished>, EngineError> {
        let is_document = task.page.is_none();
        let prewarmed = self.prewarmed.and_then(|browser| browser.take(is_document));
        let usable = |_: &Standby| is_document && task.attachments.is_empty();
        let Some(mut standby) = prewarmed.filter(usable) else {
            return Ok(None);
        };
        let is_ready = standby.is_ready(READY_WITHIN, self.request.stop);
        if is_ready || !self.request.stop.load(Ordering::Relaxed) {
            let prewarmed = self.prewarmed.iter();
            prewarmed.for_each(|browser| browser.record(is_ready));
        }
        match is_ready && copy_source(&task.source, standby.scratch()) {
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
        let task_in_scratch = Task {
            source: source_in(standby.scratch()),
            directory: standby.scratch().to_owned(),
            scratch: standby.scratch().to_owned(),
            ..task.clone()
        };
        let request = serde_json::to_value(&task_in_scratch)
            .map_err(|error| EngineError::service("a task cannot be written", error))?;
        let wall = self.budget.cap(limits).wall;
        let (finished, scratch) = match standby.claim(&request, wall, self.request.stop) {
            Ok(claimed) => claimed,
            // It has just died, before it received the document.
            Err(SandboxError::Describe(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        (self.request.spent)(finished.cpu);
        let output = scratch.path().join(OUTPUT);
        if output.symlink_metadata().is_ok() {
            let moved = rename(output, task.output());
            moved.map_err(|error| EngineError::service("a result cannot be moved", error))?;
        }
        scratch.wipe()?;
        Ok(Some(finished))
    }
}

/// Copies the document into the scratch directory, where the child may write: not to the original. A document that exceeds
/// the limit is not copied.
fn copy_source(source: &Path, scratch: &Path) -> bool {
    let fits = metadata(source).is_ok_and(|found| found.len() <= MARKUP_BYTES);
    fits && copy(source, source_in(scratch)).is_ok()
}

fn source_in(scratch: &Path) -> PathBuf {
    scratch.join("source")
}
