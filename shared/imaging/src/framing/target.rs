//! How large a compressed image becomes, and scaling down to that.

use domain::operation::{CompressOptions, Pixels};
use image::DynamicImage;
use task::Outcome;

use super::Framing;
use crate::scale::{Part, scaled, within};

/// How large the result becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Width and height.
    pub sides: (u32, u32),
    /// Whether that is as large as the source.
    pub is_same_size: bool,
    /// Whether the plan, not the request, decided it.
    pub is_limited: bool,
}

impl Target {
    /// The largest size within what was asked for and what the plan allows.
    pub fn of(source: (u32, u32), options: &CompressOptions, most: u32) -> Self {
        let value = |side: Option<Pixels>| side.map_or(u32::MAX, Pixels::value);
        let asked = within(
            source,
            (value(options.max_width), value(options.max_height)),
        );
        let sides = within(asked, (most, most));
        Self {
            sides,
            is_same_size: sides == source,
            is_limited: sides != asked,
        }
    }

    /// Scales the pixels.
    pub fn apply(self, pixels: DynamicImage) -> Outcome<DynamicImage> {
        if self.is_same_size {
            return Ok(pixels);
        }
        let whole = Part::whole((pixels.width(), pixels.height()));
        scaled(&pixels, whole, self.sides)
    }
}

/// What becomes of an image of these sides.
pub(super) fn framing(options: &CompressOptions, sides: (u32, u32), most: u32) -> Framing {
    let target = Target::of(sides, options, most);
    Framing {
        is_limited: target.is_limited,
        ..Framing::new(Part::whole(sides), target.sides, u32::MAX)
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
        Target::of(source, &options(width, height), 4000).sides
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
    fn the_plan_is_named_only_when_it_decides() {
        let large = Target::of((8000, 4000), &options(None, None), 4000);
        assert_eq!((large.sides, large.is_limited), ((4000, 2000), true));
        let asked = Target::of((8000, 4000), &options(Some(3000), None), 4000);
        assert_eq!((asked.sides, asked.is_limited), ((3000, 1500), false));
    }
}
