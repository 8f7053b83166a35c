//! Reads the file information block [MS-DOC, 2.5]: where the other structures are.

use std::ops::Range;

use crate::content::bytes::Bytes as _;
use crate::content::item::Unreadable;
use crate::content::scope::Scope;

/// The file information block.
pub(super) struct FileInformation<'a> {
    block: &'a [u8],
}

const SIGNATURE: u16 = 0xa5ec;
/// Version of Word 97. The structure of earlier ones is another.
const WORD_97: u16 = 193;

const IS_ENCRYPTED: u16 = 1 << 8;
const USES_TABLE_1: u16 = 1 << 9;

/// Positions of the numbers of characters: body, footnotes, headers, macros, comments, endnotes, text boxes.
const COUNTS: usize = 0x4c;
/// Positions of offset and length of structures in the table stream.
const RUN_PAGES: usize = 0xfa;
const PIECES: usize = 0x1a2;
const DRAWINGS: usize = 0x22a;

impl<'a> FileInformation<'a> {
    pub(super) fn read(document: &'a [u8]) -> Result<Self, Unreadable> {
        let is_supported = document.u16_at(0) == Some(SIGNATURE)
            && document.u16_at(2).is_some_and(|version| version >= WORD_97);
        let information = Self { block: document };
        match is_supported && information.flags() & IS_ENCRYPTED == 0 {
            true => Ok(information),
            false => Err(Unreadable),
        }
    }

    fn flags(&self) -> u16 {
        self.block.u16_at(10).unwrap_or(0)
    }

    pub(super) fn table_name(&self) -> &'static str {
        match self.flags() & USES_TABLE_1 {
            0 => "0Table",
            _ => "1Table",
        }
    }

    /// The pieces that the text consists of.
    pub(super) fn pieces<'t>(&self, table: &'t [u8]) -> Result<&'t [u8], Unreadable> {
        self.structure(PIECES, table)
    }

    /// The pages with the properties of characters.
    pub(super) fn run_pages<'t>(&self, table: &'t [u8]) -> Result<&'t [u8], Unreadable> {
        self.structure(RUN_PAGES, table)
    }

    /// Shapes of the body and of headers.
    pub(super) fn drawings<'t>(&self, table: &'t [u8]) -> Result<&'t [u8], Unreadable> {
        self.structure(DRAWINGS, table)
    }

    fn structure<'t>(&self, position: usize, table: &'t [u8]) -> Result<&'t [u8], Unreadable> {
        let start = self.block.usize_at(position);
        let len = self.block.usize_at(position + 4);
        let span = start.zip(len).map(|(start, len)| match len {
            0 => Some([].as_slice()),
            _ => table.span(start, len),
        });
        span.flatten().ok_or(Unreadable)
    }

    /// Character positions of the parts of the text that are read: body, footnotes, endnotes and text boxes.
    pub(super) fn stories(&self, scope: Scope) -> Vec<Range<usize>> {
        let (mut stories, mut start) = (Vec::new(), 0_usize);
        for index in 0..7 {
            let len = self.block.usize_at(COUNTS + 4 * index).unwrap_or(0);
            let end = start.saturating_add(len);
            let is_read = match index {
                0 => true,
                1 | 5 => !scope.tables_only,
                6 => scope.text_boxes && !scope.tables_only,
                _ => false,
            };
            if is_read {
                stories.push(start..end);
            }
            start = end;
        }
        stories
    }
}
