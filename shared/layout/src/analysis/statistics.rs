//! Statistics of a document, and the properties of its pages derived from them.

use std::collections::HashMap;

use super::edges::{Edges, Repeated};
use super::look::Look;
use super::margins::Margins;
use super::words::Words;
use crate::model::geometry::Rect;

/// Default line pitch, as a fraction of the font size.
const PITCH: f32 = 1.2;
/// Minimum ratio of heading size to text size in columns.
const LARGER: f32 = 1.05;
/// Maximum number of heading levels.
const LEVELS: usize = 6;

/// Statistics of a document: the result of a [`super::Survey`].
#[derive(Clone, Debug, Default)]
pub struct DocumentStatistics {
    /// Style of most of the text.
    pub(super) body: Option<Look>,
    /// Line pitch of paragraphs, as a fraction of the font size.
    pub(super) pitch: f32,
    /// Heading level by style.
    levels: HashMap<Look, u8>,
    /// Headers and footers.
    pub(super) upper: Repeated,
    pub(super) lower: Repeated,
    margins: HashMap<u32, Margins>,
    pub(super) words: Words,
    /// Number of pages.
    pub(super) pages: u32,
    /// Styles of headings with numbers of several depths, such as `1` and `1.1`, with the smallest depth.
    depths: HashMap<Look, usize>,
}

/// The usage of a style.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    pub(super) characters: usize,
    /// Number of short isolated lines without sentence end.
    pub(super) titles: usize,
    /// The same count for lines next to others, as in columns.
    pub(super) beside: usize,
    /// Number of isolated lines that begin with a number, by depth: `1` is the first, `1.1` the second.
    pub(super) depths: [u32; 6],
}

impl DocumentStatistics {
    pub(super) fn new(
        looks: HashMap<Look, Use>,
        pitches: &HashMap<u32, usize>,
        margins: HashMap<u32, Margins>,
        edges: &Edges,
        words: Words,
    ) -> Self {
        let body = looks
            .iter()
            .max_by_key(|(look, used)| (used.characters, *look));
        let body = body.map(|(look, _)| look.clone());
        let (upper, lower) = edges.repeated();
        Self {
            levels: body
                .as_ref()
                .map(|body| levels(&looks, body))
                .unwrap_or_default(),
            pitch: pitch(pitches),
            body,
            depths: depths(&looks),
            pages: edges.pages(),
            upper,
            lower,
            margins,
            words,
        }
    }

    /// Returns the most frequent font size, points.
    pub(super) fn size(&self) -> f32 {
        self.body.as_ref().map_or(11.0, Look::points)
    }

    /// Returns the heading level of a style; `None` if it is not a heading style.
    pub(super) fn level(&self, look: &Look) -> Option<u8> {
        let like = || {
            self.levels.iter().find(|(known, _)| {
                Look {
                    family: String::new(),
                    ..(*known).clone()
                } == Look {
                    family: String::new(),
                    ..look.clone()
                }
            })
        };
        self.levels
            .get(look)
            .copied()
            .or_else(|| like().map(|(_, level)| *level))
    }

    /// Returns the heading level of a style with a number of this depth, such as 2 for `1.1`.
    pub(super) fn numbered_level(&self, look: &Look, depth: Option<usize>) -> Option<u8> {
        let level = self.level(look)?;
        let deeper = depth
            .zip(self.depths.get(look))
            .map_or(0, |(depth, least)| depth.saturating_sub(*least));
        Some(
            level
                .saturating_add(u8::try_from(deeper).unwrap_or(0))
                .min(6),
        )
    }

    /// Returns the left and right margin of pages of this width.
    pub(super) fn margins(&self, page: &Rect) -> Option<(f32, f32)> {
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

/// Ranks heading styles: larger ones first, then bold, then upright ones.
fn levels(looks: &HashMap<Look, Use>, body: &Look) -> HashMap<Look, u8> {
    let titles = looks.iter().filter(|(look, used)| {
        // Text of body size next to other text may be a table header.
        let is_larger = look.points() > body.points() * LARGER;
        let beside = if is_larger { used.beside } else { 0 };
        let titles = used.titles + beside;
        // A style used for whole paragraphs is not a heading style.
        titles > 0 && look.stands_out_from(body) && used.characters <= titles * 120
    });
    let mut titles: Vec<&Look> = titles.map(|(look, _)| look).collect();
    titles.sort_by_key(|look| rank(look));
    let mut levels = HashMap::new();
    let mut before = None;
    let mut level = 0;
    for look in titles {
        level += usize::from(before != Some(rank(look)));
        before = Some(rank(look));
        let own = u8::try_from(level.min(LEVELS)).unwrap_or(1);
        levels.insert(look.clone(), own);
        let depths = looks
            .get(look)
            .map_or(0, |used| used.depths.iter().filter(|met| **met > 0).count());
        level += depths.saturating_sub(1);
    }
    levels
}

/// Returns the styles with numbers of several depths, and the smallest depth.
fn depths(looks: &HashMap<Look, Use>) -> HashMap<Look, usize> {
    let several = looks
        .iter()
        .filter(|(_, used)| used.depths.iter().filter(|met| **met > 0).count() > 1);
    let least = several.filter_map(|(look, used)| {
        let least = used.depths.iter().position(|met| *met > 0)?;
        Some((look.clone(), least + 1))
    });
    least.collect()
}

fn rank(look: &Look) -> (std::cmp::Reverse<u32>, bool, bool, [u8; 3]) {
    (
        std::cmp::Reverse(look.size),
        !look.is_bold,
        look.is_italic,
        look.color,
    )
}
