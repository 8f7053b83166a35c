//! Target dimensions of the `compress` operation.

use domain::operation::{CompressOptions, Pixels};
use image::DynamicImage;
use task::TaskResult;

use super::Geometry;
use crate::scale::{CropRect, fit_within, scaled};

/// Target dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetSize {
    /// Width and height.
    pub sides: (u32, u32),
    /// Whether the source already has these dimensions.
    pub is_same_size: bool,
    /// Whether the limit of the plan, not the request, determined the dimensions.
    pub is_limited: bool,
}

impl TargetSize {
    /// Returns the largest dimensions within the requested bounds and the limit of the plan.
    pub fn of(source: (u32, u32), options: &CompressOptions, most: u32) -> Self {
        let value = |side: Option<Pixels>| side.map_or(u32::MAX, Pixels::value);
        let requested = fit_within(
            source,
            (value(options.max_width), value(options.max_height)),
        );
        let sides = fit_within(requested, (most, most));
        Self {
            sides,
            is_same_size: sides == source,
            is_limited: sides != requested,
        }
    }

    /// Scales the pixels to the target.
    ///
    /// # Errors
    /// [`TaskError::Installation`] if scaling fails.
    pub fn apply(self, pixels: DynamicImage) -> TaskResult<DynamicImage> {
        if self.is_same_size {
            return Ok(pixels);
        }
        let whole = CropRect::full((pixels.width(), pixels.height()));
        scaled(&pixels, whole, self.sides)
    }
}

/// Computes the geometry for an image of these dimensions.
pub(super) fn geometry(options: &CompressOptions, sides: (u32, u32), most: u32) -> Geometry {
    let target = TargetSize::of(sides, options, most);
    Geometry {
        is_limited: target.is_limited,
        ..Geometry::new(CropRect::full(sides), target.sides, u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(width: Option<i64>, height: Option<i64>) -> CompressOptions {
        let pixels = |side: Option<i64>| side.map(|side| Pixels::try_from(side).unwrap());
        CompressOptions {
            max_width: pixels(width),
            max_height: pixels(height),
            ..CompressOptions::default()
        }
    }

    fn sides(source: (u32, u32), width: Option<i64>, height: Option<i64>) -> (u32, u32) {
        TargetSize::of(source, &options(width, height), 4000).sides
    }

    #[test]
    fn an_image_shrinks_to_the_tighter_bound_and_keeps_its_aspect() {
        assert_eq!(sides((1000, 500), None, None), (1000, 500));
        assert_eq!(sides((1000, 500), Some(100), None), (100, 50));
        assert_eq!(sides((1000, 500), None, Some(100)), (200, 100));
        assert_eq!(sides((1000, 500), Some(100), Some(10)), (20, 10));
        assert_eq!(sides((1000, 500), Some(5000), Some(5000)), (1000, 500));
        assert_eq!(sides((4000, 1), Some(10), None), (10, 1));
    }

    #[test]
    fn the_limit_of_the_plan_is_flagged() {
        let large = TargetSize::of((8000, 4000), &options(None, None), 4000);
        assert_eq!((large.sides, large.is_limited), ((4000, 2000), true));
        let requested = TargetSize::of((8000, 4000), &options(Some(3000), None), 4000);
        assert_eq!(
            (requested.sides, requested.is_limited),
            ((3000, 1500), false)
        );
    }
}
