//! Where a line of text stands on the page that it is written on.

use super::direction::are_leftward;
use super::frame::Frame;
use super::length;
use crate::{Line, Rect, Run};

/// A line with its place.
pub(super) struct Standing {
    /// From its left end to its right one, points.
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    /// The size of its largest letters, points.
    pub(super) size: f32,
    /// How far it is turned clockwise about the left end of its baseline, degrees from 0 to 360.
    pub(super) angle: f32,
    /// Whether it is read from the right.
    pub(super) is_leftward: bool,
    /// What it says, in the size that it has there.
    pub(super) runs: Vec<Run>,
}

/// How far a box reaches above and below the baseline, in shares of the letters' size: programs give a line of any font about
/// 1.2 of it.
const BOX: (f32, f32) = (0.98, 0.22);

/// The size of letters of which none is known, points.
const USUAL: f32 = 11.0;

/// How much of a line's height its letters' size is, where nothing else is known.
const SHARE: f32 = 0.85;

impl Standing {
    /// Where a line of a page stands; in the upper left corner if the line does not tell.
    pub(super) fn of(line: &Line, frame: Frame) -> Self {
        let place =
            length::place(Some(line.bounds)).filter(|_| line.baseline.abs() < length::FARTHEST);
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
            is_leftward: are_leftward(&runs),
            runs,
        }
    }

    /// The box that reaches so far above and below the baseline, in shares of the letters' size, if it were not turned.
    pub(super) fn level(&self, above: f32, below: f32) -> Rect {
        Rect {
            left: self.left,
            top: self.baseline - above * self.size,
            right: self.right.max(self.left + self.size),
            bottom: self.baseline + below * self.size,
        }
    }

    /// The same box about whose own middle the line is turned, as shapes are.
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

    /// The box that programs draw around a line of text, about whose own middle it is turned.
    pub(super) fn boxed(&self) -> Rect {
        self.turned(BOX.0, BOX.1)
    }
}

/// Runs of letters of another size.
fn scaled(runs: &[Run], scale: f32) -> Vec<Run> {
    let mut runs = runs.to_vec();
    for run in &mut runs {
        run.style.size *= scale;
        // A line is one line.
        run.text = run.text.replace(['\n', '\r'], " ");
    }
    runs
}

fn size(runs: &[Run], height: f32) -> f32 {
    let largest = runs.iter().map(|run| run.style.size).fold(0.0, f32::max);
    let guessed = if height > 0.0 { height * SHARE } else { USUAL };
    let size = if largest > 0.0 { largest } else { guessed };
    size.clamp(1.0, 1_638.0)
}

#[cfg(test)]
mod tests {
    use super::{Frame, Standing};
    use crate::{Line, Rect, Size};

    #[test]
    fn a_turned_line_keeps_the_end_that_it_is_turned_about() {
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
        let standing = Standing::of(&line, Frame::between(page, page));
        // Downwards from its beginning, the letters' tops to the right.
        let turned = standing.turned(1.0, 0.0);
        let size = standing.size;
        let middle = (
            (turned.left + turned.right) / 2.0,
            (turned.top + turned.bottom) / 2.0,
        );
        assert!((middle.0 - (100.0 + size / 2.0)).abs() < 0.01, "{middle:?}");
        assert!((middle.1 - 230.0).abs() < 0.01, "{middle:?}");
    }
}
