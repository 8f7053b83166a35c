//! How an image is displayed: rotated, mirrored, and cropped at the page edges.

use std::hash::{Hash, Hasher};

use image::RgbaImage;
use image::imageops::{crop_imm, flip_horizontal_in_place, flip_vertical_in_place, rotate90};
use layout::Rect;
use task::matrix::Matrix;

/// Maximum part of an image that is cropped without rewriting it: scans often extend slightly beyond the page.
const MAX_IGNORED_CROP: f32 = 0.01;

/// Maps the pixels of an image to an upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    /// Whether rows and columns are swapped, before mirroring.
    is_transposed: bool,
    /// Whether it is mirrored horizontally and vertically.
    mirrors: (bool, bool),
    /// The visible part, from 0 to 1: left, top, right, bottom.
    part: [f32; 4],
}

impl View {
    /// The view of the unit square under a matrix with y axis down; `seen` is the visible part of its bounding box `whole`.
    pub(super) fn of(Matrix([a, b, c, d, ..]): Matrix, whole: &Rect, seen: &Rect) -> Self {
        let is_transposed = (b * c).abs() > (a * d).abs();
        let mirrors = match is_transposed {
            true => (c > 0.0, b < 0.0),
            false => (a < 0.0, d > 0.0),
        };
        let across = |x: f32| share(x - whole.left, whole.width());
        let down = |y: f32| share(y - whole.top, whole.height());
        Self {
            is_transposed,
            mirrors,
            part: [
                across(seen.left),
                down(seen.top),
                across(seen.right),
                down(seen.bottom),
            ],
        }
    }

    /// Whether the image is displayed as stored.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_transposed && self.mirrors == (false, false) && self.is_uncropped()
    }

    fn is_uncropped(&self) -> bool {
        self.part == [0.0, 0.0, 1.0, 1.0]
    }

    /// Applies the view to pixels.
    pub(super) fn applied(&self, pixels: RgbaImage) -> RgbaImage {
        let (mut across, down) = self.mirrors;
        let mut shown = pixels;
        if self.is_transposed {
            // A rotation by 90 degrees is a transposition and a mirroring.
            shown = rotate90(&shown);
            across = !across;
        }
        if across {
            flip_horizontal_in_place(&mut shown);
        }
        if down {
            flip_vertical_in_place(&mut shown);
        }
        match self.is_uncropped() {
            true => shown,
            false => self.crop(&shown),
        }
    }

    fn crop(&self, shown: &RgbaImage) -> RgbaImage {
        let [left, top, right, bottom] = self.part;
        let (x, width) = pixels((left, right), shown.width());
        let (y, height) = pixels((top, bottom), shown.height());
        crop_imm(shown, x, y, width, height).to_image()
    }
}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let part = self.part.map(f32::to_bits);
        (self.is_transposed, self.mirrors, part).hash(state);
    }
}

fn share(length: f32, whole: f32) -> f32 {
    match length / whole {
        share if share > 1.0 - MAX_IGNORED_CROP => 1.0,
        share if share > MAX_IGNORED_CROP => share,
        _ => 0.0,
    }
}

/// The first pixel and the number of pixels of a range; at least one.
fn pixels((from, to): (f32, f32), count: u32) -> (u32, u32) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of pixels"
    )]
    let at = |share: f32| (f64::from(share) * f64::from(count)).round() as u32;
    let from = at(from).min(count.saturating_sub(1));
    (from, at(to).max(from + 1) - from)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::content::transform::transformed;

    /// An image of 3 by 2 pixels in different colors.
    fn held() -> RgbaImage {
        RgbaImage::from_fn(3, 2, |x, y| {
            Rgba([1 + u8::try_from(x + 3 * y).unwrap(), 0, 0, 255])
        })
    }

    fn rows(pixels: &RgbaImage) -> Vec<Vec<u8>> {
        pixels
            .rows()
            .map(|row| row.map(|pixel| pixel.0[0]).collect())
            .collect()
    }

    /// The displayed pixels, computed by the matrix itself.
    fn mapped(map: Matrix, (width, height): (u32, u32)) -> Vec<Vec<u8>> {
        let mut rows = vec![vec![0; width as usize]; height as usize];
        for (x, y, pixel) in held().enumerate_pixels() {
            let center = |place: u32, count: f64| (f64::from(place) + 0.5) / count;
            let (across, down) = transformed(map, (center(x, 3.0), 1.0 - center(y, 2.0)));
            rows[down as usize][across as usize] = pixel.0[0];
        }
        rows
    }

    #[test]
    fn every_rotation_and_mirroring_matches_the_matrix() {
        let (upright, crossed) = ((3, 2), (2, 3));
        let cases = [
            ([3.0, 0.0, 0.0, -2.0, 0.0, 2.0], upright),
            ([-3.0, 0.0, 0.0, 2.0, 3.0, 0.0], upright),
            ([-3.0, 0.0, 0.0, -2.0, 3.0, 2.0], upright),
            ([3.0, 0.0, 0.0, 2.0, 0.0, 0.0], upright),
            ([0.0, 3.0, 2.0, 0.0, 0.0, 0.0], crossed),
            ([0.0, -3.0, 2.0, 0.0, 0.0, 3.0], crossed),
            ([0.0, 3.0, -2.0, 0.0, 2.0, 0.0], crossed),
            ([0.0, -3.0, -2.0, 0.0, 2.0, 3.0], crossed),
        ];
        for (index, (map, sides)) in cases.into_iter().enumerate() {
            let whole = Rect::between((0.0, 0.0), (sides.0 as f32, sides.1 as f32));
            let view = View::of(Matrix(map), &whole, &whole);
            let found = rows(&view.applied(held()));
            assert_eq!(found, mapped(Matrix(map), sides), "{map:?}");
            assert_eq!(view.is_plain(), index == 0, "{map:?}");
        }
    }

    #[test]
    fn invisible_parts_are_cropped() {
        let whole = Rect::between((-1.0, 0.0), (2.0, 2.0));
        let seen = Rect::between((0.0, 0.0), (2.0, 1.0));
        let view = View::of(Matrix([3.0, 0.0, 0.0, -2.0, -1.0, 2.0]), &whole, &seen);
        assert_eq!(rows(&view.applied(held())), [[2, 3]]);
        assert!(!view.is_plain());
        let nearly = Rect::between((-0.99, 0.0), (2.0, 1.99));
        assert!(View::of(Matrix([3.0, 0.0, 0.0, -2.0, -1.0, 2.0]), &whole, &nearly).is_plain());
    }
}
