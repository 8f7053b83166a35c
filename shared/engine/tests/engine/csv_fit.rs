//! A table of CSV fits the width of the paper: scaled down to a readable size, turned, then split by columns.

use domain::format::Format;
use domain::operation::Operation;
use serde_json::json;

use crate::{harness, poppler};

/// A table whose words do not break, in columns of equal width.
fn table(columns: usize, rows: usize) -> String {
    let row = |row: usize| {
        let cells = (0..columns).map(|column| cell(row, column));
        cells.collect::<Vec<_>>().join(",") + "\n"
    };
    (0..rows).map(row).collect()
}

fn cell(row: usize, column: usize) -> String {
    format!("r{row}c{column}abcdefgh")
}

fn print(table: &str) -> harness::Converted {
    let pdf = [harness::convert(Format::Pdf)];
    harness::run_bytes(table.as_bytes(), Format::Csv, &pdf).unwrap()
}

/// Height of a cell's text in points, as of the line that its font needs.
fn height(result: &harness::Converted, cell: &str) -> f64 {
    let [_, top, _, bottom] = poppler::word_box(result.path(), cell);
    bottom - top
}

#[test]
fn wide_tables_are_scaled_then_turned_then_split() {
    const ROWS: usize = 4;
    for (columns, is_landscape, pages, least, most) in [
        (4, false, 1, 11.0, 12.0),
        (9, false, 1, 6.7, 11.0),
        (14, true, 1, 6.7, 11.0),
        (40, true, 3, 6.7, 11.0),
    ] {
        let result = print(&table(columns, ROWS));
        let sizes = poppler::page_sizes(result.path());
        let turned: Vec<bool> = sizes.iter().map(|(width, height)| width > height).collect();
        assert_eq!(turned, vec![is_landscape; pages], "{columns}");
        let texts = poppler::texts(result.path());
        for row in 0..ROWS {
            for column in 0..columns {
                let cell = cell(row, column);
                let counts = texts.iter().map(|text| text.matches(&cell).count());
                let counts: Vec<usize> = counts.collect();
                match column {
                    0 => assert_eq!(counts, vec![1; pages], "{columns}: {cell}"),
                    _ => assert_eq!(counts.iter().sum::<usize>(), 1, "{columns}: {cell}"),
                }
            }
        }
        let last = height(&result, &cell(1, columns - 1));
        assert!((least..most).contains(&last), "{columns}: {last}");
        let [_, _, right, _] = poppler::word_box(result.path(), &cell(0, columns.min(9) - 1));
        assert!(right < sizes[0].0, "{columns}: {right}");
        assert_eq!(result.warnings(), [""; 0], "{columns}");
    }
}

#[test]
fn a_table_of_many_rows_is_split_into_columns_after_all_rows() {
    let result = print(&table(40, 100));
    let texts = poppler::texts(result.path());
    let first = texts.iter().position(|text| text.contains(&cell(99, 1)));
    let second = texts.iter().position(|text| text.contains(&cell(0, 39)));
    assert!(first.is_some() && first < second, "{first:?} {second:?}");
    for row in [0, 99] {
        let pages = texts.iter().filter(|text| text.contains(&cell(row, 0)));
        assert_eq!(pages.count(), 3, "{row}");
    }
    assert_eq!(result.warnings(), [""; 0]);
}

#[test]
fn a_high_row_is_scaled_to_the_turned_paper() {
    let long = "several words of a long cell, ".repeat(80);
    let others: String = (0..9)
        .map(|column| format!(",{}", cell(0, column)))
        .collect();
    let result = print(&format!("\"{long}end\"{others}\n"));
    let (width, height) = poppler::page_sizes(result.path())[0];
    assert!(width > height);
    let texts = poppler::texts(result.path());
    assert_eq!(texts.len(), 1);
    assert_eq!(texts[0].matches("several").count(), 80);
    assert_eq!(result.warnings(), [""; 0]);
}

#[test]
fn the_turned_paper_is_that_of_the_locale() {
    for (locale, width, height) in [("en-US", 792.0, 612.0), ("de-DE", 841.9, 595.3)] {
        let item = json!({"operation": "convert", "format": "pdf", "locale": locale});
        let step = Operation::read(&item, "$").unwrap();
        let table = table(14, 4);
        let result = harness::run_bytes(table.as_bytes(), Format::Csv, &[step]).unwrap();
        let size = poppler::page_sizes(result.path())[0];
        assert!(
            (size.0 - width).abs() < 1.0 && (size.1 - height).abs() < 1.0,
            "{locale}: {size:?}"
        );
    }
}

#[test]
fn requested_widths_replace_the_fit() {
    for option in ["fitToWidth", "singlePageSheets"] {
        let item = json!({"operation": "convert", "format": "pdf", option: true});
        let step = Operation::read(&item, "$").unwrap();
        let table = table(40, 4);
        let result = harness::run_bytes(table.as_bytes(), Format::Csv, &[step]).unwrap();
        let sizes = poppler::page_sizes(result.path());
        assert_eq!(sizes.len(), 1, "{option}");
        assert!(sizes[0].0 < sizes[0].1, "{option}");
    }
}
