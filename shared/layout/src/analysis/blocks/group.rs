//! Lines → groups: the lines of one paragraph or list item.

mod markers;

use self::markers::markers;
pub(in crate::analysis) use self::markers::{marker_of, without_marker};
use crate::analysis::blocks::inset::Inset;
use crate::analysis::blocks::stretch;
use crate::analysis::glyphs::piece::Piece;
use crate::analysis::lines::code;
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker::Marker;
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::lines::typed::is_set_out;
use crate::analysis::lines::write::ends_sentence;
use crate::analysis::survey::headings::CHECK_BOXES;
use crate::analysis::survey::statistics::DocumentStatistics;

/// Maximum number of previous lines that are examined.
const LINES: usize = 40;

/// Maximum line pitch of a heading, and minimum size of one whose lines are joined, as fractions of the font size and of that
/// of the body.
const PITCH: f32 = 1.3;
const LARGE: f32 = 1.15;

/// Minimum width of a gap within a line that is no space, as a fraction of the font size, and tolerance for aligned text, points.
const GAP: f32 = 1.5;
const LEVEL: f32 = 1.0;

/// The lines of a paragraph or list item.
#[derive(Debug)]
pub(in crate::analysis) struct Group {
    pub(in crate::analysis) lines: Vec<Line>,
    /// Marker that the first line begins with.
    pub(in crate::analysis) marker: Option<(Marker, String)>,
}

/// Splits lines, sorted from top to bottom, into groups.
pub(in crate::analysis) fn groups(
    lines: Vec<Line>,
    margins: Margins,
    statistics: &DocumentStatistics,
) -> Vec<Group> {
    let mut markers = markers(&lines, margins, statistics);
    let code = match statistics.is_typewritten() {
        true => Vec::new(),
        false => code::blocks(&lines),
    };
    for block in &code {
        let markers = markers.get_mut(block.clone()).unwrap_or_default();
        markers.iter_mut().for_each(|marker| *marker = None);
    }
    let mut breaks: Vec<bool> = breaks(&lines, &markers, margins, statistics);
    for block in code {
        // A text before or after code does not belong to it.
        let ends = [block.start, block.end];
        ends.into_iter().for_each(|end| set(&mut breaks, end, true));
        (block.start + 1..block.end).for_each(|line| set(&mut breaks, line, false));
    }
    let mut groups: Vec<Group> = Vec::new();
    for ((line, marker), begins) in lines.into_iter().zip(markers).zip(breaks) {
        match groups.last_mut().filter(|_| !begins) {
            Some(group) => group.lines.push(line),
            None => groups.push(Group {
                lines: vec![line],
                marker,
            }),
        }
    }
    groups
}

fn set(breaks: &mut [bool], line: usize, begins: bool) {
    let place = breaks.get_mut(line);
    place.into_iter().for_each(|place| *place = begins);
}

fn breaks(
    lines: &[Line],
    markers: &[Option<(Marker, String)>],
    margins: Margins,
    statistics: &DocumentStatistics,
) -> Vec<bool> {
    let ends = stretch::ends(lines, margins);
    let inset = Inset::of(lines, markers, margins);
    let mut breaks = vec![true];
    let mut first = 0;
    for (index, pair) in lines.windows(2).enumerate() {
        let [one, other] = pair else { continue };
        // Only the most recent lines of the group are examined, to bound the cost.
        let begin = first.max((index + 1).saturating_sub(LINES));
        let group = lines.get(begin..=index).unwrap_or_default();
        let is_item = markers.get(first).is_some_and(Option::is_some);
        let begins = markers.get(index + 1).is_some_and(Option::is_some);
        let step = Step {
            group,
            one,
            other,
            after: lines.get(index + 2),
            margins,
            end: ends.get(index).copied().unwrap_or(margins.end),
            statistics,
            is_item,
            inset: &inset,
            is_first: first == index,
        };
        let breaks_here = begins || step.breaks();
        breaks.push(breaks_here);
        if breaks_here {
            first = index + 1;
        }
    }
    breaks
}

/// Two consecutive lines.
struct Step<'a> {
    /// Lines of the current group.
    group: &'a [Line],
    one: &'a Line,
    other: &'a Line,
    after: Option<&'a Line>,
    margins: Margins,
    /// Maximum end of its lines.
    end: f32,
    statistics: &'a DocumentStatistics,
    is_item: bool,
    /// First-line indents of the page.
    inset: &'a Inset,
    /// Whether the upper line is the first of its group.
    is_first: bool,
}

