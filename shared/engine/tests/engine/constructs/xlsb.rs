//! The XLSX source as a binary workbook [MS-XLSB], which no library writes: the same cells and drawings.

use crate::sample_documents::{package, relationship};

/// States of sheets.
const VISIBLE: u32 = 0;
const HIDDEN: u32 = 1;

/// The workbook, with the drawings among the parts of the XLSX source.
pub(super) fn workbook(parts: Vec<(String, Vec<u8>)>) -> Vec<u8> {
    let folders = ["xl/drawings/", "xl/charts/", "xl/media/"];
    let drawings = parts
        .into_iter()
        .filter(|(name, _)| folders.iter().any(|folder| name.starts_with(folder)));
    let named = |(name, bytes): (&str, Vec<u8>)| (name.to_owned(), bytes);
    let own = [
        ("[Content_Types].xml", content_types().into_bytes()),
        (
            "_rels/.rels",
            related(&[("officeDocument", "xl/workbook.bin")]),
        ),
        (
            "xl/workbook.bin",
            book(&[("First", VISIBLE), ("Second", VISIBLE), ("Third", HIDDEN)]),
        ),
        (
            "xl/_rels/workbook.bin.rels",
            related(&[
                ("worksheet", "worksheets/sheet1.bin"),
                ("worksheet", "worksheets/sheet2.bin"),
                ("worksheet", "worksheets/sheet3.bin"),
                ("sharedStrings", "sharedStrings.bin"),
                ("styles", "styles.bin"),
            ]),
        ),
        ("xl/sharedStrings.bin", shared_strings()),
        ("xl/styles.bin", styles()),
        ("xl/comments1.bin", comments()),
        ("xl/worksheets/sheet1.bin", first_sheet()),
        (
            "xl/worksheets/_rels/sheet1.bin.rels",
            related(&[
                ("drawing", "../drawings/drawing1.xml"),
                ("comments", "../comments1.bin"),
                ("hyperlink", "https://example.com/"),
                ("vmlDrawing", "../drawings/vml1.vml"),
            ]),
        ),
        ("xl/worksheets/sheet2.bin", sheet_of("zzsecondsheet")),
        ("xl/worksheets/sheet3.bin", sheet_of("qqhiddensheet")),
    ];
    package(own.into_iter().map(named).chain(drawings))
}

/// A workbook with a sheet of numbers and texts; empty cells are left out.
pub(crate) fn table(rows: &[Vec<&str>]) -> Vec<u8> {
    let cell = |(column, value): (u32, &&str)| match value.parse::<f64>() {
        Ok(number) => cell(5, column, 0, &number.to_le_bytes()),
        Err(_) if value.is_empty() => Vec::new(),
        Err(_) => inline(column, value),
    };
    let row = |(number, values): (u32, &Vec<&str>)| {
        row(
            number,
            false,
            &(0..).zip(values).map(cell).collect::<Vec<_>>(),
        )
    };
    let rows: Vec<Vec<u8>> = (0..).zip(rows).map(row).collect();
    let parts = [
        ("worksheet", "worksheets/sheet1.bin"),
        ("styles", "styles.bin"),
    ];
    package([
        ("[Content_Types].xml", content_types().into_bytes()),
        (
            "_rels/.rels",
            related(&[("officeDocument", "xl/workbook.bin")]),
        ),
        ("xl/workbook.bin", book(&[("Table", VISIBLE)])),
        ("xl/_rels/workbook.bin.rels", related(&parts)),
        ("xl/styles.bin", styles()),
        ("xl/worksheets/sheet1.bin", sheet(&[], &rows.concat(), &[])),
    ])
}

fn content_types() -> String {
    let binary = [
        ("workbook", "sheet.binary.macroEnabled.main"),
        ("worksheets/sheet1", "worksheet"),
        ("worksheets/sheet2", "worksheet"),
        ("worksheets/sheet3", "worksheet"),
        ("sharedStrings", "sharedStrings"),
        ("styles", "styles"),
        ("comments1", "comments"),
    ];
    let binary = binary.map(|(part, kind)| {
        format!(
            r#"<Override PartName="/xl/{part}.bin" ContentType="application/vnd.ms-excel.{kind}"/>"#
        )
    });
    let drawings = [
        ("drawings/drawing1", "drawing"),
        ("drawings/chartshape1", "drawingml.chartshapes"),
        ("charts/chart1", "drawingml.chart"),
    ];
    let drawings = drawings.map(|(part, kind)| {
        format!(
            r#"<Override PartName="/xl/{part}.xml" ContentType="application/vnd.openxmlformats-officedocument.{kind}+xml"/>"#
        )
    });
    format!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>{}{}</Types>"#,
        binary.concat(),
        drawings.concat()
    )
}

