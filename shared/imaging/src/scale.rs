//! Resampling with a Lanczos-3 filter, in linear light when downscaling.
//!
//! Works on strips of rows, so that an image of 100 megapixels needs little extra memory. Large reductions are first
//! averaged over whole pixels (box filter).

mod light;

use std::fmt::Display;

use fast_image_resize::images::Image;
use fast_image_resize::pixels::{F32, F32x2, F32x3, F32x4};
use fast_image_resize::{PixelTrait, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::DynamicImage;
use task::{TaskError, TaskResult};

use self::light::{Sample, TransferTables};

/// A rectangle of an image in fractional pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CropRect {
    /// Distance from the left edge.
    pub left: f64,
    /// Distance from the top edge.
    pub top: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl CropRect {
    /// Returns the rectangle of a whole image.
    pub fn full((width, height): (u32, u32)) -> Self {
        Self {
            left: 0.0,
            top: 0.0,
            width: width.into(),
            height: height.into(),
        }
    }
}

/// Returns the largest dimensions within the bounds that keep the aspect ratio. Never enlarges; at least one pixel per side.
pub fn fit_within(
    (width, height): (u32, u32),
    (most_width, most_height): (u32, u32),
) -> (u32, u32) {
    let (wide, high) = (u64::from(width), u64::from(height));
    let (width, height) = match width > most_width {
        true => (most_width, scale_proportionally(high, most_width, wide)),
        false => (width, height),
    };
    match height > most_height {
        true => (
            scale_proportionally(wide, most_height, high).min(width),
            most_height,
        ),
        false => (width, height),
    }
}

/// Scales a side by `bound / by`, rounded, at least 1.
pub fn scale_proportionally(side: u64, bound: u32, by: u64) -> u32 {
    let exact = (side * u64::from(bound) + by / 2) / by.max(1);
    u32::try_from(exact).unwrap_or(u32::MAX).max(1)
}

/// Scales a rectangle of an image to these dimensions. Channels are kept; 32-bit samples become 16-bit.
///
/// # Errors
/// [`TaskError::Installation`] if the filter fails.
pub fn scaled(
    pixels: &DynamicImage,
    part: CropRect,
    sides: (u32, u32),
) -> TaskResult<DynamicImage> {
    let mut scaled = match pixels {
        DynamicImage::ImageRgb32F(_) => {
            return self::scaled(&pixels.to_rgb16().into(), part, sides);
        }
        DynamicImage::ImageRgba32F(_) => {
            return self::scaled(&pixels.to_rgba16().into(), part, sides);
        }
        pixels => DynamicImage::new(sides.0, sides.1, pixels.color()),
    };
    let kind = pixels.color();
    let resampling = Resampling {
        source: (pixels.width(), pixels.height()),
        part,
        sides,
        channels: kind.channel_count().into(),
        has_alpha: kind.has_alpha(),
    };
    match (pixels, &mut scaled) {
        (DynamicImage::ImageLuma8(from), DynamicImage::ImageLuma8(to)) => resampling.run(from, to),
        (DynamicImage::ImageLumaA8(from), DynamicImage::ImageLumaA8(to)) => {
            resampling.run(from, to)
        }
        (DynamicImage::ImageRgb8(from), DynamicImage::ImageRgb8(to)) => resampling.run(from, to),
        (DynamicImage::ImageRgba8(from), DynamicImage::ImageRgba8(to)) => resampling.run(from, to),
        (DynamicImage::ImageLuma16(from), DynamicImage::ImageLuma16(to)) => {
            resampling.run(from, to)
        }
        (DynamicImage::ImageLumaA16(from), DynamicImage::ImageLumaA16(to)) => {
            resampling.run(from, to)
        }
        (DynamicImage::ImageRgb16(from), DynamicImage::ImageRgb16(to)) => resampling.run(from, to),
        (DynamicImage::ImageRgba16(from), DynamicImage::ImageRgba16(to)) => {
            resampling.run(from, to)
        }
        _ => Err(TaskError::Installation("unsupported pixel type".to_owned())),
    }?;
    Ok(scaled)
}

/// Lobes of the Lanczos filter.
const LOBES: f64 = 3.0;
/// Maximum reduction by the filter; the rest is done by averaging.
const MAX_FILTER_REDUCTION: f64 = 4.0;
/// Samples of a strip, as far as [`Resampling::rows_per_strip`] can keep to it.
const STRIP: usize = 8_000_000;

/// Parameters of one resampling.
struct Resampling {
    source: (u32, u32),
    part: CropRect,
    sides: (u32, u32),
    channels: usize,
    has_alpha: bool,
}

/// One axis of a resampling, measured in averaged pixels.
#[derive(Clone, Copy)]
struct Axis {
    /// Source pixels per average.
    averaged: usize,
    /// Number of averages.
    length: usize,
    /// Start of the rectangle, in averages.
    begin: f64,
    /// Averages per target pixel.
    step: f64,
}

impl Axis {
    fn new(length: u32, begin: f64, part: f64, target: u32) -> Self {
        let step = part / f64::from(target);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the length"
        )]
        let averaged = (step / MAX_FILTER_REDUCTION).floor().max(1.0) as usize;
        #[expect(clippy::cast_precision_loss, reason = "at most the length")]
        let by = averaged as f64;
        Self {
            averaged,
            length: (length as usize).div_ceil(averaged),
            begin: begin / by,
            step: step / by,
        }
    }

    /// Returns the averages that target pixels `from..to` need, and the offset of their first position within these.
    fn needed(&self, from: u32, to: u32) -> (std::ops::Range<usize>, f64) {
        let reach = LOBES * self.step.max(1.0) + 1.0;
        let begin = self.begin + f64::from(from) * self.step;
        let end = self.begin + f64::from(to) * self.step;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the image"
        )]
        let (first, last) = (
            (begin - reach).floor().max(0.0) as usize,
            ((end + reach).ceil() as usize).min(self.length),
        );
        #[expect(clippy::cast_precision_loss, reason = "at most a side")]
        let offset = begin - first as f64;
        (first..last, offset)
    }
}

