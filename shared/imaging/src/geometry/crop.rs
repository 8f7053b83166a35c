//! Geometry of the `crop` operation.

use domain::job::JobErrorCode;
use domain::operation::CropOptions;
use task::{TaskError, TaskResult};

use super::Geometry;
use crate::scale::CropRect;

/// Computes the geometry. The rectangle is not clamped to the image, as page numbers are not clamped to the document.
///
/// # Errors
/// [`JobErrorCode::OutputInvalid`] if the rectangle extends beyond the image.
pub(super) fn geometry(
    options: &CropOptions,
    (width, height): (u32, u32),
    most: u32,
) -> TaskResult<Geometry> {
    let (left, top) = (u32::from(options.x), u32::from(options.y));
    let sides = (options.width.value(), options.height.value());
    if left + sides.0 > width || top + sides.1 > height {
        let how = match left >= width || top >= height {
            true => "is",
            false => "extends",
        };
        let (wide, high) = sides;
        let message = format!(
            "The rectangle of {wide} by {high} pixels at x {left} and y {top} {how} outside the image, which is {width} pixels wide and {height} pixels high."
        );
        return Err(TaskError::document(JobErrorCode::OutputInvalid, &message));
    }
    let crop = CropRect {
        left: left.into(),
        top: top.into(),
        ..CropRect::full(sides)
    };
    Ok(Geometry::new(crop, sides, most))
}
