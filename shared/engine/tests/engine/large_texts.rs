//! Verification of a text of millions of words needs memory for its distinct words, and for a plain text, but not for each word.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use domain::format::Format;
use task::{OUTPUT, Product};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness;
use crate::sample_documents::{docx, parts};

const WORDS: u32 = 3_000_000;
const DISTINCT: u32 = 100_000;
const LINE: u32 = 12;

/// The word of a number, of letters only.
fn word(number: u32) -> String {
    let digits = format!("{number:05}");
    let letters = digits.bytes().map(|digit| char::from(digit - b'0' + b'k'));
    letters.collect()
}

/// Writes the lines of the text, each between two texts.
fn write(mut file: impl std::io::Write, before: &str, after: &str) {
    for line in 0..WORDS / LINE {
        let words = (0..LINE).map(|at| word((line * LINE + at) % DISTINCT));
        let words = words.collect::<Vec<_>>().join(" ");
        writeln!(file, "{before}{words}{after}").unwrap();
    }
    file.flush().unwrap();
}

/// Writes the text in a format.
fn write_document(path: &Path, format: Format) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    match format {
        Format::Docx => {
            let mut package = ZipWriter::new(file);
            for (name, bytes) in parts(&docx("", "")) {
                package
                    .start_file(&*name, SimpleFileOptions::default())
                    .unwrap();
                match name == "word/document.xml" {
                    true => {
                        let part = String::from_utf8(bytes).unwrap();
                        let (start, end) = part.split_once("</w:body>").unwrap();
                        package.write_all(start.as_bytes()).unwrap();
                        write(&mut package, "<w:p><w:r><w:t>", "</w:t></w:r></w:p>");
                        write!(package, "</w:body>{end}").unwrap();
                    }
                    false => package.write_all(&bytes).unwrap(),
                }
            }
            package.finish().unwrap();
        }
        Format::Html => {
            file.write_all(b"<!DOCTYPE html><title>x</title><body>")
                .unwrap();
            write(file, "<p>", "</p>");
        }
        _ => write(file, "", "\n"),
    }
}

/// The most memory that this process has used so far, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1_000
}

/// Verifies a complete conversion, which needs at most `most` MB.
fn check(from: Format, to: Format, most: u64) {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source");
    write_document(&source, from);
    write_document(&directory.path().join(OUTPUT), to);
    let task = harness::conversion_task((&source, from), to, directory.path());
    let before = peak();
    let warnings = verify::content(&task, &Product::default()).unwrap();
    assert_eq!(warnings, []);
    let needed = peak() - before;
    assert!(needed <= most, "{needed} MB");
}

#[test]
fn millions_of_words_of_plain_text_are_compared_in_bounded_memory() {
    check(Format::Txt, Format::Markdown, 60);
}

#[test]
fn millions_of_words_of_a_package_are_compared_in_bounded_memory() {
    if harness::runs_all_cases() {
        check(Format::Docx, Format::Txt, 90);
    }
}

#[test]
fn millions_of_words_of_markup_are_compared_in_bounded_memory() {
    if harness::runs_all_cases() {
        check(Format::Markdown, Format::Html, 180);
    }
}