impl Resampling {
    fn run<S: Sample>(&self, from: &[S], to: &mut [S]) -> TaskResult<()> {
        let across = Axis::new(self.source.0, self.part.left, self.part.width, self.sides.0);
        let down = Axis::new(self.source.1, self.part.top, self.part.height, self.sides.1);
        let light =
            TransferTables::new(across.step > 1.0 || down.step > 1.0 || across.averaged > 1);
        let (columns, left) = across.needed(0, self.sides.0);
        let mut row = 0;
        let mut resizer = Resizer::new();
        while row < self.sides.1 {
            let count = self.rows_per_strip(&columns, down).min(self.sides.1 - row);
            let (rows, top) = down.needed(row, row + count);
            let strip = self.strip(from, &light, (columns.clone(), rows), (across, down))?;
            let mut target = Image::new(self.sides.0, count, self.pixel_type());
            let bounded = |begin: f64, length: f64, most: u32| length.min(f64::from(most) - begin);
            let options = ResizeOptions::new()
                .resize_alg(ResizeAlg::default())
                .crop(
                    left,
                    top,
                    bounded(left, across.step * f64::from(self.sides.0), strip.width()),
                    bounded(top, down.step * f64::from(count), strip.height()),
                )
                // `strip` premultiplies already, as the averaging needs it, too.
                .use_alpha(false);
            self.filter(&mut resizer, &strip, &mut target, &options)?;
            let begin = row as usize * self.sides.0 as usize * self.channels;
            let pixels = to.get_mut(begin..).unwrap_or_default();
            light.store(target.buffer(), pixels, self.channels, self.has_alpha);
            row += count;
        }
        Ok(())
    }

    /// Selects the pixel type statically: the library's dynamic dispatch compiles all types, a third of this crate's code.
    fn filter(
        &self,
        resizer: &mut Resizer,
        strip: &Image<'_>,
        target: &mut Image<'_>,
        options: &ResizeOptions,
    ) -> TaskResult<()> {
        match self.channels {
            1 => filter::<F32>(resizer, strip, target, options),
            2 => filter::<F32x2>(resizer, strip, target, options),
            3 => filter::<F32x3>(resizer, strip, target, options),
            _ => filter::<F32x4>(resizer, strip, target, options),
        }
    }

    /// Returns the number of target rows computed from one strip.
    fn rows_per_strip(&self, columns: &std::ops::Range<usize>, down: Axis) -> u32 {
        let rows = STRIP / (columns.len() * self.channels).max(1);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count of rows"
        )]
        let rows = (rows as f64 / down.step) as u32;
        rows.max(64)
    }

    /// Averages the pixels of a strip, in linear light with premultiplied alpha.
    fn strip<S: Sample>(
        &self,
        from: &[S],
        light: &TransferTables<S>,
        (columns, rows): (std::ops::Range<usize>, std::ops::Range<usize>),
        (across, down): (Axis, Axis),
    ) -> TaskResult<Image<'static>> {
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let mut strip = Image::new(side(columns.len()), side(rows.len()), self.pixel_type());
        let row_bytes = columns.len() * self.channels * size_of::<f32>();
        let source_row = self.source.0 as usize * self.channels;
        let mut sums = vec![0.0; columns.len() * self.channels];
        for (target, row) in strip
            .buffer_mut()
            .chunks_exact_mut(row_bytes.max(1))
            .zip(rows)
        {
            sums.fill(0.0);
            let lines = from
                .chunks_exact(source_row.max(1))
                .skip(row * down.averaged)
                .take(down.averaged);
            let count = lines.len();
            for line in lines {
                let begin = columns.start * across.averaged * self.channels;
                let line = line.get(begin..).unwrap_or_default();
                light.add(
                    line,
                    &mut sums,
                    across.averaged,
                    self.channels,
                    self.has_alpha,
                );
            }
            light::write(&sums, target, count);
        }
        Ok(strip)
    }

    fn pixel_type(&self) -> PixelType {
        match self.channels {
            1 => PixelType::F32,
            2 => PixelType::F32x2,
            3 => PixelType::F32x3,
            _ => PixelType::F32x4,
        }
    }
}

fn filter<P: PixelTrait>(
    resizer: &mut Resizer,
    strip: &Image<'_>,
    target: &mut Image<'_>,
    options: &ResizeOptions,
) -> TaskResult<()> {
    let failed = |reason: &dyn Display| {
        TaskError::Installation(format!("an image cannot be scaled: {reason}"))
    };
    let pixels = || failed(&"the pixel type differs");
    let strip = strip.typed_image::<P>().ok_or_else(pixels)?;
    let mut target = target.typed_image_mut::<P>().ok_or_else(pixels)?;
    let scaled = resizer.resize_typed(&strip, &mut target, options);
    scaled.map_err(|error| failed(&error))
}
