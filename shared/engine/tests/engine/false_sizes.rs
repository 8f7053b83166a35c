//! Documents whose own sizes are false: ranges of sheets, repetitions of cells, and sizes of package parts. A result is complete,
//! or a warning or error reports that it is not.

use std::io::{Cursor, Read as _, Write as _};

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::CONVERSIONS;

use crate::constructs::xlsb;
use crate::office_content::content;
use crate::sample_documents::{docx, open_document, with_part, xlsx};
use crate::{harness, office_suite, poppler};

/// Words in the corners of a table.
const CORNERS: [&str; 3] = ["zzfirst", "zzmiddle", "zzlast"];

/// Formats with text of a source.
fn targets(from: Format) -> impl Iterator<Item = Format> {
    let rows = CONVERSIONS.iter();
    let rows = rows.filter(move |row| row.from.contains(&from));
    rows.map(|row| row.to).filter(move |to| {
        // The text documents have no tables.
        let is_table = from == Format::Docx && matches!(to, Format::Xlsx | Format::Csv);
        to.spec().category != Category::Image && !is_table
    })
}

/// What a result may miss.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loss {
    Nothing,
    /// What a warning or an error reports.
    Reported,
}

/// Converts documents to each format, or a sample of these pairs.
fn check(documents: &[(String, Vec<u8>)], from: Format, words: &[&str], allowed: Loss) {
    let cases = documents
        .iter()
        .flat_map(|document| targets(from).map(move |to| (document, to)));
    let kinds = |((name, _), to): &(&(String, Vec<u8>), Format)| [name.clone(), to.to_string()];
    harness::sample(cases.collect(), 0, kinds, |((name, document), to)| {
        let result = harness::run_bytes(document, from, &[harness::convert(to)]);
        let result = match harness::code(result) {
            Ok(result) => result,
            Err(
                JobErrorCode::InputTooLarge
                | JobErrorCode::InputCorrupt
                | JobErrorCode::OutputIncomplete,
            ) if allowed == Loss::Reported => return,
            Err(code) => panic!("{name} to {to}: {code:?}"),
        };
        let text = match to {
            Format::Pdf => poppler::texts(result.path()).concat(),
            _ => content(result.path()),
        };
        let is_lost = |word: &&&str| !text.contains(**word);
        let lost: Vec<&&str> = words.iter().filter(is_lost).collect();
        let warnings = result.warnings();
        let is_reported = allowed == Loss::Reported && warnings.contains(&"content_missing");
        assert!(
            lost.is_empty() || is_reported,
            "{name} to {to}: no {lost:?}, {warnings:?}"
        );
    });
}

