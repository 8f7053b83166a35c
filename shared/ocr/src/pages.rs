//! The pages of a document with their text: in memory, or in the files of its ranges, so that memory does not grow with the
//! document.

mod journal;
mod ranges;
mod summary;
mod watchdog;

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use domain::ocr_part::OcrRanges;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Deserializer;
use task::{Task, TaskError, TaskResult};

pub(super) use self::journal::{Journal, Noted};
pub(super) use self::ranges::ranges;
pub(super) use self::summary::Summary;
pub(super) use self::watchdog::{Watchdog, Watched};
use super::ocr_page::Page;
use super::page_result::{ContentChange, PageResult};

/// Maximum size of the uncompressed file of a range.
const MAX_FILE_BYTES: u64 = 512 * 1024 * 1024;

/// All pages of a document, in order.
pub(super) enum Pages {
    /// In memory.
    InMemory(Vec<PageResult>),
    /// In the files of ranges.
    InFiles(Vec<PathBuf>),
}

/// A page in a file. Rasterized pages are not stored: their images are large, and documents with them have no ranges.
#[derive(Serialize, Deserialize)]
struct StoredPage {
    /// Index of the page.
    index: usize,
    page: Page,
    removes_invisible_text: bool,
}

impl Pages {
    /// Returns the pages in the files of all ranges, which are the attachments of the task.
    pub(super) fn of_ranges(task: &Task, ranges: &OcrRanges) -> TaskResult<Self> {
        let files = task.attachments.iter();
        let files: Vec<PathBuf> = files.map(|attached| attached.path.clone()).collect();
        match files.len() == ranges.spans.len() {
            true => Ok(Self::InFiles(files)),
            false => Err(damaged()),
        }
    }

    /// Calls `visit` with the index of each page, in order.
    pub(super) fn each(
        &self,
        mut visit: impl FnMut(usize, &PageResult) -> TaskResult<()>,
    ) -> TaskResult<()> {
        match self {
            Self::InMemory(pages) => {
                let mut numbered = pages.iter().enumerate();
                numbered.try_for_each(|(index, page)| visit(index, page))
            }
            Self::InFiles(files) => {
                let mut next = 0;
                for file in files {
                    next = each_of_file(file, next, &mut visit)?;
                }
                Ok(())
            }
        }
    }
}

/// Writes the file of a range: gzip of JSON values. `first` is the index of the first page.
pub(super) fn write_file(path: &Path, first: usize, pages: &[PageResult]) -> TaskResult<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut output = GzEncoder::new(file, Compression::fast());
    for (index, result) in (first..).zip(pages) {
        let stored = StoredPage::of(index, result).ok_or_else(damaged)?;
        serde_json::to_writer(&mut output, &stored).map_err(std::io::Error::from)?;
        output.write_all(b"\n")?;
    }
    Ok(output.finish()?.flush()?)
}

/// Reads the file of a range, whose first page has the index `next`. Returns the index after the last page.
fn each_of_file(
    path: &Path,
    mut next: usize,
    visit: &mut impl FnMut(usize, &PageResult) -> TaskResult<()>,
) -> TaskResult<usize> {
    let file = GzDecoder::new(BufReader::new(File::open(path)?));
    let input = BufReader::new(file.take(MAX_FILE_BYTES));
    for stored in Deserializer::from_reader(input).into_iter::<StoredPage>() {
        let stored = stored.map_err(|_| damaged())?;
        if stored.index != next {
            return Err(damaged());
        }
        visit(next, &stored.into_result())?;
        next += 1;
    }
    Ok(next)
}

/// The files are those of this service, and their SHA-256 was checked.
fn damaged() -> TaskError {
    TaskError::Installation("the files of the ranges do not fit the document".to_owned())
}

impl StoredPage {
    /// Returns a page to store; `None` if it is rasterized.
    fn of(index: usize, result: &PageResult) -> Option<Self> {
        let removes_invisible_text = match result.content {
            ContentChange::Unchanged => false,
            ContentChange::InvisibleTextRemoved => true,
            ContentChange::Rasterized(_) => return None,
        };
        Some(Self {
            index,
            page: result.page.clone(),
            removes_invisible_text,
        })
    }

    fn into_result(self) -> PageResult {
        PageResult {
            page: self.page,
            content: match self.removes_invisible_text {
                true => ContentChange::InvisibleTextRemoved,
                false => ContentChange::Unchanged,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::{Block, Line, Rectangle, TextLayer, Word};
    use super::*;

    fn result(text: &str, content: ContentChange) -> PageResult {
        let mut block = Block::new(2, Rectangle::default());
        let word = Word::new(text, Rectangle::default(), Some(96.5));
        block.lines.push(Line {
            baseline: Some([0.1, 0.25, 1e-9, 4.0]),
            words: Vec::from_iter(word),
            ..Line::default()
        });
        let layer = TextLayer {
            blocks: vec![block.clone()],
            back: task::matrix::Matrix::scale(0.5, 2.0),
            to_user_space: task::matrix::Matrix::IDENTITY,
        };
        let page = Page {
            is_recognized: true,
            blocks: vec![block],
            layer: Some(layer),
            ..Page::default()
        };
        PageResult { page, content }
    }

    #[test]
    fn pages_in_files_are_those_that_were_written() {
        let directory = tempfile::tempdir().unwrap();
        let files = ["one", "two"].map(|name| directory.path().join(name));
        let first = vec![
            result("a", ContentChange::Unchanged),
            result("b", ContentChange::InvisibleTextRemoved),
        ];
        write_file(&files[0], 0, &first).unwrap();
        let last = [result("c", ContentChange::Unchanged)];
        write_file(&files[1], 2, &last).unwrap();
        let mut found = Vec::new();
        let pages = Pages::InFiles(files.to_vec());
        pages
            .each(|index, result| {
                let removes = matches!(result.content, ContentChange::InvisibleTextRemoved);
                found.push((index, format!("{:?}", result.page), removes));
                Ok(())
            })
            .unwrap();
        let expected = |text| format!("{:?}", result(text, ContentChange::Unchanged).page);
        assert_eq!(
            found,
            [
                (0, expected("a"), false),
                (1, expected("b"), true),
                (2, expected("c"), false)
            ]
        );
        let swapped = Pages::InFiles(vec![files[1].clone(), files[0].clone()]);
        assert!(swapped.each(|_, _| Ok(())).is_err());
    }
}
