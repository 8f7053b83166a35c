//! The position of a text line on a page of the output.

use super::direction::are_rtl;
use super::length;
use super::page_transform::PageTransform;
use crate::{Line, Rect, Run};

/// A text line in output coordinates.
pub(super) struct PositionedLine {
    /// Left end, right end and baseline, points.
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    /// Largest font size, points.
    pub(super) size: f32,
    /// Clockwise rotation about the left end of the baseline, degrees from 0 to 360.
    pub(super) angle: f32,
    /// Whether it is right-to-left.
    pub(super) is_rtl: bool,
    /// Runs, with font sizes scaled to the output.
    pub(super) runs: Vec<Run>,
}

/// Extent of a box above and below the baseline, as a fraction of the font size: the line height of most fonts is about 1.2.
const BOX: (f32, f32) = (0.98, 0.22);

/// Default font size, points.
const DEFAULT_SIZE: f32 = 11.0;

/// Default ratio of font size to line height.
const SHARE: f32 = 0.85;

impl PositionedLine {
    /// Returns the position of a line; the upper left corner if its bounds are invalid.
    pub(super) fn of(line: &Line, frame: PageTransform) -> Self {
        let place =
            length::place(Some(line.bounds)).filter(|_| line.baseline.abs() < length::MAX_DISTANCE);
        let bounds = frame.rect(place.unwrap_or_default());
        let runs = scaled(&line.runs, frame.scale);
        let size = size(&runs, bounds.height());
        let baseline = place.map_or(size, |place| {
            let level = Rect {
                top: line.baseline,
                ..place
            };
            frame.rect(level).top
        });
        Self {
            left: bounds.left,
            right: bounds.right.max(bounds.left),
            baseline,
            size,
            angle: if line.angle.is_finite() {
                line.angle.rem_euclid(360.0)
            } else {
                0.0
            },
            is_rtl: are_rtl(&runs),
            runs,
        }
    }

    /// Returns the bounds before rotation, which extend above and below the baseline by these fractions of the font size.
    pub(super) fn level(&self, above: f32, below: f32) -> Rect {
        Rect {
            left: self.left,
            top: self.baseline - above * self.size,
            right: self.right.max(self.left + self.size),
            bottom: self.baseline + below * self.size,
        }
    }

    /// Returns these bounds moved so that the rotation is about their center, as for shapes.
    pub(super) fn turned(&self, above: f32, below: f32) -> Rect {
        let level = self.level(above, below);
        let (sine, cosine) = self.angle.to_radians().sin_cos();
        let (x, y) = (level.width() / 2.0, (below - above) / 2.0 * self.size);
        let middle = (
            self.left + x * cosine - y * sine,
            self.baseline + x * sine + y * cosine,
        );
        Rect {
            left: middle.0 - level.width() / 2.0,
            top: middle.1 - level.height() / 2.0,
            right: middle.0 + level.width() / 2.0,
            bottom: middle.1 + level.height() / 2.0,
        }
    }

    /// Returns the bounds of a text box for the line; the rotation is about their center.
    pub(super) fn frame(&self) -> Rect {
        self.turned(BOX.0, BOX.1)
    }
}

/// Returns runs with scaled font sizes.
fn scaled(runs: &[Run], scale: f32) -> Vec<Run> {
    let mut runs = runs.to_vec();
    for run in &mut runs {
        run.style.size *= scale;
        // A line has no line breaks.
        run.text = run.text.replace(['\n', '\r'], " ");
    }
    runs
}

fn size(runs: &[Run], height: f32) -> f32 {
    let largest = runs.iter().map(|run| run.style.size).fold(0.0, f32::max);
    let guessed = if height > 0.0 {
        height * SHARE
    } else {
        DEFAULT_SIZE
    };
    let size = if largest > 0.0 { largest } else { guessed };
    size.clamp(1.0, 1_638.0)
}

#[cfg(test)]
mod tests {
    use super::{PageTransform, PositionedLine};
    use crate::{Line, Rect, Size};

    #[test]
    fn rotation_keeps_the_left_end_of_the_baseline() {
        let page = Size {
            width: 500.0,
            height: 500.0,
        };
        let bounds = Rect::between((100.0, 190.0), (160.0, 205.0));
        let line = Line {
            bounds,
            baseline: 200.0,
            angle: -270.0,
            runs: Vec::new(),
        };
        let positioned = PositionedLine::of(&line, PageTransform::between(page, page));
        // The text runs down from its start; the tops of the letters point to the right.
        let turned = positioned.turned(1.0, 0.0);
        let size = positioned.size;
        let middle = (
            (turned.left + turned.right) / 2.0,
            (turned.top + turned.bottom) / 2.0,
        );
        assert!((middle.0 - (100.0 + size / 2.0)).abs() < 0.01, "{middle:?}");
        assert!((middle.1 - 230.0).abs() < 0.01, "{middle:?}");
    }
}
