//! Photographs that are cut from the picture of a page that was read, straightened, and pages that are pictures as a whole: kept in
//! files until the page is written.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use domain::format::Format;
use image::metadata::Orientation;
use image::{DynamicImage, GenericImageView as _, Rgb, RgbImage};
use imaging::encode::{self, Attributes, Effort};
use imaging::{bare, flat, jpeg};
use layout::Rect;
use pdf::content::Cutting;
use task::matrix::Matrix;
use task::{Fault, Outcome, Task};

use super::layout::Rectangle;

/// Quality of what is written.
const QUALITY: u8 = 90;
/// What has lost something already.
const LOSSY: [Format; 4] = [Format::Jpeg, Format::Webp, Format::Avif, Format::Heic];

/// Cuts an area out of what a page shows, where `back` leads from it, and keeps it at a path as JPEG; its sides in pixels.
pub(super) fn cut(
    shown: &DynamicImage,
    back: Matrix,
    area: Rectangle,
    path: &Path,
) -> Outcome<(u32, u32)> {
    let (width, height) = sides(area, back);
    let from = to_area(area, (width, height)).then(back);
    let pixels = RgbImage::from_fn(width, height, |x, y| {
        at(shown, from.apply((f64::from(x) + 0.5, f64::from(y) + 0.5)))
    });
    let coded = encode::jpeg(&lean(pixels), QUALITY, Attributes::default())?;
    fs::write(path, coded)?;
    Ok((width, height))
}

/// Keeps all that a page of an image shows at a path: as JPEG where the image has lost what JPEG loses, without loss else.
pub(super) fn whole(
    task: &Task,
    shown: DynamicImage,
    bounds: Rect,
    path: PathBuf,
) -> Outcome<Cutting> {
    let sides = (shown.width(), shown.height());
    let shown = flat::narrow(flat::plain(shown));
    let is_jpeg = LOSSY.contains(&task.from) && !shown.color().has_alpha();
    let own = match is_jpeg && is_taken_as_it_is(task)? {
        true => bare::bare(
            &fs::read(&task.source)?,
            Format::Jpeg,
            Orientation::NoTransforms,
        ),
        false => None,
    };
    let coded = match own {
        Some(own) => own,
        None if is_jpeg => encode::jpeg(&shown, QUALITY, Attributes::default())?,
        None => encode::png(shown, Effort::Quick, Attributes::default())?,
    };
    fs::write(&path, coded)?;
    Ok(Cutting {
        bounds,
        path,
        sides,
        is_jpeg,
    })
}

/// Whether the image is a JPEG that every program shows upright and in its colours.
fn is_taken_as_it_is(task: &Task) -> Outcome<bool> {
    if task.from != Format::Jpeg {
        return Ok(false);
    }
    let source = || Ok::<_, Fault>(BufReader::new(File::open(&task.source)?));
    let header = jpeg::header(source()?)?;
    let is_upright = imaging::orientation(source()?, task.from)? == Orientation::NoTransforms;
    Ok(is_upright && matches!(header.components, 1 | 3))
}

/// How many pixels of what is shown, where `back` leads, an area is wide and high.
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

/// From the pixels of a cutting with these sides to its area.
fn to_area(area: Rectangle, (width, height): (u32, u32)) -> Matrix {
    let scale = Matrix::scale(
        (area.right - area.left) / f64::from(width),
        (area.bottom - area.top) / f64::from(height),
    );
    scale.then(Matrix([1.0, 0.0, 0.0, 1.0, area.left, area.top]))
}

/// The same without colours where it shows none.
fn lean(pixels: RgbImage) -> DynamicImage {
    let is_grey = pixels
        .pixels()
        .all(|Rgb([red, green, blue])| red == green && green == blue);
    let pixels = DynamicImage::from(pixels);
    match is_grey {
        true => pixels.into_luma8().into(),
        false => pixels,
    }
}

/// The colour at a place, between those of the pixels around it; white outside.
fn at(shown: &DynamicImage, (x, y): (f64, f64)) -> Rgb<u8> {
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
