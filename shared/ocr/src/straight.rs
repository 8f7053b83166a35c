//! How what was read would stand if its page were neither turned nor skewed.

use task::matrix::Matrix;

use super::layout::{Block, Line, to_upright};

/// The steepest skew, in parts of a line: what is steeper is meant so.
const STEEPEST: f64 = 0.18;
/// The least skew that is looked at: half a pixel over a page.
const LEAST: f64 = 0.0003;

/// Where the pixels of a picture would be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    /// From the picture as it was read to one that is not turned.
    pub(super) upright: Matrix,
    /// From there to one that is not skewed either.
    pub(super) level: Matrix,
    /// Width and height in pixels.
    pub(super) sides: (u32, u32),
    /// By how many pixels lines fall for each pixel to the right, before.
    pub(super) slope: f64,
}

impl Straight {
    /// That of a picture with these sides in pixels on which this was read.
    pub(super) fn of(blocks: &[Block], sides: (u32, u32)) -> Self {
        let turned = to_upright(blocks);
        let upright = back(turned, sides).inverse().unwrap_or(Matrix::SAME);
        let lines = blocks.iter().flat_map(|block| &block.lines);
        let slope = slope(lines, upright);
        let (width, height) = sides;
        let sides = if turned.is_multiple_of(180) {
            (width, height)
        } else {
            (height, width)
        };
        Self {
            upright,
            level: level(slope, sides),
            sides,
            slope,
        }
    }

    /// The same where lines fall by so much more.
    pub(super) fn falling(self, more: f64) -> Self {
        let slope = self.slope + more;
        Self {
            level: level(slope, self.sides),
            slope,
            ..self
        }
    }

    /// From the straight picture to the one as it was read.
    pub(super) fn back(&self) -> Matrix {
        let to = self.upright.then(self.level);
        to.inverse().unwrap_or(Matrix::SAME)
    }
}

/// Where the pixels of a picture that was turned clockwise by so many degrees were before; `sides` are those before.
pub(super) fn back(degrees: u32, (width, height): (u32, u32)) -> Matrix {
    let (width, height) = (f64::from(width), f64::from(height));
    match degrees {
        90 => Matrix([0.0, -1.0, 1.0, 0.0, 0.0, height]),
        180 => Matrix([-1.0, 0.0, 0.0, -1.0, width, height]),
        270 => Matrix([0.0, 1.0, -1.0, 0.0, width, 0.0]),
        _ => Matrix::SAME,
    }
}

/// How steep most lines are, the longer ones counting more; 0 where there are none.
fn slope<'a>(lines: impl Iterator<Item = &'a Line>, upright: Matrix) -> f64 {
    let steep = lines.filter_map(|line| {
        let [x, y, u, v] = line.baseline?;
        let ((x, y), (u, v)) = (upright.apply((x, y)), upright.apply((u, v)));
        let (run, fall) = (u - x, v - y);
        (run > 0.0 && fall.abs() <= STEEPEST * run).then(|| (fall / run, run))
    });
    let mut steep: Vec<(f64, f64)> = steep.collect();
    steep.sort_by(|one, other| one.0.total_cmp(&other.0));
    let all: f64 = steep.iter().map(|(_, run)| run).sum();
    let mut before = 0.0;
    let middle = steep.iter().find(|(_, run)| {
        before += run;
        before * 2.0 >= all
    });
    middle.map_or(0.0, |(slope, _)| *slope)
}

/// Turns a picture about its middle until lines of that slope are level.
fn level(slope: f64, (width, height): (u32, u32)) -> Matrix {
    if slope.abs() < LEAST {
        return Matrix::SAME;
    }
    let (sine, cosine) = slope.atan().sin_cos();
    let (x, y) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
    Matrix([1.0, 0.0, 0.0, 1.0, -x, -y])
        .then(Matrix([cosine, -sine, sine, cosine, 0.0, 0.0]))
        .then(Matrix([1.0, 0.0, 0.0, 1.0, x, y]))
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Rectangle, Word};
    use super::*;

    fn read(baseline: [f64; 4]) -> Vec<Block> {
        let mut block = Block::new(0, Rectangle::default());
        block.lines.push(Line {
            baseline: Some(baseline),
            words: Vec::from_iter(Word::new("letters", Rectangle::default(), None)),
            ..Line::default()
        });
        vec![block]
    }

    #[test]
    fn a_line_that_falls_becomes_level_and_stays_in_the_middle() {
        let straight = Straight::of(&read([0.0, 45.0, 200.0, 55.0]), (200, 100));
        let (x, y) = straight.level.apply((100.0, 50.0));
        assert!((x - 100.0).abs() < 1e-9 && (y - 50.0).abs() < 1e-9);
        let (_, begin) = straight.level.apply((0.0, 45.0));
        let (_, end) = straight.level.apply((200.0, 55.0));
        assert!((begin - end).abs() < 1e-9, "{begin} {end}");
    }

    #[test]
    fn a_line_that_runs_up_becomes_level() {
        let straight = Straight::of(&read([50.0, 90.0, 50.0, 10.0]), (200, 100));
        assert_eq!(straight.sides, (100, 200));
        assert_eq!(straight.upright.apply((50.0, 90.0)), (10.0, 50.0));
        assert_eq!(straight.back().apply((10.0, 50.0)), (50.0, 90.0));
    }
}
