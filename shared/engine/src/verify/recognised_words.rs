//! Checks that a document that was made of recognised text holds it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write as _};

use domain::format::Format;
use serde_json::Value;
use zip::ZipArchive;

use crate::fault::{Fault, Outcome};
use crate::operation::ocr::Found;
use crate::task::Task;

/// The file beside the result that says which words were recognised.
const WORDS: &str = "words";
/// Fewest letters of a word that is looked for; shorter ones are found anywhere.
const LETTERS: usize = 4;
/// Most words that are looked for.
const MOST: usize = 2_000;
/// Of how many words one may be missing, and how many beside that.
const ONE_OF: usize = 25;
const SPARE: usize = 2;
/// Most bytes of a result that are read.
const BYTES: u64 = 512 * 1024 * 1024;

/// Says for verification which words were recognised, spread over the document where there are many; those of the texts that are
/// `left_out` are not looked for.
pub(crate) fn tell(task: &Task, found: &Found, left_out: &[String]) -> Outcome<()> {
    let words = found.words.iter().flat_map(|text| parts(text));
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

/// The words of a text that are looked for.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|character: char| !character.is_alphanumeric());
    parts.filter(|part| part.chars().nth(LETTERS - 1).is_some())
}

/// The words that were recognised are in the result, if there were any; formats that hold tables only may lack them.
pub(super) fn check(task: &Task) -> Outcome<()> {
    let told = task.directory.join(WORDS);
    if matches!(task.to, Format::Xlsx | Format::Csv) || !told.exists() {
        return Ok(());
    }
    let words: Vec<String> = serde_json::from_reader(BufReader::new(File::open(told)?))
        .map_err(|_| Fault::output_invalid("what was read is not known"))?;
    let said = said(task)?;
    let lost = words.iter().filter(|word| !said.contains(*word)).count();
    match lost <= words.len() / ONE_OF + SPARE {
        true => Ok(()),
        false => Err(Fault::output_invalid("it lacks what was recognised")),
    }
}

/// The letters and digits of a result, one after the other.
fn said(task: &Task) -> Outcome<String> {
    let invalid = |_| Fault::output_invalid("it does not open");
    let file = BufReader::new(File::open(task.output())?);
    let mut said = String::new();
    match task.to {
        Format::Docx | Format::Pptx => {
            let mut package = ZipArchive::new(file).map_err(|_| invalid(()))?;
            for index in 0..package.len() {
                let part = package.by_index(index).map_err(|_| invalid(()))?;
                if part.name().is_ok_and(|name| name.ends_with(".xml")) {
                    push_letters(&mut said, &without_tags(&text(part)?));
                }
            }
        }
        Format::Json => {
            let model = serde_json::from_reader(file.take(BYTES)).map_err(|_| invalid(()))?;
            push_texts(&mut said, &model);
        }
        Format::Html => push_letters(&mut said, &without_tags(&text(file)?)),
        _ => push_letters(&mut said, &text(file)?),
    }
    Ok(said)
}

fn text(part: impl Read) -> Outcome<String> {
    let mut text = String::new();
    let read = part.take(BYTES).read_to_string(&mut text);
    read.map_err(|_| Fault::output_invalid("it is not UTF-8"))?;
    Ok(text)
}

fn without_tags(text: &str) -> String {
    let pieces = text.split('<').map(|piece| {
        let after = piece.split_once('>');
        after.map_or(piece, |(_, after)| after)
    });
    pieces.collect()
}

fn push_texts(said: &mut String, value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| push_texts(said, item)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field) {
                    ("text" | "label" | "marker", Value::String(text)) => push_letters(said, text),
                    _ => push_texts(said, field),
                }
            }
        }
        _ => {}
    }
}

fn push_letters(said: &mut String, text: &str) {
    said.extend(text.chars().filter(|character| character.is_alphanumeric()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_for_as_far_as_they_are_told_from_others() {
        let found: Vec<&str> = parts("re-Bridges, 1,2345 Äpfel: the").collect();
        assert_eq!(found, ["Bridges", "2345", "Äpfel"]);
    }

    #[test]
    fn letters_of_a_result_follow_each_other_without_tags() {
        let mut said = String::new();
        push_letters(
            &mut said,
            &without_tags("<w:t xml:space=\"x\">Old</w:t><w:t>Bridge &amp;</w:t>"),
        );
        assert_eq!(said, "OldBridgeamp");
        let mut said = String::new();
        push_texts(
            &mut said,
            &serde_json::json!({"runs": [{"text": "a-"}, {"text": "b", "font": "c"}]}),
        );
        assert_eq!(said, "ab");
    }
}
