//! The sides and the part of an image that is scaled to sides that are asked for.

use domain::operation::{Colour, Fit, Pixels, Position, ResizeOptions};

use super::{Canvas, Framing};
use crate::scale::{Part, in_proportion, within};

/// What becomes of an image of these sides. Without leave to enlarge, what would be larger keeps its pixels: of `cover`,
/// the result has the aspect that is asked for, of `fill` each side stops at its own length.
pub(super) fn framing(options: &ResizeOptions, source: (u32, u32), most: u32) -> Framing {
    let enlarges = options.enlarge.unwrap_or(false);
    let asked = (
        options.width.map(Pixels::value),
        options.height.map(Pixels::value),
    );
    let whole = Part::whole(source);
    let (part, sides) = match (asked, options.fit.unwrap_or_default()) {
        ((Some(width), Some(height)), Fit::Contain) => {
            (whole, contained(source, (width, height), enlarges))
        }
        ((Some(width), Some(height)), Fit::Fill) if enlarges => (whole, (width, height)),
        ((Some(width), Some(height)), Fit::Fill) => {
            (whole, (width.min(source.0), height.min(source.1)))
        }
        ((Some(width), Some(height)), Fit::Cover) => {
            let sides = covered(source, (width, height), enlarges);
            let position = options.position.unwrap_or_default();
            (placed(source, sides, position), sides)
        }
        ((Some(width), Some(height)), Fit::Outside) => {
            (whole, around(source, (width, height), enlarges))
        }
        ((Some(width), Some(height)), Fit::Pad) => {
            return padded(options, source, (width, height), most);
        }
        ((Some(width), None), _) => (whole, contained(source, (width, u32::MAX), enlarges)),
        ((None, Some(height)), _) => (whole, contained(source, (u32::MAX, height), enlarges)),
        ((None, None), _) => (whole, source),
    };
    Framing::new(part, sides, most)
}

/// All of the image on a background with the sides that are asked for, or with their aspect within the plan's limit.
fn padded(options: &ResizeOptions, source: (u32, u32), asked: (u32, u32), most: u32) -> Framing {
    let sides = within(asked, (most, most));
    let enlarges = options.enlarge.unwrap_or(false);
    let image = contained(source, sides, enlarges);
    let (across, down) = shares(options.position.unwrap_or_default());
    let before = |room: u32, share: u32| room * share / 2;
    let canvas = Canvas {
        sides,
        left: before(sides.0 - image.0, across),
        top: before(sides.1 - image.1, down),
        background: options.background.unwrap_or(Colour::WHITE),
    };
    Framing {
        canvas: Some(canvas),
        is_limited: sides != asked,
        ..Framing::new(Part::whole(source), image, u32::MAX)
    }
}

/// How many halves of the room lie to the left and above.
fn shares(position: Position) -> (u32, u32) {
    use Position::{Bottom, BottomLeft, BottomRight, Left, Right, Top, TopLeft, TopRight};
    let across = match position {
        Left | TopLeft | BottomLeft => 0,
        Right | TopRight | BottomRight => 2,
        _ => 1,
    };
    let down = match position {
        Top | TopLeft | TopRight => 0,
        Bottom | BottomLeft | BottomRight => 2,
        _ => 1,
    };
    (across, down)
}

/// The sides of all of the image within the sides that are asked for.
fn contained(source: (u32, u32), asked: (u32, u32), enlarges: bool) -> (u32, u32) {
    let bounds = match enlarges {
        true => asked,
        false => (asked.0.min(source.0), asked.1.min(source.1)),
    };
    // By whichever side leaves less room.
    match is_wider(source, bounds) {
        true => (
            bounds.0,
            in_proportion(source.1.into(), bounds.0, source.0.into()),
        ),
        false => (
            in_proportion(source.0.into(), bounds.1, source.1.into()),
            bounds.1,
        ),
    }
}

/// The sides of all of the image around the sides that are asked for.
fn around(source: (u32, u32), asked: (u32, u32), enlarges: bool) -> (u32, u32) {
    // By whichever side leaves more room.
    let sides = match is_wider(source, asked) {
        true => (
            in_proportion(source.0.into(), asked.1, source.1.into()),
            asked.1,
        ),
        false => (
            asked.0,
            in_proportion(source.1.into(), asked.0, source.0.into()),
        ),
    };
    match enlarges || (sides.0 <= source.0 && sides.1 <= source.1) {
        true => sides,
        false => source,
    }
}

/// The sides that are asked for, or the largest of their aspect that the image fills.
fn covered(source: (u32, u32), asked: (u32, u32), enlarges: bool) -> (u32, u32) {
    match enlarges || (asked.0 <= source.0 && asked.1 <= source.1) {
        true => asked,
        false => contained(asked, source, false),
    }
}

/// The largest part of an aspect, where it is asked for.
fn placed(source: (u32, u32), aspect: (u32, u32), position: Position) -> Part {
    let (width, height) = (f64::from(source.0), f64::from(source.1));
    let ratio = f64::from(aspect.0) / f64::from(aspect.1);
    let (part_width, part_height) = match is_wider(source, aspect) {
        true => (height * ratio, height),
        false => (width, width / ratio),
    };
    let (across, down) = shares(position);
    Part {
        left: (width - part_width) * f64::from(across) / 2.0,
        top: (height - part_height) * f64::from(down) / 2.0,
        width: part_width,
        height: part_height,
    }
}

