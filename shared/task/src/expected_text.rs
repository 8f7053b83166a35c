//! Text that OCR recognized, a browser laid out or a writer left out, which engines record next to the output so that
//! verification can take it into account.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::file::is_regular;
use crate::{Task, TaskError, TaskResult};

/// The file with the recognized words of a reflowable result.
const WORDS_FILE: &str = "words";
/// Minimum length of a recorded word. Shorter ones occur in any text.
const MIN_CHARACTERS: usize = 4;
/// Maximum number of recorded words.
const MAX_WORDS: usize = 2_000;

/// The file with the expected text of a searchable PDF.
pub const EXPECTED_TEXT_FILE: &str = "read";

/// The file with the text of a source that only its engine can lay out, such as a web page after its scripts.
pub const SOURCE_TEXT_FILE: &str = "source-text";
/// Maximum size of the text of a source in bytes.
const MAX_SOURCE_TEXT: usize = 32 * 1024 * 1024;

/// The expected text of each page; `None` where the existing text was kept.
#[derive(Serialize, Deserialize)]
pub struct ExpectedText(pub Vec<Option<ExpectedPage>>);

/// The expected text of a page that OCR processed.
#[derive(Serialize, Deserialize)]
pub struct ExpectedPage {
    /// The invisible text layer that was added.
    pub text: String,
    /// Number of characters that the page had before.
    pub existing_characters: usize,
    /// Whether an image replaces the content of the page.
    pub rasterized: bool,
}

/// Records the recognized words for verification, evenly sampled if there are many. Words of `excluded` texts are not recorded.
///
/// # Errors
/// [`TaskError::Io`] if the record cannot be written.
pub fn write_expected_words(task: &Task, words: &[String], excluded: &[String]) -> TaskResult<()> {
    let words = words.iter().flat_map(|text| long_words(text));
    let mut words: BTreeSet<&str> = words.collect();
    for word in excluded.iter().flat_map(|text| long_words(text)) {
        words.remove(word);
    }
    let step = words.len().div_ceil(MAX_WORDS).max(1);
    let words: Vec<&str> = words.into_iter().step_by(step).collect();
    if words.is_empty() {
        return Ok(());
    }
    let mut file = BufWriter::new(File::create(task.directory.join(WORDS_FILE))?);
    serde_json::to_writer(&mut file, &words).map_err(std::io::Error::from)?;
    Ok(file.flush()?)
}

/// Returns the recorded words, if there are any.
///
/// # Errors
/// [`TaskError::Document`] if the record cannot be parsed.
pub fn read_expected_words(task: &Task) -> TaskResult<Option<Vec<String>>> {
    let path = task.directory.join(WORDS_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let words = serde_json::from_reader(BufReader::new(File::open(path)?));
    words
        .map(Some)
        .map_err(|_| TaskError::output_invalid("the recognized words cannot be read"))
}

/// Records the text of the source, up to 32 MiB.
///
/// # Errors
/// [`TaskError::Io`] if the record cannot be written.
pub fn write_source_text(task: &Task, text: &str) -> TaskResult<()> {
    let end = text.floor_char_boundary(MAX_SOURCE_TEXT);
    let text = text.get(..end).unwrap_or_default();
    Ok(std::fs::write(task.directory.join(SOURCE_TEXT_FILE), text)?)
}

/// Returns the recorded text of the source, if there is one.
///
/// # Errors
/// [`TaskError::Document`] if the record cannot be read.
pub fn read_source_text(task: &Task) -> TaskResult<Option<String>> {
    let path = task.directory.join(SOURCE_TEXT_FILE);
    if !is_regular(&path) {
        return Ok(None);
    }
    let mut text = String::new();
    let read = File::open(path)?
        .take(MAX_SOURCE_TEXT as u64)
        .read_to_string(&mut text);
    read.map_err(|_| TaskError::output_invalid("the text of the source cannot be read"))?;
    Ok(Some(text))
}

/// The file with the text that a result leaves out on purpose.
const LEFT_OUT_FILE: &str = "left-out";

/// Records further text that the result leaves out on purpose.
///
/// # Errors
/// [`TaskError::Io`] if the record cannot be written.
pub fn add_left_out_text(task: &Task, lines: &[String]) -> TaskResult<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut options = OpenOptions::new();
    let options = options.create(true).append(true);
    let mut file = BufWriter::new(options.open(task.directory.join(LEFT_OUT_FILE))?);
    for line in lines {
        writeln!(file, "{line}")?;
    }
    Ok(file.flush()?)
}

/// Returns the path of the recorded text that the result leaves out, if there is some.
pub fn left_out_text(task: &Task) -> Option<PathBuf> {
    let path = task.directory.join(LEFT_OUT_FILE);
    is_regular(&path).then_some(path)
}

/// Splits a text into the words that are recorded.
fn long_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| word.chars().nth(MIN_CHARACTERS - 1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_words_are_recorded() {
        let found: Vec<&str> = long_words("re-Bridges, 1,2345 Äpfel: the").collect();
        assert_eq!(found, ["Bridges", "2345", "Äpfel"]);
    }
}