/// Relationships with the identifiers `rId1`, `rId2` …
fn related(targets: &[(&str, &str)]) -> Vec<u8> {
    let targets = (1..).zip(targets);
    let entries =
        targets.map(|(number, (kind, target))| relationship(&format!("rId{number}"), kind, target));
    let entries: String = entries.collect();
    format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{entries}</Relationships>"#
    )
    .into_bytes()
}

/// A record [MS-XLSB, 2.1.4].
fn record(kind: u16, fields: &[&[u8]]) -> Vec<u8> {
    let content = fields.concat();
    let low = u8::try_from(kind & 0x7f).unwrap();
    let mut bytes = match u8::try_from(kind >> 7).unwrap() {
        0 => vec![low],
        high => vec![low | 0x80, high],
    };
    let len = content.len();
    bytes.push(u8::try_from(len & 0x7f).unwrap() | if len > 0x7f { 0x80 } else { 0 });
    bytes.extend((len > 0x7f).then(|| u8::try_from(len >> 7).unwrap()));
    bytes.extend(content);
    bytes
}

/// Records between the start and the end of a list; the end has the next number.
fn list(kind: u16, records: &[Vec<u8>]) -> Vec<u8> {
    let count = numbers(&[u32::try_from(records.len()).unwrap()]);
    [
        record(kind, &[&count]),
        records.concat(),
        record(kind + 1, &[]),
    ]
    .concat()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// A string of UTF-16 with its length.
fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    [
        numbers(&[u32::try_from(units.len()).unwrap()]),
        shorts(&units),
    ]
    .concat()
}

/// A workbook of sheets with names and states.
fn book(sheets: &[(&str, u32)]) -> Vec<u8> {
    let sheets = (1..).zip(sheets).map(|(number, (name, state))| {
        let id = wide(&format!("rId{number}"));
        record(156, &[&numbers(&[*state, number]), &id, &wide(name)])
    });
    let view = record(
        158,
        &[&numbers(&[0, 0, 20_000, 10_000, 600, 0, 0]), &[0x78]],
    );
    [
        record(131, &[]),
        record(153, &[&numbers(&[0, 0]), &wide("")]),
        list(135, &[view]),
        list(143, &sheets.collect::<Vec<_>>()),
        record(132, &[]),
    ]
    .concat()
}

fn shared_strings() -> Vec<u8> {
    const RICH: u8 = 1;
    const PHONETIC: u8 = 2;
    let run = [numbers(&[1]), shorts(&[4, 0])].concat();
    let reading = [wide("qqreading"), numbers(&[1]), shorts(&[0, 0, 1, 0, 0])].concat();
    let strings = [
        record(19, &[&[0], &wide("zzspan")]),
        record(19, &[&[RICH], &wide("zzsplit"), &run]),
        record(19, &[&[PHONETIC], &wide("zzphonetic"), &reading]),
        record(19, &[&[0], &wide("zzlineone\nzzlinetwo")]),
    ];
    [
        record(159, &[&numbers(&[4, 4])]),
        strings.concat(),
        record(160, &[]),
    ]
    .concat()
}

/// Formats of cells: general, date and percentage.
fn styles() -> Vec<u8> {
    let format =
        |parent: u16, number: u16| record(47, &[&shorts(&[parent, number, 0, 0, 0, 0, 0, 0x3f])]);
    let font = [
        shorts(&[220, 0, 400, 0]),
        vec![0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0],
    ]
    .concat();
    [
        record(278, &[]),
        list(611, &[record(43, &[&font, &wide("Calibri")])]),
        list(626, &[format(0xffff, 0)]),
        list(617, &[format(0, 0), format(0, 14), format(0, 10)]),
        record(279, &[]),
    ]
    .concat()
}

