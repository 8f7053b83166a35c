//! xls, record by record.

use domain::format::Format;
use domain::job::JobErrorCode;

use markup::{Limits, Options, read};

use super::records::{numbers, wide};
use crate::made::{lines, opened, opened_with, warnings};

/// Creates a BIFF record [MS-XLS, 2.1.4].
fn short(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [
        &kind.to_le_bytes()[..],
        &(body.len() as u16).to_le_bytes(),
        &body,
    ]
    .concat()
}

/// Creates an xls with one sheet of these records.
fn xls(records: &[Vec<u8>]) -> Vec<u8> {
    biff8(&[], records)
}

/// Creates an xls with these global records and one sheet of these records.
fn biff8(globals: &[Vec<u8>], records: &[Vec<u8>]) -> Vec<u8> {
    let code = short(0x041E, &[&164_u16.to_le_bytes(), &[4, 0, 0], b"0.0x"]);
    let format = |number: u16| short(0x00E0, &[&[0, 0], &number.to_le_bytes(), &[0; 16]]);
    let formats = [code, format(0), format(14), format(164), globals.concat()];
    stream(0x0600, &formats.concat(), &[3, 0], records)
}

/// Creates an xls of this BIFF version; `length` is the encoded length of the sheet name.
fn stream(version: u16, globals: &[u8], length: &[u8], records: &[Vec<u8>]) -> Vec<u8> {
    let begin = |kind: u16| {
        let head = [version, kind].map(u16::to_le_bytes).concat();
        short(0x0809, &[&head, &[0; 12]])
    };
    let end = short(0x000A, &[]);
    let place = begin(5).len() + globals.len() + 4 + 9 + length.len() + end.len();
    let listed = short(
        0x0085,
        &[&(place as u32).to_le_bytes(), &[0, 0], length, b"One"],
    );
    let stream = [
        begin(5),
        globals.to_vec(),
        listed,
        end.clone(),
        begin(16),
        records.concat(),
        end,
    ]
    .concat();
    let mut file = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap();
    std::io::Write::write_all(&mut file.create_stream("/Workbook").unwrap(), &stream).unwrap();
    file.flush().unwrap();
    file.into_inner().into_inner()
}

fn formula(place: (u16, u16), result: [u8; 8]) -> Vec<u8> {
    let place = [place.0, place.1, 0].map(u16::to_le_bytes).concat();
    short(0x0006, &[&place, &result, &[0; 6], &[3, 0, 0x1E, 1, 0]])
}

fn number(place: (u16, u16), style: u16, value: f64) -> Vec<u8> {
    let place = [place.0, place.1, style].map(u16::to_le_bytes).concat();
    short(0x0203, &[&place, &value.to_le_bytes()])
}

