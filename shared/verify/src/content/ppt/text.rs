//! Reads the text of shapes [MS-PPT, 2.9], except characters that stand for a slide number, date, header or footer.

use std::collections::HashSet;

use crate::content::art::Record;
use crate::content::bytes::Bytes as _;
use crate::content::item::Item;

const TEXT_HEADER: u16 = 0x0f9f;
const TEXT_CHARACTERS: u16 = 0x0fa0;
const TEXT_BYTES: u16 = 0x0fa8;
/// Slide number, date, generic date, header, footer, date as RTF.
const PLACEHOLDERS: [u16; 6] = [0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa, 0x1015];

/// The text of a shape.
#[derive(Default)]
pub(super) struct TextBox<'a> {
    text: &'a [u8],
    /// Whether each character has one byte; else UTF-16.
    is_bytes: bool,
    /// Positions of characters that stand for another text.
    placeholders: HashSet<usize>,
}

/// Reads the texts that a sequence of records has.
pub(super) fn text_boxes<'a>(records: impl Iterator<Item = Record<'a>>) -> Vec<TextBox<'a>> {
    let mut boxes: Vec<TextBox<'a>> = Vec::new();
    for record in records {
        if record.kind == TEXT_HEADER {
            boxes.push(TextBox::default());
        }
        let Some(text_box) = boxes.last_mut() else {
            continue;
        };
        match record.kind {
            TEXT_CHARACTERS | TEXT_BYTES => {
                text_box.text = record.data;
                text_box.is_bytes = record.kind == TEXT_BYTES;
            }
            kind if PLACEHOLDERS.contains(&kind) => {
                text_box.placeholders.extend(record.data.usize_at(0));
            }
            _ => {}
        }
    }
    boxes
}

impl TextBox<'_> {
    /// Calls `emit` with the lines of the text.
    pub(super) fn read(&self, emit: &mut dyn FnMut(Item<'_>)) {
        let mut units: Vec<u16> = match self.is_bytes {
            true => self.text.iter().copied().map(u16::from).collect(),
            false => self
                .text
                .chunks_exact(2)
                .filter_map(|unit| unit.u16_at(0))
                .collect(),
        };
        for position in &self.placeholders {
            if let Some(unit) = units.get_mut(*position) {
                *unit = u16::from(b' ');
            }
        }
        let text: String = char::decode_utf16(units).flatten().collect();
        for line in text.split(|character: char| character.is_ascii_control()) {
            if !line.is_empty() {
                emit(Item::Text(line));
                emit(Item::Break);
            }
        }
    }
}
