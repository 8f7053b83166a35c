//! Binary workbooks by feature: xlsb here, xls in its own module.

mod records;
mod xls;

use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::JobErrorCode;
use markup::{Options, read};

use self::records::{cell, formula, numbers, record, report, row, sheet, wide, workbook};
use crate::made::{archive_of, lines, opened, relations, warnings};

/// Path of the workbook that tests of other crates convert; LibreOffice opens it, too.
pub(crate) fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/workbooks/report.xlsb")
}

#[test]
fn xlsb_is_read_as_displayed() {
    if std::env::var("OCTAVO_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(fixture(), report()).unwrap();
    }
    assert_eq!(std::fs::read(fixture()).unwrap(), report());
    let document = read(&fixture(), Format::Xlsb, &Options::default()).unwrap();
    let expected = [
        "h1: Report",
        "table 4 × [46 56 46 46 46 46] heads 1 ruled",
        "  0,0 p: Größe",
        "  0,1 p: inline",
        "  1,0 p: 0.5",
        "  1,1 p: 3/5/2024",
        "  1,2 p: 12345.00%",
        "  1,3 p: ⟨-1,234.50 €|bi⟩",
        "  2,0 p: TRUE",
        "  2,1 p: #N/A",
        "  2,2 p: made",
        "  2,3 p: 2",
        "  2,4 p: FALSE",
        "  2,5 p: #DIV/0!",
        "  3,0 (1, 2) p: two words",
        "h1: Last",
        "table 10 × [46 46] heads 0 ruled",
        "  9,1 p: 1/1/1900",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(
        warnings(&document),
        [("hidden_left_out", 1), ("hidden_left_out", 2)]
    );
}

#[test]
fn the_1904_date_system_is_supported() {
    let rows = row(0, false, &[cell(5, 0, 1, &1_f64.to_le_bytes())]);
    let bytes = workbook(&[("One", 0, sheet(&[], &[], &rows, &[]))], 1);
    let document = opened(&bytes, Format::Xlsb).unwrap();
    assert_eq!(lines(&document)[2], "  0,0 p: 1/2/1904");
}

/// Parts of an archive with their names.
type Parts = Vec<(String, Vec<u8>)>;

/// Returns the parts of an archive.
fn parts(bytes: &[u8]) -> Parts {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let part = |index| {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().to_string(), bytes)
    };
    (0..count).map(part).collect()
}

/// Creates an archive.
fn archived(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let parts: Vec<(&str, &[u8])> = parts
        .iter()
        .map(|(name, part)| (name.as_str(), part.as_slice()))
        .collect();
    archive_of(&parts)
}

/// Creates a workbook with one sheet of these rows.
fn one_sheet(rows: &[u8]) -> Vec<u8> {
    workbook(&[("One", 0, sheet(&[], &[], rows, &[]))], 0)
}

#[test]
fn cells_that_calamine_omits_are_read_or_counted() {
    let rows = row(
        0,
        false,
        &[
            cell(
                0x3E,
                0,
                0,
                &[&[1][..], &wide("rich"), &numbers(&[1, 0])].concat(),
            ),
            formula(11, 1, &[0x2A]),
            record(0x0D, &[&[0; 4], &numbers(&[4])]),
            cell(5, 3, 0, &2_f64.to_le_bytes()),
        ],
    );
    let document = opened(&one_sheet(&rows), Format::Xlsb).unwrap();
    let cells = ["  0,0 p: rich", "  0,1 p: #N/A", "  0,3 p: 2"];
    assert_eq!(lines(&document)[2..], cells);
    assert_eq!(warnings(&document), [("damage_left_out", 1)]);
    let unknown = row(0, false, &[formula(11, 1, &[0x2C])]);
    let code = opened(&one_sheet(&unknown), Format::Xlsb)
        .unwrap_err()
        .code();
    assert_eq!(code, Some(JobErrorCode::InputCorrupt));
}

#[test]
fn links_of_xlsb_are_kept() {
    let one = || cell(5, 0, 0, &1_f64.to_le_bytes());
    let link = |row: u32, id: &str, place: &str| {
        let rest = [wide(place), wide(""), wide("")].concat();
        record(0x01EE, &[&numbers(&[row, row, 0, 0]), &wide(id), &rest])
    };
    let rows = [0, 1, 2, 3].map(|number| row(number, false, &[one()]));
    let rows = rows.concat();
    let mut part = sheet(&[], &[], &rows, &[]);
    part.truncate(part.len() - 3);
    let links = [
        link(0, "a", ""),
        link(1, "b", ""),
        link(2, "", "One!A1"),
        link(3, "", "Gone!A1"),
    ];
    part.extend([links.concat(), record(0x82, &[])].concat());
    let mut parts = parts(&workbook(&[("One", 0, part)], 0));
    let related = relations(&[
        ("a", "hyperlink", "https://a.example/"),
        ("b", "hyperlink", "file:///b"),
    ]);
    let name = "xl/worksheets/_rels/sheet1.bin.rels".to_owned();
    parts.push((name, related.into_bytes()));
    let document = opened(&archived(&parts), Format::Xlsb).unwrap();
    let cells = [
        "  0,0 p: ⟨1|→https://a.example/⟩",
        "  1,0 p: 1",
        "  2,0 p: ⟨1|→#page=1⟩",
        "  3,0 p: 1",
    ];
    assert_eq!(lines(&document)[2..], cells);
    assert_eq!(warnings(&document), [("links_left_out", 2)]);
}