#[test]
fn xls_is_read_as_displayed() {
    let document = opened(
        &xls(&[
            number((0, 0), 0, 1.5),
            number((0, 1), 1, 45_356.0),
            number((0, 3), 2, 0.25),
            number((1, 0), 0, 9.0),
            short(0x0208, &[&[1, 0], &[0; 10], &[0x20, 0, 0, 0]]),
            short(0x007D, &[&[3, 0, 3, 0, 0, 10, 0, 0], &[1, 0, 0, 0]]),
            // Two numbers in RK format, each with its style
            short(
                0x00BD,
                &[
                    &[0, 0, 4, 0],
                    &[0, 0, 10, 0, 0, 0],
                    &[2, 0, 14, 0, 0, 0],
                    &[5, 0],
                ],
            ),
            formula((2, 0), 4_f64.to_le_bytes()),
            formula((2, 1), [0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            short(0x0207, &[&[2, 0, 0], b"so"]),
            formula((2, 4), [2, 0, 7, 0, 0, 0, 0xFF, 0xFF]),
            formula((2, 5), [1, 0, 1, 0, 0, 0, 0xFF, 0xFF]),
            short(0x00E5, &[&[1, 0], &[2, 0, 2, 0, 1, 0, 2, 0]]),
            // A chart substream, whose records are not those of the sheet
            short(0x0809, &[&[0, 6, 0x20, 0], &[0; 12]]),
            number((9, 9), 0, 7.0),
            short(0x000A, &[]),
        ]),
        Format::Xls,
    )
    .unwrap();
    let expected = [
        "h1: One",
        "table 2 × [48 48 48 48 48] heads 0 ruled",
        "  0,0 p: 1.5",
        "  0,1 p: 3/5/2024",
        "  0,3 p: 2",
        "  0,4 p: 3.0x",
        "  1,0 p: 4",
        "  1,1 (1, 2) p: so",
        "  1,3 p: #DIV/0!",
        "  1,4 p: TRUE",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(
        warnings(&document),
        [("hidden_left_out", 2), ("chart_left_out", 1)]
    );
}

#[test]
fn hostile_xls_is_rejected() {
    let code = |records: &[Vec<u8>]| {
        opened(&xls(records), Format::Xls)
            .err()
            .and_then(|error| error.code())
    };
    let declared = short(
        0x0200,
        &[&numbers(&[0, u32::MAX]), &[0, 0, 0xFF, 0xFF, 0, 0]],
    );
    assert_eq!(code(&[declared, number((0, 0), 0, 1.0)]), None);
    assert_eq!(
        code(&[number((65_535, 0), 0, 1.0), number((0, 255), 0, 1.0)]),
        Some(JobErrorCode::InputTooLarge)
    );
    let corrupt = Some(JobErrorCode::InputCorrupt);
    assert_eq!(code(&[short(0x0203, &[&[0, 0]])]), corrupt);
    assert_eq!(code(&[short(0x00E5, &[&[9, 0]])]), corrupt);
    // A long string shared by many cells, whose last characters are in a `Continue` record
    let table = [
        short(
            0x00FC,
            &[&numbers(&[1, 1]), &[0x60, 0xEA, 0], &[b'a'; 50_000]],
        ),
        short(0x003C, &[&[0], &[b'a'; 10_000]]),
    ];
    let shared = |count: u16| -> Vec<Vec<u8>> {
        let cell = |row: u16| short(0x00FD, &[&row.to_le_bytes(), &[0; 8]]);
        (0..count).map(cell).collect()
    };
    let code = |table: &[Vec<u8>], count| {
        let mut bytes = biff8(table, &shared(count));
        // The sheet is hidden, so its texts count only because calamine copies them.
        let name = bytes.windows(5).position(|name| name == b"\x03\0One");
        bytes[name.unwrap() - 2] = 1;
        let opened = opened(&bytes, Format::Xls);
        opened.err().and_then(|error| error.code())
    };
    assert_eq!(code(&table, 100), None);
    assert_eq!(code(&table, 6_000), Some(JobErrorCode::InputTooLarge));
    let empty = short(0x00FC, &[&numbers(&[1, 1]), &[0; 3]]);
    let twice = [table.as_slice(), &[empty]].concat();
    assert_eq!(code(&twice, 100), corrupt);
    let bytes = xls(&[short(0x002F, &[&[1, 0]])]);
    assert!(opened(&bytes, Format::Xlsb).is_err());
}

/// Creates a hyperlink of the cell in the first row and this column.
fn hyperlink(column: u16, flags: u32, rest: &[u8]) -> Vec<u8> {
    let range = [0, 0, column, column].map(u16::to_le_bytes).concat();
    short(0x01B8, &[&range, &[0; 16], &numbers(&[2, flags]), rest])
}

/// Creates a null-terminated string of a hyperlink.
fn terminated(text: &str) -> Vec<u8> {
    wide(&(text.to_owned() + "\0"))
}

#[test]
fn links_of_xls_are_kept_and_drawings_are_counted() {
    let moniker = 0x0BA9_4B00_AA00_828C_11CE_BAF9_79EA_C9E0_u128.to_le_bytes();
    let url = wide("https://a.example/\0\u{1}\u{1}");
    let bytes = numbers(&[2 * (url.len() as u32 / 2 - 2)]);
    let address = [&moniker[..], &bytes, &url[4..]].concat();
    let named = [terminated("shown"), terminated("mailto:b@b.example")].concat();
    let object = |kind: u16| {
        short(
            0x005D,
            &[&[0x15, 0, 0x12, 0], &kind.to_le_bytes(), &[0; 16]],
        )
    };
    let text = |count: u16| short(0x01B6, &[&[0; 10], &count.to_le_bytes(), &[0; 6]]);
    let records = [
        number((0, 0), 0, 1.0),
        number((0, 1), 0, 2.0),
        number((0, 2), 0, 3.0),
        number((0, 3), 0, 4.0),
        hyperlink(0, 3, &address),
        // A display name before a moniker saved as a string
        hyperlink(1, 0x0113, &named),
        hyperlink(2, 3, &[0; 40]),
        hyperlink(3, 8, &terminated("Sheet2!A1")),
        // A picture, a chart, a comment, a text box, and a text box without text
        object(0x08),
        object(0x05),
        object(0x19),
        text(4),
        object(0x06),
        text(4),
        object(0x06),
        text(0),
    ];
    let document = opened(&xls(&records), Format::Xls).unwrap();
    assert_eq!(
        lines(&document)[2..],
        [
            "  0,0 p: ⟨1|→https://a.example/⟩",
            "  0,1 p: ⟨2|→mailto:b@b.example⟩",
            "  0,2 p: 3",
            "  0,3 p: 4",
        ]
    );
    assert_eq!(
        warnings(&document),
        [
            ("object_left_out", 1),
            ("picture_missing", 1),
            ("links_left_out", 2)
        ]
    );
}

/// xlwt stores empty text as the result of every formula.
#[test]
fn formulas_of_a_workbook_that_was_never_calculated_are_reported() {
    let empty = |column| formula((0, column), [3, 0, 0, 0, 0, 0, 0xFF, 0xFF]);
    let reported = |globals: &[Vec<u8>], cells: &[Vec<u8>]| {
        let cells = [cells, &[number((1, 0), 0, 9.0)]].concat();
        warnings(&opened(&biff8(globals, &cells), Format::Xls).unwrap())
    };
    let both = [empty(0), empty(1)];
    assert_eq!(reported(&[], &both), [("formulas_not_calculated", 2)]);
    assert_eq!(
        reported(&[], &[empty(0), formula((0, 1), 4_f64.to_le_bytes())]),
        []
    );
    // The workbook declares that it was calculated: each result is empty text.
    let calculated = short(0x01C1, &[&[0xC1, 1, 0, 0], &0x0001_BE22_u32.to_le_bytes()]);
    assert_eq!(reported(&[calculated], &both), []);
}

#[test]
fn unknown_code_pages_do_not_prevent_reading() {
    let page = |page: u16| short(0x0042, &[&page.to_le_bytes()]);
    let label = |text: &[u8], flags: &[u8]| {
        let length = (text.len() as u16).to_le_bytes();
        short(0x0204, &[&[0; 6], &length, flags, text])
    };
    let text = |bytes: &[u8]| lines(&opened(bytes, Format::Xls).unwrap())[2].clone();
    for number in [437, 850, 852, 1252, 32_768, 32_769] {
        let bytes = biff8(&[page(number)], &[label(b"caf\xE9", &[0])]);
        assert_eq!(text(&bytes), "  0,0 p: café", "{number}");
    }
    for (number, e) in [(437, 0xE9), (1252, 0xE9), (32_768, 0x8E), (32_769, 0xE9)] {
        let label = label(&[b'c', b'a', b'f', e], &[]);
        let bytes = stream(0x0500, &page(number), &[3], &[label]);
        assert_eq!(text(&bytes), "  0,0 p: café", "{number}");
    }
}

#[test]
fn records_that_use_memory_are_charged() {
    let code = |elements: u64, globals: &[Vec<u8>], records: &[Vec<u8>]| {
        let limits = Limits {
            elements,
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..Options::default()
        };
        let opened = opened_with(&biff8(globals, records), Format::Xls, &options);
        opened.err().and_then(|error| error.code())
    };
    let font = || short(0x0031, &[&[0; 16]]);
    let format = || short(0x00E0, &[&[0; 20]]);
    let name = || short(0x041E, &[&[170, 0, 200, 0, 0], &[b'0'; 200]]);
    let merged = || short(0x00E5, &[&[1, 0], &[0; 8]]);
    let many = |record: fn() -> Vec<u8>| vec![record(); 300];
    let too_large = Some(JobErrorCode::InputTooLarge);
    assert_eq!(code(1_000, &[], &[]), None);
    for record in [font, format, name] {
        assert_eq!(code(1_000, &many(record), &[]), too_large);
    }
    assert_eq!(code(1_000, &[], &many(merged)), too_large);
    let listed = || short(0x0085, &[&[0; 6], &[3, 0], b"Two"]);
    assert_eq!(code(1_000, &many(listed), &[]), too_large);
}

#[test]
fn an_unreadable_file_is_a_service_error() {
    let directory = tempfile::tempdir().unwrap();
    let error = read(directory.path(), Format::Xls, &Options::default()).unwrap_err();
    assert_eq!(error.code(), None, "{error}");
}
