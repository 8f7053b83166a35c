//! From light and two differences of colour to red, green and blue [ITU-T H.273, 8.3].

use image::{DynamicImage, GrayImage, ImageBuffer, RgbImage};
use task::{Fault, Outcome};

use super::super::heif::Cicp;
use super::av1::Frame;

/// Channels are red, green and blue themselves.
const IDENTITY: u8 = 0;
/// What is not said counts as ITU-R BT.601, as in JPEG.
const UNSPECIFIED: u8 = 2;
const YCGCO: u8 = 8;

/// The frame as an image of 8 bits a sample, or of 16 if it has more than 8; grey if it has no colours.
pub(super) fn image(frame: &Frame, cicp: Option<Cicp>) -> Outcome<DynamicImage> {
    let mut rows = Rows::new(frame, cicp)?;
    let (width, height) = frame.sides();
    let channels = if rows.shifts.is_some() { 3 } else { 1 };
    let count = width as usize * height as usize * channels;
    let row = width as usize * channels;
    let filled = match frame.bits() {
        8 => {
            let mut samples = vec![0_u8; count];
            for (y, line) in (0..).zip(samples.chunks_exact_mut(row.max(1))) {
                rows.convert(y, line, |share| as_sample(share, 255.0) as u8);
            }
            match channels {
                1 => GrayImage::from_raw(width, height, samples).map(DynamicImage::from),
                _ => RgbImage::from_raw(width, height, samples).map(DynamicImage::from),
            }
        }
        _ => {
            let mut samples = vec![0_u16; count];
            for (y, line) in (0..).zip(samples.chunks_exact_mut(row.max(1))) {
                rows.convert(y, line, |share| as_sample(share, 65_535.0) as u16);
            }
            match channels {
                1 => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageLuma16),
                _ => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgb16),
            }
        }
    };
    filled.ok_or_else(Fault::corrupt)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the range of samples"
)]
fn as_sample(share: f32, most: f32) -> u32 {
    (share * most + 0.5).clamp(0.0, most) as u32
}

/// What makes rows of a frame red, green and blue.
struct Rows<'a> {
    frame: &'a Frame,
    shifts: Option<(u32, u32)>,
    matrix: Matrix,
    range: Range,
    read: Vec<u16>,
    planes: [Vec<f32>; 3],
    far: Vec<f32>,
}

impl<'a> Rows<'a> {
    fn new(frame: &'a Frame, cicp: Option<Cicp>) -> Outcome<Self> {
        let said = cicp.or_else(|| frame.cicp());
        let matrix = said.map_or(UNSPECIFIED, |cicp| cicp.matrix);
        let shifts = frame.subsampling();
        let matrix = Matrix::new(matrix).ok_or_else(Fault::variant)?;
        if matches!(matrix, Matrix::Identity) && shifts.is_some_and(|shifts| shifts != (0, 0)) {
            return Err(Fault::corrupt());
        }
        let width = frame.sides().0 as usize;
        Ok(Self {
            frame,
            shifts,
            matrix,
            range: Range::new(frame.bits(), said.is_none_or(|cicp| cicp.is_full_range)),
            read: vec![0; width],
            planes: [vec![0.0; width], vec![0.0; width], vec![0.0; width]],
            far: vec![0.0; width],
        })
    }

    /// Writes a row to `line`, each share of full light as `sample` makes one of it.
    fn convert<S>(&mut self, y: u32, line: &mut [S], sample: impl Fn(f32) -> S) {
        let [light, blue, red] = &mut self.planes;
        self.frame.row(0, y, &mut self.read);
        self.range.light(&self.read, light);
        let Some((across, down)) = self.shifts else {
            for (share, place) in light.iter().zip(line) {
                *place = sample(*share);
            }
            return;
        };
        let identity = matches!(self.matrix, Matrix::Identity);
        for (plane, shares) in [(1, &mut *blue), (2, &mut *red)] {
            let near = y >> down;
            self.frame.row(plane, near, &mut self.read);
            if identity {
                self.range.light(&self.read, shares);
                continue;
            }
            self.range.colour(&self.read, shares);
            if down == 1 {
                // Samples of colour stand between those of light: three parts of the nearer row, one of the farther.
                let far = match y % 2 {
                    0 => near.saturating_sub(1),
                    _ => near + 1,
                };
                self.frame.row(plane, far, &mut self.read);
                self.range.colour(&self.read, &mut self.far);
                for (near, far) in shares.iter_mut().zip(&self.far) {
                    *near = *near * 0.75 + far * 0.25;
                }
            }
            if across == 1 {
                let narrow = shares.len().div_ceil(2);
                self.far.copy_from_slice(shares);
                widen(self.far.get(..narrow).unwrap_or_default(), shares);
            }
        }
        let colours = light.iter().zip(&*blue).zip(&*red);
        for (((light, blue), red), place) in colours.zip(line.chunks_exact_mut(3)) {
            let shares = self.matrix.rgb(*light, *blue, *red);
            for (share, place) in shares.into_iter().zip(place) {
                *place = sample(share);
            }
        }
    }
}

