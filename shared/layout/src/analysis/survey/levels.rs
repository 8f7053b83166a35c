//! Levels of headings, by the styles of a document, its outline and its numbers.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::analysis::lines::text_style::TextStyle;

/// Maximum number of heading levels.
const LEVELS: usize = 6;
/// A depth is common if at least one in this many numbered headings of a style has it.
const COMMON: u32 = 5;
/// A size is near a larger one if it is smaller by at most one part in this many.
const NEAR: u32 = 20;

/// The level of each style of headings.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Levels(HashMap<TextStyle, Level>);

/// A line scored as a heading.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Sample {
    /// The score, apart from that of the style.
    pub(in crate::analysis) score: f32,
    /// Depth in the outline, or of the number that it begins with: `1` is the first, `1.1` the second.
    pub(in crate::analysis) depth: Option<usize>,
    pub(in crate::analysis) is_outlined: bool,
    /// Whether it is the number of a part above its title.
    pub(in crate::analysis) is_label: bool,
    /// Page and baseline.
    pub(in crate::analysis) at: (u32, f32),
    /// Whether its page has entries of contents.
    pub(in crate::analysis) is_in_contents: bool,
}

/// The headings of a style.
#[derive(Clone, Copy, Default)]
pub(super) struct Headings {
    all: u32,
    /// How many have each depth.
    depths: [u32; LEVELS],
    /// The smallest depth in the outline.
    outlined: Option<usize>,
    /// How many are numbers of parts above their titles.
    labels: u32,
    /// How many are before the text of the document, such as its title and `Contents`.
    front: u32,
}

impl Headings {
    pub(super) fn note(&mut self, heading: &Sample, is_front: bool) {
        self.all += 1;
        self.labels += u32::from(heading.is_label);
        self.front += u32::from(is_front);
        let place = heading.depth.and_then(|depth| depth.checked_sub(1));
        let count = place.and_then(|place| self.depths.get_mut(place));
        count.into_iter().for_each(|count| *count += 1);
        let outlined = heading.depth.filter(|_| heading.is_outlined);
        self.outlined = self.outlined.into_iter().chain(outlined).min();
    }

    fn joined(mut self, other: &Self) -> Self {
        let counts = self.depths.iter_mut().zip(other.depths);
        counts.for_each(|(count, more)| *count += more);
        Self {
            all: self.all + other.all,
            outlined: self.outlined.into_iter().chain(other.outlined).min(),
            labels: self.labels + other.labels,
            front: self.front + other.front,
            ..self
        }
    }

    /// Returns the depth of the style: the smallest one in the outline; else that of numbers, unless only one heading has it
    /// and others are deeper.
    fn depth(&self) -> Option<usize> {
        let first = |least| self.depths.iter().position(|count| *count >= least);
        let of_numbers = || first(2).or_else(|| first(1)).map(|place| place + 1);
        self.outlined.or_else(of_numbers)
    }

    /// Returns the number of levels of the style, down to the deepest depth that is not rare. Rare ones are mostly of numbers
    /// that belong to the title, such as `2.0 Release`.
    fn levels(&self) -> usize {
        let numbered: u32 = self.depths.iter().sum();
        let is_common = |count: &u32| *count > 0 && *count * COMMON >= numbered;
        let deepest = self.depths.iter().rposition(is_common);
        let deeper = deepest.zip(self.depth());
        1 + deeper.map_or(0, |(deepest, depth)| (deepest + 1).saturating_sub(depth))
    }

    fn are_numbered(&self) -> bool {
        let numbered: u32 = self.depths.iter().sum();
        numbered > 1 && numbered * 2 > self.all && self.front < self.all
    }
}

/// The level of a style, and the depth that headings of this level have.
#[derive(Clone, Copy, Debug)]
struct Level {
    level: u8,
    depth: Option<usize>,
}

/// The levels of the depths of numbers, from the largest style down.
#[derive(Default)]
struct Numbering {
    levels: BTreeMap<usize, usize>,
    depth: usize,
    size: u32,
}

impl Numbering {
    /// Returns the level of a depth: that far below the next smaller one, but at most `level`, the next in the order of the
    /// styles. `None` if a larger style has the same depth or a deeper one, as the chapters above numbered steps have.
    fn level(&self, depth: usize, look: &TextStyle, level: usize) -> Option<usize> {
        let is_near = look.size * NEAR >= self.size * (NEAR - 1);
        let above = self.levels.range(..depth).next_back();
        let below = |(known, above): (&usize, &usize)| above + depth - known;
        let next = || above.map_or(level, |above| below(above).min(level));
        (depth > self.depth || depth == self.depth && is_near)
            .then(|| self.levels.get(&depth).copied().unwrap_or_else(next))
    }

    fn note(&mut self, depth: usize, look: &TextStyle, levels: Range<usize>) {
        (self.depth, self.size) = (depth, look.size);
        self.levels.extend((depth..).zip(levels));
    }
}

