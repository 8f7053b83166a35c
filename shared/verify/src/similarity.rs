//! Similarity of two images regardless of their dimensions, by the mean color of a few cells.

use domain::operation::Angle;
use image::{DynamicImage, GenericImageView as _};
use imaging::geometry::Geometry;
use imaging::transparency::blend_on_white;

/// Maximum cells per axis.
const MAX_CELLS: u32 = 24;
/// Minimum side of a cell in pixels, so that pixels at cell edges have little weight.
const MIN_CELL: u32 = 8;
/// Maximum mean difference of cells, as a fraction of full perceived brightness.
const MAX_MEAN_DIFFERENCE: f32 = 0.04;
/// Maximum difference of any cell.
const MAX_DIFFERENCE: f32 = 0.25;

/// Parameters of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridSpec {
    /// Number of cells per row and column.
    pub(super) sides: (u32, u32),
    /// Treatment of transparency.
    pub(super) transparency: Transparency,
}

/// Treatment of transparency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transparency {
    /// Alpha is compared.
    Keep,
    /// Blended on white.
    OnWhite,
    /// Pixels with less than half opacity become white, others are blended on white.
    Threshold,
}

impl GridSpec {
    /// Returns the parameters of a rotated grid.
    pub(super) fn rotated(self, rotation: Option<Angle>) -> Self {
        let (across, down) = self.sides;
        let sides = match rotation {
            Some(Angle::Quarter | Angle::ThreeQuarters) => (down, across),
            _ => self.sides,
        };
        Self { sides, ..self }
    }
}

/// Mean RGBA of each cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    sides: (u32, u32),
    cells: Vec<[f32; 4]>,
}

impl Grid {
    /// Returns the number of cells suitable for both the crop rectangle and the result.
    pub(super) fn sides(geometry: &Geometry) -> (u32, u32) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the image"
        )]
        let part = (geometry.crop.width as u32, geometry.crop.height as u32);
        let cells = |one: u32, other: u32| (one.min(other) / MIN_CELL).clamp(1, MAX_CELLS);
        (
            cells(part.0, geometry.sides.0),
            cells(part.1, geometry.sides.1),
        )
    }

    /// Computes the grid of the crop rectangle of an image.
    pub(super) fn of(pixels: &DynamicImage, geometry: &Geometry, spec: GridSpec) -> Self {
        let (across, down) = spec.sides;
        let part = geometry.crop;
        let column = cells(pixels.width(), part.left, part.width, across);
        let row = cells(pixels.height(), part.top, part.height, down);
        let table = srgb_table();
        let amount = |sample: u8| table.get(usize::from(sample)).copied().unwrap_or(0.0);
        let mut sums = vec![([0.0_f64; 4], 0.0_f64); (across * down) as usize];
        for (row, y) in row.into_iter().zip(0..) {
            let Some(row) = row else { continue };
            for (column, x) in column.iter().zip(0..) {
                let Some(column) = column else { continue };
                let [red, green, blue, alpha] = pixels.get_pixel(x, y).0;
                let opacity = f64::from(alpha) / 255.0;
                let [red, green, blue] = [red, green, blue].map(|sample| match spec.transparency {
                    Transparency::Keep => amount(sample) * opacity,
                    Transparency::Threshold if alpha < 128 => 1.0,
                    _ => amount(blend_on_white(sample, alpha)),
                });
                let opacity = match spec.transparency {
                    Transparency::Keep => opacity,
                    _ => 1.0,
                };
                let pixel = [red, green, blue, opacity];
                for (row, high) in row.parts() {
                    for (column, wide) in column.parts() {
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
        Self::of_means(spec.sides, sums.into_iter().map(mean).collect())
    }

    /// Builds a grid from the means of its cells, row by row.
    pub(super) fn of_means(sides: (u32, u32), cells: Vec<[f32; 4]>) -> Self {
        Self { sides, cells }
    }

    /// Returns the mean of a cell.
    pub(super) fn cell(&self, index: usize) -> [f32; 4] {
        self.cells.get(index).copied().unwrap_or_default()
    }

    /// Returns the grid rotated clockwise.
    pub(super) fn rotated(&self, angle: Angle) -> Self {
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

    /// Returns whether both grids are similar.
    pub(super) fn is_similar(&self, other: &Self) -> bool {
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
            && differences().sum::<f32>() <= count * MAX_MEAN_DIFFERENCE
            && differences().all(|difference| difference <= MAX_DIFFERENCE)
    }
}

/// How a pixel is distributed over at most two adjacent cells along one axis.
#[derive(Clone, Copy)]
struct CellSplit {
    cell: u32,
    /// Overlap with that cell.
    here: f64,
    /// Overlap with the next cell.
    next: f64,
}

impl CellSplit {
    fn parts(self) -> [(u32, f64); 2] {
        [(self.cell, self.here), (self.cell + 1, self.next)]
    }
}

/// Distributes the pixels of one axis over the cells. Cell edges may divide a pixel, so that the grids of differently scaled
/// images match.
fn cells(length: u32, begin: f64, part: f64, count: u32) -> Vec<Option<CellSplit>> {
    let cell = part / f64::from(count);
    let split = |pixel: u32| {
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
        (to > from).then_some(CellSplit {
            cell: first,
            here: edge.min(to) - from,
            next: (to - edge).max(0.0),
        })
    };
    (0..length).map(split).collect()
}

/// Returns the sRGB decoding table (sample → linear light).
fn srgb_table() -> Vec<f64> {
    (0..=u8::MAX)
        .map(|sample| match f64::from(sample) / 255.0 {
            share if share <= 0.040_45 => share / 12.92,
            share => ((share + 0.055) / 1.055).powf(2.4),
        })
        .collect()
}

/// Returns the mean of a cell, gamma-encoded to approximate perceived brightness.
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
    use imaging::geometry::Geometry;
    use imaging::scale::CropRect;

    use super::*;

    fn grid(image: &RgbImage) -> Grid {
        let geometry = Geometry::new(
            CropRect::full(image.dimensions()),
            image.dimensions(),
            u32::MAX,
        );
        let spec = GridSpec {
            sides: Grid::sides(&geometry),
            transparency: Transparency::OnWhite,
        };
        Grid::of(&image.clone().into(), &geometry, spec)
    }

    fn image() -> RgbImage {
        RgbImage::from_fn(80, 48, |x, y| {
            Rgb([x as u8 * 3, y as u8 * 5, if x > 40 { 200 } else { 0 }])
        })
    }

    #[test]
    fn an_image_is_similar_to_itself_only() {
        let same = grid(&image());
        assert!(same.is_similar(&grid(&image())));
        for other in [
            image::imageops::flip_horizontal(&image()),
            RgbImage::new(80, 48),
            RgbImage::from_fn(80, 48, |x, y| {
                let Rgb([red, green, blue]) = *image().get_pixel(x, y);
                Rgb([blue, green, red])
            }),
        ] {
            assert!(!same.is_similar(&grid(&other)));
        }
    }

    #[test]
    fn a_rotated_grid_matches_the_rotated_image() {
        use image::imageops::{rotate90, rotate180, rotate270};
        let rotated = |angle| grid(&image()).rotated(angle);
        assert!(rotated(Angle::Quarter).is_similar(&grid(&rotate90(&image()))));
        assert!(rotated(Angle::Half).is_similar(&grid(&rotate180(&image()))));
        assert!(rotated(Angle::ThreeQuarters).is_similar(&grid(&rotate270(&image()))));
        assert!(!rotated(Angle::Quarter).is_similar(&grid(&rotate270(&image()))));
    }
}