fn comments() -> Vec<u8> {
    let comment = [
        record(635, &[&numbers(&[0, 4, 4, 0, 0]), &[0; 16]]),
        record(637, &[&[0], &wide("qqcomment")]),
        record(636, &[]),
    ];
    [
        record(628, &[]),
        record(630, &[]),
        record(632, &[&wide("A")]),
        record(631, &[]),
        record(633, &[]),
        comment.concat(),
        record(634, &[]),
        record(629, &[]),
    ]
    .concat()
}

fn row(number: u32, is_hidden: bool, cells: &[Vec<u8>]) -> Vec<u8> {
    let flags = [0x2c, 1, 0, if is_hidden { 0x10 } else { 0 }, 0];
    let header = record(0, &[&numbers(&[number, 0]), &flags, &numbers(&[0])]);
    [header, cells.concat()].concat()
}

fn cell(kind: u16, column: u32, style: u32, value: &[u8]) -> Vec<u8> {
    record(kind, &[&numbers(&[column, style]), value])
}

fn shared(column: u32, index: u32) -> Vec<u8> {
    cell(7, column, 0, &numbers(&[index]))
}

fn inline(column: u32, text: &str) -> Vec<u8> {
    cell(6, column, 0, &wide(text))
}

/// The formula `"zz"&"formula"` with its result.
fn formula(column: u32) -> Vec<u8> {
    let literal = |text: &str| {
        let units: Vec<u16> = text.encode_utf16().collect();
        let len = u16::try_from(units.len()).unwrap();
        [vec![0x17], shorts(&[len]), shorts(&units)].concat()
    };
    let tokens = [literal("zz"), literal("formula"), vec![0x08]].concat();
    let len = numbers(&[u32::try_from(tokens.len()).unwrap()]);
    let value = [wide("zzformula"), vec![0, 0], len, tokens, numbers(&[0])];
    cell(8, column, 0, &value.concat())
}

fn first_sheet() -> Vec<u8> {
    let column = |first: u32, last: u32, is_hidden: bool| {
        let range = numbers(&[first, last, 18 * 256, 0]);
        record(60, &[&range, &shorts(&[u16::from(is_hidden)])])
    };
    let rows = [
        row(
            0,
            false,
            &[shared(0, 0), shared(2, 1), inline(3, "qqhiddencolumn")],
        ),
        row(1, false, &[shared(0, 2), shared(1, 3), formula(2)]),
        row(
            2,
            false,
            &[
                cell(62, 0, 0, &[vec![0], wide("zzinline")].concat()),
                cell(2, 1, 1, &numbers(&[(45_000 << 2) | 2])),
                cell(5, 2, 2, &0.125_f64.to_le_bytes()),
            ],
        ),
        row(3, true, &[inline(0, "qqhiddenrow")]),
        row(
            4,
            false,
            &[
                inline(0, "zzcommented"),
                inline(1, "zzlink"),
                cell(4, 2, 0, &[1]),
            ],
        ),
        row(
            5,
            false,
            &[
                inline(
                    0,
                    "zzlongtext that is wider than its column and is followed by a zzneighbor",
                ),
                inline(1, "zznexttolong"),
            ],
        ),
    ];
    let link = [
        numbers(&[4, 4, 1, 1]),
        wide("rId3"),
        wide(""),
        wide(""),
        wide(""),
    ]
    .concat();
    let none = numbers(&[u32::MAX]);
    let [header, footer] = ["&Czzpageheader", "&Czzpagefooter"].map(wide);
    sheet(
        &[
            record(390, &[]),
            column(0, 2, false),
            column(3, 3, true),
            record(391, &[]),
        ]
        .concat(),
        &rows.concat(),
        &[
            list(177, &[record(176, &[&numbers(&[0, 0, 0, 1])])]),
            record(494, &[&link]),
            record(
                479,
                &[&[0, 0], &header, &footer, &none, &none, &none, &none],
            ),
            record(480, &[]),
            record(550, &[&wide("rId1")]),
            record(551, &[&wide("rId4")]),
        ]
        .concat(),
    )
}

fn sheet_of(text: &str) -> Vec<u8> {
    sheet(&[], &row(0, false, &[inline(0, text)]), &[])
}

fn sheet(columns: &[u8], rows: &[u8], rest: &[u8]) -> Vec<u8> {
    let sheet = [
        &record(129, &[]),
        &record(148, &[&numbers(&[0, 5, 0, 3])]),
        columns,
        &record(145, &[]),
        rows,
        &record(146, &[]),
        rest,
        &record(130, &[]),
    ];
    sheet.concat()
}
