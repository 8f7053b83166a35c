//! Captures a screenshot of a page as PNG. Large pages are captured in strips, so that only one strip is in memory.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, Cursor, Write};
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::page::{
    self, CaptureScreenshotFormat, CaptureScreenshotParams, CaptureScreenshotReturns,
    GetLayoutMetricsParams,
};
use domain::operation::{Viewport, is_renderable_size};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter};
use task::{TaskError, TaskResult};

use crate::returns::GetLayoutMetrics;
use crate::{BrowserError, Page};

/// Maximum number of pixels of a strip, so that the response does not exceed the maximum message length.
const MAX_STRIP_PIXELS: f64 = 8_000_000.0;
/// Heights of strips are multiples of this number of CSS pixels if possible, which are whole device pixels at any scale with
/// two decimals. The strips of very wide pages are smaller and may start at a fraction of a CSS pixel.
const STRIP_STEP: f64 = 100.0;

/// The part of a page that is captured, from the upper left corner, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Width in CSS pixels.
    pub width: f64,
    /// Height in CSS pixels.
    pub height: f64,
}

impl Area {
    /// The viewport.
    pub fn of_viewport(viewport: &Viewport) -> Self {
        Self {
            width: viewport.width.into(),
            height: viewport.height.into(),
        }
    }

    /// The whole page, at least the viewport.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn of_page(
        page: &mut Page,
        viewport: &Viewport,
        until: Instant,
    ) -> Result<Self, BrowserError> {
        let metrics: GetLayoutMetrics = page.call(&GetLayoutMetricsParams {}, until)?;
        let content = metrics.css_content_size;
        if content.width < 0.0 || content.height < 0.0 {
            let what = format!("result of {}", GetLayoutMetricsParams::IDENTIFIER);
            return Err(BrowserError::malformed(what, "a negative size"));
        }
        let viewport = Self::of_viewport(viewport);
        Ok(Self {
            width: content.width.ceil().max(viewport.width),
            height: content.height.ceil().max(viewport.height),
        })
    }

    /// Width and height in device pixels, unless they exceed the limits.
    fn pixel_size(self, viewport: &Viewport) -> TaskResult<(u32, u32)> {
        let pixel_size = (viewport.pixels(self.width), viewport.pixels(self.height));
        match is_renderable_size(pixel_size.0, pixel_size.1) {
            true => Ok(pixel_size),
            false => Err(TaskError::too_large(
                "A screenshot of the whole page would exceed 100 megapixels, or 65,535 pixels per side.",
            )),
        }
    }

    /// Top and height of each strip.
    fn strips(self, viewport: &Viewport) -> Vec<(f64, f64)> {
        let pixel_width = f64::from(viewport.pixels(self.width));
        let rows = (MAX_STRIP_PIXELS / pixel_width).floor().max(1.0);
        let step = (STRIP_STEP * viewport.scale).round();
        let rows = if rows < step {
            rows
        } else {
            rows - rows % step
        };
        let pixel_height = f64::from(viewport.pixels(self.height));
        let mut strips = Vec::new();
        let mut row = 0.0;
        while row < pixel_height {
            let top = row / viewport.scale;
            row += rows;
            // The last strip has whole pixels, too.
            let bottom = row.min(pixel_height) / viewport.scale;
            strips.push((top, bottom - top));
        }
        strips
    }
}

/// Writes a PNG of an area of the page; returns its width and height in pixels.
///
/// # Errors
///
/// Fails if the area exceeds the size limits, the browser fails or does not respond before `until`, or the file cannot be
/// written.
pub fn capture(
    page: &mut Page,
    viewport: &Viewport,
    area: Area,
    target: &Path,
    until: Instant,
) -> TaskResult<(u32, u32)> {
    let pixel_size = area.pixel_size(viewport)?;
    let mut file = BufWriter::new(File::create(target)?);
    match area.strips(viewport).as_slice() {
        [strip] => file.write_all(&capture_strip(page, area.width, *strip, until)?)?,
        strips => {
            let strips = strips.iter();
            let images = strips.map(|strip| capture_strip(page, area.width, *strip, until));
            concatenate(images, pixel_size, &mut file)?;
        }
    }
    file.flush()?;
    Ok(pixel_size)
}

