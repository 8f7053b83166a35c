//! Clip paths: PDF clipping where it can express them, soft masks otherwise.

use krilla::geom::{Path, PathBuilder};
use krilla::mask::{Mask, MaskType};
use krilla::paint::FillRule;
use krilla::surface::Surface;
use resvg::usvg::{self, Node, Transform};

use super::{Drawing, geometry};

/// Pushes a clip path with the clip paths on it, and returns how many entries were pushed.
pub(super) fn push(
    clip: &usvg::ClipPath,
    surface: &mut Surface<'_>,
    drawing: &mut Drawing,
) -> usize {
    let mut pushed = 1;
    if let Some(outer) = clip.clip_path() {
        pushed += push(outer, surface, drawing);
    }
    let mut shapes = Shapes {
        path: PathBuilder::new(),
        rules: Vec::new(),
        is_simple: true,
    };
    shapes.add(clip.root(), clip.transform());
    match shapes.rule() {
        Some(rule) => {
            if let Some(path) = shapes.path.finish().or_else(nothing) {
                surface.push_clip_path(&path, &rule);
            } else {
                pushed -= 1;
            }
        }
        None => push_mask(clip, surface, drawing),
    }
    pushed
}

/// The shapes of a clip path as one path.
struct Shapes {
    path: PathBuilder,
    rules: Vec<usvg::FillRule>,
    /// Whether no shape is clipped itself.
    is_simple: bool,
}

impl Shapes {
    fn add(&mut self, group: &usvg::Group, transform: Transform) {
        for node in group.children() {
            match node {
                Node::Path(path) if path.is_visible() => {
                    self.rules.extend(path.fill().map(usvg::Fill::rule));
                    geometry::append(path, transform, &mut self.path);
                }
                Node::Group(group) => {
                    self.is_simple &= group.clip_path().is_none();
                    self.add(group, transform.pre_concat(group.transform()));
                }
                Node::Text(text) => self.add(text.flattened(), transform),
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }

    /// Returns the rule that fills the union of the shapes, if there is one: with the even-odd rule, shapes that overlap would
    /// exclude each other.
    fn rule(&self) -> Option<FillRule> {
        match self.rules.as_slice() {
            _ if !self.is_simple => None,
            [usvg::FillRule::EvenOdd] => Some(FillRule::EvenOdd),
            rules if rules.contains(&usvg::FillRule::EvenOdd) => None,
            _ => Some(FillRule::NonZero),
        }
    }
}

/// A clip path without shapes hides everything.
fn nothing() -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(0.0, 0.0);
    path.line_to(0.0, 0.0);
    path.finish()
}

fn push_mask(clip: &usvg::ClipPath, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    let mut builder = surface.stream_builder();
    let mut inside = builder.surface();
    inside.push_transform(&geometry::transform(clip.transform()));
    drawing.group(clip.root(), &mut inside);
    inside.pop();
    inside.finish();
    let stream = builder.finish();
    surface.push_mask(Mask::new(stream, MaskType::Alpha));
}
