//! Checks that a document that was made of recognised text holds it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use domain::format::Format;
use task::recognised::noted_words;
use task::{Fault, Outcome, Task};
use zip::ZipArchive;

use super::model;
use super::tags::{Piece, each_piece, utf8};

/// Of how many words one may be missing, and how many beside that.
const ONE_OF: usize = 25;
const SPARE: usize = 2;
/// Bytes that are searched at once.
const AT_ONCE: usize = 64 * 1024;

/// The words that were recognised are in the result, if there were any; formats that hold tables only may lack them.
pub(super) fn check(task: &Task) -> Outcome<()> {
    if matches!(task.to, Format::Xlsx | Format::Csv) {
        return Ok(());
    }
    let Some(words) = noted_words(task)? else {
        return Ok(());
    };
    match holds(&task.output(), task.to, words)? {
        true => Ok(()),
        false => Err(Fault::output_invalid("it lacks what was recognised")),
    }
}

/// Whether a result has enough of these words.
fn holds(result: &Path, format: Format, words: Vec<String>) -> Outcome<bool> {
    let spare = words.len() / ONE_OF + SPARE;
    let mut search = Search::of(words);
    match format {
        Format::Docx | Format::Pptx => say_package(result, &mut search)?,
        Format::Json => {
            model::each_text(result, &["text", "label", "marker"], |text| {
                search.say(text)
            })?;
        }
        Format::Html => say_tagged(&mut BufReader::new(File::open(result)?), &mut search)?,
        _ => say_lines(&mut BufReader::new(File::open(result)?), &mut search)?,
    }
    Ok(search.lost() <= spare)
}

fn say_package(result: &Path, search: &mut Search) -> Outcome<()> {
    let invalid = |_| Fault::output_invalid("it does not open");
    let file = BufReader::new(File::open(result)?);
    let mut package = ZipArchive::new(file).map_err(|_| invalid(()))?;
    for index in 0..package.len() {
        let part = package.by_index(index).map_err(|_| invalid(()))?;
        if part.name().is_ok_and(|name| name.ends_with(".xml")) {
            say_tagged(&mut BufReader::new(part), search)?;
        }
    }
    Ok(())
}

fn say_tagged(reader: &mut impl BufRead, search: &mut Search) -> Outcome<()> {
    each_piece(reader, |piece| {
        if let Piece::Text(text) = piece {
            search.say(text);
        }
        Ok(())
    })
}

fn say_lines(reader: &mut impl BufRead, search: &mut Search) -> Outcome<()> {
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        search.say(utf8(&line)?);
        line.clear();
    }
    Ok(())
}

/// Words that are looked for in letters and digits, which follow each other whatever stands between them.
struct Search {
    missing: Vec<String>,
    /// The bytes of the longest word.
    longest: usize,
    /// What was said last.
    said: String,
}

impl Search {
    fn of(words: Vec<String>) -> Self {
        Self {
            longest: words.iter().map(String::len).max().unwrap_or(0),
            missing: words,
            said: String::new(),
        }
    }

    fn say(&mut self, text: &str) {
        let letters = text.chars().filter(|character| character.is_alphanumeric());
        for letter in letters {
            self.said.push(letter);
            if self.said.len() >= AT_ONCE.max(2 * self.longest) {
                self.look();
            }
        }
    }

    /// Looks for words in what was said, and forgets it but for what a word may go on from.
    fn look(&mut self) {
        let said = &self.said;
        self.missing.retain(|word| !said.contains(word.as_str()));
        let kept = said.ceil_char_boundary(said.len().saturating_sub(self.longest));
        self.said.drain(..kept);
    }

    /// How many words were not found.
    fn lost(mut self) -> usize {
        self.look();
        self.missing.len()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn words_are_found_wherever_they_are_divided() {
        let words = ["Brücke".to_owned(), "Straße".to_owned()];
        for before in [0, AT_ONCE - 4, AT_ONCE - 1, 3 * AT_ONCE - 2] {
            let mut search = Search::of(words.to_vec());
            search.say(&"ü".repeat(before / 2));
            ["Brü-", "cke ", &"x".repeat(AT_ONCE), " Stra"]
                .iter()
                .for_each(|text| search.say(text));
            assert_eq!(search.lost(), 1, "{before}");
        }
    }

    /// A result of a format that says this.
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
    fn a_result_without_what_was_recognised_is_refused() {
        let words: Vec<String> = ["ladder", "winter", "Brücke", "1856", "coffee"]
            .map(String::from)
            .to_vec();
        for format in [Format::Docx, Format::Html, Format::Json, Format::Markdown] {
            let holds = |text: &str| {
                let result = result(format, text);
                holds(result.path(), format, words.clone()).unwrap()
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
