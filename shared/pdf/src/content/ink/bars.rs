//! Bar charts and histograms: filled areas without text that have one thickness, start at one line and have different lengths.
//! The cells of a table row or column have the same length, and shaded lines of text are covered by characters.

use layout::{Drawing, PageContent, Rect};

use super::InkArea;
use super::drawings::{MAX_TEXT, is_large};
use super::subpaths::Subpath;

/// Minimum number of bars, and of different lengths.
const MIN_BARS: usize = 4;
const MIN_LENGTHS: usize = 3;
/// Thickness of bars, and minimum length, in points.
const THICKNESSES: std::ops::RangeInclusive<f32> = 4.0..=60.0;
const MIN_LENGTH: f32 = 3.0;
/// Maximum difference of positions and thicknesses, and minimum difference of lengths, in points.
const TOLERANCE: f32 = 1.0;
const MIN_DIFFERENCE: f32 = 2.0;
/// Maximum gap between bars side by side, and one below the other, relative to their thickness. Shaded headers of
/// tables are one below the other, too.
const MAX_GAP_ACROSS: f32 = 8.0;
const MAX_GAP_DOWN: f32 = 3.0;
/// Maximum value of the darkest channel of the color of bars. Fields of forms are lighter.
const MAX_LIGHTNESS: u8 = 215;

/// A filled area as a bar in one of four directions.
#[derive(Clone, Copy)]
struct Bar {
    bounds: Rect,
    max_gap: f32,
    /// The position of the line that it starts at, and its position along this line.
    base: f32,
    at: f32,
    thickness: f32,
    length: f32,
}

/// Returns the areas of bar charts. `text` is the part of an area that characters cover.
pub(super) fn areas(
    content: &PageContent,
    subpaths: &[Subpath],
    text: impl Fn(&Rect) -> f32,
) -> Vec<InkArea> {
    let areas = content.drawings.iter().filter_map(|drawing| match drawing {
        Drawing::Area(area) => Some((area.bounds, area.color)),
        Drawing::Shape(..) | Drawing::Picture(..) => None,
    });
    let boxes = subpaths.iter().filter(|one| one.is_box);
    let boxes = boxes.filter_map(|one| Some((one.bounds, one.fill?)));
    let filled = areas.chain(boxes).filter(|(bounds, color)| {
        bounds.width().min(bounds.height()) >= MIN_LENGTH
            && color.iter().any(|part| *part <= MAX_LIGHTNESS)
    });
    let filled: Vec<Rect> = filled.map(|(bounds, _)| bounds).collect();
    let charts = [upward, downward, rightward, leftward]
        .iter()
        .flat_map(|bar| charts(filled.iter().map(bar).collect(), &text));
    charts.collect()
}

fn upward(bounds: &Rect) -> Bar {
    Bar {
        bounds: *bounds,
        max_gap: MAX_GAP_ACROSS,
        base: bounds.bottom,
        at: bounds.left,
        thickness: bounds.width(),
        length: bounds.height(),
    }
}

fn downward(bounds: &Rect) -> Bar {
    Bar {
        base: bounds.top,
        ..upward(bounds)
    }
}

fn rightward(bounds: &Rect) -> Bar {
    Bar {
        bounds: *bounds,
        max_gap: MAX_GAP_DOWN,
        base: bounds.left,
        at: bounds.top,
        thickness: bounds.height(),
        length: bounds.width(),
    }
}

fn leftward(bounds: &Rect) -> Bar {
    Bar {
        base: bounds.right,
        ..rightward(bounds)
    }
}

fn charts(mut bars: Vec<Bar>, text: &impl Fn(&Rect) -> f32) -> Vec<InkArea> {
    bars.retain(|bar| THICKNESSES.contains(&bar.thickness));
    let on_line = clusters(bars, |bar| bar.base, |_| TOLERANCE);
    let equal = on_line
        .into_iter()
        .flat_map(|bars| clusters(bars, |bar| bar.thickness, |_| TOLERANCE));
    let near = equal.flat_map(|bars| {
        clusters(
            bars,
            |bar| bar.at,
            |bar| (1.0 + bar.max_gap) * bar.thickness,
        )
    });
    near.filter_map(|bars| chart(&bars, text)).collect()
}

