//! xls, record by record.

use domain::format::Format;
use domain::job::JobErrorCode;

use super::numbers;
use crate::made::{lines, losses, opened};

/// A record of xls [MS-XLS, 2.1.4].
fn short(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [
        &kind.to_le_bytes()[..],
        &(body.len() as u16).to_le_bytes(),
        &body,
    ]
    .concat()
}

/// An xls whose only sheet holds these records.
fn xls(records: &[Vec<u8>]) -> Vec<u8> {
    let begin = |kind: u16| short(0x0809, &[&[0, 6], &kind.to_le_bytes(), &[0; 12]]);
    let end = short(0x000A, &[]);
    let globals = begin(5);
    let code = short(0x041E, &[&164_u16.to_le_bytes(), &[4, 0, 0], b"0.0x"]);
    let format = |number: u16| short(0x00E0, &[&[0, 0], &number.to_le_bytes(), &[0; 16]]);
    let formats = [format(0), format(14), format(164)].concat();
    let place = globals.len() + code.len() + formats.len() + 4 + 11 + end.len();
    let listed = short(
        0x0085,
        &[&(place as u32).to_le_bytes(), &[0, 0, 3, 0], b"One"],
    );
    let stream = [
        globals,
        code,
        formats,
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

fn number(place: (u16, u16), style: u16, value: f64) -> Vec<u8> {
    let place = [place.0, place.1, style].map(u16::to_le_bytes).concat();
    short(0x0203, &[&place, &value.to_le_bytes()])
}

#[test]
fn xls_is_read_as_it_is_shown() {
    let formula = |column: u16, value: [u8; 8]| {
        let place = [2, column, 0].map(u16::to_le_bytes).concat();
        short(0x0006, &[&place, &value, &[0; 6], &[3, 0, 0x1E, 1, 0]])
    };
    let document = opened(
        &xls(&[
            number((0, 0), 0, 1.5),
            number((0, 1), 1, 45_356.0),
            number((0, 3), 2, 0.25),
            number((1, 0), 0, 9.0),
            short(0x0208, &[&[1, 0], &[0; 10], &[0x20, 0, 0, 0]]),
            short(0x007D, &[&[3, 0, 3, 0, 0, 10, 0, 0], &[1, 0, 0, 0]]),
            // Two numbers in short form, each with its style
            short(
                0x00BD,
                &[
                    &[0, 0, 4, 0],
                    &[0, 0, 10, 0, 0, 0],
                    &[2, 0, 14, 0, 0, 0],
                    &[5, 0],
                ],
            ),
            formula(0, 4_f64.to_le_bytes()),
            formula(1, [0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            short(0x0207, &[&[2, 0, 0], b"so"]),
            formula(4, [2, 0, 7, 0, 0, 0, 0xFF, 0xFF]),
            formula(5, [1, 0, 1, 0, 0, 0, 0xFF, 0xFF]),
            short(0x00E5, &[&[1, 0], &[2, 0, 2, 0, 1, 0, 2, 0]]),
            // A chart, whose records are not those of the sheet
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
        losses(&document),
        [("hidden_left_out", 2), ("chart_left_out", 1)]
    );
}

#[test]
fn xls_that_attacks_ends_in_an_error() {
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
    let bytes = xls(&[short(0x002F, &[&[1, 0]])]);
    assert!(opened(&bytes, Format::Xlsb).is_err());
}
