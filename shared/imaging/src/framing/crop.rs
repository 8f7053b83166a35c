//! The part of an image that a rectangle cuts out.

use domain::job::JobErrorCode;
use domain::operation::CropOptions;
use task::{Fault, Outcome};

use super::Framing;
use crate::scale::Part;

/// What becomes of an image of these sides. As with pages that are not there, nothing is clamped.
///
/// # Errors
/// [`JobErrorCode::OutputInvalid`] for a rectangle that reaches outside.
pub(super) fn framing(
    options: &CropOptions,
    (width, height): (u32, u32),
    most: u32,
) -> Outcome<Framing> {
    let (left, top) = (u32::from(options.x), u32::from(options.y));
    let sides = (options.width.value(), options.height.value());
    if left + sides.0 > width || top + sides.1 > height {
        let how = match left >= width || top >= height {
            true => "lies",
            false => "reaches",
        };
        let (wide, high) = sides;
        let message = format!(
            "The rectangle of {wide} by {high} pixels at x {left} and y {top} {how} outside the image, which is {width} pixels wide and {height} pixels high."
        );
        return Err(Fault::document(JobErrorCode::OutputInvalid, &message));
    }
    let part = Part {
        left: left.into(),
        top: top.into(),
        ..Part::whole(sides)
    };
    Ok(Framing::new(part, sides, most))
}
