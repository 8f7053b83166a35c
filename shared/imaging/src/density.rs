//! Resolution of an image, as stated by its file.

use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use domain::format::Format;

use super::input::Input;
use super::jpeg;
use super::tiff::{self, Directory};

const X_RESOLUTION: u16 = 282;
const Y_RESOLUTION: u16 = 283;
const RESOLUTION_UNIT: u16 = 296;
const CENTIMETER: f32 = 3.0;
const CENTIMETERS_PER_INCH: f32 = 2.54;
const METERS_PER_INCH: f32 = 0.0254;

/// Returns the horizontal and vertical resolution in pixels per inch; `None` if it is missing or implausible.
pub fn density(mut reader: impl BufRead + Seek, format: Format) -> Option<(f32, f32)> {
    read_density(BufReader::new(&mut reader), format)
}

fn read_density(mut reader: Input<'_>, format: Format) -> Option<(f32, f32)> {
    let found = match format {
        Format::Jpeg => of_jpeg(reader),
        Format::Png => of_png(reader),
        Format::Bmp => of_bmp(reader),
        Format::Tiff => {
            let pages = tiff::pages(&mut reader, 1).ok()?;
            of_directory(&mut reader, pages.first()?)
        }
        _ => None,
    };
    found.filter(|(across, down)| is_sane(*across) && is_sane(*down))
}

/// Values outside this range are meaningless defaults of some writers.
fn is_sane(density: f32) -> bool {
    (20.0..=10_000.0).contains(&density)
}

fn of_directory(reader: &mut (impl Read + Seek), page: &Directory) -> Option<(f32, f32)> {
    let across = page.number(reader, X_RESOLUTION)?;
    let down = page.number(reader, Y_RESOLUTION)?;
    match page.number(reader, RESOLUTION_UNIT) {
        Some(1.0) => None,
        Some(CENTIMETER) => Some((across * CENTIMETERS_PER_INCH, down * CENTIMETERS_PER_INCH)),
        _ => Some((across, down)),
    }
}

fn of_jpeg(reader: impl BufRead) -> Option<(f32, f32)> {
    let header = jpeg::header(reader).ok()?;
    header.density.or_else(|| {
        let mut block = Cursor::new(header.exif?);
        let pages = tiff::pages(&mut block, 1).ok()?;
        of_directory(&mut block, pages.first()?)
    })
}

/// The chunk `pHYs` [PNG, 11.3.4.3].
fn of_png(reader: impl BufRead + Seek) -> Option<(f32, f32)> {
    let reader = png::Decoder::new(reader).read_info().ok()?;
    let density = reader.info().pixel_dims?;
    (density.unit == png::Unit::Meter).then(|| (per_inch(density.xppu), per_inch(density.yppu)))
}

/// Pixels per meter at offsets 38 and 42 (BITMAPINFOHEADER).
fn of_bmp(mut reader: impl Read + Seek) -> Option<(f32, f32)> {
    let mut sides = [0; 8];
    reader.seek(SeekFrom::Start(38)).ok()?;
    reader.read_exact(&mut sides).ok()?;
    let [x0, x1, x2, x3, y0, y1, y2, y3] = sides;
    let across = u32::from_le_bytes([x0, x1, x2, x3]);
    let down = u32::from_le_bytes([y0, y1, y2, y3]);
    Some((per_inch(across), per_inch(down)))
}

#[expect(clippy::cast_precision_loss, reason = "a resolution has few digits")]
fn per_inch(per_meter: u32) -> f32 {
    (per_meter as f32 * METERS_PER_INCH).round()
}
