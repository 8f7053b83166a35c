//! Expected samples of a scaled image, computed independently from the source for some of its pixels.
//!
//! When upscaling or moderately downscaling fine patterns (dithering, halftones, barcodes, single lines), clipping of the
//! filter's overshoot changes mean brightness, so comparing means with the source is not sufficient.

mod filter;

use image::{DynamicImage, GenericImageView as _};
use imaging::geometry::Geometry;

use self::filter::{FilterWeights, Resampler};
use super::similarity::{Grid, Transparency};

/// Maximum pixels examined per axis.
const MAX_SAMPLES: u32 = 384;
/// Reduction factor from which comparing means is sufficient.
const MEANS_SUFFICE: f64 = 4.0;
/// Maximum mean difference of brightness.
const MAX_MEAN_DIFFERENCE: f32 = 0.05;
/// Maximum difference relative to the contrast of the pattern; 1 would accept a result without the pattern.
const MAX_PATTERN_DIFFERENCE: f32 = 0.7;

/// Expected pixels of a result.
pub(super) struct ExpectedSamples {
    columns: Vec<u32>,
    rows: Vec<u32>,
    /// RGBA, row by row.
    pixels: Vec<[f32; 4]>,
    sides: (u32, u32),
    transparency: Transparency,
}

impl ExpectedSamples {
    /// Computes the expected pixels; `None` if the image is not scaled, much smaller, or also rotated.
    pub(super) fn of(
        source: &DynamicImage,
        geometry: &Geometry,
        (sides, transparency): ((u32, u32), Transparency),
    ) -> Option<Self> {
        let (crop, target) = (geometry.crop, geometry.sides);
        let steps = (
            crop.width / f64::from(target.0),
            crop.height / f64::from(target.1),
        );
        let is_scaled = !geometry.keeps_pixels() && geometry.rotation.is_none();
        if !is_scaled || steps.0.max(steps.1) > MEANS_SUFFICE {
            return None;
        }
        let (columns, rows) = (positions(target.0), positions(target.1));
        let across = FilterWeights::all(&columns, (crop.left, steps.0), source.width());
        let down = FilterWeights::all(&rows, (crop.top, steps.1), source.height());
        let mut resampler = Resampler::new(source, &across, steps.0.max(steps.1) > 1.0);
        let pixels = down.iter().flat_map(|taps| resampler.row(taps));
        let pixels = pixels.map(|pixel| composite(pixel, transparency)).collect();
        Some(Self {
            columns,
            rows,
            pixels,
            sides,
            transparency,
        })
    }

    /// Returns whether the image at an offset within `found` matches, both in its cell means and in its patterns.
    pub(super) fn is_similar(&self, found: &DynamicImage, offset: (u32, u32)) -> bool {
        let pixel = |x: u32, y: u32| {
            let (x, y) = (x + offset.0, y + offset.1);
            let pixel = found.in_bounds(x, y).then(|| found.get_pixel(x, y).0);
            composite(
                pixel
                    .unwrap_or_default()
                    .map(|sample| f32::from(sample) / 255.0),
                self.transparency,
            )
        };
        let row = |y: u32| self.columns.iter().map(move |x| pixel(*x, y));
        let found: Vec<[f32; 4]> = self.rows.iter().flat_map(|y| row(*y)).collect();
        let grid = self.grid(&self.pixels);
        grid.is_similar(&self.grid(&found)) && self.matches_pattern(&found, &grid)
    }

    /// Returns the means of cells with equal numbers of samples.
    fn grid(&self, pixels: &[[f32; 4]]) -> Grid {
        let mut sums = vec![([0.0_f32; 4], 0.0_f32); (self.sides.0 * self.sides.1) as usize];
        for (pixel, cell) in pixels.iter().zip(self.cells()) {
            if let Some((sum, count)) = sums.get_mut(cell) {
                sum.iter_mut().zip(pixel).for_each(|(sum, of)| *sum += of);
                *count += 1.0;
            }
        }
        let mean = |(sum, count): ([f32; 4], f32)| sum.map(|sum| sum / count.max(1.0));
        Grid::of_means(self.sides, sums.into_iter().map(mean).collect())
    }

    /// Returns the cell index of each pixel.
    fn cells(&self) -> impl Iterator<Item = usize> {
        let (across, down) = (self.columns.len(), self.rows.len());
        let (wide, high) = (self.sides.0 as usize, self.sides.1 as usize);
        (0..across * down).map(move |index| {
            let (x, y) = (index % across, index / across);
            y * high / down * wide + x * wide / across
        })
    }

    /// Returns whether single pixels are as bright as expected, which cell means do not show.
    fn matches_pattern(&self, found: &[[f32; 4]], means: &Grid) -> bool {
        let (mut differs, mut varies) = (0.0, 0.0);
        for ((expected, found), cell) in self.pixels.iter().zip(found).zip(self.cells()) {
            let light = lightness(*expected);
            differs += (light - lightness(*found)).abs();
            varies += (light - lightness(means.cell(cell))).abs();
        }
        #[expect(clippy::cast_precision_loss, reason = "some hundred thousand")]
        let count = self.pixels.len() as f32;
        differs <= (varies * MAX_PATTERN_DIFFERENCE).max(count * MAX_MEAN_DIFFERENCE)
    }
}

