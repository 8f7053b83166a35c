//! What a scaled image has to look like at some of its pixels, worked out anew from the source, one pixel at a time.
//!
//! Where an image becomes larger or not much smaller, fine patterns (dithering, halftones, codes, single lines) change how light
//! they are on average, since what the filter overshoots is cut off: means of the source say too little there.

mod filter;

use image::{DynamicImage, GenericImageView as _};
use imaging::framing::Framing;

use self::filter::{Filtered, Taps};
use super::likeness::{Grid, Transparency};

/// Most pixels of a side that are looked at.
const LOOKED_AT: u32 = 384;
/// Pixels of the source for one of the result, from which means say enough.
const MUCH_SMALLER: f64 = 4.0;
/// By how much lightness may differ on average, of all there is.
const ON_AVERAGE: f32 = 0.05;
/// How much of what a pattern differs from its own mean it may differ from another: all of it if nothing is left of it.
const OF_PATTERN: f32 = 0.7;

/// Pixels that a result has to have.
pub(super) struct Scaled {
    columns: Vec<u32>,
    rows: Vec<u32>,
    /// Row by row: red, green, blue, and how opaque they are.
    pixels: Vec<[f32; 4]>,
    sides: (u32, u32),
    transparency: Transparency,
}

impl Scaled {
    /// What is expected of a part of an image; `None` where it is not scaled, much smaller, or turned as well.
    pub(super) fn of(
        source: &DynamicImage,
        framing: &Framing,
        (sides, transparency): ((u32, u32), Transparency),
    ) -> Option<Self> {
        let (part, target) = (framing.part, framing.sides);
        let steps = (
            part.width / f64::from(target.0),
            part.height / f64::from(target.1),
        );
        let is_scaled = !framing.keeps_pixels() && framing.turn.is_none();
        if !is_scaled || steps.0.max(steps.1) > MUCH_SMALLER {
            return None;
        }
        let (columns, rows) = (places(target.0), places(target.1));
        let across = Taps::all(&columns, (part.left, steps.0), source.width());
        let down = Taps::all(&rows, (part.top, steps.1), source.height());
        let mut filtered = Filtered::new(source, &across, steps.0.max(steps.1) > 1.0);
        let pixels = down.iter().flat_map(|taps| filtered.row(taps));
        let pixels = pixels.map(|pixel| shown(pixel, transparency)).collect();
        Some(Self {
            columns,
            rows,
            pixels,
            sides,
            transparency,
        })
    }

    /// Whether the image that begins at a corner of `found` shows this, as a whole and in its patterns.
    pub(super) fn is_like(&self, found: &DynamicImage, corner: (u32, u32)) -> bool {
        let pixel = |x: u32, y: u32| {
            let (x, y) = (x + corner.0, y + corner.1);
            let pixel = found.in_bounds(x, y).then(|| found.get_pixel(x, y).0);
            shown(
                pixel
                    .unwrap_or_default()
                    .map(|sample| f32::from(sample) / 255.0),
                self.transparency,
            )
        };
        let row = |y: u32| self.columns.iter().map(move |x| pixel(*x, y));
        let found: Vec<[f32; 4]> = self.rows.iter().flat_map(|y| row(*y)).collect();
        let grid = self.grid(&self.pixels);
        grid.is_like(&self.grid(&found)) && self.has_pattern(&found, &grid)
    }

    /// The means of cells that each have as many pixels.
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

    /// Which cell each pixel is in.
    fn cells(&self) -> impl Iterator<Item = usize> {
        let (across, down) = (self.columns.len(), self.rows.len());
        let (wide, high) = (self.sides.0 as usize, self.sides.1 as usize);
        (0..across * down).map(move |index| {
            let (x, y) = (index % across, index / across);
            y * high / down * wide + x * wide / across
        })
    }

    /// Whether pixels are as light as expected one by one, which means of cells say nothing about.
    fn has_pattern(&self, found: &[[f32; 4]], means: &Grid) -> bool {
        let (mut differs, mut varies) = (0.0, 0.0);
        for ((expected, found), cell) in self.pixels.iter().zip(found).zip(self.cells()) {
            let light = lightness(*expected);
            differs += (light - lightness(*found)).abs();
            varies += (light - lightness(means.cell(cell))).abs();
        }
        #[expect(clippy::cast_precision_loss, reason = "some hundred thousand")]
        let count = self.pixels.len() as f32;
        differs <= (varies * OF_PATTERN).max(count * ON_AVERAGE)
    }
}