#[test]
fn parts_that_calamine_does_not_find_are_rejected() {
    let rows = row(0, false, &[cell(5, 0, 0, &1_f64.to_le_bytes())]);
    let bytes = one_sheet(&rows);
    let code = |change: &dyn Fn(&mut Parts)| {
        let mut parts = parts(&bytes);
        change(&mut parts);
        let opened = opened(&archived(&parts), Format::Xlsb);
        opened.err().and_then(|error| error.code())
    };
    let replace = |parts: &mut Parts, old: &str, new: &str| {
        for (_, part) in parts {
            if let Ok(text) = std::str::from_utf8(part) {
                *part = text.replace(old, new).into_bytes();
            }
        }
    };
    let copy = |parts: &mut Parts, old: &str, new: &str| {
        let (_, part) = parts.iter().find(|(name, _)| name == old).unwrap();
        parts.push((new.to_owned(), part.clone()));
    };
    let not_supported = Some(JobErrorCode::OutputInvalid);
    assert_eq!(code(&|_| {}), None);
    // A harmless part in front of the one that calamine reads
    let elsewhere = |parts: &mut Parts| {
        copy(parts, "xl/workbook.bin", "xl/other.bin");
        replace(parts, "'xl/workbook.bin'", "'xl/other.bin'");
    };
    assert_eq!(code(&elsewhere), not_supported);
    for name in ["styles", "sharedStrings"] {
        let (old, new) = (format!("'{name}.bin'"), format!("'other/{name}.bin'"));
        assert_eq!(code(&|parts| replace(parts, &old, &new)), not_supported);
    }
    let twice = |parts: &mut Parts| {
        copy(parts, "xl/workbook.bin", "xl/Workbook.bin");
    };
    assert_eq!(code(&twice), Some(JobErrorCode::InputCorrupt));
    // calamine ignores letter case.
    let renamed = |parts: &mut Parts| {
        for (name, _) in parts.iter_mut() {
            *name = name.replace("xl/workbook.bin", "xl/Workbook.BIN");
        }
    };
    assert_eq!(code(&renamed), None);
    for target in ["macrosheets/sheet1.bin", "/xl/worksheets/sheet1.bin"] {
        let change =
            |parts: &mut Parts| replace(parts, "'worksheets/sheet1.bin'", &format!("'{target}'"));
        assert_eq!(code(&change), not_supported, "{target}");
    }
}

#[test]
fn hostile_xlsb_is_rejected() {
    let code = |rows: &[u8]| {
        let bytes = workbook(&[("One", 0, sheet(&[], &[], rows, &[]))], 0);
        opened(&bytes, Format::Xlsb)
            .err()
            .and_then(|error| error.code())
    };
    let one = cell(5, 0, 0, &1_f64.to_le_bytes());
    let far = |number, column| row(number, false, &[cell(5, column, 0, &1_f64.to_le_bytes())]);
    assert_eq!(code(&far(999_999, 1)), None);
    assert_eq!(code(&far(999_999, 2)), Some(JobErrorCode::InputTooLarge));
    // A missing string, a truncated record, a cell without a value.
    let corrupt = Some(JobErrorCode::InputCorrupt);
    assert_eq!(
        code(&row(0, false, &[cell(7, 0, 0, &numbers(&[9]))])),
        corrupt
    );
    assert_eq!(code(&[5, 0xFF, 0xFF, 0xFF, 0x7F]), corrupt);
    assert_eq!(
        code(&row(0, false, &[cell(6, 0, 0, &numbers(&[u32::MAX]))])),
        corrupt
    );
    // Rows and columns beyond the maximum are dropped.
    assert_eq!(
        code(&row(
            0,
            false,
            &[one.clone(), cell(5, u32::MAX, 0, &[0; 8])]
        )),
        None
    );
    assert_eq!(code(&row(u32::MAX, false, &[one])), None);
    let bytes = report();
    for format in [Format::Xls, Format::Xlsx, Format::Docx] {
        let code = opened(&bytes, format).err().and_then(|error| error.code());
        assert!(code.is_some(), "{format:?}");
    }
}