/// Returns evenly spaced pixel positions along an axis.
fn positions(length: u32) -> Vec<u32> {
    let count = length.min(MAX_SAMPLES);
    let middle = |index: u32| {
        let at = (2 * u64::from(index) + 1) * u64::from(length) / (2 * u64::from(count));
        u32::try_from(at).unwrap_or(0)
    };
    (0..count).map(middle).collect()
}

/// Applies the treatment of transparency to a pixel with straight alpha.
fn composite([red, green, blue, alpha]: [f32; 4], transparency: Transparency) -> [f32; 4] {
    let [red, green, blue] = [red, green, blue].map(|sample| match transparency {
        Transparency::Keep => sample * alpha,
        Transparency::Threshold if alpha < 0.5 => 1.0,
        _ => sample * alpha + 1.0 - alpha,
    });
    match transparency {
        Transparency::Keep => [red, green, blue, alpha],
        _ => [red, green, blue, 1.0],
    }
}

fn lightness([red, green, blue, alpha]: [f32; 4]) -> f32 {
    // Transparent pixels differ from black.
    0.299 * red + 0.587 * green + 0.114 * blue + (1.0 - alpha)
}

#[cfg(test)]
mod tests {
    use image::imageops::{FilterType, flip_horizontal, flip_vertical};
    use image::{GrayImage, Luma};
    use imaging::geometry::Geometry;
    use imaging::scale::{CropRect, scaled};

    use super::*;

    const SIDES: (u32, u32) = (120, 90);

    /// Ordered dithering matrix, 4×4.
    const ORDER: [u32; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

    /// A halftone image that is brighter at the bottom and has a dark disc.
    fn halftone() -> GrayImage {
        GrayImage::from_fn(SIDES.0, SIDES.1, |x, y| {
            let is_disc = x.abs_diff(40).pow(2) + y.abs_diff(35).pow(2) < 500;
            let light = if is_disc { 2 } else { 3 + y / 9 };
            Luma([if ORDER[(x % 4 + y % 4 * 4) as usize] < light {
                255
            } else {
                0
            }])
        })
    }

    /// Random black and white pixels.
    fn noise(mut seed: u32) -> GrayImage {
        GrayImage::from_fn(SIDES.0, SIDES.1, |_, _| {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            Luma([if seed & 0x100 == 0 { 0 } else { 255 }])
        })
    }

    fn lines() -> GrayImage {
        GrayImage::from_fn(SIDES.0, SIDES.1, |x, y| {
            Luma([if (x + y / 30) % 3 == 0 { 255 } else { 0 }])
        })
    }

    fn geometry(crop: CropRect, sides: (u32, u32)) -> Geometry {
        Geometry::new(crop, sides, u32::MAX)
    }

    fn accepts(source: &GrayImage, geometry: &Geometry, found: &DynamicImage) -> bool {
        let source = DynamicImage::from(source.clone());
        let shape = (Grid::sides(geometry), Transparency::Keep);
        let expected = ExpectedSamples::of(&source, geometry, shape).unwrap();
        expected.is_similar(found, (0, 0))
    }

    fn crop() -> CropRect {
        CropRect {
            left: 10.5,
            top: 0.0,
            width: 99.0,
            height: 90.0,
        }
    }

    #[test]
    fn fine_patterns_are_accepted_at_every_size() {
        for source in [halftone(), noise(7), lines()] {
            for sides in [(131, 90), (250, 333), (600, 40), (90, 70), (40, 30)] {
                for crop in [CropRect::full(SIDES), crop()] {
                    let geometry = geometry(crop, sides);
                    let found = scaled(&source.clone().into(), crop, sides).unwrap();
                    assert!(accepts(&source, &geometry, &found), "{sides:?} {crop:?}");
                }
            }
        }
    }

    #[test]
    fn wrong_results_are_rejected_in_fine_patterns() {
        let geometry = geometry(CropRect::full(SIDES), (260, 190));
        let drawn = |source: GrayImage, crop: CropRect| {
            scaled(&source.into(), crop, geometry.sides).unwrap()
        };
        let whole = CropRect::full(SIDES);
        for source in [halftone(), noise(7)] {
            let right = drawn(source.clone(), whole);
            let mean = source.iter().map(|sample| u32::from(*sample)).sum::<u32>() / 10_800;
            let mut shifted = GrayImage::new(SIDES.0, SIDES.1);
            image::imageops::replace(&mut shifted, &source, 9, 0);
            let plain = |light: u8| GrayImage::from_pixel(260, 190, Luma([light])).into();
            for (name, wrong) in [
                ("white", plain(255)),
                ("black", plain(0)),
                ("gray", plain(mean as u8)),
                ("transparent", DynamicImage::new_rgba8(260, 190)),
                ("mirrored", DynamicImage::from(flip_horizontal(&right))),
                ("upside down", DynamicImage::from(flip_vertical(&right))),
                ("shifted", drawn(shifted, whole)),
                ("another", drawn(noise(8), whole)),
                ("cut", drawn(source.clone(), crop())),
                (
                    "smeared",
                    right
                        .resize_exact(10, 8, FilterType::Triangle)
                        .resize_exact(260, 190, FilterType::Nearest),
                ),
            ] {
                assert!(!accepts(&source, &geometry, &wrong), "{name}");
            }
            assert!(accepts(&source, &geometry, &right));
        }
    }
}
