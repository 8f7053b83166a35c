//! What a document has as a whole, and what follows for its pages.

use std::collections::HashMap;

use super::edges::{Edges, Repeated};
use super::look::Look;
use super::margins::Margins;
use super::words::Words;
use crate::model::geometry::Rect;

/// The distance between lines where a document does not show any, in parts of their size.
const PITCH: f32 = 1.2;
/// How much larger titles in columns are than the text, in parts of its size.
const LARGER: f32 = 1.05;
/// Most levels of headings.
const LEVELS: usize = 6;

/// What a document has as a whole: the result of a [`super::Survey`].
#[derive(Clone, Debug, Default)]
pub struct DocumentStatistics {
    /// How most of the text looks.
    pub(super) body: Option<Look>,
    /// The distance between lines of one paragraph, in parts of their size.
    pub(super) pitch: f32,
    /// Looks of headings and their levels.
    levels: HashMap<Look, u8>,
    /// What is repeated at the upper and at the lower edges of pages.
    pub(super) upper: Repeated,
    pub(super) lower: Repeated,
    margins: HashMap<u32, Margins>,
    pub(super) words: Words,
    /// How many pages there are.
    pub(super) pages: u32,
    /// Looks of headings of which several depths are numbered, as `1` and `1.1`, and the least of these.
    depths: HashMap<Look, usize>,
}

/// How a look is used.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    pub(super) characters: usize,
    /// Short lines by themselves that do not end as sentences do.
    pub(super) titles: usize,
    /// The same of lines that others stand beside, as they do in columns.
    pub(super) beside: usize,
    /// Of those by themselves, how many begin with a number of each depth: `1` is of the first, `1.1` of the second.
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

    /// The size of most of the text, points.
    pub(super) fn size(&self) -> f32 {
        self.body.as_ref().map_or(11.0, Look::points)
    }

    /// The level of headings that look so; none where no headings do.
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

    /// The level of headings that look so and have a number of this depth, such as 2 for `1.1`.
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

    /// Where lines on a page of this width begin and end at most.
    pub(super) fn margins(&self, page: &Rect) -> Option<(f32, f32)> {
        self.margins
            .get(&Margins::key(page))
            .and_then(Margins::edges)
    }
}

/// The smallest distance that is met often.
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

/// Ranks the looks of titles: what is larger comes first, then what is bolder, then what is upright.
fn levels(looks: &HashMap<Look, Use>, body: &Look) -> HashMap<Look, u8> {
    let titles = looks.iter().filter(|(look, used)| {
        // What is no larger than the text and stands beside other text may be a name of a table's columns.
        let is_larger = look.points() > body.points() * LARGER;
        let beside = if is_larger { used.beside } else { 0 };
        let titles = used.titles + beside;
        // What fills paragraphs is no title, however it looks.
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

/// The looks of which numbers of several depths were met, and the least of these.
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
        look.colour,
    )
}
