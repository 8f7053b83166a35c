//! Converts fills and strokes: colors, gradients and patterns.

use krilla::color::{luma, rgb};
use krilla::num::NormalizedF32;
use krilla::paint::{
    Fill, FillRule, LineCap, LineJoin, LinearGradient, Paint, Pattern, RadialGradient,
    SpreadMethod, Stop, Stroke, StrokeDash,
};
use krilla::surface::Surface;
use resvg::usvg::{self, Transform};

use super::{Drawing, geometry, opacity};

/// Returns whether krilla cannot draw one of the paints: it has no repeated radial gradients.
pub(super) fn is_unsupported(fill: Option<&usvg::Fill>, stroke: Option<&usvg::Stroke>) -> bool {
    let paints = [fill.map(usvg::Fill::paint), stroke.map(usvg::Stroke::paint)];
    paints.into_iter().flatten().any(|paint| match paint {
        usvg::Paint::RadialGradient(gradient) => {
            gradient.spread_method() != usvg::SpreadMethod::Pad
        }
        _ => false,
    })
}

/// Minimum width of a stroke: PDF viewers draw the thinnest line that they can for a width of 0.
const MIN_STROKE: f32 = 1e-3;

/// Returns whether a stroke is wide enough to be seen.
pub(super) fn is_visible(stroke: &usvg::Stroke) -> bool {
    stroke.width().get() >= MIN_STROKE
}

/// Converts a fill; `placement` transforms its gradient or pattern.
pub(super) fn fill(
    fill: &usvg::Fill,
    placement: Transform,
    surface: &mut Surface<'_>,
    drawing: &mut Drawing,
) -> Fill {
    Fill {
        paint: paint(fill.paint(), placement, surface, drawing),
        opacity: opacity(fill.opacity()),
        rule: match fill.rule() {
            usvg::FillRule::NonZero => FillRule::NonZero,
            usvg::FillRule::EvenOdd => FillRule::EvenOdd,
        },
    }
}

/// Converts a stroke; `placement` transforms its gradient or pattern.
pub(super) fn stroke(
    stroke: &usvg::Stroke,
    placement: Transform,
    surface: &mut Surface<'_>,
    drawing: &mut Drawing,
) -> Stroke {
    Stroke {
        paint: paint(stroke.paint(), placement, surface, drawing),
        width: stroke.width().get(),
        miter_limit: stroke.miterlimit().get(),
        line_cap: match stroke.linecap() {
            usvg::LineCap::Butt => LineCap::Butt,
            usvg::LineCap::Round => LineCap::Round,
            usvg::LineCap::Square => LineCap::Square,
        },
        line_join: match stroke.linejoin() {
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoin::Miter,
            usvg::LineJoin::Round => LineJoin::Round,
            usvg::LineJoin::Bevel => LineJoin::Bevel,
        },
        opacity: opacity(stroke.opacity()),
        dash: stroke.dasharray().map(|lengths| StrokeDash {
            array: lengths.to_vec(),
            offset: stroke.dashoffset(),
        }),
    }
}

fn paint(
    paint: &usvg::Paint,
    placement: Transform,
    surface: &mut Surface<'_>,
    drawing: &mut Drawing,
) -> Paint {
    match paint {
        usvg::Paint::Color(color) if color.red == color.green && color.green == color.blue => {
            luma::Color::new(color.red).into()
        }
        usvg::Paint::Color(color) => rgb::Color::new(color.red, color.green, color.blue).into(),
        usvg::Paint::LinearGradient(gradient) => LinearGradient {
            x1: gradient.x1(),
            y1: gradient.y1(),
            x2: gradient.x2(),
            y2: gradient.y2(),
            transform: geometry::transform(placement.pre_concat(gradient.transform())),
            spread_method: spread_method(gradient.spread_method()),
            stops: gradient.stops().iter().map(stop).collect(),
            anti_alias: false,
        }
        .into(),
        usvg::Paint::RadialGradient(gradient) => RadialGradient {
            cx: gradient.cx(),
            cy: gradient.cy(),
            cr: gradient.r().get(),
            fx: gradient.fx(),
            fy: gradient.fy(),
            fr: gradient.fr().get(),
            transform: geometry::transform(placement.pre_concat(gradient.transform())),
            spread_method: spread_method(gradient.spread_method()),
            stops: gradient.stops().iter().map(stop).collect(),
            anti_alias: false,
        }
        .into(),
        usvg::Paint::Pattern(pattern) => {
            let mut builder = surface.stream_builder();
            let mut inside = builder.surface();
            drawing.group(pattern.root(), &mut inside);
            inside.finish();
            let (rect, matrix) = (pattern.rect(), placement.pre_concat(pattern.transform()));
            Pattern {
                stream: builder.finish(),
                transform: geometry::transform(matrix.pre_translate(rect.x(), rect.y())),
                width: rect.width(),
                height: rect.height(),
            }
            .into()
        }
    }
}

fn spread_method(method: usvg::SpreadMethod) -> SpreadMethod {
    match method {
        usvg::SpreadMethod::Pad => SpreadMethod::Pad,
        usvg::SpreadMethod::Reflect => SpreadMethod::Reflect,
        usvg::SpreadMethod::Repeat => SpreadMethod::Repeat,
    }
}

fn stop(stop: &usvg::Stop) -> Stop {
    let color = stop.color();
    Stop {
        offset: NormalizedF32::new(stop.offset().get()).unwrap_or(NormalizedF32::ZERO),
        color: rgb::Color::new(color.red, color.green, color.blue).into(),
        opacity: opacity(stop.opacity()),
    }
}
