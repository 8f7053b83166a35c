//! Office documents become others, which libraries that did not make them reopen.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use domain::operation::{CONVERSIONS, is_read};
use domain::processor::Processor;
use serde_json::Value;

use crate::documents::{relationship, sheets, xlsx};
use crate::rig::Made;
use crate::{corpus, poppler, rig};

/// A document of each format with words that its text holds, and how many sheets or slides it has.
fn source(format: Format) -> (&'static str, &'static [&'static str], u64) {
    match format {
        Format::Docx => ("docx/word_sample.docx", &["Swimming", "Duck"], 1),
        Format::Doc => ("doc/Lists.doc", &["un-ordered", "Tick"], 1),
        Format::Odt => ("odt/feature_images.odt", &["Lorem"], 1),
        Format::Rtf => ("rtf/french.rtf", &["000"], 1),
        Format::Txt => ("txt/unicode_polish_utf8.txt", &["zawołali", "dawno"], 1),
        Format::Xlsx => ("xlsx/merged_range.xlsx", &["A1", "F1"], 2),
        Format::Xls => ("xls/merge_cells.xls", &["Merged"], 1),
        Format::Xlsb => (corpus::XLSB, &["two words", "inline"], 3),
        Format::Ods => ("ods/OOCalcTest.ods", &["Orange"], 2),
        Format::Csv => ("csv/csv-semicolon.csv", &["Dominguez"], 1),
        Format::Tsv => ("csv/stanley-cups-with-emoji.tsv", &["Flyers", "Blues"], 1),
        Format::Pptx => ("pptx/powerpoint_sample.pptx", &["Second", "list"], 3),
        Format::Ppt => ("ppt/54880_chinese.ppt", &["Single", "Mix"], 1),
        Format::Odp => ("odp/SlideTest1.odp", &["documents", "toolkit"], 1),
        other => panic!("{other}"),
    }
}

/// Every advertised pair of office formats that LibreOffice converts.
fn pairs() -> Vec<(Format, Format)> {
    let rows = CONVERSIONS.iter();
    let rows =
        rows.filter(|row| row.processor == Processor::ProcessOffice && row.to != Format::Pdf);
    rows.flat_map(|row| row.from.iter().map(|from| (*from, row.to)))
        .filter(|(from, to)| !is_read(*from, *to))
        .collect()
}

fn convert(from: Format, to: Format) -> Made {
    let made = rig::run(&corpus::file(source(from).0), from, &[rig::convert(to)]);
    made.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// What a library of Python's reads in a document.
fn reopened(document: &Path, format: Format) -> Value {
    let own = rig::checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, PathBuf::from);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/reopen.py");
    let told = Command::new(python)
        .arg(script)
        .arg(document)
        .arg(format.id())
        .output()
        .unwrap();
    assert!(
        told.status.success(),
        "{}",
        String::from_utf8_lossy(&told.stderr)
    );
    serde_json::from_slice(&told.stdout).unwrap()
}

#[test]
fn every_pair_is_reopened_with_its_words_and_parts() {
    assert_eq!(pairs().len(), 37);
    rig::sample(pairs(), 0, rig::formats, |(from, to)| {
        let (_, words, parts) = source(from);
        let made = convert(from, to);
        let read = reopened(made.path(), to);
        let text = read["text"].as_str().unwrap();
        for word in words {
            assert!(text.contains(word), "{from} to {to}: no {word} in {text}");
        }
        if !matches!(to, Format::Txt | Format::Csv | Format::Tsv) {
            assert_eq!(read["parts"], parts, "{from} to {to}");
        }
        assert_eq!(
            u64::from(made.artifact.pages),
            read["parts"],
            "{from} to {to}"
        );
        assert_eq!(made.artifact.content_type, to.mime_type());
        assert_eq!(made.artifact.extension, to.extension());
    });
}

#[test]
fn what_was_made_prints_as_its_source_does() {
    rig::sample(pairs(), 12, rig::formats, |(from, to)| {
        let words = |document: &Path, format: Format| {
            let printed = rig::run(document, format, &[rig::convert(Format::Pdf)]).unwrap();
            poppler::words(printed.path())
        };
        let made = convert(from, to);
        let (expected, found) = (
            words(&corpus::file(source(from).0), from),
            words(made.path(), to),
        );
        let kept = expected.iter().filter(|word| found.contains(word)).count();
        // Only the first sheet becomes a table in text, and the numbers of lists are no text.
        let least = match to {
            Format::Csv | Format::Tsv => 50,
            Format::Txt => 80,
            _ => 90,
        };
        assert!(
            kept * 100 >= expected.len() * least,
            "{from} to {to}: {kept} of {}",
            expected.len()
        );
    });
}

#[test]
fn the_same_document_becomes_the_same_bytes_whatever_its_name() {
    rig::sample(pairs(), 24, rig::formats, |(from, to)| {
        let bytes = std::fs::read(corpus::file(source(from).0)).unwrap();
        // The threads of LibreOffice would write the page styles of several sheets in an order of chance.
        let again = match (from, to) {
            (Format::Xlsx, Format::Ods) => 6,
            _ => 1,
        };
        let one = convert(from, to);
        for _ in 0..again {
            let other = rig::run_bytes(&bytes, from, &[rig::convert(to)]).unwrap();
            assert_eq!(one.artifact.sha256, other.artifact.sha256, "{from} to {to}");
        }
    });
}

#[test]
fn numbers_in_a_table_of_text_are_numbers_and_nothing_else_is() {
    let made = rig::run_bytes(
        b"n,d,f,t\n1.5,1/2/2020,=1+1,a b\n",
        Format::Csv,
        &[rig::convert(Format::Xlsx)],
    );
    let made = made.unwrap();
    let read = reopened(made.path(), Format::Xlsx);
    assert_eq!(read["text"], "n d f t 1.5 1/2/2020 =1+1 a b");
}

#[test]
fn numbers_that_would_change_stay_text() {
    let table = "a,b,c\n00123,1.5,0.10\n42,2,12345678901234567890\n";
    for to in [Format::Xlsx, Format::Ods] {
        let made = rig::run_bytes(table.as_bytes(), Format::Csv, &[rig::convert(to)]).unwrap();
        let back = rig::run(made.path(), to, &[rig::convert(Format::Csv)]).unwrap();
        assert_eq!(std::fs::read_to_string(back.path()).unwrap(), table, "{to}");
    }
}

#[test]
fn cells_become_text_as_they_are_shown() {
    let styles = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="10" applyNumberFormat="1"/></cellXfs></styleSheet>"#;
    let cells = r#"<c r="A1" s="1"><v>1234.5</v></c><c r="B1" s="2"><v>0.25</v></c>"#;
    let related = relationship("rId2", "styles", "styles.xml");
    let more = [("xl/styles.xml", styles.to_owned())];
    let workbook = xlsx(cells, &related, "", &more);
    let made = rig::run_bytes(&workbook, Format::Xlsx, &[rig::convert(Format::Tsv)]).unwrap();
    assert_eq!(
        std::fs::read_to_string(made.path()).unwrap(),
        "1,234.50\t25.00%\n"
    );
}

#[test]
fn the_sheet_that_is_in_front_becomes_text() {
    let book = [("first", false), ("hidden", true), ("front", false)];
    for (in_front, text) in [(0, "first\n"), (2, "front\n")] {
        let workbook = sheets(&book, in_front);
        let made = rig::run_bytes(&workbook, Format::Xlsx, &[rig::convert(Format::Csv)]).unwrap();
        assert_eq!(std::fs::read_to_string(made.path()).unwrap(), text);
    }
}

#[test]
fn a_table_in_text_becomes_another_cell_by_cell() {
    let long = "x".repeat(200);
    let cells = format!("name\tnote\n007\t\"a\tb, c\"\n1/2/2020\t=1+1\nshort\t\n\t{long}\n");
    let to_csv = [rig::convert(Format::Csv)];
    let made = rig::run_bytes(cells.as_bytes(), Format::Tsv, &to_csv).unwrap();
    let text = std::fs::read_to_string(made.path()).unwrap();
    assert_eq!(
        text,
        format!("name,note\n007,\"a\tb, c\"\n1/2/2020,=1+1\nshort,\n,{long}\n")
    );
    let to_tsv = [rig::convert(Format::Tsv)];
    let back = rig::run_bytes(text.as_bytes(), Format::Csv, &to_tsv).unwrap();
    assert_eq!(back.warnings(), [""; 0]);
    assert_eq!(std::fs::read_to_string(back.path()).unwrap(), cells);
}
