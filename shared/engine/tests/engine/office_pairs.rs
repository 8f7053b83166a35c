//! Conversions between office formats, reopened with independent libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use domain::operation::{CONVERSIONS, converts_by_structure};
use domain::processor::Processor;
use serde_json::Value;

use crate::harness::Converted;
use crate::sample_documents::{relationship, sheets, xlsx};
use crate::{corpus, harness, poppler};

/// A document of each format, with words of its text and the number of its sheets or slides.
pub(crate) fn source(format: Format) -> (&'static str, &'static [&'static str], u64) {
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

/// Every supported pair of office formats that LibreOffice converts.
fn pairs() -> Vec<(Format, Format)> {
    let rows = CONVERSIONS.iter();
    let rows =
        rows.filter(|row| row.processor == Processor::ProcessOffice && row.to != Format::Pdf);
    rows.flat_map(|row| row.from.iter().map(|from| (*from, row.to)))
        .filter(|(from, to)| !converts_by_structure(*from, *to))
        .collect()
}

fn convert(from: Format, to: Format) -> Converted {
    let result = harness::run(&corpus::file(source(from).0), from, &[harness::convert(to)]);
    result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// What a Python library reads in a document.
pub(crate) fn reopened(document: &Path, format: Format) -> Value {
    let own = harness::checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, PathBuf::from);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/reopen.py");
    let output = Command::new(python)
        .arg(script)
        .arg(document)
        .arg(format.id())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_conversion_keeps_the_words_and_parts_of_its_source() {
    assert_eq!(pairs().len(), 37);
    harness::sample(pairs(), 0, harness::formats, |(from, to)| {
        let (_, words, parts) = source(from);
        let result = convert(from, to);
        let read = reopened(result.path(), to);
        let text = read["text"].as_str().unwrap();
        for word in words {
            assert!(text.contains(word), "{from} to {to}: no {word} in {text}");
        }
        if !matches!(to, Format::Txt | Format::Csv | Format::Tsv) {
            assert_eq!(read["parts"], parts, "{from} to {to}");
        }
        assert_eq!(
            u64::from(result.artifact.pages),
            read["parts"],
            "{from} to {to}"
        );
        assert_eq!(result.artifact.content_type, to.mime_type());
        assert_eq!(result.artifact.extension, to.extension());
    });
}

#[test]
fn converted_documents_print_like_their_source() {
    harness::sample(pairs(), 12, harness::formats, |(from, to)| {
        let words = |document: &Path, format: Format| {
            let printed = harness::run(document, format, &[harness::convert(Format::Pdf)]).unwrap();
            poppler::words(printed.path())
        };
        let result = convert(from, to);
        let (expected, found) = (
            words(&corpus::file(source(from).0), from),
            words(result.path(), to),
        );
        let kept = expected.iter().filter(|word| found.contains(word)).count();
        // CSV contains only the first sheet, and list numbers are not text.
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
fn output_is_deterministic_and_independent_of_the_filename() {
    harness::sample(pairs(), 24, harness::formats, |(from, to)| {
        let bytes = std::fs::read(corpus::file(source(from).0)).unwrap();
        // With several threads, LibreOffice writes page styles of several sheets in a random order.
        let again = match (from, to) {
            (Format::Xlsx, Format::Ods) => 6,
            _ => 1,
        };
        let one = convert(from, to);
        for _ in 0..again {
            let other = harness::run_bytes(&bytes, from, &[harness::convert(to)]).unwrap();
            assert_eq!(one.artifact.sha256, other.artifact.sha256, "{from} to {to}");
        }
    });
}

#[test]
fn csv_numbers_become_numbers_and_other_values_text() {
    let result = harness::run_bytes(
        b"n,d,f,t\n1.5,1/2/2020,=1+1,a b\n",
        Format::Csv,
        &[harness::convert(Format::Xlsx)],
    );
    let result = result.unwrap();
    let read = reopened(result.path(), Format::Xlsx);
    assert_eq!(read["text"], "n d f t 1.5 1/2/2020 =1+1 a b");
}

#[test]
fn numbers_that_would_lose_their_spelling_stay_text() {
    let table = "a,b,c\n00123,1.5,0.10\n42,2,12345678901234567890\n";
    for to in [Format::Xlsx, Format::Ods] {
        let result =
            harness::run_bytes(table.as_bytes(), Format::Csv, &[harness::convert(to)]).unwrap();
        let back = harness::run(result.path(), to, &[harness::convert(Format::Csv)]).unwrap();
        assert_eq!(std::fs::read_to_string(back.path()).unwrap(), table, "{to}");
    }
}

#[test]
fn csv_contains_displayed_cell_texts() {
    let styles = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="10" applyNumberFormat="1"/></cellXfs></styleSheet>"#;
    let cells = r#"<c r="A1" s="1"><v>1234.5</v></c><c r="B1" s="2"><v>0.25</v></c>"#;
    let related = relationship("rId2", "styles", "styles.xml");
    let more = [("xl/styles.xml", styles.to_owned())];
    let workbook = xlsx(cells, &related, "", &more);
    let result =
        harness::run_bytes(&workbook, Format::Xlsx, &[harness::convert(Format::Tsv)]).unwrap();
    assert_eq!(
        std::fs::read_to_string(result.path()).unwrap(),
        "1,234.50\t25.00%\n"
    );
}

#[test]
fn the_active_sheet_becomes_csv() {
    let book = [("first", false), ("hidden", true), ("front", false)];
    for (in_front, text) in [(0, "first\n"), (2, "front\n")] {
        let workbook = sheets(&book, in_front);
        let result =
            harness::run_bytes(&workbook, Format::Xlsx, &[harness::convert(Format::Csv)]).unwrap();
        assert_eq!(std::fs::read_to_string(result.path()).unwrap(), text);
    }
}

#[test]
fn csv_and_tsv_convert_cell_by_cell() {
    let long = "x".repeat(200);
    let cells = format!("name\tnote\n007\t\"a\tb, c\"\n1/2/2020\t=1+1\nshort\t\n\t{long}\n");
    let to_csv = [harness::convert(Format::Csv)];
    let result = harness::run_bytes(cells.as_bytes(), Format::Tsv, &to_csv).unwrap();
    let text = std::fs::read_to_string(result.path()).unwrap();
    assert_eq!(
        text,
        format!("name,note\n007,\"a\tb, c\"\n1/2/2020,=1+1\nshort,\n,{long}\n")
    );
    let to_tsv = [harness::convert(Format::Tsv)];
    let back = harness::run_bytes(text.as_bytes(), Format::Csv, &to_tsv).unwrap();
    assert_eq!(back.warnings(), [""; 0]);
    assert_eq!(std::fs::read_to_string(back.path()).unwrap(), cells);
}
