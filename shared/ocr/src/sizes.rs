//! Font sizes of recognized text: estimated per line, then clustered per document.

use super::ocr_page::{Line, Rectangle, Word};

/// Ascender height and x-height, in multiples of the font size.
const TALL: f64 = 0.72;
const SMALL: f64 = 0.5;
/// Maximum ratio between sizes of one cluster: for body text, for other text, and for body text with few measured words.
const BODY: f64 = 1.07;
const OTHERS: f64 = 1.055;
const ROUGHLY: f64 = 1.1;
const FEW: usize = 2;
/// Range of heights of a line that counts as body text if its size cannot be measured, in multiples of the body size.
const ANY: std::ops::RangeInclusive<f64> = 0.4..=1.3;
/// Maximum ratio between sizes counted together.
const NEAR: f64 = 1.04;
/// Maximum number of sizes of a document.
const MOST: usize = 24;
/// Plausible heights of capitals and small letters relative to ascenders, and minimum number of lines to determine them.
const CAPITALS: std::ops::RangeInclusive<f64> = 0.8..=1.05;
const SMALL_ONES: std::ops::RangeInclusive<f64> = 0.55..=0.85;
const MIN_LINES: usize = 3;

/// Relative letter heights of a document's font.
#[derive(Clone, Copy)]
pub(super) struct Proportions {
    capitals: f64,
    small: f64,
}

impl Default for Proportions {
    fn default() -> Self {
        Self {
            capitals: 1.0,
            small: SMALL / TALL,
        }
    }
}

impl Proportions {
    /// Measures lines that have letters of several kinds.
    pub(super) fn of<'a>(lines: impl Iterator<Item = (&'a Line, f64)>) -> Self {
        let (mut capitals, mut small) = (Vec::new(), Vec::new());
        for (line, slope) in lines {
            let of = |kind| height(line, slope, kind);
            if let Some(tall) = of(Kind::Tall) {
                capitals.extend(of(Kind::Capital).map(|height| height / tall));
                small.extend(of(Kind::Small).map(|height| height / tall));
            }
        }
        let usual = Self::default();
        Self {
            capitals: median(capitals, &CAPITALS).unwrap_or(usual.capitals),
            small: median(small, &SMALL_ONES).unwrap_or(usual.small),
        }
    }
}

/// Returns the median of the plausible values.
fn median(mut values: Vec<f64>, plausible: &std::ops::RangeInclusive<f64>) -> Option<f64> {
    values.retain(|value| plausible.contains(value));
    values.sort_by(f64::total_cmp);
    let median = values.get(values.len() / 2).copied();
    median.filter(|_| values.len() >= MIN_LINES)
}

/// Font size of a line estimated from its letter heights.
#[derive(Clone, Copy)]
pub(super) struct Rough {
    pub(super) size: f64,
    /// Whether enough words were measured.
    pub(super) is_sure: bool,
}

/// Estimates the font size of a line from the heights of its words above the baseline; `None` if no word is suitable. `slope`
/// is that of the page.
pub(super) fn rough(line: &Line, slope: f64, proportions: Proportions) -> Option<Rough> {
    let kinds = [
        (Kind::Tall, 1.0),
        (Kind::Capital, proportions.capitals),
        (Kind::Small, proportions.small),
    ];
    let mut heights: Vec<f64> = Vec::new();
    for (kind, part) in kinds {
        // Small letters are the least precise: a pixel is a larger fraction of them.
        if kind == Kind::Small && !heights.is_empty() {
            continue;
        }
        heights.extend(all(line, slope, kind).map(|height| height / part));
    }
    let size = mean(&mut heights)? / TALL;
    (size > 0.0).then_some(Rough {
        size,
        is_sure: heights.len() > FEW,
    })
}

/// Returns the mean height of the letters of a kind in a line.
fn height(line: &Line, slope: f64, kind: Kind) -> Option<f64> {
    mean(&mut all(line, slope, kind).collect::<Vec<_>>())
}

/// Returns the interquartile mean (the median of few values), because the heights are whole pixels.
fn mean(heights: &mut [f64]) -> Option<f64> {
    heights.sort_by(f64::total_cmp);
    let one = (heights.len().saturating_sub(1) / 2).min(1);
    let skipped = one.max(heights.len() / 4);
    let kept = heights.get(skipped..heights.len() - skipped)?;
    let count = f64::from(u32::try_from(kept.len()).ok()?);
    (count > 0.0).then(|| kept.iter().sum::<f64>() / count)
}

/// Returns the height above the baseline of each word of a kind.
fn all(line: &Line, slope: f64, kind: Kind) -> impl Iterator<Item = f64> {
    let [x, y, u, v] = line.baseline.unwrap_or_default();
    let fall = if u > x { (v - y) / (u - x) } else { slope };
    let words = line.words.iter().filter(move |_| line.baseline.is_some());
    words
        .filter(move |word| Kind::of(&word.text) == Some(kind))
        .map(move |word| {
            let own = word.above;
            own.unwrap_or_else(|| above(word, (x, y), fall, slope))
        })
}

/// Returns the height of a word above the baseline, given by a point and the slope.
fn above(word: &Word, (x, y): (f64, f64), fall: f64, slope: f64) -> f64 {
    let Rectangle {
        left, top, right, ..
    } = word.rectangle;
    let middle = f64::midpoint(left, right);
    y + fall * (middle - x) - top - 0.5 * slope.abs() * (right - left)
}

/// Kind of the tallest letters of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Letters with ascenders.
    Tall,
    /// Capitals, digits and dotted letters.
    Capital,
    /// Letters of x-height.
    Small,
}

