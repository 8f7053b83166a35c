//! Detects rules (straight lines), such as those of tables.

use super::ocr_page::Rectangle;
use super::picture::{Picture, number};
use super::straight::Straight;

/// Maximum brightness of a rule's pixel, as a fraction of the paper.
const DARK: f64 = 0.8;
/// Minimum length of horizontal and vertical rules in points; strokes of letters may be vertical, too.
const LEVEL: f64 = 14.0;
const UPRIGHT: f64 = 9.0;
/// Maximum thickness of a rule in points.
const THICKEST: f64 = 4.0;
/// Minimum length of a vertical rule over a word, in word heights; shorter ones are stems of letters.
const TALLER: f64 = 1.25;
/// How far letters may extend beyond the box of their word, in word heights.
const BELOW: f64 = 0.12;
/// Minimum length in points, and maximum height relative to it, of a rule used to estimate skew.
const LONG: f64 = 150.0;
const STEEP: f64 = 0.02;
/// Maximum rules per page.
const MOST: usize = 5_000;

/// Finds the horizontal and vertical rules of the deskewed picture, in its pixels; a point has `point` pixels. `words` are
/// in the same coordinates.
pub(super) fn of(
    picture: &Picture,
    straight: &Straight,
    words: &[Rectangle],
    point: f64,
) -> Vec<Rectangle> {
    let Some(ink) = Ink::of(picture, straight) else {
        return Vec::new();
    };
    let ink = ink.without_areas(THICKEST * point);
    let level = ink.lines(LEVEL * point, THICKEST * point);
    let level = level.into_iter().filter(|line| !is_lettering(line, words));
    let upright = ink.flipped().lines(UPRIGHT * point, THICKEST * point);
    let upright = upright.into_iter().map(flipped);
    let upright = upright.filter(|line| !is_stem(line, words));
    level.chain(upright).take(MOST).collect()
}

/// Returns whether a horizontal line is part of letters, which do not extend beyond their word.
fn is_lettering(line: &Rectangle, words: &[Rectangle]) -> bool {
    let (_, y) = line.center();
    words.iter().any(|word| {
        let below = BELOW * (word.bottom - word.top);
        (word.top..word.bottom + below).contains(&y)
            && line.left >= word.left - below
            && line.right <= word.right + below
    })
}

/// Returns whether a vertical line is the stem of a letter.
fn is_stem(line: &Rectangle, words: &[Rectangle]) -> bool {
    let x = f64::midpoint(line.left, line.right);
    let length = line.bottom - line.top;
    words.iter().any(|word| {
        let shared = word.bottom.min(line.bottom) - word.top.max(line.top);
        (word.left..word.right).contains(&x)
            && shared > 0.0
            && length < TALLER * (word.bottom - word.top)
    })
}

fn flipped(line: Rectangle) -> Rectangle {
    Rectangle {
        left: line.top,
        top: line.left,
        right: line.bottom,
        bottom: line.right,
    }
}

/// Returns the remaining slope of the long horizontal rules after deskewing, which is more precise than that of a few words.
pub(super) fn fall(picture: &Picture, straight: &Straight, point: f64) -> f64 {
    let Some(ink) = Ink::of(picture, straight) else {
        return 0.0;
    };
    let found = ink
        .without_areas(THICKEST * point)
        .runs_together(LEVEL * point);
    let long = found.iter().filter(|line| {
        let width = line.place.right - line.place.left;
        width >= LONG * point && line.place.bottom - line.place.top <= width * STEEP
    });
    let (mut fall, mut run) = (0.0, 0.0);
    for line in long {
        fall += line.end - line.begin;
        run += line.place.right - line.place.left;
    }
    if run > 0.0 { fall / run } else { 0.0 }
}

/// Touching runs of dark pixels, with the vertical positions of the first and last one.
struct Together {
    place: Rectangle,
    begin: f64,
    end: f64,
}

