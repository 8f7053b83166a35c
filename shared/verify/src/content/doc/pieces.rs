//! Reads the piece table [MS-DOC, 2.9.38]: where in the stream the characters are.

use std::ops::Range;

use encoding_rs::WINDOWS_1252;

use super::runs::{Properties, Run, RunKind};
use super::story::StoryReader;
use crate::content::bytes::{Bytes as _, utf16};
use crate::content::item::Unreadable;

/// Consecutive characters of the text.
pub(super) struct Piece {
    /// Character positions.
    positions: Range<usize>,
    /// Offset in the stream.
    offset: usize,
    /// Bytes of a character: 1 for Windows-1252, 2 for UTF-16.
    width: usize,
    is_hidden: bool,
}

const PROPERTIES: u8 = 1;
const PIECE_TABLE: u8 = 2;
/// Bytes of a piece in the table.
const PIECE: usize = 8;
const IS_COMPRESSED: usize = 1 << 30;

/// Reads the pieces, which together have at most the length of the stream.
pub(super) fn pieces(table: &[u8], stream_len: usize) -> Result<Vec<Piece>, Unreadable> {
    parse(table, stream_len).ok_or(Unreadable)
}

fn parse(mut table: &[u8], stream_len: usize) -> Option<Vec<Piece>> {
    let mut properties = Vec::new();
    while table.u8_at(0)? == PROPERTIES {
        let len = usize::from(table.u16_at(1)?);
        properties.push(table.span(3, len)?);
        table = table.get(3 + len..)?;
    }
    if table.u8_at(0)? != PIECE_TABLE {
        return None;
    }
    let table = table.span(5, table.usize_at(1)?)?;
    let count = table.len().checked_sub(4)? / (4 + PIECE);
    let mut left = stream_len;
    let pieces = (0..count).map(|index| {
        let start = table.usize_at(4 * index)?;
        let end = table.usize_at(4 * (index + 1))?;
        let piece = 4 * (count + 1) + PIECE * index;
        let offset = table.usize_at(piece + 2)?;
        let (offset, width) = match offset & IS_COMPRESSED {
            0 => (offset, 2),
            _ => ((offset & !IS_COMPRESSED) / 2, 1),
        };
        let is_hidden = is_hidden(table.u16_at(piece + 6)?, &properties);
        left = left.checked_sub(end.checked_sub(start)?.checked_mul(width)?)?;
        Some(Piece {
            positions: start..end,
            offset,
            width,
            is_hidden,
        })
    });
    pieces.collect()
}

/// Whether the property modifier of a piece hides it.
fn is_hidden(modifier: u16, properties: &[&[u8]]) -> bool {
    let index = usize::from(modifier >> 1);
    match modifier & 1 {
        1 => properties
            .get(index)
            .is_some_and(|list| Properties::read(list).is_hidden),
        // The short forms of "deleted" and "hidden".
        _ => matches!(index & 0x7f, 0x41 | 0x5c) && modifier >> 8 == 1,
    }
}

impl Piece {
    /// Reads the characters that belong to a story.
    pub(super) fn read(
        &self,
        document: &[u8],
        story: Range<usize>,
        runs: &[Run],
        reader: &mut StoryReader<'_, '_>,
    ) -> Result<(), Unreadable> {
        let start = self.positions.start.max(story.start);
        let end = self.positions.end.min(story.end);
        if start >= end {
            return Ok(());
        }
        let offset = |position: usize| self.offset + (position - self.positions.start) * self.width;
        let (mut start, end) = (offset(start), offset(end));
        let next = runs.partition_point(|run| run.end <= start);
        for run in runs.get(next..).unwrap_or_default() {
            if run.start >= end {
                break;
            }
            let run_start = self.align(start, run.start.max(start));
            let run_end = self.align(start, run.end.min(end));
            self.characters(document, start..run_start, None, reader)?;
            self.characters(document, run_start..run_end, Some(run.kind), reader)?;
            start = run_end;
        }
        self.characters(document, start..end, None, reader)
    }

    /// Rounds an offset to the start of a character.
    fn align(&self, start: usize, offset: usize) -> usize {
        offset - (offset - start) % self.width
    }

    fn characters(
        &self,
        document: &[u8],
        range: Range<usize>,
        kind: Option<RunKind>,
        reader: &mut StoryReader<'_, '_>,
    ) -> Result<(), Unreadable> {
        let bytes = document.get(range).ok_or(Unreadable)?;
        let kind = match self.is_hidden {
            true => Some(RunKind::Hidden),
            false => kind,
        };
        match self.width {
            1 => {
                let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
                text.chars()
                    .for_each(|character| reader.character(character, kind));
            }
            _ => utf16(bytes).for_each(|character| reader.character(character, kind)),
        }
        Ok(())
    }
}
