//! Geometry of the result: crop rectangle, scaling, rotation and canvas.

mod canvas;
mod crop;
mod resize;
mod target;

use domain::operation::{Angle, Operation};
use image::DynamicImage;
use task::{Task, TaskResult};

pub use self::canvas::Canvas;
pub use self::target::TargetSize;
use crate::scale::{CropRect, fit_within, scaled};

/// Geometry of the result: crop rectangle, scaling, rotation and canvas, applied in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// The crop rectangle within the upright image.
    pub crop: CropRect,
    /// The dimensions it is scaled to.
    pub sides: (u32, u32),
    /// Clockwise rotation after scaling.
    pub rotation: Option<Angle>,
    /// Background behind the image, if the result is larger.
    pub canvas: Option<Canvas>,
    /// Whether the limit of the plan, not the request, determined the dimensions.
    pub is_limited: bool,
}

/// Computes the geometry that the operation requests, given the dimensions of the upright image.
///
/// # Errors
/// `output_invalid` if the crop rectangle extends beyond the image.
pub fn geometry(task: &Task, sides: (u32, u32)) -> TaskResult<Geometry> {
    let most = task.limits.image_side;
    match &task.operation {
        Operation::Resize(options) => Ok(resize::geometry(options, sides, most)),
        Operation::Crop(options) => crop::geometry(options, sides, most),
        Operation::Rotate(options) => Ok(Geometry {
            rotation: Some(options.angle),
            ..Geometry::new(CropRect::full(sides), sides, most)
        }),
        Operation::Compress(options) => Ok(target::geometry(options, sides, most)),
        // Extracted pages keep their size.
        Operation::ExtractPages(_) => Ok(Geometry::new(CropRect::full(sides), sides, u32::MAX)),
        _ => Ok(Geometry::new(CropRect::full(sides), sides, most)),
    }
}

/// Returns whether compression may return an image of these dimensions unchanged.
pub fn may_keep_source(task: &Task, sides: (u32, u32)) -> bool {
    let Operation::Compress(options) = &task.operation else {
        return false;
    };
    let target = TargetSize::of(sides, options, task.limits.image_side);
    task.from == task.to && target.is_same_size
}

impl Geometry {
    /// Scales a rectangle of an image to the requested dimensions, limited to `most` per side.
    pub fn new(crop: CropRect, requested: (u32, u32), most: u32) -> Self {
        let sides = fit_within(requested, (most, most));
        Self {
            crop,
            sides,
            rotation: None,
            canvas: None,
            is_limited: sides != requested,
        }
    }

    /// Returns width and height of the result.
    pub fn result_dimensions(&self) -> (u32, u32) {
        match (&self.canvas, self.swaps_dimensions()) {
            (Some(canvas), _) => canvas.sides,
            (None, true) => (self.sides.1, self.sides.0),
            (None, false) => self.sides,
        }
    }

    /// Returns the position of the image on its canvas.
    pub fn image_offset(&self) -> (u32, u32) {
        self.canvas
            .map_or((0, 0), |canvas| (canvas.left, canvas.top))
    }

    /// Returns the geometry that cuts the image out of the result, without its canvas.
    pub fn image_within_result(&self) -> Self {
        let sides = match self.swaps_dimensions() {
            true => (self.sides.1, self.sides.0),
            false => self.sides,
        };
        let (left, top) = self.image_offset();
        let crop = CropRect {
            left: left.into(),
            top: top.into(),
            ..CropRect::full(sides)
        };
        Self::new(crop, sides, u32::MAX)
    }

    /// Applies the geometry. Pixels that are not scaled are copied unchanged.
    ///
    /// # Errors
    /// [`TaskError::Installation`] if scaling fails.
    pub fn apply(&self, pixels: DynamicImage) -> TaskResult<DynamicImage> {
        let source = (pixels.width(), pixels.height());
        let pixels = match self.whole_pixels() {
            Some((0, 0)) if source == self.sides => pixels,
            Some((left, top)) => pixels.crop_imm(left, top, self.sides.0, self.sides.1),
            None => scaled(&pixels, self.crop, self.sides)?,
        };
        let pixels = match &self.canvas {
            Some(canvas) => canvas.draw(&pixels),
            None => pixels,
        };
        Ok(match self.rotation {
            None => pixels,
            Some(Angle::Quarter) => pixels.rotate90(),
            Some(Angle::Half) => pixels.rotate180(),
            Some(Angle::ThreeQuarters) => pixels.rotate270(),
        })
    }

    /// Returns the horizontal and vertical resolution of the result.
    pub fn density(&self, density: Option<(f32, f32)>) -> Option<(f32, f32)> {
        density.map(|(across, down)| match self.swaps_dimensions() {
            true => (down, across),
            false => (across, down),
        })
    }

    /// Returns whether the image is not scaled.
    pub fn keeps_pixels(&self) -> bool {
        self.whole_pixels().is_some()
    }

    fn swaps_dimensions(&self) -> bool {
        matches!(self.rotation, Some(Angle::Quarter | Angle::ThreeQuarters))
    }

    /// Returns the top left corner of the rectangle if it consists of whole pixels that are not scaled.
    fn whole_pixels(&self) -> Option<(u32, u32)> {
        let crop = self.crop;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the image"
        )]
        let image_offset = (crop.left as u32, crop.top as u32);
        let same = CropRect {
            left: image_offset.0.into(),
            top: image_offset.1.into(),
            ..CropRect::full(self.sides)
        };
        (crop == same).then_some(image_offset)
    }
}
