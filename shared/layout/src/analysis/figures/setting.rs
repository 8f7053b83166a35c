//! What a page shows, as far as it decides about figures: drawings, texts, and the texts that may be labels.

use super::linked::linked;
use super::marks::Mark;
use super::text::Text;
use crate::model::geometry::Rect;

/// Maximum number of boxes and of texts of a region that are compared.
pub(super) const TRIED: usize = 500;
/// Maximum number of words of a line that a label may continue: the end of a paragraph is no label.
const PROSE: usize = 6;
/// Maximum distance of the lines of a paragraph, as a multiple of the font size.
const PITCH: f32 = 1.7;

/// What a page shows.
pub(super) struct Setting<'a> {
    pub(super) page: &'a Rect,
    pub(super) marks: &'a [Mark],
    pub(super) texts: &'a [Text],
    /// Usual font size, points.
    pub(super) size: f32,
    /// Indices of the texts by baseline.
    by_baseline: Vec<usize>,
    /// The texts that may be labels.
    pub(super) labels: Vec<&'a Text>,
    /// Boxes with text that lines connect.
    pub(super) linked: Vec<Rect>,
}

impl<'a> Setting<'a> {
    pub(super) fn new(page: &'a Rect, marks: &'a [Mark], texts: &'a [Text]) -> Self {
        let mut by_baseline: Vec<usize> = (0..texts.len()).collect();
        let baseline = |index: &usize| texts.get(*index).map_or(0.0, |text| text.baseline);
        by_baseline.sort_by(|one, other| baseline(one).total_cmp(&baseline(other)));
        let mut sizes: Vec<(f32, usize)> = texts
            .iter()
            .map(|text| (text.size, text.characters))
            .collect();
        sizes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut half = sizes.iter().map(|(_, count)| count).sum::<usize>() / 2;
        let median = sizes.into_iter().find(|(_, count)| {
            let is_half = *count >= half;
            half = half.saturating_sub(*count);
            is_half
        });
        let mut setting = Self {
            page,
            marks,
            texts,
            size: median.map_or(10.0, |(size, _)| size).clamp(4.0, 20.0),
            by_baseline,
            labels: Vec::new(),
            linked: linked(marks, texts),
        };
        setting.labels = labels(&setting).collect();
        setting
    }

    /// Returns the texts whose baselines are in this range.
    pub(super) fn near(&self, from: f32, to: f32) -> impl Iterator<Item = &'a Text> {
        let texts = self.texts;
        let baseline = |index: &usize| texts.get(*index).map_or(0.0, |text| text.baseline);
        let first = self
            .by_baseline
            .partition_point(|index| baseline(index) < from);
        let near = self.by_baseline.iter().skip(first);
        let near = near.take_while(move |index| baseline(index) <= to);
        near.filter_map(|index| texts.get(*index))
    }
}

/// Returns the texts that may be labels.
fn labels<'a>(setting: &Setting<'a>) -> impl Iterator<Item = &'a Text> {
    let labels = setting.texts.iter().filter(|text| text.is_label());
    labels.filter(|text| !ends_prose(text, setting))
}

/// Whether a line is the beginning or the end of a paragraph.
fn ends_prose(text: &Text, setting: &Setting<'_>) -> bool {
    let reach = PITCH * text.size;
    let near = setting.near(text.baseline - reach, text.baseline + reach);
    near.take(TRIED).any(|other| {
        other.words > PROSE
            && (other.size - text.size).abs() < 0.1 * text.size
            && other.bounds.shared_width(&text.bounds) > 0.0
            && (other.baseline - text.baseline).abs() > 0.5 * text.size
    })
}