impl Levels {
    /// Ranks heading styles: larger ones first, then bold, then upright ones. Styles in the outline have the level of their depth
    /// below the first of them. Without an outline, a style whose numbers are deeper than those of all larger styles has the level
    /// of their depth. Headings of the text are below its title only, not below other lines of its front. Numbers of parts, such as
    /// `Chapter 3`, have the level of their titles, which are larger.
    pub(super) fn of(styles: &HashMap<TextStyle, Headings>) -> Self {
        let mut titles: Vec<(&TextStyle, &Headings)> = styles.iter().collect();
        titles.sort_by_key(|(look, _)| rank(look));
        let mut levels: HashMap<TextStyle, Level> = HashMap::new();
        let mut level: usize = 0;
        let mut top = None;
        let is_outlined = styles.values().any(|found| found.outlined.is_some());
        let mut numbering = Numbering::default();
        let mut larger: Option<Level> = None;
        // Styles that differ in their families only have one level.
        for same in titles.chunk_by(|(one, _), (other, _)| rank(one) == rank(other)) {
            let Some((look, _)) = same.first() else {
                continue;
            };
            let mut of_all = |level: Level| {
                levels.extend(same.iter().map(|(look, _)| ((*look).clone(), level)));
            };
            let joined = |all: Headings, (_, found): &(_, &Headings)| all.joined(found);
            let found = same.iter().fold(Headings::default(), joined);
            if let Some(title) = larger.filter(|_| found.labels == found.all) {
                of_all(title);
                continue;
            }
            level += 1;
            let depth = found.depth();
            let numbered = depth.filter(|_| !is_outlined && found.are_numbered());
            let numbered =
                numbered.and_then(|depth| Some((depth, numbering.level(depth, look, level)?)));
            if let Some(depth) = found.outlined {
                let (first, of_first) = *top.get_or_insert((level, depth));
                level = (first + depth).saturating_sub(of_first).max(1);
            } else if let Some((_, of_number)) = numbered {
                level = of_number;
            }
            let own = Level {
                level: u8::try_from(level.min(LEVELS)).unwrap_or(1),
                depth,
            };
            of_all(own);
            larger = Some(own);
            if own.level > 1 && found.outlined.is_none() && found.front == found.all {
                level -= 1;
                continue;
            }
            if let Some((depth, _)) = numbered {
                numbering.note(depth, look, level..level + found.levels());
            }
            level += found.levels() - 1;
        }
        Self(levels)
    }

    /// Whether a style is one of headings.
    pub(in crate::analysis) fn has(&self, look: &TextStyle) -> bool {
        self.of_style(look).is_some()
    }

    /// Returns the level of a style of headings; `None` for another style.
    fn of_style(&self, look: &TextStyle) -> Option<Level> {
        let like = || {
            self.0.iter().find(|(known, _)| {
                TextStyle {
                    family: String::new(),
                    ..(*known).clone()
                } == TextStyle {
                    family: String::new(),
                    ..look.clone()
                }
            })
        };
        self.0
            .get(look)
            .copied()
            .or_else(|| like().map(|(_, level)| *level))
    }

    /// Returns the level of a heading in a style with a number of this depth, such as 2 for `1.1`.
    pub(in crate::analysis) fn of_heading(&self, look: &TextStyle, depth: Option<usize>) -> u8 {
        // A style without sure headings ranks below the next larger one.
        let above = || {
            let larger = self.0.iter().filter(|(known, _)| rank(known) < rank(look));
            let lowest = larger.map(|(_, found)| found.level).max().unwrap_or(0);
            Level {
                level: lowest.saturating_add(1),
                depth: None,
            }
        };
        let found = self.of_style(look).unwrap_or_else(above);
        let deeper = depth
            .zip(found.depth)
            .map_or(0, |(depth, least)| depth.saturating_sub(least));
        let level = usize::from(found.level) + deeper;
        u8::try_from(level.min(LEVELS)).unwrap_or(1)
    }
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

    fn levels_of(styles: &[(u32, [u32; LEVELS], Option<usize>)]) -> Levels {
        let headings = |(size, depths, outlined): &(u32, [u32; LEVELS], Option<usize>)| {
            let headings = Headings {
                all: depths.iter().sum::<u32>().max(1),
                depths: *depths,
                outlined: *outlined,
                ..Headings::default()
            };
            (look(*size), headings)
        };
        let styles: HashMap<_, _> = styles.iter().map(headings).collect();
        Levels::of(&styles)
    }

    #[test]
    fn levels_follow_size_and_the_depth_of_numbers() {
        let read = levels_of(&[
            (40, [0; LEVELS], None),
            (24, [3, 2, 0, 0, 0, 0], None),
            (20, [0; LEVELS], None),
        ]);
        let level = |size, depth| read.of_heading(&look(size), depth);
        assert_eq!(
            [level(40, None), level(24, Some(1)), level(24, Some(2))],
            [1, 2, 3]
        );
        assert_eq!(level(20, None), 4);
    }