/// Pixels of a side, evenly spread.
fn places(length: u32) -> Vec<u32> {
    let count = length.min(LOOKED_AT);
    let middle = |index: u32| {
        let at = (2 * u64::from(index) + 1) * u64::from(length) / (2 * u64::from(count));
        u32::try_from(at).unwrap_or(0)
    };
    (0..count).map(middle).collect()
}

/// A pixel with what becomes of its transparency: each colour as far as it is seen.
fn shown([red, green, blue, alpha]: [f32; 4], transparency: Transparency) -> [f32; 4] {
    let [red, green, blue] = [red, green, blue].map(|sample| match transparency {
        Transparency::Kept => sample * alpha,
        Transparency::Halved if alpha < 0.5 => 1.0,
        _ => sample * alpha + 1.0 - alpha,
    });
    match transparency {
        Transparency::Kept => [red, green, blue, alpha],
        _ => [red, green, blue, 1.0],
    }
}

fn lightness([red, green, blue, alpha]: [f32; 4]) -> f32 {
    // What is transparent differs from black.
    0.299 * red + 0.587 * green + 0.114 * blue + (1.0 - alpha)
}

#[cfg(test)]
mod tests {
    use image::imageops::{FilterType, flip_horizontal, flip_vertical};
    use image::{GrayImage, Luma};
    use imaging::framing::Framing;
    use imaging::scale::{Part, scaled};

    use super::*;

    const SIDES: (u32, u32) = (120, 90);

    /// By how much each place of four by four is darker than the next.
    const ORDER: [u32; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

    /// Dots as they are printed, of a picture that is light below and has a dark disc.
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

    /// Black and white by chance.
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

    fn framing(part: Part, sides: (u32, u32)) -> Framing {
        Framing::new(part, sides, u32::MAX)
    }

    fn accepts(source: &GrayImage, framing: &Framing, found: &DynamicImage) -> bool {
        let source = DynamicImage::from(source.clone());
        let shape = (Grid::sides(framing), Transparency::Kept);
        let expected = Scaled::of(&source, framing, shape).unwrap();
        expected.is_like(found, (0, 0))
    }

    fn part() -> Part {
        Part {
            left: 10.5,
            top: 0.0,
            width: 99.0,
            height: 90.0,
        }
    }

    #[test]
    fn fine_patterns_are_known_again_in_every_size() {
        for source in [halftone(), noise(7), lines()] {
            for sides in [(131, 90), (250, 333), (600, 40), (90, 70), (40, 30)] {
                for part in [Part::whole(SIDES), part()] {
                    let framing = framing(part, sides);
                    let found = scaled(&source.clone().into(), part, sides).unwrap();
                    assert!(accepts(&source, &framing, &found), "{sides:?} {part:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_refused_in_fine_patterns_too() {
        let framing = framing(Part::whole(SIDES), (260, 190));
        let drawn =
            |source: GrayImage, part: Part| scaled(&source.into(), part, framing.sides).unwrap();
        let whole = Part::whole(SIDES);
        for source in [halftone(), noise(7)] {
            let right = drawn(source.clone(), whole);
            let mean = source.iter().map(|sample| u32::from(*sample)).sum::<u32>() / 10_800;
            let mut shifted = GrayImage::new(SIDES.0, SIDES.1);
            image::imageops::replace(&mut shifted, &source, 9, 0);
            let plain = |light: u8| GrayImage::from_pixel(260, 190, Luma([light])).into();
            for (name, wrong) in [
                ("white", plain(255)),
                ("black", plain(0)),
                ("grey", plain(mean as u8)),
                ("transparent", DynamicImage::new_rgba8(260, 190)),
                ("mirrored", DynamicImage::from(flip_horizontal(&right))),
                ("upside down", DynamicImage::from(flip_vertical(&right))),
                ("shifted", drawn(shifted, whole)),
                ("another", drawn(noise(8), whole)),
                ("cut", drawn(source.clone(), part())),
                (
                    "smeared",
                    right
                        .resize_exact(10, 8, FilterType::Triangle)
                        .resize_exact(260, 190, FilterType::Nearest),
                ),
            ] {
                assert!(!accepts(&source, &framing, &wrong), "{name}");
            }
            assert!(accepts(&source, &framing, &right));
        }
    }
}
