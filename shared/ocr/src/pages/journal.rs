//! The journal of recognized pages: if a page crashes the process or takes too long, the next process of the same step goes on
//! from it. Pages that were running when a process ended are recognized alone; one that ends a process again has failed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use task::{OCR_JOURNAL, TaskResult};

use super::super::page_result::PageResult;
use super::StoredPage;

/// A line of the journal.
#[derive(Serialize, Deserialize)]
enum Entry {
    /// The page at this index is rendered and recognized next.
    Started { index: usize, is_alone: bool },
    /// The page has a result.
    Done(Box<StoredPage>),
    /// The page is no longer running, and has no stored result.
    Ended { index: usize },
    /// The page has failed.
    Failed { index: usize },
}

/// Appends to the journal.
pub(in super::super) struct Journal {
    file: File,
}

/// What earlier processes noted.
#[derive(Default)]
pub(in super::super) struct Noted {
    /// The stored results, by index.
    pub(in super::super) done: BTreeMap<usize, PageResult>,
    /// Pages that have failed.
    pub(in super::super) failed: Vec<usize>,
    /// Pages of which one has ended a process.
    pub(in super::super) suspects: Vec<usize>,
}

impl Journal {
    /// Opens the journal of the step in `directory`.
    pub(in super::super) fn open(directory: &Path) -> TaskResult<(Self, Noted)> {
        let path = directory.join(OCR_JOURNAL);
        let noted = match File::open(&path) {
            Ok(file) => Noted::read(file)?,
            Err(_) => Noted::default(),
        };
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        complete_last_line(&mut file)?;
        Ok((Self { file }, noted))
    }

    /// Notes that a page is next; `is_alone` is whether no other page is running.
    pub(in super::super) fn start(&self, index: usize, is_alone: bool) -> TaskResult<()> {
        self.append(&Entry::Started { index, is_alone })
    }

    /// Notes the result of a page.
    pub(in super::super) fn done(&self, index: usize, result: &PageResult) -> TaskResult<()> {
        match StoredPage::of(index, result) {
            Some(stored) => self.append(&Entry::Done(Box::new(stored))),
            None => self.end(index),
        }
    }

    /// Notes that a page is no longer running.
    pub(in super::super) fn end(&self, index: usize) -> TaskResult<()> {
        self.append(&Entry::Ended { index })
    }

    /// Notes that a page has failed.
    pub(in super::super) fn fail(&self, index: usize) -> TaskResult<()> {
        self.append(&Entry::Failed { index })
    }

    /// Writes a line at once, so that it is complete unless the process ends meanwhile.
    fn append(&self, entry: &Entry) -> TaskResult<()> {
        let mut line = serde_json::to_vec(entry).map_err(std::io::Error::from)?;
        line.push(b'\n');
        Ok((&self.file).write_all(&line)?)
    }
}

/// Ends a line that a process did not complete. Otherwise, the file stays as it is: its length says whether a process noted
/// anything.
fn complete_last_line(file: &mut File) -> std::io::Result<()> {
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(-1)).is_ok() {
        file.read_exact(&mut last)?;
    }
    match last {
        [b'\n'] => Ok(()),
        _ => file.write_all(b"\n"),
    }
}

impl Noted {
    fn read(file: File) -> TaskResult<Self> {
        let mut noted = Self::default();
        let mut running: BTreeMap<usize, bool> = BTreeMap::new();
        for line in BufReader::new(file).split(b'\n') {
            // Lines may be empty, or incomplete where a process ended.
            let Ok(entry) = serde_json::from_slice(&line?) else {
                continue;
            };
            match entry {
                Entry::Started { index, is_alone } => {
                    running.insert(index, is_alone);
                }
                Entry::Done(stored) => {
                    running.remove(&stored.index);
                    noted.done.insert(stored.index, stored.into_result());
                }
                Entry::Ended { index } => {
                    running.remove(&index);
                }
                Entry::Failed { index } => {
                    running.remove(&index);
                    noted.failed.push(index);
                }
            }
        }
        for (index, was_alone) in running {
            match was_alone {
                true => noted.failed.push(index),
                false => noted.suspects.push(index),
            }
        }
        Ok(noted)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::ocr_page::Page;
    use super::super::super::page_result::ContentChange;
    use super::*;

    fn result(rotation: u32) -> PageResult {
        PageResult {
            page: Page {
                rotation,
                ..Page::default()
            },
            content: ContentChange::InvisibleTextRemoved,
        }
    }

    #[test]
    fn running_pages_are_suspects_and_fail_if_they_end_a_process_alone() {
        let directory = tempfile::tempdir().unwrap();
        let open = || Journal::open(directory.path()).unwrap();
        let (first, noted) = open();
        assert!(noted.done.is_empty() && noted.failed.is_empty() && noted.suspects.is_empty());
        for index in 0..4 {
            first.start(index, false).unwrap();
        }
        first.done(1, &result(90)).unwrap();
        first.fail(3).unwrap();
        let complete = first.file.metadata().unwrap().len();
        first.file.set_len(complete - 3).unwrap();
        let (second, noted) = open();
        let length = second.file.metadata().unwrap().len();
        assert_eq!(open().0.file.metadata().unwrap().len(), length);
        assert_eq!(
            (&noted.failed[..], &noted.suspects[..]),
            (&[][..], &[0, 2, 3][..])
        );
        let done = &noted.done[&1];
        assert_eq!(done.page.rotation, 90);
        assert!(matches!(done.content, ContentChange::InvisibleTextRemoved));
        second.start(0, true).unwrap();
        second.done(0, &result(0)).unwrap();
        second.start(2, true).unwrap();
        let (_, noted) = open();
        assert_eq!(
            (&noted.failed[..], &noted.suspects[..]),
            (&[2][..], &[3][..])
        );
        assert_eq!(noted.done.keys().collect::<Vec<_>>(), [&0, &1]);
    }
}
