use super::*;
use crate::content::test_files::{compound, items, u16s, u32s};

const CONTAINER: u16 = 0xf;

fn record(version: u16, kind: u16, data: &[u8]) -> Vec<u8> {
    [
        u16s(&[version, kind]),
        u32s(&[data.len().try_into().unwrap()]),
        data.to_vec(),
    ]
    .concat()
}

fn text(text: &str) -> Vec<u8> {
    let header = record(0, 0x0f9f, &u32s(&[0]));
    let units: Vec<_> = text.encode_utf16().collect();
    [header, record(0, 0x0fa0, &u16s(&units))].concat()
}

fn shape(client_text_box: &[u8]) -> Vec<u8> {
    let shape = record(0x10 << 4, 0xf00a, &[0; 8]);
    let text_box = record(CONTAINER, 0xf00d, client_text_box);
    record(CONTAINER, 0xf004, &[shape, text_box].concat())
}

fn slide(shapes: &[u8], flags: u16) -> Vec<u8> {
    let group = record(CONTAINER, 0xf003, shapes);
    let drawing = record(CONTAINER, 0x040c, &record(CONTAINER, 0xf002, &group));
    let information = record(0, 0x03f9, &u16s(&[0, 0, 0, 0, 0, flags, 0, 0]));
    record(CONTAINER, SLIDE, &[drawing, information].concat())
}

/// A presentation with these slides, whose identifiers are in this order. The list of slides has an outline text after each.
fn presentation(slides: &[Vec<u8>], order: &[u32], token: u32) -> Vec<u8> {
    let entries = order.iter().flat_map(|id| {
        let persist = record(0, SLIDE_PERSIST, &u32s(&[*id, 0, 1, 0, 0]));
        [persist, text(&format!("outline {id}"))].concat()
    });
    let list = record(CONTAINER, SLIDE_LIST, &entries.collect::<Vec<_>>());
    let notes = record(
        CONTAINER | (2 << 4),
        SLIDE_LIST,
        &record(0, SLIDE_PERSIST, &u32s(&[1, 0, 0, 0, 0])),
    );
    let mut stream = record(CONTAINER, DOCUMENT, &[list, notes].concat());
    let mut offsets = vec![0];
    for slide in slides {
        offsets.push(u32::try_from(stream.len()).unwrap());
        stream.extend(slide);
    }
    let directory = u32::try_from(stream.len()).unwrap();
    let count = u32::try_from(offsets.len()).unwrap();
    offsets.insert(0, count << 20);
    stream.extend(record(0, 0x1772, &u32s(&offsets)));
    let edit = u32::try_from(stream.len()).unwrap();
    // An earlier edit cannot be at a later offset.
    stream.extend(record(0, 0x0ff5, &u32s(&[0, 0, 0, directory, 0, 0, 0])));
    let document_id = stream.len() - 12;
    stream[document_id..document_id + 4].copy_from_slice(&u32s(&[0]));
    let user = record(0, 0x0ff6, &u32s(&[20, token, edit]));
    compound(&[("Current User", &user), ("PowerPoint Document", &stream)])
}

const PLAIN: u32 = 0xe391_c05f;

#[test]
fn visible_slides_are_read_in_order() {
    let slides = [
        slide(&shape(&text("first\rof")), 0),
        slide(&shape(&text("hidden")), 1 << 2),
        slide(&shape(&text("last")), 0),
    ];
    let file = presentation(&slides, &[3, 2, 1], PLAIN);
    assert_eq!(items(&file, read).unwrap(), "[1]last|[3]first|of|");
}

#[test]
fn texts_of_the_outline_are_read_once() {
    let reference = shape(&record(0, 0x0f9e, &u32s(&[0])));
    let slides = [slide(&reference.repeat(2), 0)];
    let file = presentation(&slides, &[1], PLAIN);
    assert_eq!(items(&file, read).unwrap(), "[1]outline 1|");
}

#[test]
fn characters_that_stand_for_a_slide_number_are_omitted() {
    let number = [text("Page *"), record(0, 0x0fd8, &u32s(&[5]))].concat();
    let file = presentation(&[slide(&shape(&number), 0)], &[1], PLAIN);
    assert_eq!(items(&file, read).unwrap(), "[1]Page  |");
}

#[test]
fn encrypted_presentations_and_repeated_slides_are_unreadable() {
    let slides = [slide(&shape(&text(&"long ".repeat(200))), 0)];
    assert!(items(&presentation(&slides, &[1], PLAIN), read).is_ok());
    assert!(items(&presentation(&slides, &[1], 0xf3d1_c4df), read).is_err());
    assert!(items(&presentation(&slides, &[1; 9], PLAIN), read).is_err());
}
