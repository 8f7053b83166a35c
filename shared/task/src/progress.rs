//! Reports the progress of a child process to its parent.
//!
//! The child extends a file by one byte per percent. The parent reads only the length and never opens the file, so a
//! compromised child gains nothing by replacing it with a link or a pipe.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const FILE: &str = "progress";
const INTERVAL: Duration = Duration::from_millis(200);

/// Reports progress from the child process.
pub struct ProgressWriter {
    file: Option<File>,
    reported: u64,
    range: Range<u8>,
}

impl ProgressWriter {
    /// Starts at 0 percent. If the file cannot be created, progress is not reported.
    pub fn start(directory: &Path) -> Self {
        Self::for_range(directory, 0..100)
    }

    /// Starts a phase of the work that covers this range of percentages. Progress of earlier phases is kept.
    pub fn for_range(directory: &Path, range: Range<u8>) -> Self {
        let mut options = File::options();
        let options = options.write(true).create(true);
        let options = options.truncate(range.start == 0);
        Self {
            file: options.open(directory.join(FILE)).ok(),
            reported: range.start.into(),
            range,
        }
    }

    /// Reports that `done` of `all` units are done.
    pub fn report(&mut self, done: usize, all: usize) {
        let (start, end) = (u64::from(self.range.start), u64::from(self.range.end));
        let percent = start + done as u64 * (end - start) / (all as u64).max(1);
        if percent <= self.reported {
            return;
        }
        self.reported = percent.min(end);
        if let Some(file) = &self.file {
            file.set_len(self.reported).ok();
        }
    }
}

/// Runs `work`, and calls `on_progress` with the percentage, 0 to 100, whenever it rises.
pub fn watch<T>(
    directory: &Path,
    on_progress: &(dyn Fn(u8) + Sync),
    work: impl FnOnce() -> T,
) -> T {
    let file = directory.join(FILE);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| poll(&file, on_progress, &done));
        let result = work();
        done.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    })
}

fn poll(file: &PathBuf, on_progress: &(dyn Fn(u8) + Sync), done: &AtomicBool) {
    let mut observed = 0;
    while !done.load(Ordering::Acquire) {
        let length = std::fs::symlink_metadata(file).map_or(0, |found| found.len());
        let percent = u8::try_from(length.min(100)).unwrap_or(100);
        if percent > observed {
            observed = percent;
            on_progress(percent);
        }
        std::thread::park_timeout(INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn progress_is_observed_and_never_decreases() {
        let directory = tempfile::tempdir().unwrap();
        let observed = Mutex::new(Vec::new());
        watch(
            directory.path(),
            &|percent| observed.lock().unwrap().push(percent),
            || {
                let mut progress = ProgressWriter::start(directory.path());
                for done in [1, 3, 2, 4] {
                    progress.report(done, 4);
                    std::thread::sleep(INTERVAL * 2);
                }
            },
        );
        let observed = observed.into_inner().unwrap();
        assert_eq!(observed, [25, 75, 100]);
    }

    #[test]
    fn phases_continue_where_the_previous_one_ended() {
        let directory = tempfile::tempdir().unwrap();
        let length = || {
            std::fs::metadata(directory.path().join(FILE))
                .unwrap()
                .len()
        };
        let mut reading = ProgressWriter::for_range(directory.path(), 0..90);
        reading.report(1, 2);
        assert_eq!(length(), 45);
        reading.report(2, 2);
        let mut writing = ProgressWriter::for_range(directory.path(), 90..100);
        assert_eq!(length(), 90);
        writing.report(1, 2);
        writing.report(5, 2);
        assert_eq!(length(), 100);
    }
}