    #[test]
    fn styles_with_numbers_have_the_level_of_their_depth() {
        let read = levels_of(&[
            (60, [0; LEVELS], None),
            // One title begins with a number such as that of a release.
            (40, [5, 1, 0, 0, 0, 0], None),
            (32, [0; LEVELS], None),
            (30, [0, 8, 0, 0, 0, 0], None),
            (28, [0, 0, 32, 6, 0, 0], None),
            // Numbered steps.
            (24, [9, 0, 0, 0, 0, 0], None),
        ]);
        let levels = [60, 40, 32, 30, 28, 24].map(|size| read.of_heading(&look(size), None));
        assert_eq!(levels, [1, 2, 3, 3, 4, 5]);
        assert_eq!(read.of_heading(&look(28), Some(4)), 5);
    }

    #[test]
    fn one_style_with_numbers_of_several_depths_has_several_levels() {
        // Chapters are few.
        for outlined in [None, Some(1)] {
            let read = levels_of(&[(40, [6, 40, 0, 0, 0, 0], outlined)]);
            let levels = [1, 2].map(|depth| read.of_heading(&look(40), Some(depth)));
            assert_eq!(levels, [1, 2]);
        }
    }

    #[test]
    fn styles_of_numbers_that_some_sizes_or_depths_lack_have_neighboring_levels() {
        let levels = |styles: &[(u32, [u32; LEVELS], Option<usize>)]| {
            let read = levels_of(styles);
            let levels = styles
                .iter()
                .map(|(size, ..)| read.of_heading(&look(*size), None));
            levels.collect::<Vec<_>>()
        };
        let (first, second, third) = ([5, 0, 0, 0, 0, 0], [0, 9, 0, 0, 0, 0], [0, 0, 9, 0, 0, 0]);
        assert_eq!(
            levels(&[(28, first, None), (27, first, None), (24, second, None)]),
            [1, 1, 2]
        );
        assert_eq!(levels(&[(28, first, None), (24, third, None)]), [1, 2]);
        let one = [0, 1, 0, 0, 0, 0];
        assert_eq!(
            levels(&[(28, first, None), (26, one, None), (24, third, None)]),
            [1, 2, 3]
        );
        // The numbers of sections in the outline are not those of a style that it lacks.
        let second_outlined = [
            (40, second, Some(2)),
            (30, third, None),
            (24, third, Some(3)),
        ];
        assert_eq!(levels(&second_outlined), [1, 2, 2]);
    }

    #[test]
    fn few_numbers_decide_no_level() {
        // 2 of 9 headings have numbers.
        let numbers = [2, 0, 0, 0, 0, 0];
        let few = Headings {
            all: 9,
            depths: numbers,
            ..Headings::default()
        };
        let most = Headings {
            all: 3,
            depths: numbers,
            ..Headings::default()
        };
        assert!(!few.are_numbered() && most.are_numbered());
        assert!(!Headings { front: 3, ..most }.are_numbered());
    }

    #[test]
    fn styles_that_differ_in_their_family_only_have_one_level() {
        let style = |family: &str| TextStyle {
            family: family.to_owned(),
            ..look(24)
        };
        let counts = [3, 2, 0, 0, 0, 0];
        let several = Headings {
            all: 5,
            depths: counts,
            ..Headings::default()
        };
        let styles = ["A", "B", "C", "D", "E"].map(|family| (style(family), several));
        let levels = Levels::of(&HashMap::from(styles));
        assert!(
            levels.0.values().all(|found| found.level == 1),
            "{levels:?}"
        );
    }

    #[test]
    fn other_lines_of_the_front_are_no_level_between_title_and_headings() {
        let styles = [(60, true), (40, true), (30, true), (24, false), (20, false)];
        let styles = styles.map(|(size, is_front)| {
            let headings = Headings {
                all: 1,
                front: u32::from(is_front),
                ..Headings::default()
            };
            (look(size), headings)
        });
        let levels = Levels::of(&HashMap::from(styles));
        let found = [60, 40, 30, 24, 20].map(|size| levels.0[&look(size)].level);
        assert_eq!(found, [1, 2, 2, 2, 3]);
    }

    #[test]
    fn styles_of_one_depth_in_the_outline_have_one_level() {
        let (first, second) = ([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]);
        let read = levels_of(&[
            (60, [0; LEVELS], None),
            (40, first, Some(1)),
            (30, first, Some(1)),
            (24, second, Some(2)),
            (22, [0; LEVELS], None),
        ]);
        let levels = [60, 40, 30, 24, 22].map(|size| read.of_heading(&look(size), None));
        assert_eq!(levels, [1, 2, 2, 3, 4]);
    }

    #[test]
    fn a_style_without_sure_headings_is_below_the_next_larger_one() {
        let read = levels_of(&[(40, [0; LEVELS], None), (20, [0; LEVELS], None)]);
        assert_eq!(read.of_heading(&look(30), None), 2);
        assert_eq!(read.of_heading(&look(60), None), 1);
    }
}
