//! How many pixels of an image make an inch, as the file itself says.

use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

use domain::format::Format;

use super::jpeg;
use super::tiff::{self, Directory};

const X_RESOLUTION: u16 = 282;
const Y_RESOLUTION: u16 = 283;
const RESOLUTION_UNIT: u16 = 296;
const CENTIMETRE: f32 = 3.0;
const CENTIMETRES_AN_INCH: f32 = 2.54;
const METRES_AN_INCH: f32 = 0.0254;

/// Pixels an inch across and down; `None` where the file does not say, or says nonsense.
pub fn density(mut reader: impl BufRead + Seek, format: Format) -> Option<(f32, f32)> {
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

/// Anything else is a default that some writer put there without thinking.
fn is_sane(density: f32) -> bool {
    (20.0..=10_000.0).contains(&density)
}

fn of_directory(reader: &mut (impl Read + Seek), page: &Directory) -> Option<(f32, f32)> {
    let across = page.number(reader, X_RESOLUTION)?;
    let down = page.number(reader, Y_RESOLUTION)?;
    match page.number(reader, RESOLUTION_UNIT) {
        Some(1.0) => None,
        Some(CENTIMETRE) => Some((across * CENTIMETRES_AN_INCH, down * CENTIMETRES_AN_INCH)),
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

/// The chunk `pHYs`, which stands before the pixels [PNG, 11.3.4.3].
fn of_png(mut reader: impl Read + Seek) -> Option<(f32, f32)> {
    reader.seek(SeekFrom::Start(8)).ok()?;
    loop {
        let mut head = [0; 8];
        reader.read_exact(&mut head).ok()?;
        let [l3, l2, l1, l0, kind @ ..] = head;
        match &kind {
            b"IDAT" | b"IEND" => return None,
            b"pHYs" => break,
            _ => {
                let length = u32::from_be_bytes([l3, l2, l1, l0]);
                reader.seek(SeekFrom::Current(i64::from(length) + 4)).ok()?;
            }
        }
    }
    let mut chunk = [0; 9];
    reader.read_exact(&mut chunk).ok()?;
    let [x3, x2, x1, x0, y3, y2, y1, y0, unit] = chunk;
    let across = u32::from_be_bytes([x3, x2, x1, x0]);
    let down = u32::from_be_bytes([y3, y2, y1, y0]);
    (unit == 1).then(|| (an_inch(across), an_inch(down)))
}

/// Pixels a metre at offsets 38 and 42 of the second header.
fn of_bmp(mut reader: impl Read + Seek) -> Option<(f32, f32)> {
    let mut sides = [0; 8];
    reader.seek(SeekFrom::Start(38)).ok()?;
    reader.read_exact(&mut sides).ok()?;
    let [x0, x1, x2, x3, y0, y1, y2, y3] = sides;
    let across = u32::from_le_bytes([x0, x1, x2, x3]);
    let down = u32::from_le_bytes([y0, y1, y2, y3]);
    Some((an_inch(across), an_inch(down)))
}

#[expect(clippy::cast_precision_loss, reason = "a resolution has few digits")]
fn an_inch(a_metre: u32) -> f32 {
    (a_metre as f32 * METRES_AN_INCH).round()
}
