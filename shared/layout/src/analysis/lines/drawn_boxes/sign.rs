//! Recognizes the signs in a set check box: check marks, crosses and letters.

use crate::model::fixed::Point;
use crate::model::geometry::Rect;

/// Letters that are signs.
const LETTERS: &str = "xX×✓✔✕✖✗✘☑☒√•●■\u{f0fb}\u{f0fc}\u{f0fd}\u{f0fe}";
/// Maximum distance of the points of a sign from its lines, as a fraction of its longer side.
const NEAR: f32 = 0.25;
/// Horizontal range of the bottom of a check mark, and the maximum and minimum height of its right and left end.
const BOTTOM: std::ops::Range<f32> = 0.1..0.65;
const RIGHT_END: f32 = 0.35;
const LEFT_END: f32 = 0.2;

/// Whether a letter in a box is a sign.
pub(super) fn is_sign(letter: char) -> bool {
    LETTERS.contains(letter)
}

/// Whether the points of paths are a check mark or a cross.
pub(super) fn is_drawn(points: &[Point]) -> bool {
    let all = points.iter().map(|point| Rect::between(*point, *point));
    let Some(bounds) = Rect::around(all) else {
        return false;
    };
    let (width, height) = (bounds.width(), bounds.height());
    if width.min(height) <= 0.0 || width.max(height) > 3.0 * width.min(height) {
        return false;
    }
    let unit = |(x, y): &Point| ((x - bounds.left) / width, (y - bounds.top) / height);
    let points: Vec<Point> = points.iter().map(unit).collect();
    is_check_mark(&points) || is_cross(&points)
}

/// Whether the points in a unit square are those of a check mark: a short line down and a long one up.
fn is_check_mark(points: &[Point]) -> bool {
    let by_x = |one: &&Point, other: &&Point| one.0.total_cmp(&other.0);
    let by_y = |one: &&Point, other: &&Point| one.1.total_cmp(&other.1);
    let ends = (
        points.iter().min_by(by_x),
        points.iter().max_by(by_y),
        points.iter().max_by(by_x),
    );
    let (Some(left), Some(bottom), Some(right)) = ends else {
        return false;
    };
    let is_on_line = |point: &Point| {
        distance(*point, *left, *bottom).min(distance(*point, *bottom, *right)) <= NEAR
    };
    BOTTOM.contains(&bottom.0)
        && right.1 <= RIGHT_END
        && left.1 >= LEFT_END
        && points.iter().all(is_on_line)
}

/// Whether the points in a unit square are on its diagonals, from corner to corner.
fn is_cross(points: &[Point]) -> bool {
    let is_on_line = |(x, y): &Point| (x - y).abs().min((x + y - 1.0).abs()) <= NEAR;
    let is_at = |(x, y): Point| {
        let near = |point: &Point| (point.0 - x).abs().max((point.1 - y).abs()) <= NEAR;
        points.iter().any(near)
    };
    let (falls, rises) = (
        is_at((0.0, 0.0)) && is_at((1.0, 1.0)),
        is_at((0.0, 1.0)) && is_at((1.0, 0.0)),
    );
    points.iter().all(is_on_line) && (falls || rises)
}

/// Returns the distance of a point from a line between two points.
fn distance(point: Point, from: Point, to: Point) -> f32 {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = across * across + down * down;
    let at = (point.0 - from.0) * across + (point.1 - from.1) * down;
    let part = if length > 0.0 { at / length } else { 0.0 };
    let part = part.clamp(0.0, 1.0);
    let (x, y) = (from.0 + part * across, from.1 + part * down);
    ((point.0 - x).powi(2) + (point.1 - y).powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_marks_and_crosses_are_signs_and_letters_are_not() {
        let check = [(3.0, 7.0), (6.0, 10.0), (11.0, 3.0)];
        assert!(is_drawn(&check));
        let filled = [
            (10.0, 17.0),
            (5.0, 12.0),
            (6.4, 10.6),
            (10.0, 14.2),
            (17.6, 6.6),
            (19.0, 8.0),
        ];
        assert!(is_drawn(&filled));
        assert!(is_drawn(&[
            (3.0, 3.0),
            (11.0, 11.0),
            (11.0, 3.0),
            (3.0, 11.0)
        ]));
        // The letter f, a plus sign and a dash.
        let letter = [
            (6.0, 20.0),
            (6.0, 9.0),
            (3.0, 9.0),
            (3.0, 6.0),
            (6.0, 6.0),
            (6.0, 3.0),
            (9.0, 0.0),
            (13.0, 0.0),
            (13.0, 3.0),
            (10.0, 4.0),
            (10.0, 20.0),
        ];
        assert!(!is_drawn(&letter));
        assert!(!is_drawn(&[
            (3.0, 7.0),
            (11.0, 7.0),
            (7.0, 3.0),
            (7.0, 11.0)
        ]));
        assert!(!is_drawn(&[(3.0, 7.0), (11.0, 7.0)]));
    }
}
