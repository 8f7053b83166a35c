//! Runs a step on a document in the prewarmed browser's child, which has its own scratch directory.

use std::fs::{copy, metadata, rename};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::limits::MARKUP_BYTES;
use sandbox::{FinishedChild, Limits, PrewarmedChild, SandboxError};
use task::expected_text::SOURCE_TEXT_FILE;
use task::{OUTPUT, Task};

use super::Step;
use crate::error::EngineError;
use crate::request::ChildPurpose;

/// How long to wait for a prewarmed browser that is still starting: as long as for a new one.
const READY_WITHIN: Duration = Duration::from_secs(10);

impl Step<'_> {
    /// Runs a task in the prewarmed browser's child. Returns `None` if no prewarmed browser is usable; in that case none is
    /// left waiting.
    pub(super) fn claim(
        &self,
        task: &Task,
        limits: Limits,
    ) -> Result<Option<FinishedChild>, EngineError> {
        let is_document = task.page.is_none();
        let prewarmed = self.prewarmed.and_then(|browser| browser.take(is_document));
        let usable = |_: &PrewarmedChild| is_document && task.attachments.is_empty();
        let Some(mut browser_child) = prewarmed.filter(usable) else {
            return Ok(None);
        };
        let is_ready = browser_child.is_ready(READY_WITHIN, self.request.stop);
        if is_ready || !self.request.stop.load(Ordering::Relaxed) {
            let prewarmed = self.prewarmed.iter();
            prewarmed.for_each(|browser| browser.record(is_ready));
        }
        match is_ready && copy_source(&task.source, browser_child.scratch()) {
            true => self.run_claimed(browser_child, task, limits),
            false => Ok(None),
        }
    }

    fn run_claimed(
        &self,
        browser_child: PrewarmedChild,
        task: &Task,
        limits: Limits,
    ) -> Result<Option<FinishedChild>, EngineError> {
        let task_in_scratch = Task {
            source: source_in(browser_child.scratch()),
            directory: browser_child.scratch().to_owned(),
            scratch: browser_child.scratch().to_owned(),
            ..task.clone()
        };
        let request = serde_json::to_value(&task_in_scratch)
            .map_err(|error| EngineError::service("a task cannot be serialized", error))?;
        let wall = self.budget.cap(limits).wall;
        let (finished, scratch) = match browser_child.claim(&request, wall, self.request.stop) {
            Ok(claimed) => claimed,
            // The child died before it received the document.
            Err(SandboxError::PassJob(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        (self.request.cpu_time)(ChildPurpose::Operation, finished.cpu);
        for name in [OUTPUT, SOURCE_TEXT_FILE] {
            let file = scratch.path().join(name);
            if file.symlink_metadata().is_ok() {
                let moved = rename(file, task.directory.join(name));
                moved.map_err(|error| EngineError::service("the result cannot be moved", error))?;
            }
        }
        scratch.wipe()?;
        Ok(Some(finished))
    }
}

/// Copies the document into the scratch directory, because the child may write there but must not modify the original.
/// Documents above the size limit are not copied.
fn copy_source(source: &Path, scratch: &Path) -> bool {
    let fits = metadata(source).is_ok_and(|found| found.len() <= MARKUP_BYTES);
    fits && copy(source, source_in(scratch)).is_ok()
}

fn source_in(scratch: &Path) -> PathBuf {
    scratch.join("source")
}
