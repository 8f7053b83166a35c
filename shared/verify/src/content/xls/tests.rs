use super::*;
use crate::content::test_files::{compound, items, u16s, u32s};

const ALL: Scope = Scope {
    headers: true,
    running_text: false,
    text_boxes: true,
    tables_only: false,
    active_sheet_only: false,
    print_ranges: true,
    mixes_cells: false,
    is_aside: false,
    charts: true,
    diagrams: true,
    is_result: false,
    values: false,
    formulas: true,
};

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [u16s(&[kind, data.len().try_into().unwrap()]), data.to_vec()].concat()
}

fn substream(records: &[u8]) -> Vec<u8> {
    [
        record(0x0809, &u16s(&[0x0600, 5, 0, 0])),
        records.to_vec(),
        record(0x000a, &[]),
    ]
    .concat()
}

/// A workbook with these globals and sheets, each with a state.
fn workbook(globals: &[u8], sheets: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let build = |offsets: &[u32]| {
        let entries = sheets.iter().zip(offsets).flat_map(|((state, _), offset)| {
            record(
                0x0085,
                &[u32s(&[*offset]), vec![*state, 0, 1, 0, b'S']].concat(),
            )
        });
        substream(&[entries.collect(), globals.to_vec()].concat())
    };
    let mut stream = build(&vec![0; sheets.len()]);
    let mut offsets = Vec::new();
    for (_, records) in sheets {
        offsets.push(stream.len().try_into().unwrap());
        stream.extend(substream(records));
    }
    let globals = build(&offsets);
    stream[..globals.len()].copy_from_slice(&globals);
    compound(&[("Workbook", &stream)])
}

fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    let len = text.len().try_into().unwrap();
    record(
        0x0204,
        &[
            u16s(&[row, column, 0, len]),
            vec![0],
            text.as_bytes().to_vec(),
        ]
        .concat(),
    )
}

fn number(row: u16, column: u16, format: u16, number: f64) -> Vec<u8> {
    record(
        0x0203,
        &[u16s(&[row, column, format]), number.to_le_bytes().to_vec()].concat(),
    )
}

fn read_all(file: &[u8]) -> Result<String, Unreadable> {
    items(file, |path, take| read(path, ALL, take))
}

#[test]
fn shared_strings_continue_in_further_records() {
    let start = [u32s(&[2, 2]), u16s(&[4]), vec![0, b'a', b'b']].concat();
    // The rest of the first string in UTF-16; a string with a format and phonetics
    let rest = [
        vec![1],
        u16s(&[0x3b1, 0x3b2]),
        u16s(&[2]),
        vec![12, 1, 0, 3, 0, 0, 0, b'c', b'd', 9, 9, 9, 9, 8],
    ];
    let strings = [
        record(0x00fc, &start),
        record(0x003c, &rest.concat()),
        record(0x003c, &[8, 8, 1, 0, 0, b'e']),
    ];
    let cells = (0..3).flat_map(|index| {
        record(
            0x00fd,
            &[u16s(&[0, index, 0]), u32s(&[index.into()])].concat(),
        )
    });
    let file = workbook(&strings.concat(), &[(0, cells.collect())]);
    assert_eq!(
        read_all(&file).unwrap(),
        "[1 0,0]ab\u{3b1}\u{3b2}|[1 0,1]cd|[1 0,2]e|"
    );
}

#[test]
fn hidden_sheets_rows_columns_and_covered_cells_are_omitted() {
    let sheet = [
        record(0x007d, &u16s(&[1, 1, 100, 0, 1, 0])),
        record(0x0208, &u16s(&[1, 0, 9, 300, 0, 0, 1 << 5, 0])),
        label(0, 0, "shown"),
        label(0, 1, "column"),
        label(1, 0, "row"),
        label(2, 0, "merged"),
        label(2, 2, "covered"),
        record(0x00e5, &u16s(&[1, 2, 2, 0, 2])),
    ];
    let file = workbook(
        &[],
        &[
            (1, label(0, 0, "hidden")),
            (0, sheet.concat()),
            (0, label(0, 0, "last")),
        ],
    );
    assert_eq!(
        read_all(&file).unwrap(),
        "[2 0,0]shown|[2 2,0]merged|[3 0,0]last|"
    );
    let active = Scope {
        active_sheet_only: true,
        ..ALL
    };
    let file = workbook(
        &record(0x003d, &u16s(&[0, 0, 0, 0, 0, 2])),
        &[(0, sheet.concat()), (0, vec![]), (0, label(0, 0, "last"))],
    );
    assert_eq!(
        items(&file, |path, take| read(path, active, take)).unwrap(),
        "[3 0,0]last|"
    );
}

