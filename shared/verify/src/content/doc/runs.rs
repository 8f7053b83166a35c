//! Reads the properties of characters [MS-DOC, 2.9.33] that decide whether they are text.

use crate::content::bytes::Bytes as _;

/// A run of characters that is not plain text.
pub(super) struct Run {
    /// Offsets in the stream.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: RunKind,
}

#[derive(Clone, Copy)]
pub(super) enum RunKind {
    /// Hidden, deleted by a tracked change, or of a symbol font.
    Hidden,
    /// An image, with its offset in the data stream.
    Image(usize),
}

/// Bytes of a page of runs.
const PAGE: usize = 512;

/// Reads the runs in the order of their offsets. Runs that are not in order are omitted.
pub(super) fn runs(document: &[u8], pages: &[u8]) -> Vec<Run> {
    let mut runs = Vec::new();
    let count = pages.len().saturating_sub(4) / 8;
    // A stream has no more pages than fit into it.
    for index in 0..count.min(document.len() / PAGE) {
        let number = pages.usize_at(4 * (count + 1) + 4 * index);
        let start = number.map(|number| (number & 0x3f_ffff) * PAGE);
        if let Some(page) = start.and_then(|start| document.span(start, PAGE)) {
            read_page(page, &mut runs);
        }
    }
    runs
}

fn read_page(page: &[u8], runs: &mut Vec<Run>) {
    let count = usize::from(page.u8_at(PAGE - 1).unwrap_or(0));
    for index in 0..count {
        let start = page.usize_at(4 * index);
        let end = page.usize_at(4 * (index + 1));
        let position = page
            .u8_at(4 * (count + 1) + index)
            .map(|half| 2 * usize::from(half));
        let (Some(start), Some(end), Some(position)) = (start, end, position) else {
            return;
        };
        let len = page
            .u8_at(position)
            .filter(|_| position > 0)
            .map(usize::from);
        let kind = len
            .and_then(|len| page.span(position + 1, len))
            .and_then(|list| Properties::read(list).kind());
        let last_end = runs.last().map_or(0, |run| run.end);
        if let Some(kind) = kind
            && last_end <= start
            && start < end
        {
            runs.push(Run { start, end, kind });
        }
    }
}

/// Properties of characters.
#[derive(Default)]
pub(super) struct Properties {
    pub(super) is_hidden: bool,
    image: Option<usize>,
    /// Whether the image is the data of a form field.
    is_field_data: bool,
}

impl Properties {
    /// Reads a list of property modifiers.
    pub(super) fn read(mut list: &[u8]) -> Self {
        let mut properties = Self::default();
        while let Some(code) = list.u16_at(0) {
            let len = operand_len(code, list);
            properties.set(code, list);
            list = list.get(2 + len..).unwrap_or_default();
        }
        properties
    }

    fn set(&mut self, code: u16, list: &[u8]) {
        let operand = list.u8_at(2).unwrap_or(0);
        match code {
            // Deleted, hidden. The value 0x81 reverses the style.
            0x0800 | 0x083c => self.is_hidden |= matches!(operand, 1 | 0x81),
            // A character of a symbol font.
            0x6a09 => self.is_hidden = true,
            0x6a03 => self.image = list.usize_at(2),
            0x0806 => self.is_field_data = operand == 1,
            _ => {}
        }
    }

    fn kind(&self) -> Option<RunKind> {
        match self.is_hidden {
            true => Some(RunKind::Hidden),
            false => self
                .image
                .filter(|_| !self.is_field_data)
                .map(RunKind::Image),
        }
    }
}

/// Bytes of the operand of a property modifier.
fn operand_len(code: u16, list: &[u8]) -> usize {
    match code >> 13 {
        0 | 1 => 1,
        2 | 4 | 5 => 2,
        3 => 4,
        7 => 3,
        // A table definition has a longer length field.
        _ if code == 0xd608 => 1 + usize::from(list.u16_at(2).unwrap_or(0)),
        _ => 1 + usize::from(list.u8_at(2).unwrap_or(0)),
    }
}
