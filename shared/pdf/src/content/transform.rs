//! Transforms page coordinates to display coordinates: cropped to the crop box, rotated, y axis down.

use layout::{Rect, Size};
use task::matrix::Matrix;

use super::handles::PageHandle;

/// Largest distance of a page edge from the origin, in points. Several times the limit of PDF, so that content of pages with
/// absurd sizes still gets finite coordinates.
const MAX_COORDINATE: f32 = 100_000.0;

/// The transformation from user space to display space.
pub(super) struct PageTransform {
    matrix: Matrix,
    size: Size,
}

impl PageTransform {
    /// The transformation of a page.
    pub(super) fn of(page: &PageHandle<'_>) -> Self {
        Self::new(page.extent(), page.quarter_turns())
    }

    fn new(extent: [f32; 4], quarters: u8) -> Self {
        let sane = |edge: f32| f64::from(edge.clamp(-MAX_COORDINATE, MAX_COORDINATE));
        let [left, bottom, right, top] = extent.map(sane);
        let matrix = match quarters {
            0 => [1.0, 0.0, 0.0, -1.0, -left, top],
            1 => [0.0, 1.0, 1.0, 0.0, -bottom, -left],
            2 => [-1.0, 0.0, 0.0, 1.0, right, -bottom],
            _ => [0.0, -1.0, -1.0, 0.0, top, right],
        };
        let (width, height) = (to_f32(right - left), to_f32(top - bottom));
        let (width, height) = match quarters {
            0 | 2 => (width, height),
            _ => (height, width),
        };
        Self {
            matrix: Matrix(matrix),
            size: Size { width, height },
        }
    }

    /// Size of the displayed page.
    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Bounds of the displayed page.
    pub(super) fn area(&self) -> Rect {
        Rect::between((0.0, 0.0), (self.size.width, self.size.height))
    }

    /// Composes this transformation after `inner`.
    pub(super) fn after(&self, inner: Matrix) -> Matrix {
        inner.then(self.matrix)
    }

    /// Transforms a point.
    pub(super) fn point(&self, point: (f64, f64)) -> (f32, f32) {
        transformed(self.matrix, point)
    }

    /// Transforms a rectangle, given as left, bottom, right, top.
    pub(super) fn rect(&self, [left, bottom, right, top]: [f64; 4]) -> Rect {
        Rect::between(self.point((left, bottom)), self.point((right, top)))
    }
}

/// Transforms a point by a matrix.
pub(super) fn transformed(matrix: Matrix, point: (f64, f64)) -> (f32, f32) {
    let (x, y) = matrix.apply(point);
    (to_f32(x), to_f32(y))
}

/// Converts to `f32`, which is precise enough for page coordinates.
pub fn to_f32(value: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "page coordinates need no more precision"
    )]
    let value = value as f32;
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_of_an_absurdly_large_page_has_finite_coordinates() {
        let transform = PageTransform::new([-1e6, -1e6, 1e6, 1e6], 0);
        assert_eq!(transform.size().width, 200_000.0);
        assert_eq!(transform.point((72.0, 700.0)), (100_072.0, 99_300.0));
    }

    #[test]
    fn page_corners_are_transformed_for_every_rotation() {
        let lower_left = (10.0, 20.0);
        let shown = [0, 1, 2, 3].map(|quarters| {
            let transform = PageTransform::new([10.0, 20.0, 110.0, 220.0], quarters);
            (transform.point(lower_left), transform.size().width)
        });
        let expected = [
            ((0.0, 200.0), 100.0),
            ((0.0, 0.0), 200.0),
            ((100.0, 0.0), 100.0),
            ((200.0, 100.0), 200.0),
        ];
        assert_eq!(shown, expected);
    }
}
