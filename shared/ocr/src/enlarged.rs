//! Enlarges pictures of low resolution: Tesseract misses words and columns whose letters have few pixels.

use fast_image_resize::images::{Image, TypedImageRef};
use fast_image_resize::pixels::U8;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use super::picture::Picture;

/// Resolution below which a picture is enlarged, and resolution of the enlarged one, in pixels per inch. At 200, letters have
/// enough pixels, and cells of skewed tables were missed after enlargement.
const LOW: f64 = 200.0;
const FULL: f64 = 300.0;
/// Maximum factor, that of a picture of unknown resolution, and maximum pixels of an enlarged picture.
const MOST: f64 = 3.0;
const MOST_UNKNOWN: f64 = 2.0;
const MAX_PIXELS: f64 = 40_000_000.0;
/// Points per inch; default resolution in pixels per inch; maximum side in points up to which the stated resolution is trusted;
/// and maximum side in points otherwise.
const POINTS: f64 = 72.0;
const DEFAULT_RESOLUTION: f64 = 96.0;
const MAX_STATED_SIDE: f64 = 1224.0;
const MAX_DEFAULT_SIDE: f64 = 842.0;

/// Returns the enlarged picture, and the factor; `None` if its resolution is sufficient.
pub(super) fn enlarged(picture: &Picture) -> Option<(Picture, f64)> {
    let (width, height) = (picture.width, picture.height);
    let factor = factor((width, height), picture.resolution)?;
    let side = |pixels: u32| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most three times as large"
        )]
        let side = (f64::from(pixels) * factor).round() as u32;
        side
    };
    let from = TypedImageRef::<U8>::from_buffer(width, height, &picture.samples).ok()?;
    let mut to = Image::new(side(width), side(height), PixelType::U8);
    let filter = ResizeAlg::Convolution(FilterType::CatmullRom);
    let options = ResizeOptions::new().resize_alg(filter);
    // `resize`, which selects the type of pixels itself, would compile the code of every type here.
    let mut pixels = to.typed_image_mut::<U8>()?;
    Resizer::new()
        .resize_typed(&from, &mut pixels, &options)
        .ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "a resolution is small")]
    let resolution = |stated| (f64::from(stated) * factor).round() as i32;
    let enlarged = Picture {
        width: to.width(),
        height: to.height(),
        resolution: picture.resolution.map(resolution),
        samples: to.into_vec(),
    };
    Some((enlarged, factor))
}

/// Pixel counts of a picture, for the limits of memory and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pixels {
    /// Its own pixels.
    pub(super) original: u64,
    /// Those that are recognized.
    pub(super) recognized: u64,
    /// Pixels of a picture that is not enlarged and takes as long: enlarged by two in both directions, recognition takes
    /// less than twice as long.
    pub(super) cost: u64,
}

impl Pixels {
    pub(super) fn of(sides: (u32, u32), resolution: Option<i32>) -> Self {
        let pixels = f64::from(sides.0) * f64::from(sides.1);
        let factor = factor(sides, resolution).unwrap_or(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "pixels of a picture"
        )]
        let times = |factor: f64| (pixels * factor) as u64;
        Self {
            original: times(1.0),
            recognized: times(factor * factor),
            cost: times(factor),
        }
    }
}

/// Returns the points per pixel of a picture by its longer side and its resolution, if stated.
pub(super) fn points(longer: f64, resolution: Option<i32>) -> f64 {
    let stated = resolution.map(|resolution| POINTS / f64::from(resolution.max(1)));
    let stated = stated.filter(|scale| longer * scale <= MAX_STATED_SIDE);
    stated.unwrap_or_else(|| (POINTS / DEFAULT_RESOLUTION).min(MAX_DEFAULT_SIDE / longer.max(1.0)))
}

/// Returns the factor of a picture that is enlarged.
fn factor((width, height): (u32, u32), resolution: Option<i32>) -> Option<f64> {
    let (width, height) = (f64::from(width), f64::from(height));
    let most = match resolution {
        Some(_) => MOST,
        None => MOST_UNKNOWN,
    };
    let resolution = POINTS / points(width.max(height), resolution);
    let most = (MAX_PIXELS / (width * height).max(1.0)).sqrt().min(most);
    let factor = (FULL / resolution).min(most);
    (resolution < LOW && factor > 1.0).then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(sides: (u32, u32), resolution: Option<i32>) -> Picture {
        Picture {
            samples: vec![200; (sides.0 * sides.1) as usize],
            width: sides.0,
            height: sides.1,
            resolution,
        }
    }

    #[test]
    fn pages_below_the_usual_resolutions_are_enlarged() {
        let sides = |sides, resolution| {
            let (enlarged, _) = enlarged(&picture(sides, resolution))?;
            Some((enlarged.width, enlarged.height, enlarged.resolution))
        };
        assert_eq!(sides((850, 1100), Some(100)), Some((2550, 3300, Some(300))));
        assert_eq!(
            sides((1275, 1650), Some(150)),
            Some((2550, 3300, Some(300)))
        );
        assert_eq!(
            sides((1530, 1980), Some(180)),
            Some((2550, 3300, Some(300)))
        );
        assert_eq!(sides((1700, 2200), Some(200)), None);
        assert_eq!(sides((850, 1100), None), Some((1700, 2200, None)));
        // A photograph of a page that states the resolution of a screen.
        assert_eq!(sides((3000, 4000), Some(72)), None);
    }

    #[test]
    fn the_edges_of_an_enlarged_picture_stay_in_place() {
        let mut small = picture((100, 100), Some(100));
        for row in small.samples.chunks_mut(100) {
            row[40..60].fill(0);
        }
        let (enlarged, factor) = enlarged(&small).unwrap();
        let row: Vec<bool> = enlarged.samples[..300].iter().map(|s| *s < 100).collect();
        assert!((factor - 3.0).abs() < 1e-9);
        assert_eq!(row.iter().position(|dark| *dark), Some(120));
        assert_eq!(row.iter().rposition(|dark| *dark), Some(179));
    }
}
