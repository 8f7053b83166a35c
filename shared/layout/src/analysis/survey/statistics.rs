//! Statistics of a document, and the properties of its pages derived from them.

use std::collections::HashMap;

use crate::analysis::candidates::weights::Feature;
use crate::analysis::candidates::weights::headings::HEADINGS;
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::lines::words::Words;
use crate::analysis::survey::headers_footers::{Edges, Repeated};
use crate::analysis::survey::headings::style;
use crate::analysis::survey::margins::Margins;
use crate::model::geometry::Rect;

/// Default font size, points.
const SIZE: f32 = 11.0;
/// Default line pitch, as a fraction of the font size.
const PITCH: f32 = 1.2;
/// Score of a sure heading, and how many blocks of a style of headings there are at most for each of them.
const SURE: f32 = 0.5;
const USUAL: usize = 4;
/// Maximum number of heading levels.
const LEVELS: usize = 6;
/// Reciprocal of the share of a style's headings that makes their depth common.
const COMMON: u32 = 5;

/// Statistics of a document: the result of a [`crate::analysis::Survey`].
#[derive(Clone, Debug, Default)]
pub struct DocumentStatistics {
    /// Style of most of the text.
    pub(in crate::analysis) body: Option<TextStyle>,
    /// Line pitch of paragraphs, as a fraction of the font size.
    pub(in crate::analysis) pitch: f32,
    /// Number of lines of each style per page.
    frequencies: HashMap<TextStyle, f32>,
    /// Level of each style of headings.
    levels: HashMap<TextStyle, u8>,
    /// Headers and footers.
    pub(in crate::analysis) upper: Repeated,
    pub(in crate::analysis) lower: Repeated,
    margins: HashMap<u32, Margins>,
    pub(in crate::analysis) words: Words,
    /// Number of pages.
    pub(in crate::analysis) pages: u32,
    /// The smallest common depth of each style of headings with numbers, such as 2 for `1.1`.
    depths: HashMap<TextStyle, usize>,
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

/// A line scored as a heading.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Sample {
    /// The score, apart from that of the style.
    pub(in crate::analysis) score: f32,
    /// Depth in the outline, or of the number that it begins with: `1` is the first, `1.1` the second.
    pub(in crate::analysis) depth: Option<usize>,
    pub(in crate::analysis) is_outlined: bool,
    /// Page and baseline.
    pub(in crate::analysis) at: (u32, f32),
    /// Whether its page has entries of contents.
    pub(in crate::analysis) is_in_contents: bool,
}

/// How many headings of a style have each depth, and the smallest one in the outline.
#[derive(Clone, Copy, Default)]
struct Depths {
    counts: [u32; LEVELS],
    outlined: Option<usize>,
    /// Whether most headings have a depth.
    is_numbered: bool,
    /// Whether the style has headings before the text of the document only, such as its title and `Contents`.
    is_front: bool,
}

