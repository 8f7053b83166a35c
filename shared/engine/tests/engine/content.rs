//! Verification of content: a result that misses a paragraph, a row or numbers of its source is found, for every pair of
//! formats that can be made here.

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::operation::{CONVERSIONS, ConvertOptions, Operation};
use task::{DroppedContent, OUTPUT, Product, Task, Warning};

use crate::harness::{self, Converted};

/// A page with a table, and with a further paragraph and row.
const PAGE: &str = "<h1>Ferries</h1><p>The boat leaves the northern pier at noon and returns at dusk.</p>\
    <table><tr><th>Island</th><th>Passengers</th></tr><tr><td>Juist</td><td>Many</td></tr></table>";
const ADDED_TEXT: &str = "<p>Nobody expected seventeen travellers yesterday.</p>";
const ADDED_ROW: &str =
    "<table><tr><td>Nobody expected</td><td>seventeen travellers yesterday</td></tr></table>";
const ADDED_WORDS: u64 = 5;

/// A table, and a further row with three words and two numbers.
const TABLE: &str = "Island,Passengers,Freight\nJuist,1204,88.5\nBaltrum,310,12.25\n";
const ADDED_LINE: &str = "Norderney harbour office,5520,610.75\n";

/// Formats of texts and of tables that a conversion makes, each from the one before.
const TEXTS: [Format; 3] = [Format::Docx, Format::Odt, Format::Rtf];
const TABLES: [Format; 2] = [Format::Xlsx, Format::Ods];

/// A document, and one with further content.
struct Pair {
    format: Format,
    short: PathBuf,
    long: PathBuf,
}

#[test]
fn a_result_without_a_paragraph_or_row_is_found_for_every_pair() {
    let directory = tempfile::tempdir().unwrap();
    let added = format!("{PAGE}{ADDED_TEXT}");
    let mut pairs = vec![written(directory.path(), Format::Html, PAGE, &added)];
    for format in TEXTS {
        pairs.push(converted(directory.path(), pairs.last().unwrap(), format));
    }
    let text = "The boat leaves the northern pier at noon and returns at dusk.\n\n";
    let added = format!("{text}Nobody expected seventeen travellers yesterday.\n");
    for format in [Format::Markdown, Format::Txt] {
        pairs.push(written(directory.path(), format, text, &added));
    }
    let cases = pairs.iter().flat_map(|pair| {
        let targets = targets(pair.format);
        let targets = targets.filter(|to| !keeps_tables_only(*to));
        targets.map(move |to| (pair, to))
    });
    harness::each(cases.collect(), |(pair, to)| {
        let missing = missing(pair, to);
        assert_eq!(missing, Some((ADDED_WORDS, 0)), "{} to {to}", pair.format);
    });
}

#[test]
fn a_result_without_a_table_is_found_for_formats_of_tables() {
    let directory = tempfile::tempdir().unwrap();
    let added = format!("{PAGE}{ADDED_ROW}");
    let mut pairs = vec![written(directory.path(), Format::Html, PAGE, &added)];
    for format in TEXTS {
        pairs.push(converted(directory.path(), pairs.last().unwrap(), format));
    }
    let cases = pairs.iter().flat_map(|pair| {
        let targets = targets(pair.format).filter(|to| keeps_tables_only(*to));
        targets.map(move |to| (pair, to))
    });
    harness::each(cases.collect(), |(pair, to)| {
        let missing = missing(pair, to);
        assert_eq!(missing, Some((ADDED_WORDS, 0)), "{} to {to}", pair.format);
    });
}

#[test]
fn a_workbook_without_words_or_numbers_of_a_row_is_found_for_every_pair() {
    let directory = tempfile::tempdir().unwrap();
    let added = format!("{TABLE}{ADDED_LINE}");
    let mut pairs = vec![written(directory.path(), Format::Csv, TABLE, &added)];
    for format in TABLES {
        pairs.push(converted(directory.path(), pairs.last().unwrap(), format));
    }
    let cases = pairs
        .iter()
        .flat_map(|pair| targets(pair.format).map(move |to| (pair, to)));
    harness::each(cases.collect(), |(pair, to)| {
        let (words, numbers) =
            missing(pair, to).unwrap_or_else(|| panic!("{} to {to}", pair.format));
        // A text has the digits of its numbers as words; names of sheets and page numbers have digits of their own.
        let expected = match (pair.format, to) {
            (_, Format::Pdf | Format::Html | Format::Markdown | Format::Json) => words >= 3,
            (Format::Csv, to) if !matches!(to, Format::Xlsx | Format::Ods) => words > 3,
            _ => (words, numbers) == (3, 2),
        };
        assert!(
            expected,
            "{} to {to}: {words} words, {numbers} numbers",
            pair.format
        );
    });
}

/// Formats with text that a format is converted to.
fn targets(from: Format) -> impl Iterator<Item = Format> {
    let rows = CONVERSIONS
        .iter()
        .filter(move |row| row.from.contains(&from));
    rows.map(|row| row.to).filter(|to| *to != Format::Png)
}

fn keeps_tables_only(to: Format) -> bool {
    matches!(to, Format::Xlsx | Format::Csv)
}

fn written(directory: &Path, format: Format, short: &str, long: &str) -> Pair {
    let write = |name: &str, text: &str| {
        let path = directory.join(format!("{name}.{}", format.extension()));
        std::fs::write(&path, text).unwrap();
        path
    };
    Pair {
        format,
        short: write("short", short),
        long: write("long", long),
    }
}

fn converted(directory: &Path, pair: &Pair, format: Format) -> Pair {
    let convert = |name: &str, source: &Path| {
        let made = convert(source, pair.format, format);
        let path = directory.join(format!("{name}.{}", format.extension()));
        std::fs::copy(made.path(), &path).unwrap();
        path
    };
    Pair {
        format,
        short: convert("short", &pair.short),
        long: convert("long", &pair.long),
    }
}

fn convert(source: &Path, from: Format, to: Format) -> Converted {
    let result = harness::run(source, from, &[harness::convert(to)]);
    result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// Numbers of words and of numbers of the long document that a result of the short one misses. The result misses nothing of the
/// short document itself.
fn missing(pair: &Pair, to: Format) -> Option<(u64, u64)> {
    let made = convert(&pair.short, pair.format, to);
    assert!(
        !made.warnings().contains(&"content_missing"),
        "{} to {to}",
        pair.format
    );
    let directory = tempfile::tempdir().unwrap();
    std::fs::copy(made.path(), directory.path().join(OUTPUT)).unwrap();
    let task = Task {
        operation: Operation::Convert(ConvertOptions::to(to)),
        source: pair.long.clone(),
        from: pair.format,
        attachments: Vec::new(),
        to,
        limits: harness::GENEROUS,
        directory: directory.path().to_owned(),
        scratch: directory.path().to_owned(),
        stem: "long".to_owned(),
        pdfium: Some(harness::pdfium()),
        models: None,
        browser: None,
        page: None,
        product: None,
    };
    // Text outside tables, of which a converter warns, is not expected of these sources and accounts for nothing that is missing.
    let product = Product {
        warnings: vec![Warning::Dropped(DroppedContent::TextOutsideTables, 1_000)],
        ..Product::default()
    };
    match verify::content(&task, &product).unwrap() {
        Some(Warning::ContentMissing(missing)) => {
            Some((missing.words.missing, missing.numbers.missing))
        }
        _ => None,
    }
}
