//! Transforms, rectangles and paths of usvg in the types of krilla.

use krilla::geom::{Path, PathBuilder, Transform};
use resvg::tiny_skia::{PathSegment, Rect};
use resvg::usvg;

/// Converts a transform.
pub(super) fn transform(matrix: usvg::Transform) -> Transform {
    Transform::from_row(
        matrix.sx, matrix.ky, matrix.kx, matrix.sy, matrix.tx, matrix.ty,
    )
}

/// Returns a rectangle as a path, or `None` if it is degenerate.
pub(super) fn rectangle(rect: Option<Rect>) -> Option<Path> {
    let rect = rect?;
    let mut path = PathBuilder::new();
    path.move_to(rect.left(), rect.top());
    path.line_to(rect.right(), rect.top());
    path.line_to(rect.right(), rect.bottom());
    path.line_to(rect.left(), rect.bottom());
    path.close();
    path.finish()
}

/// Appends the segments of a path.
pub(super) fn append(path: &usvg::Path, matrix: usvg::Transform, to: &mut PathBuilder) {
    let Some(path) = path.data().clone().transform(matrix) else {
        return;
    };
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => to.move_to(p.x, p.y),
            PathSegment::LineTo(p) => to.line_to(p.x, p.y),
            PathSegment::QuadTo(a, p) => to.quad_to(a.x, a.y, p.x, p.y),
            PathSegment::CubicTo(a, b, p) => to.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y),
            PathSegment::Close => to.close(),
        }
    }
}
