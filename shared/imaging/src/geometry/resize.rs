//! Geometry of the `resize` operation.

use domain::operation::{Color, Fit, Pixels, Position, ResizeOptions};

use super::{Canvas, Geometry};
use crate::scale::{CropRect, fit_within, scale_proportionally};

/// Computes the geometry. Unless enlarging is allowed, nothing is upscaled: `cover` then keeps the requested aspect ratio,
/// and `fill` limits each side to its source length.
pub(super) fn geometry(options: &ResizeOptions, source: (u32, u32), most: u32) -> Geometry {
    let enlarges = options.enlarge.unwrap_or(false);
    let requested = (
        options.width.map(Pixels::value),
        options.height.map(Pixels::value),
    );
    let whole = CropRect::full(source);
    let (crop, sides) = match (requested, options.fit.unwrap_or_default()) {
        ((Some(width), Some(height)), Fit::Contain) => {
            (whole, fit_inside(source, (width, height), enlarges))
        }
        ((Some(width), Some(height)), Fit::Fill) if enlarges => (whole, (width, height)),
        ((Some(width), Some(height)), Fit::Fill) => {
            (whole, (width.min(source.0), height.min(source.1)))
        }
        ((Some(width), Some(height)), Fit::Cover) => {
            let sides = cover(source, (width, height), enlarges);
            let position = options.position.unwrap_or_default();
            (crop_to_aspect(source, sides, position), sides)
        }
        ((Some(width), Some(height)), Fit::Outside) => {
            (whole, fit_outside(source, (width, height), enlarges))
        }
        ((Some(width), Some(height)), Fit::Pad) => {
            return pad(options, source, (width, height), most);
        }
        ((Some(width), None), _) => (whole, fit_inside(source, (width, u32::MAX), enlarges)),
        ((None, Some(height)), _) => (whole, fit_inside(source, (u32::MAX, height), enlarges)),
        ((None, None), _) => (whole, source),
    };
    Geometry::new(crop, sides, most)
}

/// Places the whole image on a canvas of the requested dimensions, scaled down to the plan's limit.
fn pad(options: &ResizeOptions, source: (u32, u32), requested: (u32, u32), most: u32) -> Geometry {
    let sides = fit_within(requested, (most, most));
    let enlarges = options.enlarge.unwrap_or(false);
    let image = fit_inside(source, sides, enlarges);
    let (across, down) = free_space_halves(options.position.unwrap_or_default());
    let before = |room: u32, share: u32| room * share / 2;
    let canvas = Canvas {
        sides,
        left: before(sides.0 - image.0, across),
        top: before(sides.1 - image.1, down),
        background: options.background.unwrap_or(Color::WHITE),
    };
    Geometry {
        canvas: Some(canvas),
        is_limited: sides != requested,
        ..Geometry::new(CropRect::full(source), image, u32::MAX)
    }
}

/// Returns which part of the free space, in halves, is left of and above the image.
fn free_space_halves(position: Position) -> (u32, u32) {
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

/// Returns the dimensions of the whole image fitted inside the requested dimensions.
fn fit_inside(source: (u32, u32), requested: (u32, u32), enlarges: bool) -> (u32, u32) {
    let bounds = match enlarges {
        true => requested,
        false => (requested.0.min(source.0), requested.1.min(source.1)),
    };
    // The tighter bound decides.
    match is_wider(source, bounds) {
        true => (
            bounds.0,
            scale_proportionally(source.1.into(), bounds.0, source.0.into()),
        ),
        false => (
            scale_proportionally(source.0.into(), bounds.1, source.1.into()),
            bounds.1,
        ),
    }
}

/// Returns the dimensions of the whole image that cover the requested dimensions.
fn fit_outside(source: (u32, u32), requested: (u32, u32), enlarges: bool) -> (u32, u32) {
    // The looser bound decides.
    let sides = match is_wider(source, requested) {
        true => (
            scale_proportionally(source.0.into(), requested.1, source.1.into()),
            requested.1,
        ),
        false => (
            requested.0,
            scale_proportionally(source.1.into(), requested.0, source.0.into()),
        ),
    };
    match enlarges || (sides.0 <= source.0 && sides.1 <= source.1) {
        true => sides,
        false => source,
    }
}

/// Returns the requested dimensions, or the largest of the same aspect ratio that need no enlarging.
fn cover(source: (u32, u32), requested: (u32, u32), enlarges: bool) -> (u32, u32) {
    match enlarges || (requested.0 <= source.0 && requested.1 <= source.1) {
        true => requested,
        false => fit_inside(requested, source, false),
    }
}

/// Returns the largest rectangle with the aspect ratio at the position.
fn crop_to_aspect(source: (u32, u32), aspect: (u32, u32), position: Position) -> CropRect {
    let (width, height) = (f64::from(source.0), f64::from(source.1));
    let ratio = f64::from(aspect.0) / f64::from(aspect.1);
    let (part_width, part_height) = match is_wider(source, aspect) {
        true => (height * ratio, height),
        false => (width, width / ratio),
    };
    let (across, down) = free_space_halves(position);
    CropRect {
        left: (width - part_width) * f64::from(across) / 2.0,
        top: (height - part_height) * f64::from(down) / 2.0,
        width: part_width,
        height: part_height,
    }
}

/// Returns whether the first has the wider (or the same) aspect ratio.
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
        geometry(&options, source, 20_000).sides
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
    fn each_fit_gives_its_dimensions() {
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
    fn cover_crops_at_the_requested_position() {
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
            let wide = crop_to_aspect((1000, 500), (200, 200), position);
            assert_eq!((wide.left, wide.top), (left, 0.0), "{position:?}");
            assert_eq!((wide.width, wide.height), (500.0, 500.0));
            let tall = crop_to_aspect((500, 1000), (200, 100), position);
            assert_eq!((tall.left, tall.top), (0.0, top), "{position:?}");
            assert_eq!((tall.width, tall.height), (500.0, 250.0));
        }
    }

    #[test]
    fn pad_fills_the_rest_with_background() {
        let padded = |source, position, enlarge| {
            let pixels = |side: i64| Pixels::try_from(side).ok();
            let options = ResizeOptions {
                width: pixels(300),
                height: pixels(200),
                fit: Some(Fit::Pad),
                position,
                enlarge,
                ..ResizeOptions::default()
            };
            let geometry = geometry(&options, source, 20_000);
            let canvas = geometry.canvas.unwrap();
            assert_eq!(geometry.result_dimensions(), (300, 200));
            (geometry.sides, (canvas.left, canvas.top))
        };
        assert_eq!(padded((1000, 500), None, None), ((300, 150), (0, 25)));
        assert_eq!(padded((100, 50), None, None), ((100, 50), (100, 75)));
        let enlarged = padded((100, 50), None, Some(true));
        assert_eq!(enlarged, ((300, 150), (0, 25)));
        let corner = padded((100, 50), Some(Position::BottomRight), None);
        assert_eq!(corner, ((100, 50), (200, 150)));
        let top = padded((500, 1000), Some(Position::Top), None);
        assert_eq!(top, ((100, 200), (100, 0)));
    }

    #[test]
    fn the_limit_of_the_plan_is_flagged() {
        let options = ResizeOptions {
            width: Some(Pixels::try_from(3000).unwrap()),
            ..ResizeOptions::default()
        };
        let tall = geometry(&options, (3000, 6000), 4000);
        assert_eq!((tall.sides, tall.is_limited), ((2000, 4000), true));
        let wide = geometry(&options, (6000, 3000), 4000);
        assert_eq!((wide.sides, wide.is_limited), ((3000, 1500), false));
    }
}
