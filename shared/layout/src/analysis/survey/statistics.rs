//! Statistics of a document, and the properties of its pages derived from them.

use std::collections::HashMap;

use crate::analysis::candidates::weights::Feature;
use crate::analysis::candidates::weights::headings::HEADINGS;
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::lines::words::Words;
use crate::analysis::survey::headers_footers::{Edges, Repeated};
use crate::analysis::survey::headings::style;
use crate::analysis::survey::levels::{Headings, Levels, Sample};
use crate::analysis::survey::margins::Margins;
use crate::model::geometry::Rect;

/// Default font size, points.
const SIZE: f32 = 11.0;
/// Default line pitch, as a fraction of the font size.
const PITCH: f32 = 1.2;
/// Score of a sure heading, and how many blocks of a style of headings there are at most for each of them.
const SURE: f32 = 0.5;
const USUAL: usize = 4;

/// Statistics of a document: the result of a [`crate::analysis::Survey`].
#[derive(Clone, Debug, Default)]
pub struct DocumentStatistics {
    /// Style of most of the text.
    pub(in crate::analysis) body: Option<TextStyle>,
    /// Line pitch of paragraphs, as a fraction of the font size.
    pub(in crate::analysis) pitch: f32,
    /// Number of lines of each style per page.
    frequencies: HashMap<TextStyle, f32>,
    /// Levels of the styles of headings.
    pub(in crate::analysis) levels: Levels,
    /// Headers and footers.
    pub(in crate::analysis) upper: Repeated,
    pub(in crate::analysis) lower: Repeated,
    margins: HashMap<u32, Margins>,
    pub(in crate::analysis) words: Words,
    /// Number of pages.
    pub(in crate::analysis) pages: u32,
}

/// The usage of a style.
#[derive(Clone, Default)]
pub(in crate::analysis) struct Use {
    pub(in crate::analysis) lines: usize,
    /// Number of characters, weighted for the body style.
    pub(in crate::analysis) body: f32,
    /// Page and baseline of the first paragraph of several lines.
    pub(in crate::analysis) paragraph: Option<(u32, f32)>,
    /// Lines scored as headings.
    pub(in crate::analysis) samples: Vec<Sample>,
}

impl DocumentStatistics {
    pub(in crate::analysis) fn new(
        looks: HashMap<TextStyle, Use>,
        pitches: &HashMap<u32, usize>,
        margins: HashMap<u32, Margins>,
        edges: &Edges,
        words: Words,
    ) -> Self {
        let body = looks.iter().max_by(|(look, used), (other, others)| {
            (used.body.total_cmp(&others.body)).then_with(|| look.cmp(other))
        });
        let body = body.map(|(look, _)| look.clone());
        let size = body.as_ref().map_or(SIZE, TextStyle::points);
        let (upper, lower) = edges.repeated(size);
        let frequencies = frequencies(&looks, edges.pages());
        Self {
            levels: Levels::of(&headings(&looks, &frequencies, body.as_ref())),
            pitch: pitch(pitches),
            body,
            frequencies,
            pages: edges.pages(),
            upper,
            lower,
            margins,
            words,
        }
    }

    /// Returns the most frequent font size, points.
    pub(in crate::analysis) fn size(&self) -> f32 {
        self.body.as_ref().map_or(SIZE, TextStyle::points)
    }

    /// Whether the body text is monospaced.
    pub(in crate::analysis) fn is_typewritten(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.is_monospaced)
    }

    /// Returns the features of the style of a heading candidate.
    pub(in crate::analysis) fn style_features(&self, look: &TextStyle) -> Vec<Feature> {
        let frequency = self.frequencies.get(look).copied().unwrap_or_default();
        let body = self.body.as_ref().unwrap_or(look);
        style::features(look, frequency, body)
    }

    /// Returns the left and right margin of pages of this width.
    pub(in crate::analysis) fn margins(&self, page: &Rect) -> Option<(f32, f32)> {
        self.margins
            .get(&Margins::key(page))
            .and_then(Margins::edges)
    }
}

/// Returns the smallest frequent line pitch.
fn pitch(pitches: &HashMap<u32, usize>) -> f32 {
    let all: usize = pitches.values().sum();
    let often = pitches.iter().filter(|(_, count)| **count * 6 >= all);
    #[expect(clippy::cast_precision_loss, reason = "it is less than 200")]
    let least = often
        .map(|(key, _)| *key)
        .min()
        .map(|key| key as f32 / 50.0);
    least.filter(|least| *least < 2.6).unwrap_or(PITCH)
}

/// Returns the number of lines of each style per page.
fn frequencies(looks: &HashMap<TextStyle, Use>, pages: u32) -> HashMap<TextStyle, f32> {
    #[expect(clippy::cast_precision_loss, reason = "a ratio needs no precision")]
    let frequency = |used: &Use| used.lines as f32 / pages.max(1) as f32;
    looks
        .iter()
        .map(|(look, used)| (look.clone(), frequency(used)))
        .collect()
}

/// Returns the styles with headings.
fn headings(
    looks: &HashMap<TextStyle, Use>,
    frequencies: &HashMap<TextStyle, f32>,
    body: Option<&TextStyle>,
) -> HashMap<TextStyle, Headings> {
    let mut styles = HashMap::new();
    for (look, used) in looks {
        let (Some(frequency), Some(body)) = (frequencies.get(look), body) else {
            continue;
        };
        let style = HEADINGS.score(&style::features(look, *frequency, body));
        let samples = used.samples.iter();
        let headings: Vec<&Sample> = samples.filter(|one| one.score + style > SURE).collect();
        if headings.is_empty() || headings.len() * USUAL < used.samples.len() {
            continue;
        }
        let begin = looks.get(body).and_then(|body| body.paragraph);
        let is_front =
            |one: &Sample| one.is_in_contents || begin.is_some_and(|begin| one.at < begin);
        let mut found = Headings::default();
        for heading in headings {
            found.note(heading, is_front(heading));
        }
        styles.insert(look.clone(), found);
    }
    styles
}
