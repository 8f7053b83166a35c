//! What OCR read, as it is noted beside a result for those who check it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};

use serde::{Deserialize, Serialize};

use crate::{Fault, Outcome, Task};

/// The file beside the result that says which words were recognised.
const WORDS: &str = "words";
/// Fewest letters of a word that is looked for; shorter ones are found anywhere.
const LETTERS: usize = 4;
/// Most words that are looked for.
const MOST: usize = 2_000;

/// The file beside a PDF that says what was read, for verification.
pub const READ: &str = "read";

/// What a reader has to find on each page; none where its own text was taken.
#[derive(Serialize, Deserialize)]
pub struct Read(pub Vec<Option<PageRead>>);

/// What a reader has to find on a page that was read.
#[derive(Serialize, Deserialize)]
pub struct PageRead {
    /// What was laid under it.
    pub text: String,
    /// Characters of its own that are found, too.
    pub own: usize,
    /// Whether a picture takes the place of its content.
    pub redrawn: bool,
}

/// Notes for verification which words were recognised, spread over the document where there are many; those of the texts that are
/// `left_out` are not looked for.
pub fn note_words(task: &Task, words: &[String], left_out: &[String]) -> Outcome<()> {
    let words = words.iter().flat_map(|text| parts(text));
    let mut words: BTreeSet<&str> = words.collect();
    for word in left_out.iter().flat_map(|text| parts(text)) {
        words.remove(word);
    }
    let step = words.len().div_ceil(MOST).max(1);
    let words: Vec<&str> = words.into_iter().step_by(step).collect();
    if words.is_empty() {
        return Ok(());
    }
    let mut file = BufWriter::new(File::create(task.directory.join(WORDS))?);
    serde_json::to_writer(&mut file, &words).map_err(std::io::Error::from)?;
    Ok(file.flush()?)
}

/// The words that were noted, if there were any.
///
/// # Errors
/// [`Fault::Document`] if the note cannot be read.
pub fn noted_words(task: &Task) -> Outcome<Option<Vec<String>>> {
    let noted = task.directory.join(WORDS);
    if !noted.exists() {
        return Ok(None);
    }
    let words = serde_json::from_reader(BufReader::new(File::open(noted)?));
    words
        .map(Some)
        .map_err(|_| Fault::output_invalid("what was read is not known"))
}

/// The words of a text that are looked for.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|character: char| !character.is_alphanumeric());
    parts.filter(|part| part.chars().nth(LETTERS - 1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_for_as_far_as_they_are_told_from_others() {
        let found: Vec<&str> = parts("re-Bridges, 1,2345 Äpfel: the").collect();
        assert_eq!(found, ["Bridges", "2345", "Äpfel"]);
    }
}
