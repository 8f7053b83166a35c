//! The first pass: collects the statistics of a document.

use std::collections::{BTreeMap, HashMap};

use super::bidi;
use super::edges::{Edges, rows};
use super::front::Front;
use super::line::Line;
use super::look::Look;
use super::margins::Margins;
use super::statistics::{DocumentStatistics, Use};
use super::turn::Turn;
use super::words::Words;
use crate::model::page_content::PageContent;

/// Maximum number of different styles.
const LOOKS: usize = 512;
/// Maximum number of page widths with separate margins.
const WIDTHS: usize = 64;
/// Maximum length of a heading in characters.
const LONGEST: usize = 160;

/// Collects the statistics of a document; memory does not grow with the number of pages.
#[derive(Default)]
pub struct Survey {
    looks: HashMap<Look, Use>,
    /// Frequency of line pitches, in hundredths of the font size.
    pitches: HashMap<u32, usize>,
    margins: HashMap<u32, Margins>,
    edges: Edges,
    words: Words,
}

impl Survey {
    /// Adds a page. Every page must be added once, in order.
    pub fn note(&mut self, sheet: &PageContent) {
        let turned = Turn::of(sheet).sheet(sheet);
        let sheet = turned.as_ref().unwrap_or(sheet);
        let front = Front::of(sheet);
        front.lines.iter().for_each(|line| self.words.note(line));
        let has_tables = front.lines.iter().any(|line| line.zone() > 0);
        let rows = rows(
            front
                .lines
                .into_iter()
                .filter(|line| line.zone() == 0 && !line.is_turned()),
        );
        let has_more = has_tables || !sheet.pictures.is_empty();
        let inner = self
            .edges
            .note(&rows, &front.drawn.page, sheet.number, has_more);
        let margins = match self.margins.len() < WIDTHS {
            true => Some(
                self.margins
                    .entry(Margins::key(&front.drawn.page))
                    .or_default(),
            ),
            false => self.margins.get_mut(&Margins::key(&front.drawn.page)),
        };
        if let Some(margins) = margins {
            for (place, row) in rows.iter().enumerate() {
                let is_inner = inner.contains(&place);
                row.iter().for_each(|line| margins.note(line, is_inner));
            }
        }
        for row in &rows {
            let is_alone = is_one(row);
            let depth = row.first().and_then(depth);
            row.iter()
                .for_each(|line| self.note_line(line, is_alone, depth));
        }
        self.note_pitches(&rows);
    }

    /// Returns the statistics.
    #[must_use]
    pub fn finish(self) -> DocumentStatistics {
        DocumentStatistics::new(
            self.looks,
            &self.pitches,
            self.margins,
            &self.edges,
            self.words,
        )
    }

    fn note_line(&mut self, line: &Line, is_alone: bool, depth: Option<usize>) {
        let Some(look) = Look::of_all([line]) else {
            return;
        };
        if self.looks.len() >= LOOKS && !self.looks.contains_key(&look) {
            return;
        }
        let count = line.glyphs().count();
        let ends = line
            .glyphs()
            .last()
            .is_some_and(|glyph| ends_sentence(glyph.text));
        let found = self.looks.entry(look).or_default();
        found.characters += count;
        let may_be_title = count <= LONGEST && !ends;
        let is_title = is_alone && may_be_title;
        found.titles += usize::from(is_title);
        found.beside += usize::from(may_be_title && !is_alone);
        let depth = depth.filter(|_| is_title);
        let met = depth.and_then(|depth| found.depths.get_mut(depth - 1));
        met.into_iter().for_each(|met| *met += 1);
    }

    /// Counts the pitch of consecutive full lines of a column.
    fn note_pitches(&mut self, rows: &[Vec<Line>]) {
        let mut columns: BTreeMap<(bool, i32), Vec<&Line>> = BTreeMap::new();
        for line in rows.iter().flatten() {
            let from_right = bidi::is_mostly_from_right(line.glyphs().map(|glyph| glyph.text));
            let start = if from_right {
                line.bounds.right
            } else {
                line.bounds.left
            };
            #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
            let place = (start / 2.0).round() as i32;
            columns.entry((from_right, place)).or_default().push(line);
        }
        for lines in columns.values() {
            let longest = lines
                .iter()
                .map(|line| line.bounds.width())
                .fold(0.0, f32::max);
            for pair in lines.windows(2) {
                if let [one, other] = pair {
                    self.note_pitch(one, other, longest);
                }
            }
        }
    }

    fn note_pitch(&mut self, one: &Line, other: &Line, longest: f32) {
        let apart = (other.baseline - one.baseline) / one.size;
        let is_full = one.bounds.width() > longest - one.size * 6.0;
        let is_same = (one.size - other.size).abs() < one.size * 0.03;
        if is_full && is_same && (0.8..3.0).contains(&apart) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is from 0.8 to 3"
            )]
            let key = (apart * 50.0).round() as u32;
            *self.pitches.entry(key).or_default() += 1;
        }
    }
}

/// Returns the depth of the number that a line begins with, from 1 to 6: `2.1` has depth 2.
pub(super) fn numbered(line: &Line) -> Option<usize> {
    depth(line).filter(|_| line.pieces.len() > 1)
}

/// Returns the depth also if the line consists of the number alone.
fn depth(line: &Line) -> Option<usize> {
    let first = line.pieces.first()?.text();
    let parts: Vec<&str> = first.trim_end_matches('.').split('.').collect();
    let is_number = |part: &&str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    (parts.len() <= 6 && parts.iter().all(is_number)).then_some(parts.len())
}

/// Whether a row is a single line, apart from its number.
fn is_one(row: &[Line]) -> bool {
    match row {
        [_] => true,
        [number, _] => number
            .glyphs()
            .all(|glyph| glyph.text.is_numeric() || glyph.text.is_ascii_punctuation()),
        _ => false,
    }
}

/// Whether a character may end a sentence or a clause.
pub(super) fn ends_sentence(text: char) -> bool {
    matches!(text, '.' | ',' | ';' | ':' | '…' | '。' | '、' | '؛' | '،')
}
