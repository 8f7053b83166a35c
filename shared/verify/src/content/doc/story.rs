//! Reads the characters of a story [MS-DOC, 2.4.1]: text, and marks of paragraphs, cells, fields and images.

use super::runs::RunKind;
use crate::content::art::{is_raster_image, records};
use crate::content::bytes::Bytes as _;
use crate::content::fields::Fields;
use crate::content::item::{Item, Place};
use crate::content::scope::Scope;

/// Reads the characters of a story.
pub(super) struct StoryReader<'a, 't> {
    scope: Scope,
    /// The stream with the images.
    data: &'a [u8],
    fields: Fields,
    text: String,
    take: &'a mut (dyn FnMut(Item<'_>, Place) + 't),
}

/// Maximum number of records in which an image is searched.
const MAX_RECORDS: usize = 16;

impl<'a, 't> StoryReader<'a, 't> {
    pub(super) fn new(
        scope: Scope,
        data: &'a [u8],
        take: &'a mut (dyn FnMut(Item<'_>, Place) + 't),
    ) -> Self {
        Self {
            scope,
            data,
            fields: Fields::default(),
            text: String::new(),
            take,
        }
    }

    pub(super) fn character(&mut self, character: char, kind: Option<RunKind>) {
        match (character, kind) {
            ('\u{13}', _) => {
                self.fields.mark(Some("begin"));
                self.fields.begin_instruction();
            }
            ('\u{14}', _) => self.field_mark("separate"),
            ('\u{15}', _) => self.field_mark("end"),
            ('\u{7}', _) => self.end_cell(),
            ('\r', _) => self.end_paragraph(),
            ('\t' | '\u{b}' | '\u{c}' | '\u{e}', _) => self.text.push('\n'),
            (_, Some(RunKind::Hidden)) => {}
            (_, _) if self.fields.is_instruction() => {
                self.fields.instruction(character.encode_utf8(&mut [0; 4]));
            }
            (_, _) if self.fields.is_recalculated() => {}
            ('\u{1}', Some(RunKind::Image(offset))) => self.image(offset),
            ('\u{1e}', _) => self.text.push('\u{2011}'),
            ('\0'..='\u{1f}' | '\u{f000}'..='\u{f0ff}', _) => {}
            _ => self.text.push(character),
        }
    }

    /// Ends the story.
    pub(super) fn end(mut self) {
        self.end_paragraph();
    }

    fn field_mark(&mut self, mark: &str) {
        self.fields.mark(Some(mark));
        self.fields.end_instruction();
    }

    /// A paragraph with this end may be in a table, too, but is not the last one of its cell.
    fn end_paragraph(&mut self) {
        if self.scope.tables_only {
            self.text.clear();
        }
        self.end_cell();
    }

    fn end_cell(&mut self) {
        for line in self.text.split('\n').filter(|line| !line.is_empty()) {
            (self.take)(Item::Text(line), Place::default());
            (self.take)(Item::Break, Place::default());
        }
        self.text.clear();
    }

    fn image(&mut self, offset: usize) {
        let header = self.data.get(offset..).unwrap_or_default();
        let end = header.usize_at(0).unwrap_or(0).min(header.len());
        let mut start = usize::from(header.u16_at(4).unwrap_or(0));
        // A linked image has its name before the records.
        if header.u16_at(6) == Some(0x66) {
            start += 1 + usize::from(header.u8_at(start).unwrap_or(0));
        }
        let mut records = records(header.get(start..end).unwrap_or_default()).take(MAX_RECORDS);
        if !self.scope.tables_only && records.any(|record| is_raster_image(&record)) {
            (self.take)(Item::Image, Place::default());
        }
    }
}
