//! Takes a picture of a page, in strips if it is large, so that no more than one of them is held at a time.

use std::fs::File;
use std::io::{BufWriter, Cursor, Write};
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::operation::{Viewport, is_drawable};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter};
use serde_json::json;
use task::{Fault, Outcome};

use super::Trouble;
use super::page::Page;
use super::state::text;

/// Most pixels of a strip, so that the browser's answer is no longer than what is read of it.
const STRIP: f64 = 8_000_000.0;
/// Where there is room, heights of strips are multiples of this, in pixels of the style sheet: these are whole pixels at any
/// scale, which has hundredths. Of a wider page a strip begins at a fraction.
const STEP: f64 = 100.0;

/// The part of a page that a picture shows, from its upper left corner, in pixels of its style sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// From left to right.
    pub(crate) width: f64,
    /// From top to bottom.
    pub(crate) height: f64,
}

impl Area {
    /// What the window shows.
    pub(crate) fn of_window(viewport: &Viewport) -> Self {
        Self {
            width: viewport.width.into(),
            height: viewport.height.into(),
        }
    }

    /// The whole page, at least what the window shows.
    pub(crate) fn of_page(
        page: &mut Page,
        viewport: &Viewport,
        until: Instant,
    ) -> Result<Self, Trouble> {
        let metrics = page.call("Page.getLayoutMetrics", json!({}), until)?;
        let side = |name: &str| {
            let side = metrics.pointer("/cssContentSize")?.get(name)?.as_f64()?;
            (side >= 0.0).then_some(side.ceil())
        };
        let (width, height) = side("width").zip(side("height")).ok_or(Trouble::Gone)?;
        let window = Self::of_window(viewport);
        Ok(Self {
            width: width.max(window.width),
            height: height.max(window.height),
        })
    }

    /// The sides of the picture in pixels, if it may be made.
    fn sides(self, viewport: &Viewport) -> Outcome<(u32, u32)> {
        let sides = (viewport.pixels(self.width), viewport.pixels(self.height));
        match is_drawable(sides.0, sides.1) {
            true => Ok(sides),
            false => Err(Fault::too_large(
                "A picture of the whole page would have more than 100 megapixels, or more than 65,535 pixels a side.",
            )),
        }
    }

    /// Top and height of each strip.
    fn strips(self, viewport: &Viewport) -> Vec<(f64, f64)> {
        let across = f64::from(viewport.pixels(self.width));
        let rows = (STRIP / across).floor().max(1.0);
        let step = (STEP * viewport.scale).round();
        let rows = if rows < step {
            rows
        } else {
            rows - rows % step
        };
        let whole = f64::from(viewport.pixels(self.height));
        let mut strips = Vec::new();
        let mut row = 0.0;
        while row < whole {
            let top = row / viewport.scale;
            row += rows;
            // Of the last one too, all pixels are whole.
            let bottom = row.min(whole) / viewport.scale;
            strips.push((top, bottom - top));
        }
        strips
    }
}

/// Writes a PNG of a part of the page; its sides in pixels.
pub(crate) fn capture(
    page: &mut Page,
    viewport: &Viewport,
    area: Area,
    target: &Path,
    until: Instant,
) -> Outcome<(u32, u32)> {
    let sides = area.sides(viewport)?;
    let mut file = BufWriter::new(File::create(target)?);
    match area.strips(viewport).as_slice() {
        [strip] => file.write_all(&picture(page, area.width, *strip, until)?)?,
        strips => {
            let strips = strips.iter();
            let pictures = strips.map(|strip| picture(page, area.width, *strip, until));
            join(pictures, sides, &mut file)?;
        }
    }
    file.flush()?;
    Ok(sides)
}

/// A PNG of one strip.
fn picture(
    page: &mut Page,
    width: f64,
    (top, height): (f64, f64),
    until: Instant,
) -> Outcome<Vec<u8>> {
    let options = json!({
        "format": "png", "captureBeyondViewport": true,
        "clip": { "x": 0, "y": top, "width": width, "height": height, "scale": 1 },
    });
    let taken = page.insist("Page.captureScreenshot", &options, until)?;
    let taken = STANDARD.decode(text(&taken, "data"));
    Ok(taken.map_err(|_| Trouble::Gone)?)
}

/// Lays pictures one below the other. Each has the width of the whole, and together they have its height.
fn join(
    pictures: impl Iterator<Item = Outcome<Vec<u8>>>,
    (width, height): (u32, u32),
    target: &mut impl Write,
) -> Outcome<()> {
    let mut encoder = Encoder::new(target, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header().map_err(unwritten)?;
    let mut rows = writer.stream_writer().map_err(unwritten)?;
    for picture in pictures {
        copy(&picture?, width, &mut rows)?;
    }
    rows.finish().map_err(unwritten)
}

fn copy(picture: &[u8], width: u32, rows: &mut impl Write) -> Outcome<()> {
    let unread = |_| Fault::from(Trouble::Gone);
    let mut reader = Decoder::new(Cursor::new(picture))
        .read_info()
        .map_err(unread)?;
    let info = reader.info();
    if (info.width, info.color_type, info.bit_depth) != (width, ColorType::Rgb, BitDepth::Eight) {
        return Err(Trouble::Gone.into());
    }
    while let Some(row) = reader.next_row().map_err(unread)? {
        rows.write_all(row.data())?;
    }
    Ok(())
}

fn unwritten(error: png::EncodingError) -> Fault {
    match error {
        png::EncodingError::IoError(error) => Fault::Io(error),
        // More or fewer rows than there are to be.
        _ => Trouble::Gone.into(),
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
    fn no_strip_has_more_pixels_than_the_answer_has_room_for() {
        for scale in [0.1, 1.0, 3.33, 3.99, 4.0] {
            let viewport = viewport(scale);
            let width = (65_535.0 / scale).floor();
            let height = (1_500.0 / scale).floor();
            let area = Area { width, height };
            let strips = area.strips(&viewport);
            let across = f64::from(viewport.pixels(width));
            let rows = strips.iter().map(|(_, height)| height * scale);
            assert!(rows.clone().all(|rows| rows * across <= STRIP + across));
            let whole: u32 = rows.map(|rows| rows.round() as u32).sum();
            assert_eq!(whole, viewport.pixels(height), "{scale}");
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let sides = |width, height, scale| Area { width, height }.sides(&viewport(scale));
        assert_eq!(sides(1_000.0, 50_000.0, 1.0).unwrap(), (1_000, 50_000));
        assert!(sides(10_000.0, 10_001.0, 1.0).is_err());
        assert!(sides(1_000.0, 65_536.0, 1.0).is_err());
        assert!(sides(1_280.0, 20_000.0, 2.0).is_err());
    }
}
