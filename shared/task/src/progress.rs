//! How far the work is, told by the child and watched by the parent.
//!
//! The child lengthens a file by a byte a percent. The parent looks at its length only and never opens it, so nothing
//! that a hostile child puts in its place (a link, a pipe) does any harm.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const FILE: &str = "progress";
const INTERVAL: Duration = Duration::from_millis(200);

/// The child's end.
pub struct Teller {
    file: Option<File>,
    told: u64,
    part: Range<u8>,
}

impl Teller {
    /// Begins to tell; a file that cannot be made only means that nobody hears.
    pub fn begin(directory: &Path) -> Self {
        Self::part(directory, 0..100)
    }

    /// Begins to tell of a part of the work that takes it from one percentage to another; what was told before stays.
    pub fn part(directory: &Path, part: Range<u8>) -> Self {
        let mut options = File::options();
        let options = options.write(true).create(true);
        let options = options.truncate(part.start == 0);
        Self {
            file: options.open(directory.join(FILE)).ok(),
            told: part.start.into(),
            part,
        }
    }

    /// Tells that `done` of `all` is done.
    pub fn tell(&mut self, done: usize, all: usize) {
        let (start, end) = (u64::from(self.part.start), u64::from(self.part.end));
        let percent = start + done as u64 * (end - start) / (all as u64).max(1);
        if percent <= self.told {
            return;
        }
        self.told = percent.min(end);
        if let Some(file) = &self.file {
            file.set_len(self.told).ok();
        }
    }
}

/// Runs `work` and tells `listener` meanwhile how far it is, 0 to 100.
pub fn watch<T>(directory: &Path, listener: &(dyn Fn(u8) + Sync), work: impl FnOnce() -> T) -> T {
    let file = directory.join(FILE);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| listen(&file, listener, &done));
        let result = work();
        done.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    })
}

fn listen(file: &PathBuf, listener: &(dyn Fn(u8) + Sync), done: &AtomicBool) {
    let mut heard = 0;
    while !done.load(Ordering::Acquire) {
        let length = std::fs::symlink_metadata(file).map_or(0, |found| found.len());
        let percent = u8::try_from(length.min(100)).unwrap_or(100);
        if percent > heard {
            heard = percent;
            listener(percent);
        }
        std::thread::park_timeout(INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn what_is_told_is_heard_and_never_falls() {
        let directory = tempfile::tempdir().unwrap();
        let heard = Mutex::new(Vec::new());
        watch(
            directory.path(),
            &|percent| heard.lock().unwrap().push(percent),
            || {
                let mut teller = Teller::begin(directory.path());
                for done in [1, 3, 2, 4] {
                    teller.tell(done, 4);
                    std::thread::sleep(INTERVAL * 2);
                }
            },
        );
        let heard = heard.into_inner().unwrap();
        assert_eq!(heard, [25, 75, 100]);
    }

    #[test]
    fn parts_of_the_work_follow_each_other() {
        let directory = tempfile::tempdir().unwrap();
        let length = || {
            std::fs::metadata(directory.path().join(FILE))
                .unwrap()
                .len()
        };
        let mut reading = Teller::part(directory.path(), 0..90);
        reading.tell(1, 2);
        assert_eq!(length(), 45);
        reading.tell(2, 2);
        let mut writing = Teller::part(directory.path(), 90..100);
        assert_eq!(length(), 90);
        writing.tell(1, 2);
        writing.tell(5, 2);
        assert_eq!(length(), 100);
    }
}
