//! Deskew transformation of a recognized page, from its rotation and the slope of its text lines.

use task::matrix::Matrix;

use super::ocr_page::{Block, Line, to_upright};

/// Maximum slope that counts as skew; steeper lines are intentional.
const STEEPEST: f64 = 0.18;
/// Minimum slope that is corrected: half a pixel across a page.
const LEAST: f64 = 0.0003;

/// Transformation to the deskewed picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    /// From the recognized picture to the upright one.
    pub(super) upright: Matrix,
    /// From the upright to the deskewed picture.
    pub(super) level: Matrix,
    /// Width and height of the deskewed picture in pixels.
    pub(super) sides: (u32, u32),
    /// Slope of the lines before deskewing.
    pub(super) slope: f64,
}

impl Straight {
    /// Computes the transformation for a picture of these dimensions with its recognized text.
    pub(super) fn of(blocks: &[Block], sides: (u32, u32)) -> Self {
        let turned = to_upright(blocks);
        let upright = back(turned, sides).inverse().unwrap_or(Matrix::IDENTITY);
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

    /// Returns the transformation for an additional slope.
    pub(super) fn falling(self, more: f64) -> Self {
        let slope = self.slope + more;
        Self {
            level: level(slope, self.sides),
            slope,
            ..self
        }
    }

    /// Returns the transformation for a picture of these dimensions that was enlarged by a factor.
    pub(super) fn reduced(self, factor: f64, picture: (u32, u32)) -> Self {
        let (width, height) = picture;
        let (larger, smaller) = (
            Matrix::scale(factor, factor),
            Matrix::scale(1.0 / factor, 1.0 / factor),
        );
        let [across, ..] = self.upright.0;
        Self {
            upright: larger.then(self.upright).then(smaller),
            level: larger.then(self.level).then(smaller),
            sides: match across == 0.0 {
                true => (height, width),
                false => (width, height),
            },
            ..self
        }
    }

    /// Returns the matrix from the deskewed to the recognized picture.
    pub(super) fn back(&self) -> Matrix {
        let to = self.upright.then(self.level);
        to.inverse().unwrap_or(Matrix::IDENTITY)
    }
}

/// Returns the matrix that maps a picture rotated clockwise by `degrees` back to the unrotated picture of these dimensions.
pub(super) fn back(degrees: u32, (width, height): (u32, u32)) -> Matrix {
    let (width, height) = (f64::from(width), f64::from(height));
    match degrees {
        90 => Matrix([0.0, -1.0, 1.0, 0.0, 0.0, height]),
        180 => Matrix([-1.0, 0.0, 0.0, -1.0, width, height]),
        270 => Matrix([0.0, 1.0, -1.0, 0.0, width, 0.0]),
        _ => Matrix::IDENTITY,
    }
}

/// Returns the median slope of lines weighted by length; 0 without lines.
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

/// Rotates about the center by the slope.
fn level(slope: f64, (width, height): (u32, u32)) -> Matrix {
    if slope.abs() < LEAST {
        return Matrix::IDENTITY;
    }
    let (sine, cosine) = slope.atan().sin_cos();
    let (x, y) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
    Matrix([1.0, 0.0, 0.0, 1.0, -x, -y])
        .then(Matrix([cosine, -sine, sine, cosine, 0.0, 0.0]))
        .then(Matrix([1.0, 0.0, 0.0, 1.0, x, y]))
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::{Rectangle, Word};
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
    fn a_skewed_line_becomes_horizontal_around_the_center() {
        let straight = Straight::of(&read([0.0, 45.0, 200.0, 55.0]), (200, 100));
        let (x, y) = straight.level.apply((100.0, 50.0));
        assert!((x - 100.0).abs() < 1e-9 && (y - 50.0).abs() < 1e-9);
        let (_, begin) = straight.level.apply((0.0, 45.0));
        let (_, end) = straight.level.apply((200.0, 55.0));
        assert!((begin - end).abs() < 1e-9, "{begin} {end}");
    }

    #[test]
    fn a_vertical_line_becomes_horizontal() {
        let straight = Straight::of(&read([50.0, 90.0, 50.0, 10.0]), (200, 100));
        assert_eq!(straight.sides, (100, 200));
        assert_eq!(straight.upright.apply((50.0, 90.0)), (10.0, 50.0));
        assert_eq!(straight.back().apply((10.0, 50.0)), (50.0, 90.0));
    }
}
