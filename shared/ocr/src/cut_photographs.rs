//! Photographs cut from the deskewed picture of a scanned page, and pages that are a single image: stored in files until the
//! document is written.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use domain::format::Format;
use image::metadata::Orientation;
use image::{DynamicImage, GenericImageView as _, Rgb, RgbImage};
use imaging::encode::{self, Attributes, Effort};
use imaging::{jpeg, strip_metadata, transparency};
use layout::Rect;
use pdf::content::Photograph;
use task::matrix::Matrix;
use task::{Task, TaskError, TaskResult};

use super::ocr_page::Rectangle;

/// JPEG quality of the photographs.
const QUALITY: u8 = 90;
/// Source formats that may be lossy.
const LOSSY: [Format; 4] = [Format::Jpeg, Format::Webp, Format::Avif, Format::Heic];

/// Cuts an area out of the rendered page and stores it as JPEG at `path`. `back` maps the area to pixels of the page. Returns
/// width and height in pixels.
pub(super) fn cut(
    shown: &DynamicImage,
    back: Matrix,
    area: Rectangle,
    path: &Path,
) -> TaskResult<(u32, u32)> {
    let (width, height) = sides(area, back);
    let from = to_area(area, (width, height)).then(back);
    let pixels = RgbImage::from_fn(width, height, |x, y| {
        interpolate(shown, from.apply((f64::from(x) + 0.5, f64::from(y) + 0.5)))
    });
    let coded = encode::jpeg(&drop_color(pixels), QUALITY, Attributes::default())?;
    fs::write(path, coded)?;
    Ok((width, height))
}

/// Stores the whole page image at `path`: as JPEG if the source is lossy, otherwise losslessly.
pub(super) fn store_whole(
    task: &Task,
    shown: DynamicImage,
    bounds: Rect,
    path: PathBuf,
) -> TaskResult<Photograph> {
    let sides = (shown.width(), shown.height());
    let shown = transparency::to_8_bit(transparency::normalize(shown));
    let is_jpeg = LOSSY.contains(&task.from) && !shown.color().has_alpha();
    let copied = match is_jpeg && can_copy_source(task)? {
        true => strip_metadata::strip_metadata(
            &fs::read(&task.source)?,
            Format::Jpeg,
            Orientation::NoTransforms,
        ),
        false => None,
    };
    let coded = match copied {
        Some(copied) => copied,
        None if is_jpeg => encode::jpeg(&shown, QUALITY, Attributes::default())?,
        None => encode::png(shown, Effort::Quick, Attributes::default())?,
    };
    fs::write(&path, coded)?;
    Ok(Photograph {
        bounds,
        path,
        sides,
        is_jpeg,
    })
}

/// Returns whether the source is an upright gray or color JPEG, which every viewer shows correctly.
fn can_copy_source(task: &Task) -> TaskResult<bool> {
    if task.from != Format::Jpeg {
        return Ok(false);
    }
    let source = || Ok::<_, TaskError>(BufReader::new(File::open(&task.source)?));
    let header = jpeg::header(source()?)?;
    let is_upright = imaging::orientation(source()?, task.from)? == Orientation::NoTransforms;
    Ok(is_upright && matches!(header.components, 1 | 3))
}

/// Returns the dimensions of an area in pixels of the rendered page, to which `back` maps.
fn sides(area: Rectangle, back: Matrix) -> (u32, u32) {
    let (across, down) = back.extent();
    let pixels = |length: f64, by: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within a picture"
        )]
        let pixels = (length * by).round().max(1.0) as u32;
        pixels
    };
    (
        pixels(area.right - area.left, across),
        pixels(area.bottom - area.top, down),
    )
}

/// Returns the matrix from pixels of a photograph with these dimensions to its area.
fn to_area(area: Rectangle, (width, height): (u32, u32)) -> Matrix {
    let scale = Matrix::scale(
        (area.right - area.left) / f64::from(width),
        (area.bottom - area.top) / f64::from(height),
    );
    scale.then(Matrix([1.0, 0.0, 0.0, 1.0, area.left, area.top]))
}

/// Converts to gray if the image has no color.
fn drop_color(pixels: RgbImage) -> DynamicImage {
    let is_gray = pixels
        .pixels()
        .all(|Rgb([red, green, blue])| red == green && green == blue);
    let pixels = DynamicImage::from(pixels);
    match is_gray {
        true => pixels.into_luma8().into(),
        false => pixels,
    }
}

/// Interpolates bilinearly; white outside the image.
fn interpolate(shown: &DynamicImage, (x, y): (f64, f64)) -> Rgb<u8> {
    let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
    let (across, down) = (x - 0.5 - left, y - 0.5 - top);
    let weights = [
        (0.0, 0.0, (1.0 - across) * (1.0 - down)),
        (1.0, 0.0, across * (1.0 - down)),
        (0.0, 1.0, (1.0 - across) * down),
        (1.0, 1.0, across * down),
    ];
    let mut sum = [0.5; 3];
    for (right, below, weight) in weights {
        for (sum, part) in sum.iter_mut().zip(pixel(shown, left + right, top + below)) {
            *sum += weight * f64::from(part);
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean of bytes"
    )]
    let rounded = sum.map(|part| part as u8);
    Rgb(rounded)
}

fn pixel(shown: &DynamicImage, x: f64, y: f64) -> [u8; 3] {
    let is_inside = (0.0..f64::from(shown.width())).contains(&x)
        && (0.0..f64::from(shown.height())).contains(&y);
    if !is_inside {
        return [u8::MAX; 3];
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within the picture"
    )]
    let [red, green, blue, _] = shown.get_pixel(x as u32, y as u32).0;
    [red, green, blue]
}
