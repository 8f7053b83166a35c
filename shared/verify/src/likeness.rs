//! How much two images look alike, whatever their sides: by the mean light of a few cells.

use domain::operation::Angle;
use image::{DynamicImage, GenericImageView as _};
use imaging::flat::over_white;
use imaging::framing::Framing;

/// Most cells across or down.
const CELLS: u32 = 24;
/// Least pixels of a cell across or down, that its edge matters little.
const CELL: u32 = 8;
/// By how much cells may differ on average, of full light as it is seen.
const ON_AVERAGE: f32 = 0.04;
/// By how much any cell may differ.
const AT_MOST: f32 = 0.25;

/// What a grid is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mesh {
    /// How many cells there are, across and down.
    pub(super) sides: (u32, u32),
    /// What becomes of transparency.
    pub(super) transparency: Transparency,
}

/// What becomes of transparency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transparency {
    /// It counts.
    Kept,
    /// The image lies on white.
    OnWhite,
    /// What is transparent by more than half is white, the rest lies on white.
    Halved,
}

impl Mesh {
    /// That of a grid that is turned.
    pub(super) fn turned(self, turn: Option<Angle>) -> Self {
        let (across, down) = self.sides;
        let sides = match turn {
            Some(Angle::Quarter | Angle::ThreeQuarters) => (down, across),
            _ => self.sides,
        };
        Self { sides, ..self }
    }
}

/// The mean light of cells: red, green, blue, and how opaque they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    sides: (u32, u32),
    cells: Vec<[f32; 4]>,
}

impl Grid {
    /// How many cells suit a part of an image and what becomes of it.
    pub(super) fn sides(framing: &Framing) -> (u32, u32) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the image"
        )]
        let part = (framing.part.width as u32, framing.part.height as u32);
        let cells = |one: u32, other: u32| (one.min(other) / CELL).clamp(1, CELLS);
        (
            cells(part.0, framing.sides.0),
            cells(part.1, framing.sides.1),
        )
    }

    /// Of the part of an image that is framed.
    pub(super) fn of(pixels: &DynamicImage, framing: &Framing, mesh: Mesh) -> Self {
        let (across, down) = mesh.sides;
        let part = framing.part;
        let column = cells(pixels.width(), part.left, part.width, across);
        let row = cells(pixels.height(), part.top, part.height, down);
        let light = light();
        let amount = |sample: u8| light.get(usize::from(sample)).copied().unwrap_or(0.0);
        let mut sums = vec![([0.0_f64; 4], 0.0_f64); (across * down) as usize];
        for (row, y) in row.into_iter().zip(0..) {
            let Some(row) = row else { continue };
            for (column, x) in column.iter().zip(0..) {
                let Some(column) = column else { continue };
                let [red, green, blue, alpha] = pixels.get_pixel(x, y).0;
                let opacity = f64::from(alpha) / 255.0;
                let [red, green, blue] = [red, green, blue].map(|sample| match mesh.transparency {
                    Transparency::Kept => amount(sample) * opacity,
                    Transparency::Halved if alpha < 128 => 1.0,
                    _ => amount(over_white(sample, alpha)),
                });
                let opacity = match mesh.transparency {
                    Transparency::Kept => opacity,
                    _ => 1.0,
                };
                let pixel = [red, green, blue, opacity];
                for (row, high) in row.shares() {
                    for (column, wide) in column.shares() {
                        let share = high * wide;
                        if share > 0.0
                            && let Some((sum, area)) =
                                sums.get_mut((row * across + column) as usize)
                        {
                            sum.iter_mut()
                                .zip(pixel)
                                .for_each(|(sum, of)| *sum += of * share);
                            *area += share;
                        }
                    }
                }
            }
        }
        Self::of_means(mesh.sides, sums.into_iter().map(mean).collect())
    }

    /// Of the means of the cells, row by row.
    pub(super) fn of_means(sides: (u32, u32), cells: Vec<[f32; 4]>) -> Self {
        Self { sides, cells }
    }

    /// The mean of a cell.
    pub(super) fn cell(&self, index: usize) -> [f32; 4] {
        self.cells.get(index).copied().unwrap_or_default()
    }

    /// The grid of the image turned clockwise.
    pub(super) fn turned(&self, angle: Angle) -> Self {
        let (across, down) = self.sides;
        let sides = match angle {
            Angle::Half => (across, down),
            Angle::Quarter | Angle::ThreeQuarters => (down, across),
        };
        let from = |x: u32, y: u32| match angle {
            Angle::Quarter => (y, down - 1 - x),
            Angle::Half => (across - 1 - x, down - 1 - y),
            Angle::ThreeQuarters => (across - 1 - y, x),
        };
        let places = (0..sides.1).flat_map(|y| (0..sides.0).map(move |x| (x, y)));
        let cells = places.filter_map(|(x, y)| {
            let (x, y) = from(x, y);
            self.cells.get((y * across + x) as usize).copied()
        });
        Self {
            sides,
            cells: cells.collect(),
        }
    }

    /// Whether both show the same.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let differences = || {
            let cells = self.cells.iter().zip(&other.cells);
            cells.flat_map(|(one, other)| {
                one.iter()
                    .zip(other)
                    .map(|(one, other)| (one - other).abs())
            })
        };
        #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
        let count = (self.cells.len() * 4) as f32;
        self.sides == other.sides
            && self.cells.len() == other.cells.len()
            && differences().sum::<f32>() <= count * ON_AVERAGE
            && differences().all(|difference| difference <= AT_MOST)
    }
}

