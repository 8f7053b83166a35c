//! YCbCr → RGB by the matrix coefficients of the image [ITU-T H.273, 8.3].

use image::{DynamicImage, GrayImage, ImageBuffer, RgbImage};
use task::{TaskError, TaskResult};

use super::super::heif::Cicp;
use super::av1::Frame;

/// The planes hold GBR.
const IDENTITY: u8 = 0;
/// Unspecified coefficients are treated as ITU-R BT.601, as in JPEG.
const UNSPECIFIED: u8 = 2;
const YCGCO: u8 = 8;

/// Converts a frame to an image of 8 bits per sample, or of 16 if its depth exceeds 8; monochrome becomes gray.
pub(super) fn image(frame: &Frame, cicp: Option<Cicp>) -> TaskResult<DynamicImage> {
    let mut rows = Rows::new(frame, cicp)?;
    let (width, height) = frame.sides();
    let channels = if rows.shifts.is_some() { 3 } else { 1 };
    let count = width as usize * height as usize * channels;
    let row = width as usize * channels;
    let filled = match frame.bits() {
        8 => {
            let mut samples = vec![0_u8; count];
            for (y, line) in (0..).zip(samples.chunks_exact_mut(row.max(1))) {
                rows.convert(y, line, |value| quantize(value, 255.0) as u8);
            }
            match channels {
                1 => GrayImage::from_raw(width, height, samples).map(DynamicImage::from),
                _ => RgbImage::from_raw(width, height, samples).map(DynamicImage::from),
            }
        }
        _ => {
            let mut samples = vec![0_u16; count];
            for (y, line) in (0..).zip(samples.chunks_exact_mut(row.max(1))) {
                rows.convert(y, line, |value| quantize(value, 65_535.0) as u16);
            }
            match channels {
                1 => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageLuma16),
                _ => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgb16),
            }
        }
    };
    filled.ok_or_else(TaskError::input_corrupt)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the range of samples"
)]
fn quantize(value: f32, most: f32) -> u32 {
    (value * most + 0.5).clamp(0.0, most) as u32
}

/// Converts rows of a frame to RGB.
struct Rows<'a> {
    frame: &'a Frame,
    shifts: Option<(u32, u32)>,
    matrix: Matrix,
    range: Range,
    read: Vec<u16>,
    planes: [Vec<f32>; 3],
    neighbor: Vec<f32>,
}

impl<'a> Rows<'a> {
    fn new(frame: &'a Frame, cicp: Option<Cicp>) -> TaskResult<Self> {
        let cicp = cicp.or_else(|| frame.cicp());
        let matrix = cicp.map_or(UNSPECIFIED, |cicp| cicp.matrix);
        let shifts = frame.subsampling();
        let matrix = Matrix::new(matrix).ok_or_else(TaskError::unsupported_variant)?;
        if matches!(matrix, Matrix::Identity) && shifts.is_some_and(|shifts| shifts != (0, 0)) {
            return Err(TaskError::input_corrupt());
        }
        let width = frame.sides().0 as usize;
        Ok(Self {
            frame,
            shifts,
            matrix,
            range: Range::new(frame.bits(), cicp.is_none_or(|cicp| cicp.is_full_range)),
            read: vec![0; width],
            planes: [vec![0.0; width], vec![0.0; width], vec![0.0; width]],
            neighbor: vec![0.0; width],
        })
    }

    /// Converts row `y` into `line`; `sample` quantizes a value between 0 and 1.
    fn convert<S>(&mut self, y: u32, line: &mut [S], sample: impl Fn(f32) -> S) {
        let [luma, blue, red] = &mut self.planes;
        self.frame.row(0, y, &mut self.read);
        self.range.luma(&self.read, luma);
        let Some((across, down)) = self.shifts else {
            for (value, place) in luma.iter().zip(line) {
                *place = sample(*value);
            }
            return;
        };
        let identity = matches!(self.matrix, Matrix::Identity);
        for (plane, values) in [(1, &mut *blue), (2, &mut *red)] {
            let near = y >> down;
            self.frame.row(plane, near, &mut self.read);
            if identity {
                self.range.luma(&self.read, values);
                continue;
            }
            self.range.chroma(&self.read, values);
            if down == 1 {
                // Chroma samples are centered between luma rows: weights 3/4 for the nearer row, 1/4 for the farther.
                let neighbor = match y % 2 {
                    0 => near.saturating_sub(1),
                    _ => near + 1,
                };
                self.frame.row(plane, neighbor, &mut self.read);
                self.range.chroma(&self.read, &mut self.neighbor);
                for (near, neighbor) in values.iter_mut().zip(&self.neighbor) {
                    *near = *near * 0.75 + neighbor * 0.25;
                }
            }
            if across == 1 {
                let narrow = values.len().div_ceil(2);
                self.neighbor.copy_from_slice(values);
                upsample(self.neighbor.get(..narrow).unwrap_or_default(), values);
            }
        }
        let colors = luma.iter().zip(&*blue).zip(&*red);
        for (((luma, blue), red), place) in colors.zip(line.chunks_exact_mut(3)) {
            let values = self.matrix.rgb(*luma, *blue, *red);
            for (value, place) in values.into_iter().zip(place) {
                *place = sample(value);
            }
        }
    }
}

