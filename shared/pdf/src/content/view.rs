//! How a picture is shown: turned, mirrored, and cut off at the edges of the page.

use std::hash::{Hash, Hasher};

use image::RgbaImage;
use image::imageops::{crop_imm, flip_horizontal_in_place, flip_vertical_in_place, rotate90};
use layout::Rect;
use task::matrix::Matrix;

/// What may be cut off at an edge and is borne, in parts of the picture: scans often reach a little over their page.
const BORNE: f32 = 0.01;

/// How what a picture holds becomes what is shown in an upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    /// Whether its rows are shown as columns; they are before anything is mirrored.
    is_crossed: bool,
    /// Whether left and right, and top and bottom, change places.
    mirrors: (bool, bool),
    /// Where what is seen begins and ends in what would be shown: left, top, right and bottom from 0 to 1.
    part: [f32; 4],
}

impl View {
    /// That of the unit square by a map whose y goes downwards; `seen` is what is seen of the `whole` rectangle around it.
    pub(super) fn of(Matrix([a, b, c, d, ..]): Matrix, whole: &Rect, seen: &Rect) -> Self {
        let is_crossed = (b * c).abs() > (a * d).abs();
        let mirrors = match is_crossed {
            true => (c > 0.0, b < 0.0),
            false => (a < 0.0, d > 0.0),
        };
        let across = |x: f32| share(x - whole.left, whole.width());
        let down = |y: f32| share(y - whole.top, whole.height());
        Self {
            is_crossed,
            mirrors,
            part: [
                across(seen.left),
                down(seen.top),
                across(seen.right),
                down(seen.bottom),
            ],
        }
    }

    /// Whether everything is shown as the picture holds it.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_crossed && self.mirrors == (false, false) && self.is_whole()
    }

    fn is_whole(&self) -> bool {
        self.part == [0.0, 0.0, 1.0, 1.0]
    }

    /// What is shown of these pixels.
    pub(super) fn applied(&self, pixels: RgbaImage) -> RgbaImage {
        let (mut across, down) = self.mirrors;
        let mut shown = pixels;
        if self.is_crossed {
            // A quarter turn is that, and mirrored.
            shown = rotate90(&shown);
            across = !across;
        }
        if across {
            flip_horizontal_in_place(&mut shown);
        }
        if down {
            flip_vertical_in_place(&mut shown);
        }
        match self.is_whole() {
            true => shown,
            false => self.cut(&shown),
        }
    }

    fn cut(&self, shown: &RgbaImage) -> RgbaImage {
        let [left, top, right, bottom] = self.part;
        let (x, width) = pixels((left, right), shown.width());
        let (y, height) = pixels((top, bottom), shown.height());
        crop_imm(shown, x, y, width, height).to_image()
    }
}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let part = self.part.map(f32::to_bits);
        (self.is_crossed, self.mirrors, part).hash(state);
    }
}

fn share(length: f32, whole: f32) -> f32 {
    match length / whole {
        share if share > 1.0 - BORNE => 1.0,
        share if share > BORNE => share,
        _ => 0.0,
    }
}

/// The first one and the number of those pixels; it is at least one.
fn pixels((from, to): (f32, f32), count: u32) -> (u32, u32) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is from 0 to the number of pixels"
    )]
    let at = |share: f32| (f64::from(share) * f64::from(count)).round() as u32;
    let from = at(from).min(count.saturating_sub(1));
    (from, at(to).max(from + 1) - from)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::content::place::shown;

    /// A picture of 3 by 2 pixels, each its own colour.
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

    /// Which pixel is shown where, by the map itself.
    fn mapped(map: Matrix, (width, height): (u32, u32)) -> Vec<Vec<u8>> {
        let mut rows = vec![vec![0; width as usize]; height as usize];
        for (x, y, pixel) in held().enumerate_pixels() {
            let centre = |place: u32, count: f64| (f64::from(place) + 0.5) / count;
            let (across, down) = shown(map, (centre(x, 3.0), 1.0 - centre(y, 2.0)));
            rows[down as usize][across as usize] = pixel.0[0];
        }
        rows
    }

    #[test]
    fn every_turn_and_mirroring_is_shown_as_the_map_shows_it() {
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
    fn what_is_not_seen_is_cut_off() {
        let whole = Rect::between((-1.0, 0.0), (2.0, 2.0));
        let seen = Rect::between((0.0, 0.0), (2.0, 1.0));
        let view = View::of(Matrix([3.0, 0.0, 0.0, -2.0, -1.0, 2.0]), &whole, &seen);
        assert_eq!(rows(&view.applied(held())), [[2, 3]]);
        assert!(!view.is_plain());
        let nearly = Rect::between((-0.99, 0.0), (2.0, 1.99));
        assert!(View::of(Matrix([3.0, 0.0, 0.0, -2.0, -1.0, 2.0]), &whole, &nearly).is_plain());
    }
}
