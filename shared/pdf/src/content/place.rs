//! From the coordinates of a page to those of the page as it is shown: cut to its crop box, turned, y downwards.

use layout::{Rect, Size};
use task::matrix::Matrix;

use super::handles::Leaf;

/// How far the edge of a page may be from where its coordinates begin, points: several times as far as PDF allows, so that what
/// is on a page of absurd size still has a place.
const FARTHEST: f32 = 100_000.0;

/// Where what is on a page is shown.
pub(super) struct Place {
    matrix: Matrix,
    size: Size,
}

impl Place {
    /// That of a page.
    pub(super) fn of(leaf: &Leaf<'_>) -> Self {
        Self::new(leaf.extent(), leaf.quarters())
    }

    fn new(extent: [f32; 4], quarters: u8) -> Self {
        let sane = |edge: f32| f64::from(edge.clamp(-FARTHEST, FARTHEST));
        let [left, bottom, right, top] = extent.map(sane);
        let matrix = match quarters {
            0 => [1.0, 0.0, 0.0, -1.0, -left, top],
            1 => [0.0, 1.0, 1.0, 0.0, -bottom, -left],
            2 => [-1.0, 0.0, 0.0, 1.0, right, -bottom],
            _ => [0.0, -1.0, -1.0, 0.0, top, right],
        };
        let (width, height) = (narrow(right - left), narrow(top - bottom));
        let (width, height) = match quarters {
            0 | 2 => (width, height),
            _ => (height, width),
        };
        Self {
            matrix: Matrix(matrix),
            size: Size { width, height },
        }
    }

    /// The extent of the page as it is shown.
    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// The page as it is shown.
    pub(super) fn area(&self) -> Rect {
        Rect::between((0.0, 0.0), (self.size.width, self.size.height))
    }

    /// The map of what is drawn by `inner` on the page.
    pub(super) fn after(&self, inner: Matrix) -> Matrix {
        inner.then(self.matrix)
    }

    /// Where a point of the page is shown.
    pub(super) fn point(&self, point: (f64, f64)) -> (f32, f32) {
        shown(self.matrix, point)
    }

    /// Where an area of the page is shown: left, bottom, right, top.
    pub(super) fn rect(&self, [left, bottom, right, top]: [f64; 4]) -> Rect {
        Rect::between(self.point((left, bottom)), self.point((right, top)))
    }
}

/// Where a map takes a point.
pub(super) fn shown(matrix: Matrix, point: (f64, f64)) -> (f32, f32) {
    let (x, y) = matrix.apply(point);
    (narrow(x), narrow(y))
}

/// Places on a page need no more than single precision.
pub fn narrow(value: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "said above")]
    let value = value as f32;
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_a_page_of_absurd_size_has_a_place() {
        let place = Place::new([-1e6, -1e6, 1e6, 1e6], 0);
        assert_eq!(place.size().width, 200_000.0);
        assert_eq!(place.point((72.0, 700.0)), (100_072.0, 99_300.0));
    }

    #[test]
    fn a_corner_of_the_page_goes_where_it_is_shown() {
        let lower_left = (10.0, 20.0);
        let shown = [0, 1, 2, 3].map(|quarters| {
            let place = Place::new([10.0, 20.0, 110.0, 220.0], quarters);
            (place.point(lower_left), place.size().width)
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
