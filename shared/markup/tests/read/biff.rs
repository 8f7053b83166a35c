//! Binary workbooks, feature by feature: xlsb here, xls in its own module.

mod xls;

use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::JobErrorCode;
use markup::{Options, read};

use crate::made::{archive_of, lines, losses, opened, relations};

/// The workbook that tests of other crates convert; LibreOffice opens it, too.
pub(crate) fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/workbooks/report.xlsb")
}

/// A record of xlsb [MS-XLSB, 2.1.4].
fn record(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let mut bytes = match kind {
        0..=0x7F => vec![kind as u8],
        _ => vec![(kind & 0x7F) as u8 | 0x80, (kind >> 7) as u8],
    };
    let mut length = body.len();
    while length > 0x7F {
        bytes.push((length & 0x7F) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(body);
    bytes
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = numbers(&[units.len() as u32]);
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    bytes
}

/// A list with its length before it.
fn listed(begin: u16, items: &[Vec<u8>]) -> Vec<u8> {
    let count = numbers(&[items.len() as u32]);
    [
        record(begin, &[&count]),
        items.concat(),
        record(begin + 1, &[]),
    ]
    .concat()
}

fn row(number: u32, hidden: bool, cells: &[Vec<u8>]) -> Vec<u8> {
    let flags = [0x2C, 0x01, 0, if hidden { 0x10 } else { 0 }, 0];
    let head = record(0, &[&numbers(&[number, 0]), &flags, &numbers(&[0])]);
    [head, cells.concat()].concat()
}

fn cell(kind: u16, column: u32, style: u32, value: &[u8]) -> Vec<u8> {
    record(kind, &[&numbers(&[column, style]), value])
}

/// The result of a formula, which is 1+1 whatever it results in.
fn formula(kind: u16, column: u32, value: &[u8]) -> Vec<u8> {
    let tokens = [0x1E, 1, 0, 0x1E, 1, 0, 0x03];
    let formula = [&[0, 0][..], &numbers(&[7]), &tokens, &numbers(&[0])].concat();
    cell(kind, column, 0, &[value, &formula].concat())
}

fn styles() -> Vec<u8> {
    let font = |weight: u16, flags: u16| {
        let look = [220, flags, weight, 0].map(u16::to_le_bytes).concat();
        let rest = [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0];
        record(0x2B, &[&look, &rest, &wide("Calibri")])
    };
    let format = |parent: u16, number: u16, font: u16, alignment: u16| {
        let head = [parent, number, font, 0, 0].map(u16::to_le_bytes).concat();
        record(
            0x2F,
            &[&head, &[0, 0], &alignment.to_le_bytes(), &[0x3F, 0]],
        )
    };
    let code = record(0x2C, &[&164_u16.to_le_bytes(), &wide("#,##0.00 \"€\"")]);
    let lists = [
        listed(0x267, &[code]),
        listed(0x263, &[font(400, 0), font(700, 2)]),
        listed(
            0x25B,
            &[
                record(0x2D, &[&[0; 68]]),
                record(0x2D, &[&[17, 0, 0, 0], &[0; 64]]),
            ],
        ),
        listed(0x265, &[record(0x2E, &[&[0; 51]])]),
        listed(0x272, &[format(0xFFFF, 0, 0, 0)]),
        listed(
            0x269,
            &[
                format(0, 0, 0, 0),
                format(0, 14, 0, 0),
                format(0, 10, 0, 2),
                format(0, 164, 1, 0),
            ],
        ),
        listed(
            0x26B,
            &[record(
                0x30,
                &[&numbers(&[0]), &[1, 0, 0, 0], &wide("Normal")],
            )],
        ),
    ];
    [record(0x116, &[]), lists.concat(), record(0x117, &[])].concat()
}

fn sheet(views: &[u8], columns: &[u8], rows: &[u8], merges: &[Vec<u8>]) -> Vec<u8> {
    let merged = match merges {
        [] => Vec::new(),
        merges => {
            let count = numbers(&[merges.len() as u32]);
            [record(0xB1, &[&count]), merges.concat(), record(0xB2, &[])].concat()
        }
    };
    [
        record(0x81, &[]),
        record(0x94, &[&numbers(&[0, 9, 0, 9])]),
        views.to_vec(),
        record(
            0x1E5,
            &[&numbers(&[u32::MAX]), &[8, 0, 0x2C, 1], &numbers(&[0])],
        ),
        columns.to_vec(),
        record(0x91, &[]),
        rows.to_vec(),
        record(0x92, &[]),
        merged,
        record(0x82, &[]),
    ]
    .concat()
}

/// A workbook of these sheets, each with its name and whether it is hidden.
fn workbook(sheets: &[(&str, u32, Vec<u8>)], properties: u32) -> Vec<u8> {
    let bundle = |(index, (name, state, _)): (usize, &(&str, u32, Vec<u8>))| {
        let number = index as u32 + 1;
        let id = wide(&format!("s{number}"));
        record(0x9C, &[&numbers(&[*state, number]), &id, &wide(name)])
    };
    let book = [
        record(0x83, &[]),
        record(0x99, &[&numbers(&[properties, 0]), &wide("")]),
        record(0x87, &[]),
        record(
            0x9E,
            &[&numbers(&[0, 0, 20_000, 10_000, 600, 0, 0]), &[0x78]],
        ),
        record(0x88, &[]),
        record(0x8F, &[]),
        sheets.iter().enumerate().flat_map(bundle).collect(),
        record(0x90, &[]),
        record(
            0x9D,
            &[
                &numbers(&[191_029, 1, 100]),
                &0.001_f64.to_le_bytes(),
                &numbers(&[1]),
                &[0, 0],
            ],
        ),
        record(0x84, &[]),
    ]
    .concat();
    let strings = [
        record(0x9F, &[&numbers(&[2, 2])]),
        record(0x13, &[&[0], &wide("Größe")]),
        record(0x13, &[&[0], &wide("two words")]),
        record(0xA0, &[]),
    ]
    .concat();
    let main = "application/vnd.ms-excel.sheet.binary.macroEnabled.main";
    let mut types = format!(
        "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'>\
         <Default Extension='rels' ContentType='application/vnd.openxmlformats-package.relationships+xml'/>\
         <Override PartName='/xl/workbook.bin' ContentType='{main}'/>\
         <Override PartName='/xl/styles.bin' ContentType='application/vnd.ms-excel.styles'/>\
         <Override PartName='/xl/sharedStrings.bin' ContentType='application/vnd.ms-excel.sharedStrings'/>"
    );
    let mut related = vec![
        (
            "t".to_owned(),
            "sharedStrings",
            "sharedStrings.bin".to_owned(),
        ),
        ("y".to_owned(), "styles", "styles.bin".to_owned()),
    ];
    for number in 1..=sheets.len() {
        let part = format!("worksheets/sheet{number}.bin");
        types += &format!(
            "<Override PartName='/xl/{part}' ContentType='application/vnd.ms-excel.worksheet'/>"
        );
        related.push((format!("s{number}"), "worksheet", part));
    }
    types += "</Types>";
    let related: Vec<(&str, &str, &str)> = related
        .iter()
        .map(|(id, kind, target)| (id.as_str(), *kind, target.as_str()))
        .collect();
    let root = relations(&[("r", "officeDocument", "xl/workbook.bin")]);
    let related = relations(&related);
    let names: Vec<String> = (1..=sheets.len())
        .map(|number| format!("xl/worksheets/sheet{number}.bin"))
        .collect();
    let (styles, mut parts) = (
        styles(),
        vec![
            ("[Content_Types].xml", types.as_bytes()),
            ("_rels/.rels", root.as_bytes()),
            ("xl/workbook.bin", book.as_slice()),
            ("xl/_rels/workbook.bin.rels", related.as_bytes()),
            ("xl/sharedStrings.bin", strings.as_slice()),
        ],
    );
    parts.push(("xl/styles.bin", styles.as_slice()));
    parts.extend(
        names
            .iter()
            .map(String::as_str)
            .zip(sheets.iter().map(|(_, _, part)| part.as_slice())),
    );
    archive_of(&parts)
}

/// The workbook of the fixture.
fn report() -> Vec<u8> {
    let view = numbers(&[0, 0, 0, 0]);
    let pane = [0_f64.to_le_bytes(), 1_f64.to_le_bytes()].concat();
    let views = [
        record(0x85, &[]),
        record(
            0x89,
            &[
                &[0xDC, 3],
                &view[..12],
                &[0x40, 0, 0, 0],
                &[100, 0, 0, 0, 0, 0, 0, 0],
                &[0; 4],
            ],
        ),
        record(0x97, &[&pane, &numbers(&[1, 0, 2]), &[1]]),
        record(0x8A, &[]),
        record(0x86, &[]),
    ]
    .concat();
    let column = |number: u32, hidden: u8| {
        record(
            0x3C,
            &[&numbers(&[number, number, 10 * 256, 0]), &[hidden, 0]],
        )
    };
    let columns = [
        record(0x186, &[]),
        column(1, 0),
        column(2, 1),
        record(0x187, &[]),
    ]
    .concat();
    let rows = [
        row(
            0,
            false,
            &[
                cell(7, 0, 0, &numbers(&[0])),
                cell(6, 1, 0, &wide("inline")),
                cell(6, 2, 0, &wide("hidden column")),
                cell(1, 3, 0, &[]),
            ],
        ),
        row(
            1,
            false,
            &[
                cell(5, 0, 0, &0.5_f64.to_le_bytes()),
                // 45356 as an integer, and 12.5 % as hundredths of one
                cell(2, 1, 1, &numbers(&[(45_356 << 2) | 2])),
                cell(2, 3, 2, &numbers(&[(12_345 << 2) | 3])),
                cell(5, 4, 3, &(-1_234.5_f64).to_le_bytes()),
            ],
        ),
        row(2, true, &[cell(6, 0, 0, &wide("hidden row"))]),
        row(
            3,
            false,
            &[
                cell(4, 0, 0, &[1]),
                cell(3, 1, 0, &[0x2A]),
                formula(8, 3, &wide("made")),
                formula(9, 4, &2_f64.to_le_bytes()),
                formula(10, 5, &[0]),
                formula(11, 6, &[0x07]),
            ],
        ),
        row(4, false, &[cell(7, 0, 0, &numbers(&[1]))]),
    ]
    .concat();
    let merged = record(0xB0, &[&numbers(&[4, 4, 0, 1])]);
    let shown = sheet(&views, &columns, &rows, &[merged]);
    let secret = sheet(
        &[],
        &[],
        &row(0, false, &[cell(6, 0, 0, &wide("secret"))]),
        &[],
    );
    let last = sheet(
        &[],
        &[],
        &row(9, false, &[cell(5, 1, 1, &1_f64.to_le_bytes())]),
        &[],
    );
    workbook(
        &[
            ("Report", 0, shown),
            ("Secret", 1, secret),
            ("Last", 0, last),
        ],
        0,
    )
}

#[test]
fn xlsb_is_read_as_it_is_shown() {
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
        losses(&document),
        [("hidden_left_out", 1), ("hidden_left_out", 2)]
    );
}

#[test]
fn days_are_counted_from_1904_where_the_workbook_says_so() {
    let rows = row(0, false, &[cell(5, 0, 1, &1_f64.to_le_bytes())]);
    let bytes = workbook(&[("One", 0, sheet(&[], &[], &rows, &[]))], 1);
    let document = opened(&bytes, Format::Xlsb).unwrap();
    assert_eq!(lines(&document)[2], "  0,0 p: 1/2/1904");
}

/// Parts of an archive with their names.
type Parts = Vec<(String, Vec<u8>)>;

/// The parts of an archive.
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

/// An archive of these parts.
fn archived(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let parts: Vec<(&str, &[u8])> = parts
        .iter()
        .map(|(name, part)| (name.as_str(), part.as_slice()))
        .collect();
    archive_of(&parts)
}

/// A workbook whose only sheet holds these rows.
fn one_sheet(rows: &[u8]) -> Vec<u8> {
    workbook(&[("One", 0, sheet(&[], &[], rows, &[]))], 0)
}

#[test]
fn cells_that_calamine_leaves_out_are_read_or_counted() {
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
    assert_eq!(losses(&document), [("damage_left_out", 1)]);
    let unknown = row(0, false, &[formula(11, 1, &[0x2C])]);
    let code = opened(&one_sheet(&unknown), Format::Xlsb)
        .unwrap_err()
        .code();
    assert_eq!(code, Some(JobErrorCode::InputCorrupt));
}

#[test]
fn links_of_xlsb_are_kept() {
    let one = || cell(5, 0, 0, &1_f64.to_le_bytes());
    let link = |row: u32, id: &str| {
        let rest = [wide(""), wide(""), wide("")].concat();
        record(0x01EE, &[&numbers(&[row, row, 0, 0]), &wide(id), &rest])
    };
    let rows = [row(0, false, &[one()]), row(1, false, &[one()])].concat();
    let mut part = sheet(&[], &[], &rows, &[]);
    part.truncate(part.len() - 3);
    part.extend([link(0, "a"), link(1, "b"), record(0x82, &[])].concat());
    let mut parts = parts(&workbook(&[("One", 0, part)], 0));
    let related = relations(&[
        ("a", "hyperlink", "https://a.example/"),
        ("b", "hyperlink", "file:///b"),
    ]);
    let name = "xl/worksheets/_rels/sheet1.bin.rels".to_owned();
    parts.push((name, related.into_bytes()));
    let document = opened(&archived(&parts), Format::Xlsb).unwrap();
    let cells = ["  0,0 p: ⟨1|→https://a.example/⟩", "  1,0 p: 1"];
    assert_eq!(lines(&document)[2..], cells);
}

#[test]
fn parts_whose_names_calamine_does_not_look_up_are_refused() {
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
    // Letter case does not matter to calamine.
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
fn xlsb_that_attacks_ends_in_an_error() {
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
    // A string that is not there, a record that is torn, a cell without a value.
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
    // Rows and columns beyond those of a sheet are left out.
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