#[test]
fn numbers_that_a_format_hides_are_omitted() {
    let code = b";;;";
    let format = record(0x041e, &[u16s(&[200, 3]), vec![0], code.to_vec()].concat());
    let formats = [0, 200].map(|format| record(0x00e0, &u16s(&[0, format])));
    let multiple = [
        u16s(&[0, 2]),
        u16s(&[0]),
        u32s(&[6]),
        u16s(&[1]),
        u32s(&[6]),
        u16s(&[3]),
    ]
    .concat();
    let formula = [u16s(&[0, 4, 0]), vec![0; 6], u16s(&[0xffff, 0])].concat();
    let cells = [
        number(0, 0, 0, 1.5),
        number(0, 1, 1, 1.5),
        record(0x00bd, &multiple),
        record(0x0006, &formula),
        record(0x0207, &[u16s(&[3]), vec![0], b"sum".to_vec()].concat()),
    ];
    let file = workbook(&[format, formats.concat()].concat(), &[(0, cells.concat())]);
    assert_eq!(read_all(&file).unwrap(), "[1 0,0]#|[1 0,2]#|[1 0,4]sum|");
}

#[test]
fn print_ranges_and_text_boxes_are_read() {
    let text_object = |kind: u16, text: &str| {
        let object = record(0x005d, &u16s(&[0x15, 18, kind]));
        let data = u16s(&[0, 0, 0, 0, 0, text.len().try_into().unwrap(), 16]);
        [
            object,
            record(0x01b6, &data),
            record(0x003c, &[&[0], text.as_bytes()].concat()),
            record(0x003c, &[0; 16]),
        ]
        .concat()
    };
    let sheet = [
        label(0, 0, "in"),
        label(5, 0, "out"),
        text_object(6, "box"),
        text_object(0x19, "remark"),
    ]
    .concat();
    let file = workbook(&[], &[(0, sheet.clone())]);
    assert_eq!(read_all(&file).unwrap(), "[1 0,0]in|[1 5,0]out|[1]box|");
    let formula = [vec![0x3b], u16s(&[0, 0, 2, 0, 3])].concat();
    let head = [
        u16s(&[1 << 5]),
        vec![0, 1],
        u16s(&[formula.len().try_into().unwrap(), 0, 1]),
        vec![0; 4],
        vec![0, 6],
    ]
    .concat();
    let file = workbook(&record(0x0018, &[head, formula].concat()), &[(0, sheet)]);
    assert_eq!(read_all(&file).unwrap(), "[1 0,0]in|");
}

#[test]
fn encrypted_and_hostile_workbooks_are_unreadable() {
    let sheet = [(0, label(0, 0, "text"))];
    assert!(read_all(&workbook(&[], &sheet)).is_ok());
    assert!(read_all(&workbook(&record(0x002f, &[0; 6]), &sheet)).is_err());
    // Many cells with the same long string
    let text = [u32s(&[1, 1]), u16s(&[8000]), vec![0], vec![b'a'; 8000]].concat();
    let cell = record(0x00fd, &[u16s(&[0, 0, 0]), u32s(&[0])].concat());
    assert!(read_all(&workbook(&record(0x00fc, &text), &[(0, cell.repeat(10))])).is_ok());
    assert!(
        read_all(&workbook(
            &record(0x00fc, &text),
            &[(0, cell.repeat(10_000))]
        ))
        .is_err()
    );
}
