use super::*;
use crate::content::test_files::{compound, items, u16s, u32s};

const TEXT: usize = 0x400;
const ALL: Scope = Scope {
    headers: true,
    running_text: false,
    text_boxes: true,
    tables_only: false,
    active_sheet_only: false,
    print_ranges: false,
    mixes_cells: false,
    is_aside: false,
    charts: true,
    diagrams: true,
    is_result: false,
    values: false,
    formulas: true,
};

/// A document whose text consists of pieces, which are UTF-16 if the flag is set. `counts` are the lengths of its stories; the
/// properties are of bytes from the start of the text.
struct Sample<'a> {
    version: u16,
    flags: u16,
    pieces: &'a [(&'a str, bool)],
    counts: [u32; 7],
    properties: &'a [(u32, u32, &'a [u8])],
}

impl Sample<'_> {
    fn new<'a>(pieces: &'a [(&'a str, bool)]) -> Sample<'a> {
        let len = pieces
            .iter()
            .map(|(text, _)| text.chars().count())
            .sum::<usize>();
        Sample {
            version: 193,
            flags: 0,
            pieces,
            counts: [len.try_into().unwrap(), 0, 0, 0, 0, 0, 0],
            properties: &[],
        }
    }

    fn read(&self, scope: Scope) -> Result<String, Unreadable> {
        let (document, table) = self.streams();
        let file = compound(&[("WordDocument", &document), ("0Table", &table)]);
        items(&file, |path, take| read(path, scope, take))
    }

    fn streams(&self) -> (Vec<u8>, Vec<u8>) {
        let mut document = vec![0; TEXT];
        let (mut positions, mut entries) = (vec![0], Vec::new());
        for (text, is_wide) in self.pieces {
            let offset = u32::try_from(document.len()).unwrap();
            let last = *positions.last().unwrap();
            positions.push(last + u32::try_from(text.chars().count()).unwrap());
            let offset = if *is_wide {
                offset
            } else {
                (offset * 2) | (1 << 30)
            };
            entries.extend([0; 2]);
            entries.extend(u32s(&[offset]));
            entries.extend([0; 2]);
            match is_wide {
                true => document.extend(u16s(&text.encode_utf16().collect::<Vec<_>>())),
                false => document.extend(encoding_rs::WINDOWS_1252.encode(text).0.iter()),
            }
        }
        let pieces = [u32s(&positions), entries].concat();
        let mut table = [vec![2], u32s(&[pieces.len().try_into().unwrap()]), pieces].concat();
        document.resize(document.len().next_multiple_of(512), 0);
        let page = u32::try_from(document.len() / 512).unwrap();
        document.extend(self.page());
        let pieces_len = table.len().try_into().unwrap();
        table.extend(u32s(&[0, u32::MAX, page]));
        let mut set = |position: usize, bytes: &[u8]| {
            document[position..position + bytes.len()].copy_from_slice(bytes);
        };
        set(0, &u16s(&[0xa5ec, self.version]));
        set(10, &u16s(&[self.flags]));
        set(0x4c, &u32s(&self.counts));
        set(0xfa, &u32s(&[pieces_len, 12]));
        set(0x1a2, &u32s(&[0, pieces_len]));
        (document, table)
    }

    fn page(&self) -> Vec<u8> {
        let text = u32::try_from(TEXT).unwrap();
        let mut page = vec![0; 512];
        let count = self.properties.len();
        let mut position = 400;
        for (index, (start, end, list)) in self.properties.iter().enumerate() {
            page[4 * index..4 * index + 8].copy_from_slice(&u32s(&[text + start, text + end]));
            page[4 * (count + 1) + index] = u8::try_from(position / 2).unwrap();
            page[position] = list.len().try_into().unwrap();
            page[position + 1..position + 1 + list.len()].copy_from_slice(list);
            position += 20;
        }
        page[511] = count.try_into().unwrap();
        page
    }
}

#[test]
fn pieces_of_any_encoding_are_joined() {
    let sample = Sample::new(&[
        ("Caf\u{e9} \u{201e}wi", false),
        ("de \u{3b1}", true),
        ("end\r", false),
    ]);
    assert_eq!(
        sample.read(ALL).unwrap(),
        "Caf\u{e9} \u{201e}wide \u{3b1}end|"
    );
}

#[test]
fn marks_end_words_and_instructions_are_omitted() {
    let text = "a\u{13}HYPERLINK \"x\"\u{14}link\u{15}b\u{13} PAGE \u{14}7\u{15}\rc\u{7}d\tf\u{1f}g\u{1}\u{2}\r";
    let pieces = [(text, false)];
    let sample = Sample::new(&pieces);
    assert_eq!(sample.read(ALL).unwrap(), "alinkb|c|d|fg|");
    let tables = Scope {
        tables_only: true,
        ..ALL
    };
    assert_eq!(sample.read(tables).unwrap(), "c|");
}

#[test]
fn notes_and_text_boxes_are_read_but_no_headers_and_comments() {
    let mut sample = Sample::new(&[("bo", false), ("dy\rnote\rhead\rremark\rend\rbox\r", true)]);
    sample.counts = [5, 5, 5, 0, 7, 4, 4];
    assert_eq!(sample.read(ALL).unwrap(), "body|note|end|box|");
    assert_eq!(sample.read(Scope::default()).unwrap(), "body|note|end|");
}

#[test]
fn hidden_and_deleted_text_is_omitted() {
    let mut sample = Sample::new(&[("shown hidden deleted bold\r", true)]);
    sample.properties = &[
        (0, 12, &[0x35, 0x08, 1]),
        // After a property with an operand of variable length
        (12, 26, &[0x47, 0xca, 2, 9, 9, 0x3c, 0x08, 1]),
        (26, 42, &[0x00, 0x08, 1]),
        (42, 52, &[0x3c, 0x08, 0]),
    ];
    assert_eq!(sample.read(ALL).unwrap(), "shown bold|");
}

#[test]
fn other_versions_and_encrypted_documents_are_unreadable() {
    let pieces = [("text\r", false)];
    for (version, flags, is_readable) in [(193, 0, true), (104, 0, false), (193, 0x100, false)] {
        let sample = Sample {
            version,
            flags,
            ..Sample::new(&pieces)
        };
        assert_eq!(sample.read(ALL).is_ok(), is_readable, "{version} {flags}");
    }
}

#[test]
fn pieces_cannot_repeat_the_text() {
    let (document, mut table) = Sample::new(&[("abcdefgh\r", false)]).streams();
    let repeated = 1000_u32;
    let positions: Vec<_> = (0..=repeated).map(|index| index * 9).collect();
    let entry = [vec![0; 2], u32s(&[0x800 | (1 << 30)]), vec![0; 2]].concat();
    let pieces = [u32s(&positions), entry.repeat(1000)].concat();
    table = [
        vec![2],
        u32s(&[pieces.len().try_into().unwrap()]),
        pieces,
        table,
    ]
    .concat();
    let mut document = document;
    document[0x1a2..0x1aa].copy_from_slice(&u32s(&[0, table.len().try_into().unwrap()]));
    let file = compound(&[("WordDocument", &document), ("0Table", &table)]);
    assert!(items(&file, |path, take| read(path, ALL, take)).is_err());
}
