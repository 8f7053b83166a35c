//! Which part of an image a result shows, how large, and how it is turned.

mod canvas;
mod crop;
mod resize;
mod target;

use domain::operation::{Angle, Operation};
use image::DynamicImage;
use task::{Outcome, Task};

pub use self::canvas::Canvas;
pub use self::target::Target;
use crate::scale::{Part, scaled, within};

/// Which part of an image a result shows, how large, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    /// The part of the upright image.
    pub part: Part,
    /// What it is scaled to.
    pub sides: (u32, u32),
    /// How it is turned then, clockwise.
    pub turn: Option<Angle>,
    /// What it is laid on.
    pub canvas: Option<Canvas>,
    /// Whether the plan, not the request, decided the sides.
    pub is_limited: bool,
}

/// What an operation makes of an upright image of these sides.
pub fn framing(task: &Task, sides: (u32, u32)) -> Outcome<Framing> {
    let most = task.limits.image_side;
    match &task.operation {
        Operation::Resize(options) => Ok(resize::framing(options, sides, most)),
        Operation::Crop(options) => crop::framing(options, sides, most),
        Operation::Rotate(options) => Ok(Framing {
            turn: Some(options.angle),
            ..Framing::new(Part::whole(sides), sides, most)
        }),
        Operation::Compress(options) => Ok(target::framing(options, sides, most)),
        // A page that is taken out is as large as it was, whatever is done to it then.
        Operation::ExtractPages(_) => Ok(Framing::new(Part::whole(sides), sides, u32::MAX)),
        _ => Ok(Framing::new(Part::whole(sides), sides, most)),
    }
}

/// Whether an image of these sides may be the result of a compression as it is.
pub fn may_stay(task: &Task, sides: (u32, u32)) -> bool {
    let Operation::Compress(options) = &task.operation else {
        return false;
    };
    let target = Target::of(sides, options, task.limits.image_side);
    task.from == task.to && target.is_same_size
}

impl Framing {
    /// A part of an image, scaled to what is asked for or, if that is more than `most` a side, to that.
    pub fn new(part: Part, asked: (u32, u32), most: u32) -> Self {
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
    pub fn result(&self) -> (u32, u32) {
        match (&self.canvas, self.swaps()) {
            (Some(canvas), _) => canvas.sides,
            (None, true) => (self.sides.1, self.sides.0),
            (None, false) => self.sides,
        }
    }

    /// Where the image begins on its canvas.
    pub fn corner(&self) -> (u32, u32) {
        self.canvas
            .map_or((0, 0), |canvas| (canvas.left, canvas.top))
    }

    /// The part of the result that shows the image, as it is.
    pub fn of_result(&self) -> Self {
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
    pub fn apply(&self, pixels: DynamicImage) -> Outcome<DynamicImage> {
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
    pub fn density(&self, density: Option<(f32, f32)>) -> Option<(f32, f32)> {
        density.map(|(across, down)| match self.swaps() {
            true => (down, across),
            false => (across, down),
        })
    }

    /// Whether nothing is scaled.
    pub fn keeps_pixels(&self) -> bool {
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
