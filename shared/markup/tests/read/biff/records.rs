//! Writes xlsb workbooks record by record.

use crate::made::{archive_of, relations};

/// Creates a BIFF12 record [MS-XLSB, 2.1.4].
pub(super) fn record(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
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

pub(super) fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

pub(super) fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = numbers(&[units.len() as u32]);
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    bytes
}

/// Creates a list with its length before it.
pub(super) fn listed(begin: u16, items: &[Vec<u8>]) -> Vec<u8> {
    let count = numbers(&[items.len() as u32]);
    [
        record(begin, &[&count]),
        items.concat(),
        record(begin + 1, &[]),
    ]
    .concat()
}

pub(super) fn row(number: u32, hidden: bool, cells: &[Vec<u8>]) -> Vec<u8> {
    let flags = [0x2C, 0x01, 0, if hidden { 0x10 } else { 0 }, 0];
    let head = record(0, &[&numbers(&[number, 0]), &flags, &numbers(&[0])]);
    [head, cells.concat()].concat()
}

pub(super) fn cell(kind: u16, column: u32, style: u32, value: &[u8]) -> Vec<u8> {
    record(kind, &[&numbers(&[column, style]), value])
}

/// Creates the result of a formula whose expression is 1+1.
pub(super) fn formula(kind: u16, column: u32, value: &[u8]) -> Vec<u8> {
    let tokens = [0x1E, 1, 0, 0x1E, 1, 0, 0x03];
    let formula = [&[0, 0][..], &numbers(&[7]), &tokens, &numbers(&[0])].concat();
    cell(kind, column, 0, &[value, &formula].concat())
}

pub(super) fn styles() -> Vec<u8> {
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

pub(super) fn sheet(views: &[u8], columns: &[u8], rows: &[u8], merges: &[Vec<u8>]) -> Vec<u8> {
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

/// Creates a workbook of these sheets: name, hidden state and part.
pub(super) fn workbook(sheets: &[(&str, u32, Vec<u8>)], properties: u32) -> Vec<u8> {
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

/// Creates the workbook of the fixture.
pub(super) fn report() -> Vec<u8> {
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