impl Kind {
    /// Classifies a word; `None` if its height is not meaningful.
    fn of(word: &str) -> Option<Self> {
        let is_higher = |letter: char| !letter.is_ascii() && letter.is_uppercase();
        if word.chars().any(is_higher) {
            return None;
        }
        let is_tall = |letter: char| "bdfhklß".contains(letter);
        let is_capital = |letter: char| {
            letter.is_ascii_digit() || letter.is_ascii_uppercase() || "äöüij".contains(letter)
        };
        let is_small = |letter: char| "acegmnopqrsuvwxyz.,".contains(letter);
        match word {
            _ if word.chars().any(is_tall) => Some(Self::Tall),
            _ if word.chars().any(is_capital) => Some(Self::Capital),
            _ if word.chars().all(is_small) && word.chars().any(char::is_alphabetic) => {
                Some(Self::Small)
            }
            _ => None,
        }
    }
}

/// The font sizes of a document.
pub(super) struct Sizes {
    /// Sizes in points, the most frequent first.
    met: Vec<f64>,
}

impl Sizes {
    /// Clusters estimated sizes of lines, weighted by their number of letters.
    pub(super) fn of(mut rough: Vec<(Rough, usize)>) -> Self {
        rough.retain(|(rough, _)| rough.size.is_finite() && rough.size > 0.0);
        rough.sort_by(|one, other| one.0.size.total_cmp(&other.0.size));
        let mut met = Vec::new();
        while let Some(size) = most(&rough).filter(|_| met.len() < MOST) {
            let alike = |rough: &Rough| match (met.is_empty(), rough.is_sure) {
                (true, true) => BODY,
                (true, false) => ROUGHLY,
                (false, _) => OTHERS,
            };
            rough.retain(|(other, _)| !is_like(other.size, size, alike(other)));
            met.push(size);
        }
        Self { met }
    }

    /// Returns the size of a cluster rounded to half points, and its index; 0 is the body text.
    pub(super) fn of_rough(&self, Rough { size, is_sure }: Rough) -> (f64, usize) {
        let is_body = |body: &&f64| is_sure && is_like(size, **body, BODY);
        let body = self.met.first().filter(is_body).map(|size| (size, 0));
        let nearest = || {
            let off = |other: f64| (size / other).ln().abs();
            let all = self.met.iter().zip(0..);
            all.min_by(|one, other| off(*one.0).total_cmp(&off(*other.0)))
        };
        let found = body.or_else(nearest);
        found.map_or((size, 0), |(size, index)| {
            ((size * 2.0).round().max(2.0) / 2.0, index)
        })
    }

    /// Like [`Sizes::of_rough`], for a line of which only the height is known: body text unless far too low or high.
    pub(super) fn of_height(&self, height: f64) -> (f64, usize) {
        let body = self.met.first().copied();
        let body = body.filter(|body| ANY.contains(&(height / body)));
        self.of_rough(Rough {
            size: body.unwrap_or(height),
            is_sure: false,
        })
    }
}

fn is_like(one: f64, other: f64, factor: f64) -> bool {
    (other / factor..=other * factor).contains(&one)
}

/// Returns the median of the densest range of sizes, which are sorted.
fn most(rough: &[(Rough, usize)]) -> Option<f64> {
    let mut sums = vec![0];
    for (_, letters) in rough {
        sums.push(sums.last().unwrap_or(&0) + letters);
    }
    let before = |size: f64| {
        let count = rough.partition_point(|(other, _)| other.size < size);
        sums.get(count).copied().unwrap_or(0)
    };
    let near = |size: f64| before(size * NEAR) - before(size / NEAR);
    let (about, _) = rough.iter().max_by_key(|(rough, _)| near(rough.size))?;
    let about = about.size;
    let middle = before(about / NEAR) + near(about) / 2;
    let count = sums.partition_point(|sum| *sum <= middle);
    rough
        .get(count.saturating_sub(1))
        .map(|(rough, _)| rough.size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_one_size_and_headings_have_theirs() {
        let sure = |size| Rough {
            size,
            is_sure: true,
        };
        let body = [10.6, 11.2, 10.9, 11.0, 11.3, 10.5].map(|size| (sure(size), 60));
        let others = [(16.3, 20), (15.8, 12), (8.1, 30), (22.0, 9)];
        let others = others.map(|(size, letters)| (sure(size), letters));
        let sizes = Sizes::of([&body[..], &others].concat());
        let found = [10.5, 11.4, 15.8, 16.3, 8.1, 22.0].map(|size| sizes.of_rough(sure(size)).0);
        assert_eq!(found, [11.0, 11.0, 16.5, 16.5, 8.0, 22.0]);
        assert_eq!(sizes.of_rough(sure(10.5)).1, 0);
        let heights = [6.0, 13.0, 16.0].map(|height| sizes.of_height(height).0);
        assert_eq!(heights, [11.0, 11.0, 16.5]);
    }

    fn line(words: &[(&str, f64)]) -> Line {
        let words = words.iter().map(|(text, above)| Word {
            above: Some(*above),
            ..Word::new(text, Rectangle::default(), None).unwrap()
        });
        Line {
            baseline: Some([0.0, 0.0, 1.0, 0.0]),
            words: words.collect(),
            ..Line::default()
        }
    }

    #[test]
    fn a_heading_of_capitals_is_as_large_as_one_of_tall_letters() {
        let body = line(&[("Many", 18.0), ("candles", 20.0), ("are", 14.0)]);
        let body = [&body; 3].map(|line| (line, 0.0));
        let proportions = Proportions::of(body.into_iter());
        let size = |words: &[(&str, f64)]| rough(&line(words), 0.0, proportions).unwrap().size;
        let (tall, capital) = (size(&[("held", 30.0)]), size(&[("IV", 27.0)]));
        assert!((tall - capital).abs() < 0.01 && (tall - size(&[("an", 21.0)])).abs() < 0.01);
    }
}