/// How a side of a pixel is shared by cells, none of which is shorter.
#[derive(Clone, Copy)]
struct Shared {
    cell: u32,
    /// How much of it lies in that cell.
    here: f64,
    /// How much lies in the next.
    next: f64,
}

impl Shared {
    fn shares(self) -> [(u32, f64); 2] {
        [(self.cell, self.here), (self.cell + 1, self.next)]
    }
}

/// Which cells each pixel of a side lies in: cells have edges where they are, not where a pixel ends, so that those of a
/// scaled image show the same.
fn cells(length: u32, begin: f64, part: f64, count: u32) -> Vec<Option<Shared>> {
    let cell = part / f64::from(count);
    let shared = |pixel: u32| {
        let from = (f64::from(pixel) - begin).max(0.0);
        let to = (f64::from(pixel) + 1.0 - begin).min(part);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the part"
        )]
        let first = ((from / cell) as u32).min(count - 1);
        let edge = match first + 1 < count {
            true => (f64::from(first + 1) * cell).max(from),
            false => to,
        };
        (to > from).then_some(Shared {
            cell: first,
            here: edge.min(to) - from,
            next: (to - edge).max(0.0),
        })
    };
    (0..length).map(shared).collect()
}

/// What part of full light each sample stands for, by the curve of sRGB.
fn light() -> Vec<f64> {
    (0..=u8::MAX)
        .map(|sample| match f64::from(sample) / 255.0 {
            share if share <= 0.040_45 => share / 12.92,
            share => ((share + 0.055) / 1.055).powf(2.4),
        })
        .collect()
}

/// The mean of sums of light, as it is seen.
fn mean((sums, area): ([f64; 4], f64)) -> [f32; 4] {
    let [red, green, blue, opacity] = sums.map(|sum| sum / area.max(f64::EPSILON));
    #[expect(clippy::cast_possible_truncation, reason = "at most 1")]
    let seen = |light: f64| light.powf(1.0 / 2.2) as f32;
    #[expect(clippy::cast_possible_truncation, reason = "at most 1")]
    [seen(red), seen(green), seen(blue), opacity as f32]
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};
    use imaging::framing::Framing;
    use imaging::scale::Part;

    use super::*;

    fn grid(image: &RgbImage) -> Grid {
        let framing = Framing::new(
            Part::whole(image.dimensions()),
            image.dimensions(),
            u32::MAX,
        );
        let mesh = Mesh {
            sides: Grid::sides(&framing),
            transparency: Transparency::OnWhite,
        };
        Grid::of(&image.clone().into(), &framing, mesh)
    }

    fn image() -> RgbImage {
        RgbImage::from_fn(80, 48, |x, y| {
            Rgb([x as u8 * 3, y as u8 * 5, if x > 40 { 200 } else { 0 }])
        })
    }

    #[test]
    fn an_image_is_like_itself_and_not_like_others() {
        let same = grid(&image());
        assert!(same.is_like(&grid(&image())));
        for other in [
            image::imageops::flip_horizontal(&image()),
            RgbImage::new(80, 48),
            RgbImage::from_fn(80, 48, |x, y| {
                let Rgb([red, green, blue]) = *image().get_pixel(x, y);
                Rgb([blue, green, red])
            }),
        ] {
            assert!(!same.is_like(&grid(&other)));
        }
    }

    #[test]
    fn a_grid_turns_as_its_image_does() {
        use image::imageops::{rotate90, rotate180, rotate270};
        let turned = |angle| grid(&image()).turned(angle);
        assert!(turned(Angle::Quarter).is_like(&grid(&rotate90(&image()))));
        assert!(turned(Angle::Half).is_like(&grid(&rotate180(&image()))));
        assert!(turned(Angle::ThreeQuarters).is_like(&grid(&rotate270(&image()))));
        assert!(!turned(Angle::Quarter).is_like(&grid(&rotate270(&image()))));
    }
}