/// A workbook with texts in three corners.
fn workbook() -> Vec<u8> {
    let text = |at, text| format!(r#"<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>"#);
    let [first, middle, last] = CORNERS;
    let rows = format!(
        r#"{}{}</row><row r="9">{}"#,
        text("A1", first),
        text("F1", middle),
        text("H9", last)
    );
    xlsx(&rows, "", "", &[])
}

#[test]
fn false_ranges_of_xlsx_lose_nothing() {
    let ranges = [
        "A1",
        "B2:C3",
        "A1:XFD1048576",
        "Z9:A1",
        "",
        "A0:ZZZZ9999999",
    ];
    let documents = ranges.map(|range| {
        let document = with_part(&workbook(), "xl/worksheets/sheet1.xml", |sheet| {
            let range = format!(r#"<dimension ref="{range}"/><sheetData>"#);
            sheet.replacen("<sheetData>", &range, 1)
        });
        (range.to_owned(), document)
    });
    check(&documents, Format::Xlsx, &CORNERS, Loss::Nothing);
}

/// The workbook as XLS, with a change to each record.
fn binary_workbook(workbook: &[u8], change: impl Fn(u16, &mut [u8])) -> Vec<u8> {
    let mut file = cfb::CompoundFile::open(Cursor::new(workbook.to_vec())).unwrap();
    let mut records = Vec::new();
    let mut stream = file.open_stream("/Workbook").unwrap();
    stream.read_to_end(&mut records).unwrap();
    let mut at = 0;
    while at + 4 <= records.len() {
        let short = |at: usize| u16::from_le_bytes([records[at], records[at + 1]]);
        let (kind, end) = (short(at), at + 4 + usize::from(short(at + 2)));
        change(kind, &mut records[at + 4..end]);
        at = end;
    }
    drop(stream);
    let mut stream = file.create_stream("/Workbook").unwrap();
    stream.write_all(&records).unwrap();
    stream.flush().unwrap();
    drop(stream);
    file.into_inner().into_inner()
}

#[test]
fn false_ranges_of_xls_lose_nothing() {
    const DIMENSIONS: u16 = 0x0200;
    const ROW: u16 = 0x0208;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("source.xlsx");
    std::fs::write(&path, workbook()).unwrap();
    let saved = std::fs::read(&office_suite::save(&[&path], Format::Xls)[0]).unwrap();
    // Rows and columns, each with the one after the last.
    let ranges: [([u32; 2], [u16; 2]); 4] = [
        ([0, 1], [0, 1]),
        ([0, 65_536], [0, 256]),
        ([7, 2], [9, 1]),
        ([u32::MAX, u32::MAX], [u16::MAX, u16::MAX]),
    ];
    let documents = ranges.map(|(rows, columns)| {
        let document = binary_workbook(&saved, |kind, record| {
            let columns = columns.map(u16::to_le_bytes).concat();
            match kind {
                DIMENSIONS => {
                    let range = [rows.map(u32::to_le_bytes).concat(), columns].concat();
                    record[..range.len()].copy_from_slice(&range);
                }
                ROW => record[2..6].copy_from_slice(&columns),
                _ => {}
            }
        });
        assert_ne!(document, saved);
        (format!("{rows:?} {columns:?}"), document)
    });
    check(&documents, Format::Xls, &CORNERS, Loss::Nothing);
}

#[test]
fn a_false_range_of_xlsb_loses_nothing() {
    // The workbook says that it has six rows of four columns.
    let [first, middle, last] = CORNERS;
    let row = vec![first, "", "", "", "", middle, "7"];
    let mut rows = vec![row; 9];
    rows.push(vec!["", "", "", "", "", "", "", last]);
    let document = xlsb::table(&rows);
    check(
        &[("range".to_owned(), document)],
        Format::Xlsb,
        &CORNERS,
        Loss::Nothing,
    );
}

#[test]
fn extreme_repetitions_of_ods_lose_nothing_silently() {
    let text = |text: &str| {
        format!(
            r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#
        )
    };
    let [first, middle, last] = CORNERS.map(text);
    let row = |repeated: &str, cells: &str| {
        format!(
            r#"<table:table-row table:number-rows-repeated="{repeated}">{cells}</table:table-row>"#
        )
    };
    let blank = |repeated: &str| {
        format!(r#"<table:table-cell table:number-columns-repeated="{repeated}"/>"#)
    };
    let counts = [
        "0",
        "-1",
        "1000",
        "16383",
        "16384",
        "1048575",
        "1048576",
        "99999999999999999999",
        "many",
    ];
    let documents = counts.into_iter().flat_map(|count| {
        let bodies = [
            (
                "columns",
                row("1", &(first.clone() + &blank(count) + &middle)) + &row("1", &last),
            ),
            (
                "rows",
                row("1", &(first.clone() + &middle)) + &row(count, &blank("1")) + &row("1", &last),
            ),
        ];
        bodies.map(|(name, rows)| {
            let body = format!(r#"<table:table table:name="S">{rows}</table:table>"#);
            (
                format!("{count} {name}"),
                open_document("spreadsheet", &body),
            )
        })
    });
    let documents: Vec<_> = documents.collect();
    check(&documents, Format::Ods, &CORNERS, Loss::Reported);
}

/// The archive with other sizes and another checksum of a part, as added to those that it has.
fn with_sizes(archive: &[u8], name: &str, in_directory: bool, added: [i32; 3]) -> Vec<u8> {
    // Positions of the fields and of the name, in the header of a part and in its entry of the directory.
    let (signature, fields, at_name) = match in_directory {
        true => (b"PK\x01\x02", 16, 46),
        false => (b"PK\x03\x04", 14, 30),
    };
    let mut archive = archive.to_vec();
    let is_header = |at: &usize| {
        archive[*at..].starts_with(signature)
            && archive[*at..]
                .get(at_name..)
                .is_some_and(|rest| rest.starts_with(name.as_bytes()))
    };
    let start = (0..archive.len()).find(is_header).unwrap() + fields;
    let (values, _) = archive[start..start + 12].as_chunks_mut::<4>();
    for (value, added) in values.iter_mut().zip(added) {
        let changed = u32::from_le_bytes(*value).wrapping_add_signed(added);
        *value = changed.to_le_bytes();
    }
    archive
}

#[test]
fn false_sizes_of_package_parts_lose_nothing_silently() {
    let paragraphs = (0..400).map(|at| format!("<w:p><w:r><w:t>zzword{at}end</w:t></w:r></w:p>"));
    let document = docx(&paragraphs.collect::<String>(), "");
    let part = "word/document.xml";
    let changes: [[i32; 3]; 2] = [[0, 0, 9_000], [5, -100, -9_000]];
    let documents = changes.into_iter().flat_map(|change| {
        [false, true].map(|in_directory| {
            let changed = with_sizes(&document, part, in_directory, change);
            (format!("{change:?} in directory: {in_directory}"), changed)
        })
    });
    let words: Vec<String> = (0..400).map(|at| format!("zzword{at}end")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let documents: Vec<_> = documents.collect();
    check(&documents, Format::Docx, &words, Loss::Reported);
}