impl Together {
    fn take(&mut self, run: Rectangle) {
        if run.left < self.place.left {
            self.begin = run.top;
        }
        if run.right > self.place.right {
            self.end = run.top;
        }
        self.place = self.place.union(run);
    }
}

/// The dark pixels of a deskewed picture.
struct Ink {
    dark: Vec<bool>,
    width: usize,
    height: usize,
}

impl Ink {
    fn of(picture: &Picture, straight: &Straight) -> Option<Self> {
        let dark = darkness(picture)?;
        let (width, height) = (straight.sides.0 as usize, straight.sides.1 as usize);
        let back = straight.back();
        let [across, down, ..] = back.0;
        let mut ink = Vec::with_capacity(width * height);
        for y in 0..height {
            let (mut u, mut v) = back.apply((0.5, number(y) + 0.5));
            for _ in 0..width {
                ink.push(picture.sample((u, v)).is_some_and(|sample| sample < dark));
                (u, v) = (u + across, v + down);
            }
        }
        Some(Self {
            dark: ink,
            width,
            height,
        })
    }

    /// Removes areas that are thicker than `thick` in both directions.
    fn without_areas(self, thick: f64) -> Self {
        let upright = self.flipped().thin(thick).flipped();
        let level = self.thin(thick);
        let either = level.dark.iter().zip(&upright.dark);
        Self {
            dark: either.map(|(one, other)| *one || *other).collect(),
            ..level
        }
    }

    /// Keeps horizontal runs of at most `thick` pixels.
    fn thin(&self, thick: f64) -> Self {
        let mut dark = self.dark.clone();
        for row in dark.chunks_mut(self.width.max(1)) {
            for run in row.chunk_by_mut(|one, other| one == other) {
                if number(run.len()) > thick {
                    run.fill(false);
                }
            }
        }
        Self { dark, ..*self }
    }

    fn flipped(&self) -> Self {
        let at = |x: usize, y: usize| self.dark.get(y * self.width + x).copied();
        let columns = (0..self.width).flat_map(|x| (0..self.height).map(move |y| (x, y)));
        Self {
            dark: columns.map(|(x, y)| at(x, y).unwrap_or(false)).collect(),
            width: self.height,
            height: self.width,
        }
    }

    /// Finds horizontal lines of at least `long` and at most `thick` pixels.
    fn lines(&self, long: f64, thick: f64) -> Vec<Rectangle> {
        let found = self.runs_together(long).into_iter().map(|line| line.place);
        found
            .filter(|line| line.bottom - line.top <= thick.max(3.0))
            .collect()
    }

    /// Groups touching runs of at least `long` pixels.
    fn runs_together(&self, long: f64) -> Vec<Together> {
        let (mut open, mut done): (Vec<Together>, Vec<Together>) = (Vec::new(), Vec::new());
        for y in 0..self.height {
            let (top, bottom) = (number(y), number(y + 1));
            done.extend(open.extract_if(.., |line| line.place.bottom < top - 1.0));
            for (left, right) in self.runs(y, long) {
                let place = Rectangle {
                    left,
                    top,
                    right,
                    bottom,
                };
                let touches = |line: &&mut Together| {
                    line.place.left < right + 2.0 && left < line.place.right + 2.0
                };
                match open.iter_mut().find(touches) {
                    Some(line) => line.take(place),
                    None => open.push(Together {
                        place,
                        begin: top,
                        end: top,
                    }),
                }
            }
            if done.len() > MOST {
                return Vec::new();
            }
        }
        done.append(&mut open);
        done
    }

    /// Returns the dark runs of a row combined with the next row, ignoring gaps of one pixel.
    fn runs(&self, y: usize, long: f64) -> Vec<(f64, f64)> {
        let row = |y: usize| self.dark.get(y * self.width..(y + 1) * self.width);
        let this = row(y).unwrap_or_default();
        let next = row(y + 1).unwrap_or_default();
        let mut runs = Vec::new();
        let mut run: Option<(usize, usize)> = None;
        for (x, dark) in this.iter().enumerate() {
            if !dark && !next.get(x).copied().unwrap_or(false) {
                continue;
            }
            run = match run {
                Some((from, to)) if x <= to + 1 => Some((from, x + 1)),
                before => {
                    runs.extend(before);
                    Some((x, x + 1))
                }
            };
        }
        runs.extend(run);
        let runs = runs
            .into_iter()
            .map(|(from, to)| (number(from), number(to)));
        runs.filter(|(from, to)| to - from >= long).collect()
    }
}

