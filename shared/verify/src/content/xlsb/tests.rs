use super::*;
use crate::content::test_files::{items, package, u16s, u32s};

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let low = u8::try_from(kind & 0x7f).unwrap();
    let kind = match kind {
        0..=0x7f => vec![low],
        _ => vec![low | 0x80, u8::try_from(kind >> 7).unwrap()],
    };
    let len = u8::try_from(data.len()).unwrap();
    assert!(len < 0x80);
    [kind, vec![len], data.to_vec()].concat()
}

fn string(text: &str) -> Vec<u8> {
    let units: Vec<_> = text.encode_utf16().collect();
    [u32s(&[units.len().try_into().unwrap()]), u16s(&units)].concat()
}

fn cell(kind: u16, column: u32, value: &[u8]) -> Vec<u8> {
    record(kind, &[u32s(&[column, 0]), value.to_vec()].concat())
}

fn row(row: u32, flags: u8) -> Vec<u8> {
    record(ROW, &[u32s(&[row, 0]), vec![0, 0, 0, flags, 0]].concat())
}

const ROW: u16 = 0;

fn workbook(sheet: &[u8]) -> Vec<u8> {
    let entry = |state, id, name| {
        record(
            SHEET,
            &[u32s(&[state, 1]), string(id), string(name)].concat(),
        )
    };
    let relationships =
        "<Relationships><Relationship Id='r1' Target='worksheets/sheet1.bin'/></Relationships>";
    let strings =
        ["shared", "second"].map(|text| record(SHARED_STRING, &[vec![0], string(text)].concat()));
    package(&[
        (
            WORKBOOK,
            &[entry(1, "r1", "Hidden"), entry(0, "r1", "Shown")].concat(),
        ),
        ("xl/_rels/workbook.bin.rels", relationships.as_bytes()),
        ("xl/sharedStrings.bin", &strings.concat()),
        ("xl/worksheets/sheet1.bin", sheet),
    ])
}

fn read_all(sheet: &[Vec<u8>]) -> Result<String, Unreadable> {
    let file = workbook(&sheet.concat());
    items(&file, |path, take| read(path, Scope::default(), take))
}

#[test]
fn cells_of_visible_sheets_are_read() {
    let sheet = [
        row(0, 0),
        cell(7, 0, &u32s(&[1])),
        cell(6, 1, &string("inline")),
        cell(62, 2, &[vec![0], string("rich")].concat()),
        row(4, 0),
        cell(2, 0, &u32s(&[6])),
        cell(9, 1, &1.5_f64.to_le_bytes()),
    ];
    assert_eq!(
        read_all(&sheet).unwrap(),
        "[2 0,0]second|[2 0,1]inline|[2 0,2]rich|[2 4,0]#|[2 4,1]#|"
    );
}

#[test]
fn hidden_rows_columns_and_covered_cells_are_omitted() {
    let text = |column, text| cell(6, column, &string(text));
    let sheet = [
        record(60, &[u32s(&[1, 2, 256, 0]), u16s(&[1])].concat()),
        row(0, 0),
        text(0, "shown"),
        text(2, "column"),
        row(1, 1 << 4),
        text(0, "row"),
        row(2, 0),
        text(3, "merged"),
        text(4, "covered"),
        record(176, &u32s(&[2, 2, 3, 4])),
    ];
    assert_eq!(read_all(&sheet).unwrap(), "[2 0,0]shown|[2 2,3]merged|");
}

#[test]
fn damaged_workbooks_are_unreadable() {
    assert!(read_all(&[row(0, 0), cell(7, 0, &u32s(&[9]))]).is_err());
    assert!(read_all(&[row(0, 0), cell(6, 0, &u32s(&[u32::MAX]))]).is_err());
}