impl Step<'_> {
    /// Whether the lower line begins a new group.
    fn breaks(&self) -> bool {
        self.one.is_turned()
            || self.other.is_turned()
            || is_set_out(self.one)
            || is_set_out(self.other)
            || self.begins_with_check_box()
            || self.looks_different()
            || self.is_apart()
            || self.is_indented()
            || self.is_inset()
            || self.had_room() && !self.is_in_heading()
    }

    /// Whether the lower line is another choice of a form.
    fn begins_with_check_box(&self) -> bool {
        let first = self.other.glyphs().next();
        first.is_some_and(|first| CHECK_BOXES.contains(first.text))
    }

    fn looks_different(&self) -> bool {
        let (small, large) = (
            self.one.size.min(self.other.size),
            self.one.size.max(self.other.size),
        );
        if large > small * 1.07 {
            return true;
        }
        let (before, after) = (
            TextStyle::of_all(self.group),
            TextStyle::of_all([self.other]),
        );
        match (before, after) {
            (Some(before), Some(after)) => {
                before.is_bold != after.is_bold
                    || before.color != after.color && before.family != after.family
            }
            // A bold heading, or text with bold words.
            (Some(before), None) => {
                self.statistics.levels.has(&before) && !self.first_is_like_last()
            }
            (None, Some(after)) => self.statistics.levels.has(&after) && !self.first_is_like_last(),
            (None, None) => false,
        }
    }

    fn first_is_like_last(&self) -> bool {
        let (last, first) = (self.one.glyphs().last(), self.other.glyphs().next());
        last.zip(first)
            .is_some_and(|(last, first)| last.font == first.font)
    }

    /// Whether both lines are one heading in large text, whose lines end where their sense does.
    fn is_in_heading(&self) -> bool {
        let pitch = self.other.baseline - self.one.baseline;
        self.one.size > self.statistics.size() * LARGE
            && pitch < self.one.size * PITCH
            && TextStyle::of_all(self.group.iter().chain([self.other]))
                .is_some_and(|look| self.statistics.levels.has(&look))
    }

    /// Whether the line pitch is larger than within a paragraph.
    fn is_apart(&self) -> bool {
        let apart = self.other.baseline - self.one.baseline;
        if apart <= 0.0 {
            return true;
        }
        let steps = self
            .group
            .windows(2)
            .filter_map(|pair| Some(pair.get(1)?.baseline - pair.first()?.baseline));
        let usual = steps.fold(self.statistics.pitch * self.one.size, f32::max);
        let is_far = apart > usual * 1.17 + 0.6;
        // The document's line pitch is smaller, but this paragraph may be set loosely.
        let is_loose = self.is_first
            && apart < self.one.size * 2.6
            && self.is_full()
            && self.goes_on()
            && self.after.is_none_or(|after| {
                (after.baseline - self.other.baseline - apart).abs() < apart * 0.04
            });
        is_far && !is_loose
    }

    /// Whether the lower line begins like the continuation of a sentence, as far as its script shows it.
    fn goes_on(&self) -> bool {
        let (last, first) = (self.one.glyphs().last(), self.other.glyphs().next());
        let is_open = || last.is_some_and(|last| !ends_sentence(last.text));
        first.is_some_and(|first| {
            let is_caseless = first.text.is_alphabetic() && !first.text.is_uppercase();
            first.text.is_lowercase() || is_caseless && is_open()
        })
    }

    fn is_full(&self) -> bool {
        self.room() < self.first_word() + self.one.size * 0.4
    }

    /// Whether the lower line has an indent that a continuation would not have.
    fn is_indented(&self) -> bool {
        let step = self.margins.start_of(self.other) - self.margins.start_of(self.one);
        let least = self.one.size * 0.7;
        let is_centered = self.margins.are_centered(self.one, self.other);
        if step.abs() <= least || is_centered || self.is_flush_at_end() {
            return false;
        }
        match (self.is_first, step > 0.0) {
            // The first line has a hanging indent or is a list item.
            (true, true) => !(self.is_item || self.hangs()),
            // The first line is indented.
            (true, false) => self.is_item && !self.returns(),
            (false, _) => true,
        }
    }

    /// Whether both lines are single-line paragraphs with first-line indent.
    fn is_inset(&self) -> bool {
        let (last, first) = (self.one.glyphs().last(), self.other.glyphs().next());
        self.is_first
            && !self.is_item
            && last.is_some_and(|last| matches!(last.text, '.' | '!' | '?' | ':' | '"' | '”'))
            && first.is_some_and(|first| !first.text.is_lowercase())
            && self.inset.begins_both(self.one, self.other, self.margins)
    }

    /// Whether the lower line has the indent of a description, which continues in it or has further lines with it.
    fn hangs(&self) -> bool {
        let start = self.margins.start_of(self.other);
        self.is_full()
            && (self.is_description()
                || self.after.is_some_and(|after| {
                    (self.margins.start_of(after) - start).abs() < 1.0
                        && after.baseline - self.other.baseline < self.one.size * 2.0
                }))
    }

    /// Whether the lower line continues a sentence of the upper one, whose text begins where the lower line does, if it has a wide
    /// gap: a line with something at its other end, such as a signature, has a description below it.
    fn is_description(&self) -> bool {
        let (last, first) = (self.one.glyphs().last(), self.other.glyphs().next());
        let is_open = last.is_some_and(|last| !matches!(last.text, '.' | '!' | '?' | ':' | ';'));
        let start = self.other.bounds.left;
        let mut pairs = self.one.pieces.iter().zip(self.one.pieces.iter().skip(1));
        let is_text = pairs.all(|(one, next)| {
            next.bounds.left - one.bounds.right < self.one.size * GAP
                || (next.bounds.left - start).abs() < LEVEL
        });
        let is_code = [self.one, self.other].into_iter().any(code::is_monospaced);
        let is_rest = first.is_some_and(|first| first.text.is_lowercase());
        is_open && is_text && is_rest && !is_code
    }

    /// Whether an indented item continues at the margin: the line is full and the next one continues a sentence, or paragraphs
    /// have this indent.
    fn returns(&self) -> bool {
        let first = self.other.glyphs().next();
        self.is_full()
            && (first.is_some_and(|first| first.text.is_lowercase())
                || self.inset.has(self.one, self.other, self.margins))
    }

    fn is_flush_at_end(&self) -> bool {
        let ends = [self.one, self.other].map(|line| self.margins.end_of(line));
        let starts =
            [self.one, self.other].map(|line| self.margins.start_of(line) - self.margins.start);
        let stands_in = starts.map(|start| start > self.one.size * 4.0);
        (ends[0] - ends[1]).abs() < 1.0 && stands_in[1] && (stands_in[0] || self.is_full())
    }

    /// Whether the first word of the lower line would have fit in the upper one.
    fn had_room(&self) -> bool {
        let (room, word) = (self.room(), self.first_word());
        let text = |glyph: &crate::analysis::glyphs::glyph::Glyph| glyph.text;
        let goes_on = self
            .other
            .glyphs()
            .next()
            .map(text)
            .is_some_and(char::is_lowercase)
            && !self
                .one
                .glyphs()
                .last()
                .map(text)
                .is_some_and(|text| matches!(text, '.' | '!' | '?' | ':' | ';'));
        let slack = if goes_on { 3.0 } else { 0.45 };
        room > word + self.one.size * slack
    }

    fn room(&self) -> f32 {
        let room = self.end() - self.margins.end_of(self.one);
        match self.margins.are_centered(self.one, self.other) {
            true => room * 2.0,
            false => room,
        }
    }

    /// Returns the maximum end of the lines of the group: the margin, or a common end before it.
    fn end(&self) -> f32 {
        let near: Vec<f32> = self
            .group
            .iter()
            .chain([self.other])
            .map(|line| self.margins.end_of(line))
            .collect();
        let most = near.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let full = near.iter().filter(|end| most - **end < 1.0).count();
        let is_quote = self.margins.start_of(self.one) - self.margins.start > self.one.size * 1.5;
        match full >= 3 || is_quote && full >= 2 && !self.is_first {
            true => most,
            false => self.end.max(most),
        }
    }

    fn first_word(&self) -> f32 {
        let mut pieces: Vec<&Piece> = self.other.pieces.iter().collect();
        if self.margins.from_right {
            pieces.reverse();
        }
        let mut width = 0.0;
        let from_right = self.margins.from_right;
        for (index, piece) in pieces.iter().enumerate() {
            // Closeness is stored with the piece on the right.
            let before = index.checked_sub(1).and_then(|before| pieces.get(before));
            let joins = match from_right {
                true => before,
                false => before.map(|_| piece),
            };
            if joins.is_some_and(|joins| !joins.is_close) {
                break;
            }
            width += piece.bounds.width();
        }
        match self
            .other
            .glyphs()
            .next()
            .is_some_and(|glyph| crate::analysis::lines::write::is_ideographic(glyph.text))
        {
            true => self.other.size,
            false => width,
        }
    }
}