/// Twice as many samples, each of three parts of the nearer and one of the farther.
fn widen(narrow: &[f32], wide: &mut [f32]) {
    let mut before = narrow.first().copied().unwrap_or(0.0);
    let after = narrow.iter().skip(1).chain(narrow.last());
    for ((here, after), pair) in narrow.iter().zip(after).zip(wide.chunks_mut(2)) {
        let mixed = [before, *after].map(|far| here * 0.75 + far * 0.25);
        for (mixed, place) in mixed.into_iter().zip(pair) {
            *place = mixed;
        }
        before = *here;
    }
}

/// How channels are made of red, green and blue.
enum Matrix {
    Identity,
    Green,
    /// Shares of red and blue in light.
    Shares(f32, f32),
}

impl Matrix {
    fn new(code: u8) -> Option<Self> {
        Some(match code {
            IDENTITY => Self::Identity,
            1 => Self::Shares(0.2126, 0.0722),
            4 => Self::Shares(0.30, 0.11),
            UNSPECIFIED | 5 | 6 => Self::Shares(0.299, 0.114),
            7 => Self::Shares(0.212, 0.087),
            YCGCO => Self::Green,
            9 => Self::Shares(0.2627, 0.0593),
            _ => return None,
        })
    }

    fn rgb(&self, light: f32, blue: f32, red: f32) -> [f32; 3] {
        match self {
            // The planes are green, blue and red.
            Self::Identity => [red, light, blue],
            Self::Green => [light - blue + red, light + blue, light - blue - red],
            Self::Shares(of_red, of_blue) => {
                let (to_red, to_blue) = (2.0 * (1.0 - of_red), 2.0 * (1.0 - of_blue));
                let of_green = 1.0 - of_red - of_blue;
                [
                    light + to_red * red,
                    light - (of_red * to_red * red + of_blue * to_blue * blue) / of_green,
                    light + to_blue * blue,
                ]
            }
        }
    }
}

/// Which samples stand for nothing and for all.
struct Range {
    light: (f32, f32),
    colour: (f32, f32),
}

impl Range {
    #[expect(clippy::cast_precision_loss, reason = "at most 12 bits")]
    fn new(bits: u32, is_full: bool) -> Self {
        let step = (1_u32 << (bits - 8)) as f32;
        let most = ((1_u32 << bits) - 1) as f32;
        let middle = (1_u32 << (bits - 1)) as f32;
        match is_full {
            true => Self {
                light: (0.0, most),
                colour: (middle, most),
            },
            false => Self {
                light: (16.0 * step, 219.0 * step),
                colour: (middle, 224.0 * step),
            },
        }
    }

    fn light(&self, samples: &[u16], shares: &mut [f32]) {
        spread(samples, shares, self.light);
    }

    fn colour(&self, samples: &[u16], shares: &mut [f32]) {
        spread(samples, shares, self.colour);
    }
}

fn spread(samples: &[u16], shares: &mut [f32], (zero, range): (f32, f32)) {
    let by = 1.0 / range;
    for (sample, share) in samples.iter().zip(shares) {
        *share = (f32::from(*sample) - zero) * by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_become_the_colours_that_they_were_made_of() {
        let (red, green, blue) = (0.8_f32, 0.4, 0.1);
        for (code, of_red, of_blue) in [(1, 0.2126, 0.0722), (6, 0.299, 0.114)] {
            let light = of_red * red + (1.0 - of_red - of_blue) * green + of_blue * blue;
            let cb = (blue - light) / (2.0 * (1.0 - of_blue));
            let cr = (red - light) / (2.0 * (1.0 - of_red));
            let found = Matrix::new(code).unwrap().rgb(light, cb, cr);
            for (found, expected) in found.into_iter().zip([red, green, blue]) {
                assert!((found - expected).abs() < 1e-5, "{code}");
            }
        }
        assert!(Matrix::new(10).is_none());
    }

    #[test]
    fn ranges_begin_and_end_where_the_standard_says() {
        let mut shares = [0.0; 3];
        Range::new(8, false).light(&[16, 235, 126], &mut shares);
        assert_eq!(shares.map(|share| as_sample(share, 255.0)), [0, 255, 128]);
        Range::new(10, true).colour(&[512, 1023, 0], &mut shares);
        assert_eq!(shares[0], 0.0);
        assert!(shares[1] > 0.499 && shares[2] < -0.5);
    }

    #[test]
    fn colours_between_samples_are_mixed_of_both() {
        let mut wide = [0.0; 5];
        widen(&[0.0, 1.0, 0.0], &mut wide);
        assert_eq!(wide, [0.0, 0.25, 0.75, 0.75, 0.25]);
    }
}
