//! Lines of all pages → statistics of the document, such as its body style, headers and footers.

pub(super) mod headers_footers;
pub(super) mod headings;
pub(super) mod levels;
pub(super) mod margins;
pub(super) mod statistics;

use std::collections::{BTreeMap, HashMap};

use crate::analysis::candidates::candidate::Trace;
use crate::analysis::candidates::weights::headings::HEADINGS;
use crate::analysis::front::Front;
use crate::analysis::glyphs::turn::Turn;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker;
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::lines::ticked::ticked;
use crate::analysis::lines::words::Words;
use crate::analysis::survey::headers_footers::{Edges, rows};
use crate::analysis::survey::headings::page_lines::PageLines;
use crate::analysis::survey::levels::Sample;
use crate::analysis::survey::margins::Margins;
use crate::analysis::survey::statistics::{DocumentStatistics, Use};
use crate::model::page_content::PageContent;

/// Maximum number of different styles.
const LOOKS: usize = 512;
/// Maximum number of page widths with separate margins.
const WIDTHS: usize = 64;
/// Maximum line pitch of a heading, as a fraction of the font size.
const PITCH: f32 = 1.3;
/// Score of text that is too long for a heading in any style.
const PARAGRAPH_SCORE: f32 = f32::NEG_INFINITY;
/// Minimum number of lines of a paragraph that begins the text of a document.
const PARAGRAPH: usize = 3;
/// Maximum number of paragraphs of a style that are scored as headings.
const SAMPLES: usize = 100;
/// Height of the lower part of a page, as a fraction of the page height, which may be footnotes, and how much its characters
/// and those of paragraphs count for the body style.
const LOWER: f32 = 0.85;
const LOWER_WEIGHT: f32 = 0.5;
const PARAGRAPH_WEIGHT: f32 = 3.0;

/// Collects the statistics of a document; memory does not grow with the number of pages.
#[derive(Default)]
pub struct Survey {
    looks: HashMap<TextStyle, Use>,
    /// Frequency of line pitches, in hundredths of the font size.
    pitches: HashMap<u32, usize>,
    margins: HashMap<u32, Margins>,
    edges: Edges,
    words: Words,
    pages: u32,
}

impl Survey {
    /// Adds a page. Every page must be added once, in order.
    pub fn note(&mut self, sheet: &PageContent) {
        let ticked = ticked(sheet);
        let sheet = ticked.as_ref().unwrap_or(sheet);
        let turned = Turn::of(sheet).sheet(sheet);
        let sheet = turned.as_ref().unwrap_or(sheet);
        let front = Front::of(sheet, &Trace::default());
        self.pages += 1;
        front.lines.iter().for_each(|line| self.words.note(line));
        let page = PageLines::of(
            &front.lines,
            front.drawn.page,
            &sheet.outline,
            &front.drawn.fields,
        );
        front
            .lines
            .iter()
            .for_each(|line| self.note_style(line, &page));
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
        self.note_pitches(&rows);
        let lines: Vec<Line> = rows.into_iter().flat_map(with_number).collect();
        for column in columns(lines.iter()) {
            let mut parts = column.chunk_by(|one, other| goes_on(one, other)).peekable();
            while let Some(lines) = parts.next() {
                let next = parts.peek().and_then(|next| next.first());
                let is_label = next.is_some_and(|next| headings::is_label(lines, next));
                self.note_heading(lines, &page, is_label);
            }
        }
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

    /// Counts the characters of a style for the body style.
    fn note_style(&mut self, line: &Line, page: &PageLines) {
        let Some(found) = self.usage([line]) else {
            return;
        };
        let count = line.glyphs().count();
        found.lines += 1;
        let is_low = line.baseline > page.page.height() * LOWER;
        let is_paragraph = page.is_in_block(line);
        #[expect(clippy::cast_precision_loss, reason = "it is a sum of weights")]
        let weight = count as f32
            * if is_low { LOWER_WEIGHT } else { 1.0 }
            * if is_paragraph { PARAGRAPH_WEIGHT } else { 1.0 };
        found.body += weight;
    }

    /// Scores lines of one style as a heading, apart from their style.
    fn note_heading(&mut self, lines: &[&Line], page: &PageLines, is_label: bool) {
        let Some(first) = lines.first() else {
            return;
        };
        let score = headings::features(lines, page).map(|found| HEADINGS.weighted(&found));
        let at = (self.pages, first.baseline);
        let Some(found) = self.usage(lines.iter().copied()) else {
            return;
        };
        if lines.len() >= PARAGRAPH && found.paragraph.is_none_or(|first| at < first) {
            found.paragraph = Some(at);
        }
        if found.samples.len() >= SAMPLES {
            return;
        }
        let outlined = page.outline.depth(lines);
        found.samples.push(Sample {
            score: score.unwrap_or(PARAGRAPH_SCORE),
            depth: outlined.or_else(|| numbered(first)),
            is_outlined: outlined.is_some(),
            is_label,
            at,
            is_in_contents: page.has_entries(),
        });
    }

    fn usage<'l>(&mut self, lines: impl IntoIterator<Item = &'l Line>) -> Option<&mut Use> {
        let look = TextStyle::of_most(lines)?;
        match self.looks.len() < LOOKS {
            true => Some(self.looks.entry(look).or_default()),
            false => self.looks.get_mut(&look),
        }
    }

    /// Counts the pitch of consecutive full lines of a column.
    fn note_pitches(&mut self, rows: &[Vec<Line>]) {
        for lines in columns(rows.iter().flatten()) {
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
pub(in crate::analysis) fn numbered(line: &Line) -> Option<usize> {
    let first = marker::latin_digits(&line.pieces.first()?.text());
    let first = match line.is_mirrored() {
        true => marker::from_right(&first),
        false => first,
    };
    let parts: Vec<&str> = first.trim_end_matches('.').split('.').collect();
    let is_number = |part: &&str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_depth = line.pieces.len() > 1 && parts.len() <= 6 && parts.iter().all(is_number);
    is_depth.then_some(parts.len())
}

/// Joins a number to the text of its row.
fn with_number(row: Vec<Line>) -> Vec<Line> {
    let is_number = |line: &Line| {
        line.glyphs()
            .all(|glyph| glyph.text.is_numeric() || glyph.text.is_ascii_punctuation())
    };
    match &*row {
        [number, _] if is_number(number) => Line::joined(row).into_iter().collect(),
        _ => row,
    }
}

/// Returns the lines that begin at the same position, from top to bottom.
fn columns<'l>(lines: impl Iterator<Item = &'l Line>) -> impl Iterator<Item = Vec<&'l Line>> {
    let mut columns: BTreeMap<(bool, i32), Vec<&Line>> = BTreeMap::new();
    for line in lines {
        let from_right = line.is_from_right();
        let start = if from_right {
            line.bounds.right
        } else {
            line.bounds.left
        };
        #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
        let place = (start / 2.0).round() as i32;
        columns.entry((from_right, place)).or_default().push(line);
    }
    columns.into_values()
}

/// Whether two lines of a column are of one paragraph or heading.
fn goes_on(one: &Line, other: &Line) -> bool {
    let (last, first) = (one.glyphs().last(), other.glyphs().next());
    let is_same = last
        .zip(first)
        .is_some_and(|(last, first)| last.font.is_bold == first.font.is_bold);
    is_same
        && (one.size - other.size).abs() < one.size * 0.03
        && other.baseline - one.baseline < one.size * PITCH
}
