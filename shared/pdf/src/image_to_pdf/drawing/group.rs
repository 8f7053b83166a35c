//! Draws groups, paths and masks.

use krilla::blend::BlendMode;
use krilla::geom::PathBuilder;
use krilla::mask::{Mask, MaskType};
use krilla::paint::FillRule;
use krilla::surface::Surface;
use resvg::usvg::{self, Node, PaintOrder, Transform};

use super::{Drawing, clip, geometry, opacity, paint, picture, text, words};

/// Draws the children of a group with its transform, clip path, mask, blend mode and opacity.
pub(super) fn draw(group: &usvg::Group, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    let mut pushed = 0;
    if !group.transform().is_identity() {
        surface.push_transform(&geometry::transform(group.transform()));
        pushed += 1;
    }
    if let Some(path) = group.clip_path() {
        pushed += clip::push(path, surface, drawing);
    }
    if let Some(mask) = group.mask() {
        push_mask(mask, surface, drawing);
        pushed += 1;
    }
    pushed += push_blend_mode(group, surface);
    if group.opacity() != usvg::Opacity::ONE {
        surface.push_opacity(opacity(group.opacity()));
        pushed += 1;
    }
    // A clip path alone would need isolation, too, but without blend modes inside, that changes nothing.
    let blends = group.blend_mode() != usvg::BlendMode::Normal;
    if group.isolate() || group.opacity() != usvg::Opacity::ONE || group.mask().is_some() || blends
    {
        surface.push_isolated();
        pushed += 1;
    }
    for node in group.children() {
        draw_node(node, surface, drawing);
    }
    for _ in 0..pushed {
        surface.pop();
    }
}

fn draw_node(node: &Node, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    match node {
        Node::Group(group) if !group.filters().is_empty() => {
            let pushed = push_blend_mode(group, surface);
            drawing.words = drawing.words.saturating_add(words(group));
            picture::draw_node(node, surface, drawing);
            (0..pushed).for_each(|_| surface.pop());
        }
        Node::Group(group) => draw(group, surface, drawing),
        Node::Path(path) if paint::is_unsupported(path.fill(), path.stroke()) => {
            picture::draw_node(node, surface, drawing);
        }
        Node::Path(path) => draw_path(path, surface, drawing),
        Node::Image(image) if image.is_visible() => picture::draw(image, surface, drawing),
        Node::Image(_) => {}
        Node::Text(text) => text::draw(text, surface, drawing),
    }
}

/// Draws a path, unless it is hidden.
pub(super) fn draw_path(path: &usvg::Path, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    if !path.is_visible() {
        return;
    }
    let steps = match path.paint_order() {
        PaintOrder::FillAndStroke => vec![(path.fill(), path.stroke())],
        PaintOrder::StrokeAndFill => vec![(None, path.stroke()), (path.fill(), None)],
    };
    let mut outline = PathBuilder::new();
    geometry::append(path, Transform::identity(), &mut outline);
    let Some(outline) = outline.finish() else {
        return;
    };
    // Without fill and stroke, krilla fills with black.
    for (fill, stroke) in steps {
        let stroke = stroke.filter(|stroke| paint::is_visible(stroke));
        if fill.is_some() || stroke.is_some() {
            let placement = Transform::identity();
            let fill = fill.map(|fill| paint::fill(fill, placement, surface, drawing));
            let stroke = stroke.map(|stroke| paint::stroke(stroke, placement, surface, drawing));
            surface.set_fill(fill);
            surface.set_stroke(stroke);
            surface.draw_path(&outline);
        }
    }
}

fn push_mask(mask: &usvg::Mask, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    let mut builder = surface.stream_builder();
    let mut inside = builder.surface();
    let mut pushed = 0;
    if let Some(mask) = mask.mask() {
        push_mask(mask, &mut inside, drawing);
        pushed += 1;
    }
    if let Some(region) = geometry::rectangle(Some(mask.rect().to_rect())) {
        inside.push_clip_path(&region, &FillRule::NonZero);
        pushed += 1;
    }
    draw(mask.root(), &mut inside, drawing);
    (0..pushed).for_each(|_| inside.pop());
    inside.finish();
    let kind = match mask.kind() {
        usvg::MaskType::Luminance => MaskType::Luminosity,
        usvg::MaskType::Alpha => MaskType::Alpha,
    };
    let stream = builder.finish();
    surface.push_mask(Mask::new(stream, kind));
}

/// Pushes the blend mode of a group, unless it is normal, and returns how many entries were pushed.
fn push_blend_mode(group: &usvg::Group, surface: &mut Surface<'_>) -> usize {
    let mode = match group.blend_mode() {
        usvg::BlendMode::Normal => return 0,
        usvg::BlendMode::Multiply => BlendMode::Multiply,
        // The nearest to addition that PDF has.
        usvg::BlendMode::Screen | usvg::BlendMode::PlusLighter => BlendMode::Screen,
        usvg::BlendMode::Overlay => BlendMode::Overlay,
        usvg::BlendMode::Darken => BlendMode::Darken,
        usvg::BlendMode::Lighten => BlendMode::Lighten,
        usvg::BlendMode::ColorDodge => BlendMode::ColorDodge,
        usvg::BlendMode::ColorBurn => BlendMode::ColorBurn,
        usvg::BlendMode::HardLight => BlendMode::HardLight,
        usvg::BlendMode::SoftLight => BlendMode::SoftLight,
        usvg::BlendMode::Difference => BlendMode::Difference,
        usvg::BlendMode::Exclusion => BlendMode::Exclusion,
        usvg::BlendMode::Hue => BlendMode::Hue,
        usvg::BlendMode::Saturation => BlendMode::Saturation,
        usvg::BlendMode::Color => BlendMode::Color,
        usvg::BlendMode::Luminosity => BlendMode::Luminosity,
    };
    surface.push_blend_mode(mode);
    1
}