/// A PNG of one strip.
fn capture_strip(
    page: &mut Page,
    width: f64,
    (top, height): (f64, f64),
    until: Instant,
) -> Result<Vec<u8>, BrowserError> {
    let screenshot = CaptureScreenshotParams {
        format: Some(CaptureScreenshotFormat::Png),
        clip: Some(page::Viewport {
            x: 0.0,
            y: top,
            width,
            height,
            scale: 1.0,
        }),
        capture_beyond_viewport: Some(true),
        ..CaptureScreenshotParams::default()
    };
    let screenshot: CaptureScreenshotReturns = page.call_with_retry(&screenshot, until)?;
    let data: &str = screenshot.data.as_ref();
    STANDARD.decode(data).map_err(malformed)
}

/// Concatenates images of the full width from top to bottom. Their heights add up to the full height.
fn concatenate(
    images: impl Iterator<Item = Result<Vec<u8>, BrowserError>>,
    (width, height): (u32, u32),
    target: &mut impl Write,
) -> TaskResult<()> {
    let mut encoder = Encoder::new(target, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header().map_err(encoding_error)?;
    let mut rows = writer.stream_writer().map_err(encoding_error)?;
    for image in images {
        copy(&image?, width, &mut rows)?;
    }
    rows.finish().map_err(encoding_error)
}

fn copy(image: &[u8], width: u32, rows: &mut impl Write) -> TaskResult<()> {
    let mut reader = Decoder::new(Cursor::new(image))
        .read_info()
        .map_err(malformed)?;
    let info = reader.info();
    if (info.width, info.color_type, info.bit_depth) != (width, ColorType::Rgb, BitDepth::Eight) {
        return Err(malformed("unexpected width or pixel format").into());
    }
    while let Some(row) = reader.next_row().map_err(malformed)? {
        rows.write_all(row.data())?;
    }
    Ok(())
}

fn malformed(reason: impl Display) -> BrowserError {
    BrowserError::malformed("screenshot", reason)
}

fn encoding_error(error: png::EncodingError) -> TaskError {
    match error {
        png::EncodingError::IoError(error) => TaskError::Io(error),
        // The strips have more or fewer rows than expected.
        error => malformed(error).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewport(scale: f64) -> Viewport {
        Viewport {
            width: 1_280,
            height: 1_024,
            scale,
        }
    }

    #[test]
    fn strips_cover_the_page_and_have_whole_pixels() {
        let area = Area {
            width: 1_280.0,
            height: 20_001.0,
        };
        let strips = area.strips(&viewport(1.0));
        assert_eq!(
            strips,
            [
                (0.0, 6_200.0),
                (6_200.0, 6_200.0),
                (12_400.0, 6_200.0),
                (18_600.0, 1_401.0)
            ]
        );
        for scale in [0.1, 0.77, 1.1, 3.33] {
            let viewport = viewport(scale);
            let pixels: u32 = area
                .strips(&viewport)
                .iter()
                .map(|(_, height)| viewport.pixels(*height))
                .sum();
            assert_eq!(pixels, viewport.pixels(area.height), "{scale}");
        }
    }

    #[test]
    fn no_strip_exceeds_the_maximum_message_size() {
        for scale in [0.1, 1.0, 3.33, 3.99, 4.0] {
            let viewport = viewport(scale);
            let width = (65_535.0 / scale).floor();
            let height = (1_500.0 / scale).floor();
            let area = Area { width, height };
            let strips = area.strips(&viewport);
            let pixel_width = f64::from(viewport.pixels(width));
            let rows = strips.iter().map(|(_, height)| height * scale);
            assert!(
                rows.clone()
                    .all(|rows| rows * pixel_width <= MAX_STRIP_PIXELS + pixel_width)
            );
            let pixel_height: u32 = rows.map(|rows| rows.round() as u32).sum();
            assert_eq!(pixel_height, viewport.pixels(height), "{scale}");
        }
    }

    #[test]
    fn areas_over_the_limits_are_rejected() {
        let pixel_size = |width, height, scale| Area { width, height }.pixel_size(&viewport(scale));
        assert_eq!(pixel_size(1_000.0, 50_000.0, 1.0).unwrap(), (1_000, 50_000));
        assert!(pixel_size(10_000.0, 10_001.0, 1.0).is_err());
        assert!(pixel_size(1_000.0, 65_536.0, 1.0).is_err());
        assert!(pixel_size(1_280.0, 20_000.0, 2.0).is_err());
    }
}