/// Returns the brightness threshold of rules; `None` if the paper is dark.
fn darkness(picture: &Picture) -> Option<u8> {
    let paper = paper(picture);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "less than what it is a part of"
    )]
    let dark = (f64::from(paper) * DARK) as u8;
    (paper > 100).then_some(dark)
}

/// Returns the median brightness.
pub(super) fn paper(picture: &Picture) -> u8 {
    let mut counts = [0_usize; 256];
    let samples = picture.samples.iter().step_by(7);
    samples.for_each(|sample| {
        counts
            .get_mut(usize::from(*sample))
            .into_iter()
            .for_each(|count| *count += 1);
    });
    let all: usize = counts.iter().sum();
    let mut below = 0;
    let paper = (0..=u8::MAX).zip(counts).find_map(|(sample, count)| {
        below += count;
        (below * 2 >= all.max(1)).then_some(sample)
    });
    paper.unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use task::matrix::Matrix;

    use super::*;

    fn picture(dark: impl Fn(u32, u32) -> bool) -> Picture {
        let (width, height) = (300, 200);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Picture {
            samples: pixels
                .map(|(x, y)| if dark(x, y) { 30 } else { 250 })
                .collect(),
            width,
            height,
            resolution: None,
        }
    }

    fn upright(picture: &Picture) -> Straight {
        Straight {
            upright: Matrix::IDENTITY,
            level: Matrix::IDENTITY,
            sides: (picture.width, picture.height),
            slope: 0.0,
        }
    }

    #[test]
    fn lines_are_found_and_areas_and_stems_are_not() {
        let drawn = picture(|x, y| {
            let level = (100..102).contains(&y) && (20..280).contains(&x);
            let wall = (150..152).contains(&x) && (40..160).contains(&y);
            let area = (220..260).contains(&x) && (30..60).contains(&y);
            let stem = x == 60 && (50..70).contains(&y);
            level || wall || area || stem
        });
        let word = Rectangle {
            left: 50.0,
            top: 49.0,
            right: 90.0,
            bottom: 70.0,
        };
        let found = of(&drawn, &upright(&drawn), &[word], 1.0);
        let rounded: Vec<_> = found
            .iter()
            .map(|line| (line.left, line.top, line.right, line.bottom))
            .collect();
        // A row counts as dark if the next one is.
        assert_eq!(
            rounded,
            [(20.0, 99.0, 280.0, 102.0), (149.0, 40.0, 152.0, 160.0)]
        );
    }

    #[test]
    fn a_long_rule_yields_the_skew_of_its_page() {
        let drawn = picture(|x, y| (90..92).contains(&(y + x / 100)) && (20..280).contains(&x));
        let fall = fall(&drawn, &upright(&drawn), 1.0);
        assert!((fall + 0.01).abs() < 0.004, "{fall}");
    }

    #[test]
    fn a_skewed_line_is_level_in_the_straight_picture() {
        let drawn = picture(|x, y| y == 90 + x / 15 && (20..280).contains(&x));
        let slope = 1.0 / 15.0_f64;
        let (sine, cosine) = slope.atan().sin_cos();
        let straight = Straight {
            level: Matrix([cosine, -sine, sine, cosine, 0.0, 0.0]),
            slope,
            ..upright(&drawn)
        };
        let [line] = of(&drawn, &straight, &[], 1.0)[..] else {
            panic!("not one line");
        };
        assert!(
            line.right - line.left > 250.0 && line.bottom - line.top < 4.0,
            "{line:?}"
        );
    }
}