impl Depths {
    /// Returns the depths that many headings have, in ascending order: few may begin with a number that is none of theirs.
    fn common(&self) -> impl Iterator<Item = usize> {
        let all: u32 = self.counts.iter().sum();
        let counts = self.counts.into_iter().zip(1..);
        counts.filter_map(move |(met, depth)| (met > 0 && met * COMMON >= all).then_some(depth))
    }
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
        let depths = depths(&looks, &frequencies, body.as_ref());
        Self {
            levels: levels(&depths),
            pitch: pitch(pitches),
            depths: least(&depths),
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

    /// Returns the heading level of a style; `None` if it is not a heading style.
    pub(in crate::analysis) fn level(&self, look: &TextStyle) -> Option<u8> {
        let like = || {
            self.levels.iter().find(|(known, _)| {
                TextStyle {
                    family: String::new(),
                    ..(*known).clone()
                } == TextStyle {
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

    /// Returns the features of the style of a heading candidate.
    pub(in crate::analysis) fn style_features(&self, look: &TextStyle) -> Vec<Feature> {
        let frequency = self.frequencies.get(look).copied().unwrap_or_default();
        let body = self.body.as_ref().unwrap_or(look);
        style::features(look, frequency, body)
    }

    /// Returns the level of a heading in a style with a number of this depth, such as 2 for `1.1`.
    pub(in crate::analysis) fn numbered_level(&self, look: &TextStyle, depth: Option<usize>) -> u8 {
        // A style without sure headings ranks below the next larger one.
        let above = || {
            let larger = self
                .levels
                .iter()
                .filter(|(known, _)| rank(known) < rank(look));
            larger
                .map(|(_, level)| *level)
                .max()
                .unwrap_or(0)
                .saturating_add(1)
        };
        let level = self.level(look).unwrap_or_else(above);
        let deeper = depth
            .zip(self.depths.get(look))
            .map_or(0, |(depth, least)| depth.saturating_sub(*least));
        level
            .saturating_add(u8::try_from(deeper).unwrap_or(0))
            .min(6)
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

/// Returns the styles with headings, and the depths of these.
fn depths(
    looks: &HashMap<TextStyle, Use>,
    frequencies: &HashMap<TextStyle, f32>,
    body: Option<&TextStyle>,
) -> HashMap<TextStyle, Depths> {
    let mut depths = HashMap::new();
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
        let mut found = Depths::default();
        for depth in headings.iter().filter_map(|heading| heading.depth) {
            let met = found.counts.get_mut(depth - 1);
            met.into_iter().for_each(|met| *met += 1);
        }
        let numbered = headings.iter().filter(|heading| heading.depth.is_some());
        found.is_numbered = numbered.count() * 2 > headings.len();
        let begin = looks.get(body).and_then(|body| body.paragraph);
        let is_front =
            |one: &&Sample| one.is_in_contents || begin.is_some_and(|begin| one.at < begin);
        found.is_front = headings.iter().all(is_front);
        let outlined = headings.iter().filter(|heading| heading.is_outlined);
        found.outlined = outlined.filter_map(|heading| heading.depth).min();
        depths.insert(look.clone(), found);
    }
    depths
}

/// Ranks heading styles: larger ones first, then bold, then upright ones. Styles in the outline have the level of their depth
/// below the first of them; without an outline, styles with deeper and deeper numbers have. Headings of the text are below its
/// title only, not below other lines of its front.
fn levels(depths: &HashMap<TextStyle, Depths>) -> HashMap<TextStyle, u8> {
    let mut titles: Vec<(&TextStyle, &Depths)> = depths.iter().collect();
    titles.sort_by_key(|(look, _)| rank(look));
    let mut levels = HashMap::new();
    let mut level: usize = 0;
    let mut top = None;
    let is_outlined = depths.values().any(|depths| depths.outlined.is_some());
    let mut deepest = 0;
    // Styles that differ in their families only have one level.
    for same in titles.chunk_by(|(one, _), (other, _)| rank(one) == rank(other)) {
        level += 1;
        let outlined = same.iter().filter_map(|(_, depths)| depths.outlined).min();
        let numbered = same.iter().filter(|(_, depths)| depths.is_numbered);
        let numbered = numbered.filter_map(|(_, depths)| depths.common().next());
        let numbered = numbered
            .min()
            .filter(|depth| !is_outlined && *depth > deepest);
        deepest = numbered.unwrap_or(deepest);
        if let Some(depth) = outlined.or(numbered) {
            let (first, of_first) = *top.get_or_insert((level, depth));
            level = (first + depth).saturating_sub(of_first).max(1);
        }
        let own = u8::try_from(level.min(LEVELS)).unwrap_or(1);
        levels.extend(same.iter().map(|(look, _)| ((*look).clone(), own)));
        if own > 1 && outlined.is_none() && same.iter().all(|(_, depths)| depths.is_front) {
            level -= 1;
            continue;
        }
        let several = same.iter().map(|(_, depths)| depths.common().count()).max();
        level += several.unwrap_or(0).saturating_sub(1);
    }
    levels
}

/// Returns the smallest common depth of each style of headings with numbers.
fn least(depths: &HashMap<TextStyle, Depths>) -> HashMap<TextStyle, usize> {
    let least = depths
        .iter()
        .filter_map(|(look, depths)| Some((look.clone(), depths.common().next()?)));
    least.collect()
}

fn rank(look: &TextStyle) -> (std::cmp::Reverse<u32>, bool, bool, [u8; 3]) {
    (
        std::cmp::Reverse(look.size),
        !look.is_bold,
        look.is_italic,
        look.color,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(size: u32) -> TextStyle {
        TextStyle {
            size,
            ..TextStyle::default()
        }
    }

    fn statistics(styles: &[(u32, [u32; LEVELS], Option<usize>)]) -> DocumentStatistics {
        let depths = |(size, counts, outlined): &(u32, [u32; LEVELS], Option<usize>)| {
            let depths = Depths {
                counts: *counts,
                outlined: *outlined,
                is_numbered: counts.iter().sum::<u32>() > 0,
                is_front: false,
            };
            (look(*size), depths)
        };
        let depths: HashMap<_, _> = styles.iter().map(depths).collect();
        DocumentStatistics {
            levels: levels(&depths),
            depths: least(&depths),
            ..DocumentStatistics::default()
        }
    }

    #[test]
    fn levels_follow_size_and_the_depth_of_numbers() {
        let read = statistics(&[
            (40, [0; LEVELS], None),
            (24, [3, 2, 0, 0, 0, 0], None),
            (20, [0; LEVELS], None),
        ]);
        let level = |size, depth| read.numbered_level(&look(size), depth);
        assert_eq!(
            [level(40, None), level(24, Some(1)), level(24, Some(2))],
            [1, 2, 3]
        );
        assert_eq!(level(20, None), 4);
    }

    #[test]
    fn styles_with_numbers_have_the_level_of_their_depth() {
        let read = statistics(&[
            (60, [0; LEVELS], None),
            // One title begins with a number such as that of a release.
            (40, [5, 1, 0, 0, 0, 0], None),
            (32, [0; LEVELS], None),
            (30, [0, 8, 0, 0, 0, 0], None),
            (28, [0, 0, 32, 6, 0, 0], None),
            // Numbered steps.
            (24, [9, 0, 0, 0, 0, 0], None),
        ]);
        let levels = [60, 40, 32, 30, 28, 24].map(|size| read.numbered_level(&look(size), None));
        assert_eq!(levels, [1, 2, 3, 3, 4, 5]);
        assert_eq!(read.numbered_level(&look(28), Some(4)), 5);
    }

    #[test]
    fn styles_that_differ_in_their_family_only_have_one_level() {
        let style = |family: &str| TextStyle {
            family: family.to_owned(),
            ..look(24)
        };
        let counts = [3, 2, 0, 0, 0, 0];
        let several = Depths {
            counts,
            ..Depths::default()
        };
        let styles = ["A", "B", "C", "D", "E"].map(|family| (style(family), several));
        let levels = levels(&HashMap::from(styles));
        assert!(levels.values().all(|level| *level == 1), "{levels:?}");
    }

    #[test]
    fn other_lines_of_the_front_are_no_level_between_title_and_headings() {
        let styles = [(60, true), (40, true), (30, true), (24, false), (20, false)];
        let styles = styles.map(|(size, is_front)| {
            let depths = Depths {
                is_front,
                ..Depths::default()
            };
            (look(size), depths)
        });
        let levels = levels(&HashMap::from(styles));
        let found = [60, 40, 30, 24, 20].map(|size| levels[&look(size)]);
        assert_eq!(found, [1, 2, 2, 2, 3]);
    }

    #[test]
    fn styles_of_one_depth_in_the_outline_have_one_level() {
        let (first, second) = ([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]);
        let read = statistics(&[
            (60, [0; LEVELS], None),
            (40, first, Some(1)),
            (30, first, Some(1)),
            (24, second, Some(2)),
            (22, [0; LEVELS], None),
        ]);
        let levels = [60, 40, 30, 24, 22].map(|size| read.numbered_level(&look(size), None));
        assert_eq!(levels, [1, 2, 2, 3, 4]);
    }

    #[test]
    fn a_style_without_sure_headings_is_below_the_next_larger_one() {
        let read = statistics(&[(40, [0; LEVELS], None), (20, [0; LEVELS], None)]);
        assert_eq!(read.numbered_level(&look(30), None), 2);
        assert_eq!(read.numbered_level(&look(60), None), 1);
    }
}