/// Whether the one has the wider aspect.
fn is_wider(one: (u32, u32), other: (u32, u32)) -> bool {
    u64::from(one.0) * u64::from(other.1) >= u64::from(other.0) * u64::from(one.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(
        source: (u32, u32),
        (width, height): (Option<i64>, Option<i64>),
        fit: Option<Fit>,
        enlarge: bool,
    ) -> (u32, u32) {
        let pixels = |side: Option<i64>| side.map(|side| Pixels::try_from(side).unwrap());
        let options = ResizeOptions {
            width: pixels(width),
            height: pixels(height),
            fit,
            enlarge: Some(enlarge),
            ..ResizeOptions::default()
        };
        framing(&options, source, 20_000).sides
    }

    #[test]
    fn one_side_keeps_the_aspect_and_never_enlarges_unasked() {
        let source = (1000, 500);
        assert_eq!(sides(source, (Some(100), None), None, false), (100, 50));
        assert_eq!(sides(source, (None, Some(100)), None, false), (200, 100));
        assert_eq!(sides(source, (Some(2000), None), None, false), source);
        assert_eq!(sides(source, (Some(2000), None), None, true), (2000, 1000));
        assert_eq!(sides(source, (None, Some(2000)), None, true), (4000, 2000));
        assert_eq!(sides((4000, 1), (Some(10), None), None, false), (10, 1));
        assert_eq!(
            sides(source, (Some(100), None), Some(Fit::Cover), false),
            (100, 50)
        );
    }

    #[test]
    fn both_sides_are_filled_as_is_asked() {
        let source = (1000, 500);
        let both = (Some(200), Some(200));
        assert_eq!(sides(source, both, None, false), (200, 100));
        assert_eq!(sides(source, both, Some(Fit::Fill), false), (200, 200));
        assert_eq!(sides(source, both, Some(Fit::Cover), false), (200, 200));
        let large = (Some(2000), Some(2000));
        assert_eq!(sides(source, large, None, false), source);
        assert_eq!(sides(source, large, None, true), (2000, 1000));
        assert_eq!(sides(source, large, Some(Fit::Fill), false), source);
        assert_eq!(sides(source, large, Some(Fit::Cover), false), (500, 500));
        assert_eq!(sides(source, large, Some(Fit::Cover), true), (2000, 2000));
        assert_eq!(sides(source, both, Some(Fit::Outside), false), (400, 200));
        assert_eq!(sides(source, large, Some(Fit::Outside), false), source);
        assert_eq!(sides(source, large, Some(Fit::Outside), true), (4000, 2000));
        assert_eq!(
            sides((500, 1000), both, Some(Fit::Outside), false),
            (200, 400)
        );
        let wide = (Some(2000), Some(500));
        assert_eq!(sides(source, wide, Some(Fit::Cover), false), (1000, 250));
    }

    #[test]
    fn what_hangs_over_is_cut_off_evenly_or_where_it_is_asked_for() {
        for (position, left, top) in [
            (Position::Center, 250.0, 375.0),
            (Position::Top, 250.0, 0.0),
            (Position::Bottom, 250.0, 750.0),
            (Position::Left, 0.0, 375.0),
            (Position::Right, 500.0, 375.0),
            (Position::TopLeft, 0.0, 0.0),
            (Position::TopRight, 500.0, 0.0),
            (Position::BottomLeft, 0.0, 750.0),
            (Position::BottomRight, 500.0, 750.0),
        ] {
            let wide = placed((1000, 500), (200, 200), position);
            assert_eq!((wide.left, wide.top), (left, 0.0), "{position:?}");
            assert_eq!((wide.width, wide.height), (500.0, 500.0));
            let tall = placed((500, 1000), (200, 100), position);
            assert_eq!((tall.left, tall.top), (0.0, top), "{position:?}");
            assert_eq!((tall.width, tall.height), (500.0, 250.0));
        }
    }

    #[test]
    fn a_background_fills_what_an_image_leaves() {
        let placed = |source, position, enlarge| {
            let pixels = |side: i64| Pixels::try_from(side).ok();
            let options = ResizeOptions {
                width: pixels(300),
                height: pixels(200),
                fit: Some(Fit::Pad),
                position,
                enlarge,
                ..ResizeOptions::default()
            };
            let framing = framing(&options, source, 20_000);
            let canvas = framing.canvas.unwrap();
            assert_eq!(framing.result(), (300, 200));
            (framing.sides, (canvas.left, canvas.top))
        };
        assert_eq!(placed((1000, 500), None, None), ((300, 150), (0, 25)));
        assert_eq!(placed((100, 50), None, None), ((100, 50), (100, 75)));
        let enlarged = placed((100, 50), None, Some(true));
        assert_eq!(enlarged, ((300, 150), (0, 25)));
        let corner = placed((100, 50), Some(Position::BottomRight), None);
        assert_eq!(corner, ((100, 50), (200, 150)));
        let top = placed((500, 1000), Some(Position::Top), None);
        assert_eq!(top, ((100, 200), (100, 0)));
    }

    #[test]
    fn the_plan_is_named_when_it_decides() {
        let options = ResizeOptions {
            width: Some(Pixels::try_from(3000).unwrap()),
            ..ResizeOptions::default()
        };
        let tall = framing(&options, (3000, 6000), 4000);
        assert_eq!((tall.sides, tall.is_limited), ((2000, 4000), true));
        let wide = framing(&options, (6000, 3000), 4000);
        assert_eq!((wide.sides, wide.is_limited), ((3000, 1500), false));
    }
}