/// Sorts bars by a value and splits them where it grows by more than a step.
fn clusters(
    mut bars: Vec<Bar>,
    value: impl Fn(&Bar) -> f32,
    step: impl Fn(&Bar) -> f32,
) -> Vec<Vec<Bar>> {
    bars.sort_by(|one, other| value(one).total_cmp(&value(other)));
    let clusters = bars.chunk_by(|one, next| value(next) - value(one) <= step(one));
    clusters.map(<[Bar]>::to_vec).collect()
}

fn chart(bars: &[Bar], text: impl Fn(&Rect) -> f32) -> Option<InkArea> {
    let area = InkArea::of_paths(bars.iter().map(|bar| bar.bounds));
    let area = area.filter(|area| is_large(&area.bounds))?;
    let different = |value: fn(&Bar) -> f32, by| count_different(bars.iter().map(value), by);
    let is_text = || {
        let covered = bars.iter().map(|bar| text(&bar.bounds) * bar.length);
        covered.sum::<f32>() > MAX_TEXT * bars.iter().map(|bar| bar.length).sum::<f32>()
    };
    let is_chart = different(|bar| bar.at, TOLERANCE) >= MIN_BARS
        && different(|bar| bar.length, MIN_DIFFERENCE) >= MIN_LENGTHS
        && !is_text();
    is_chart.then_some(area)
}

/// Counts the values that differ by this much or more.
fn count_different(values: impl Iterator<Item = f32>, by: f32) -> usize {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.dedup_by(|value, kept| *value - *kept < by);
    values.len()
}

#[cfg(test)]
mod tests {
    use layout::{Area, Size};

    use crate::content::ink::grid::Grid;

    use super::*;

    const SIZE: Size = Size {
        width: 600.0,
        height: 800.0,
    };

    /// Rectangles at this pitch on one line with these lengths; `is_across` turns them to the right.
    fn bars(lengths: &[f32], pitch: f32, is_across: bool) -> Vec<Rect> {
        let bar = |(index, length): (usize, &f32)| {
            let at = 200.0 + pitch * crate::content::ink::grid::to_f32(index);
            match is_across {
                true => Rect::between((100.0, at), (100.0 + length, at + 16.0)),
                false => Rect::between((at, 700.0 - length), (at + 16.0, 700.0)),
            }
        };
        lengths.iter().enumerate().map(bar).collect()
    }

    fn is_chart(bars: &[Rect], color: [u8; 3], text: &[Rect]) -> bool {
        let area = |bounds: &Rect| {
            Drawing::Area(Area {
                bounds: *bounds,
                color,
            })
        };
        let content = PageContent {
            size: SIZE,
            drawings: bars.iter().map(area).collect(),
            ..PageContent::default()
        };
        let characters = Grid::of(SIZE, 3.0, text.iter().copied());
        !areas(&content, &[], |bounds| characters.coverage(bounds)).is_empty()
    }

    #[test]
    fn bars_of_different_lengths_are_charts_in_each_direction_also_if_they_touch() {
        let blue = [68, 114, 196];
        let lengths = [40.0, 90.0, 120.0, 70.0];
        for is_across in [false, true] {
            for pitch in [16.0, 24.0] {
                assert!(is_chart(&bars(&lengths, pitch, is_across), blue, &[]));
            }
            let few = bars(&lengths[..3], 24.0, is_across);
            assert!(!is_chart(&few, blue, &[]));
            let level = bars(&[90.0, 90.0, 40.0, 90.0], 24.0, is_across);
            assert!(!is_chart(&level, blue, &[]));
            // Headers of tables are far from each other.
            let far = bars(&lengths, 90.0, is_across);
            assert_ne!(is_chart(&far, blue, &[]), is_across);
            // Fields of a form.
            assert!(!is_chart(
                &bars(&lengths, 24.0, is_across),
                [221, 228, 255],
                &[]
            ));
        }
    }

    #[test]
    fn shaded_text_is_no_chart_and_labels_in_bars_are_no_shaded_text() {
        let bars = bars(&[40.0, 90.0, 120.0, 70.0], 24.0, true);
        let part = |part: f32| {
            let text = bars.iter().map(|bar| Rect {
                right: bar.left + part * bar.width(),
                ..*bar
            });
            text.collect::<Vec<_>>()
        };
        assert!(!is_chart(&bars, [255, 255, 0], &part(0.9)));
        assert!(is_chart(&bars, [255, 255, 0], &part(0.2)));
    }
}
