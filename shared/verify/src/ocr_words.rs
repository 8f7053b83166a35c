//! Checks that a document converted with OCR contains the recognized words.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use domain::format::Format;
use task::expected_text::read_expected_words;
use task::{Task, TaskError, TaskResult};
use zip::ZipArchive;

use super::json_model;
use super::markup_tokens::{Token, for_each_token, utf8};

/// One in this many words may be missing, plus a constant number.
const MISSING_DIVISOR: usize = 25;
const MISSING_CONSTANT: usize = 2;
/// Buffer size of the search, in bytes.
const BUFFER: usize = 64 * 1024;

/// Checks that the recognized words are in the result. XLSX and CSV are skipped: they contain only tables, so words outside
/// of tables are missing.
pub(super) fn check(task: &Task) -> TaskResult<()> {
    if matches!(task.to, Format::Xlsx | Format::Csv) {
        return Ok(());
    }
    let Some(words) = read_expected_words(task)? else {
        return Ok(());
    };
    match has_words(&task.document(), task.to, words)? {
        true => Ok(()),
        false => Err(TaskError::output_invalid("recognized words are missing")),
    }
}

/// Returns whether a result has enough of the words.
fn has_words(result: &Path, format: Format, words: Vec<String>) -> TaskResult<bool> {
    let tolerated = words.len() / MISSING_DIVISOR + MISSING_CONSTANT;
    let mut search = WordSearch::of(words);
    match format {
        Format::Docx | Format::Pptx => feed_package(result, &mut search)?,
        Format::Json => {
            json_model::for_each_text(result, &["text", "label", "marker"], |_, text| {
                search.feed(text)
            })?;
        }
        Format::Html => feed_markup(&mut BufReader::new(File::open(result)?), &mut search)?,
        _ => feed_lines(&mut BufReader::new(File::open(result)?), &mut search)?,
    }
    Ok(search.missing_count() <= tolerated)
}

fn feed_package(result: &Path, search: &mut WordSearch) -> TaskResult<()> {
    let invalid = |_| TaskError::output_invalid("it does not open");
    let file = BufReader::new(File::open(result)?);
    let mut package = ZipArchive::new(file).map_err(|_| invalid(()))?;
    for index in 0..package.len() {
        let part = package.by_index(index).map_err(|_| invalid(()))?;
        if part.name().is_ok_and(|name| name.ends_with(".xml")) {
            feed_markup(&mut BufReader::new(part), search)?;
        }
    }
    Ok(())
}

fn feed_markup(reader: &mut impl BufRead, search: &mut WordSearch) -> TaskResult<()> {
    for_each_token(reader, |token| {
        if let Token::Text(text) = token {
            search.feed(text);
        }
        Ok(())
    })
}

fn feed_lines(reader: &mut impl BufRead, search: &mut WordSearch) -> TaskResult<()> {
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        search.feed(utf8(&line)?);
        line.clear();
    }
    Ok(())
}

/// Searches for words in a stream of letters and digits, ignoring all other characters.
struct WordSearch {
    missing: Vec<String>,
    /// Length of the longest word in bytes.
    longest: usize,
    /// Letters and digits not yet searched completely.
    pending: String,
}

impl WordSearch {
    fn of(words: Vec<String>) -> Self {
        Self {
            longest: words.iter().map(String::len).max().unwrap_or(0),
            missing: words,
            pending: String::new(),
        }
    }

    fn feed(&mut self, text: &str) {
        let letters = text.chars().filter(|character| character.is_alphanumeric());
        for letter in letters {
            self.pending.push(letter);
            if self.pending.len() >= BUFFER.max(2 * self.longest) {
                self.scan();
            }
        }
    }

    /// Searches the buffer, and keeps only the end in which a word may begin.
    fn scan(&mut self) {
        let pending = &self.pending;
        self.missing.retain(|word| !pending.contains(word.as_str()));
        let kept = pending.ceil_char_boundary(pending.len().saturating_sub(self.longest));
        self.pending.drain(..kept);
    }

    /// Returns the number of words not found.
    fn missing_count(mut self) -> usize {
        self.scan();
        self.missing.len()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn words_are_found_across_line_breaks_and_buffers() {
        let words = ["Brücke".to_owned(), "Straße".to_owned()];
        for before in [0, BUFFER - 4, BUFFER - 1, 3 * BUFFER - 2] {
            let mut search = WordSearch::of(words.to_vec());
            search.feed(&"ü".repeat(before / 2));
            ["Brü-", "cke ", &"x".repeat(BUFFER), " Stra"]
                .iter()
                .for_each(|text| search.feed(text));
            assert_eq!(search.missing_count(), 1, "{before}");
        }
    }

    /// A result of a format with this text.
    fn result(format: Format, text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let tagged = text.replace(' ', "</w:t></w:r><w:r><w:t> ");
        match format {
            Format::Docx => {
                let mut package = zip::ZipWriter::new(file.reopen().unwrap());
                let part = "word/document.xml";
                package
                    .start_file(part, SimpleFileOptions::default())
                    .unwrap();
                write!(package, "<w:p><w:r><w:t>{tagged}</w:t></w:r></w:p>").unwrap();
                package.finish().unwrap();
            }
            Format::Html => {
                let text = text.replace(' ', "</p>\n<p title=\"x\">");
                std::fs::write(file.path(), format!("<body>\n<p>{text}</p>")).unwrap();
            }
            Format::Json => {
                let runs: Vec<_> = text
                    .split(' ')
                    .map(|text| serde_json::json!({"text": text}))
                    .collect();
                let model = serde_json::json!({"pages": [{"blocks": [{"runs": runs}]}]});
                std::fs::write(file.path(), model.to_string()).unwrap();
            }
            _ => std::fs::write(file.path(), text.replace(' ', "*\n\n*")).unwrap(),
        }
        file
    }

    #[test]
    fn a_result_without_the_recognized_words_is_rejected() {
        let words: Vec<String> = ["ladder", "winter", "Brücke", "1856", "coffee"]
            .map(String::from)
            .to_vec();
        for format in [Format::Docx, Format::Html, Format::Json, Format::Markdown] {
            let holds = |text: &str| {
                let result = result(format, text);
                has_words(result.path(), format, words.clone()).unwrap()
            };
            assert!(
                holds("the ladder in winter: Brü- cke 1856 coffee"),
                "{format}"
            );
            assert!(holds("the ladder 1856 coffee"), "{format}");
            assert!(!holds("the ladder 1856 only"), "{format}");
        }
    }
}
