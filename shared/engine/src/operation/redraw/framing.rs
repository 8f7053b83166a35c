//! Which part of an image a result shows, how large, and how it is turned.

use domain::operation::{Angle, Operation};
use image::DynamicImage;
use imaging::scale::{Part, scaled, within};
use task::{Outcome, Task};

use super::canvas::Canvas;
use crate::operation::{compress, crop, resize};

/// Which part of an image a result shows, how large, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Framing {
    /// The part of the upright image.
    pub(crate) part: Part,
    /// What it is scaled to.
    pub(crate) sides: (u32, u32),
    /// How it is turned then, clockwise.
    pub(crate) turn: Option<Angle>,
    /// What it is laid on.
    pub(crate) canvas: Option<Canvas>,
    /// Whether the plan, not the request, decided the sides.
    pub(crate) is_limited: bool,
}

/// What an operation makes of an upright image of these sides.
pub(crate) fn framing(task: &Task, sides: (u32, u32)) -> Outcome<Framing> {
    let most = task.limits.image_side;
    match &task.operation {
        Operation::Resize(options) => Ok(resize::framing(options, sides, most)),
        Operation::Crop(options) => crop::framing(options, sides, most),
        Operation::Rotate(options) => Ok(Framing {
            turn: Some(options.angle),
            ..Framing::new(Part::whole(sides), sides, most)
        }),
        Operation::Compress(options) => Ok(compress::framing(options, sides, most)),
        // A page that is taken out is as large as it was, whatever is done to it then.
        Operation::ExtractPages(_) => Ok(Framing::new(Part::whole(sides), sides, u32::MAX)),
        _ => Ok(Framing::new(Part::whole(sides), sides, most)),
    }
}

impl Framing {
    /// A part of an image, scaled to what is asked for or, if that is more than `most` a side, to that.
    pub(crate) fn new(part: Part, asked: (u32, u32), most: u32) -> Self {
        let sides = within(asked, (most, most));
        Self {
            part,
            sides,
            turn: None,
            canvas: None,
            is_limited: sides != asked,
        }
    }

    /// Width and height of the result.
    pub(crate) fn result(&self) -> (u32, u32) {
        match (&self.canvas, self.swaps()) {
            (Some(canvas), _) => canvas.sides,
            (None, true) => (self.sides.1, self.sides.0),
            (None, false) => self.sides,
        }
    }

    /// Where the image begins on its canvas.
    pub(crate) fn corner(&self) -> (u32, u32) {
        self.canvas
            .map_or((0, 0), |canvas| (canvas.left, canvas.top))
    }

    /// The part of the result that shows the image, as it is.
    pub(crate) fn of_result(&self) -> Self {
        let sides = match self.swaps() {
            true => (self.sides.1, self.sides.0),
            false => self.sides,
        };
        let (left, top) = self.corner();
        let part = Part {
            left: left.into(),
            top: top.into(),
            ..Part::whole(sides)
        };
        Self::new(part, sides, u32::MAX)
    }

    /// Draws the result. Pixels that are not scaled stay as they are.
    pub(crate) fn apply(&self, pixels: DynamicImage) -> Outcome<DynamicImage> {
        let source = (pixels.width(), pixels.height());
        let pixels = match self.whole_pixels() {
            Some((0, 0)) if source == self.sides => pixels,
            Some((left, top)) => pixels.crop_imm(left, top, self.sides.0, self.sides.1),
            None => scaled(&pixels, self.part, self.sides)?,
        };
        let pixels = match &self.canvas {
            Some(canvas) => canvas.under(&pixels),
            None => pixels,
        };
        Ok(match self.turn {
            None => pixels,
            Some(Angle::Quarter) => pixels.rotate90(),
            Some(Angle::Half) => pixels.rotate180(),
            Some(Angle::ThreeQuarters) => pixels.rotate270(),
        })
    }

    /// The resolution of the result, across and down.
    pub(crate) fn density(&self, density: Option<(f32, f32)>) -> Option<(f32, f32)> {
        density.map(|(across, down)| match self.swaps() {
            true => (down, across),
            false => (across, down),
        })
    }

    /// Whether nothing is scaled.
    pub(crate) fn keeps_pixels(&self) -> bool {
        self.whole_pixels().is_some()
    }

    fn swaps(&self) -> bool {
        matches!(self.turn, Some(Angle::Quarter | Angle::ThreeQuarters))
    }

    /// Where the part begins, if it is made of whole pixels that are not scaled.
    fn whole_pixels(&self) -> Option<(u32, u32)> {
        let part = self.part;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the image"
        )]
        let corner = (part.left as u32, part.top as u32);
        let same = Part {
            left: corner.0.into(),
            top: corner.1.into(),
            ..Part::whole(self.sides)
        };
        (part == same).then_some(corner)
    }
}