/// Doubles the horizontal resolution: weights 3/4 for the nearer sample, 1/4 for the farther.
fn upsample(narrow: &[f32], wide: &mut [f32]) {
    let mut before = narrow.first().copied().unwrap_or(0.0);
    let after = narrow.iter().skip(1).chain(narrow.last());
    for ((here, after), pair) in narrow.iter().zip(after).zip(wide.chunks_mut(2)) {
        let mixed = [before, *after].map(|neighbor| here * 0.75 + neighbor * 0.25);
        for (mixed, place) in mixed.into_iter().zip(pair) {
            *place = mixed;
        }
        before = *here;
    }
}

/// Conversion matrix from planes to RGB.
enum Matrix {
    Identity,
    YCgCo,
    /// Luma coefficients of red and blue (Kr, Kb).
    LumaCoefficients(f32, f32),
}

impl Matrix {
    fn new(code: u8) -> Option<Self> {
        Some(match code {
            IDENTITY => Self::Identity,
            1 => Self::LumaCoefficients(0.2126, 0.0722),
            4 => Self::LumaCoefficients(0.30, 0.11),
            UNSPECIFIED | 5 | 6 => Self::LumaCoefficients(0.299, 0.114),
            7 => Self::LumaCoefficients(0.212, 0.087),
            YCGCO => Self::YCgCo,
            9 => Self::LumaCoefficients(0.2627, 0.0593),
            _ => return None,
        })
    }

    fn rgb(&self, luma: f32, blue: f32, red: f32) -> [f32; 3] {
        match self {
            // The planes are green, blue and red.
            Self::Identity => [red, luma, blue],
            Self::YCgCo => [luma - blue + red, luma + blue, luma - blue - red],
            Self::LumaCoefficients(of_red, of_blue) => {
                let (to_red, to_blue) = (2.0 * (1.0 - of_red), 2.0 * (1.0 - of_blue));
                let of_green = 1.0 - of_red - of_blue;
                [
                    luma + to_red * red,
                    luma - (of_red * to_red * red + of_blue * to_blue * blue) / of_green,
                    luma + to_blue * blue,
                ]
            }
        }
    }
}

/// Zero level and extent of the sample values, for luma and for chroma.
struct Range {
    luma: (f32, f32),
    chroma: (f32, f32),
}

impl Range {
    #[expect(clippy::cast_precision_loss, reason = "at most 12 bits")]
    fn new(bits: u32, is_full: bool) -> Self {
        let step = (1_u32 << (bits - 8)) as f32;
        let most = ((1_u32 << bits) - 1) as f32;
        let middle = (1_u32 << (bits - 1)) as f32;
        match is_full {
            true => Self {
                luma: (0.0, most),
                chroma: (middle, most),
            },
            false => Self {
                luma: (16.0 * step, 219.0 * step),
                chroma: (middle, 224.0 * step),
            },
        }
    }

    fn luma(&self, samples: &[u16], values: &mut [f32]) {
        normalize(samples, values, self.luma);
    }

    fn chroma(&self, samples: &[u16], values: &mut [f32]) {
        normalize(samples, values, self.chroma);
    }
}

fn normalize(samples: &[u16], values: &mut [f32], (zero, range): (f32, f32)) {
    let by = 1.0 / range;
    for (sample, value) in samples.iter().zip(values) {
        *value = (f32::from(*sample) - zero) * by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ycbcr_converts_back_to_the_original_rgb() {
        let (red, green, blue) = (0.8_f32, 0.4, 0.1);
        for (code, of_red, of_blue) in [(1, 0.2126, 0.0722), (6, 0.299, 0.114)] {
            let luma = of_red * red + (1.0 - of_red - of_blue) * green + of_blue * blue;
            let cb = (blue - luma) / (2.0 * (1.0 - of_blue));
            let cr = (red - luma) / (2.0 * (1.0 - of_red));
            let found = Matrix::new(code).unwrap().rgb(luma, cb, cr);
            for (found, expected) in found.into_iter().zip([red, green, blue]) {
                assert!((found - expected).abs() < 1e-5, "{code}");
            }
        }
        assert!(Matrix::new(10).is_none());
    }

    #[test]
    fn limited_and_full_ranges_follow_the_standard() {
        let mut values = [0.0; 3];
        Range::new(8, false).luma(&[16, 235, 126], &mut values);
        assert_eq!(values.map(|value| quantize(value, 255.0)), [0, 255, 128]);
        Range::new(10, true).chroma(&[512, 1023, 0], &mut values);
        assert_eq!(values[0], 0.0);
        assert!(values[1] > 0.499 && values[2] < -0.5);
    }

    #[test]
    fn upsampled_chroma_is_interpolated() {
        let mut wide = [0.0; 5];
        upsample(&[0.0, 1.0, 0.0], &mut wide);
        assert_eq!(wide, [0.0, 0.25, 0.75, 0.75, 0.25]);
    }
}
