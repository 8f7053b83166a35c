//! Detects bullets that are drawn as shapes: small dots at a constant distance before lines.

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::is_turned;
use crate::model::fixed::PathSegment;
use crate::model::geometry::Rect;
use crate::model::page_content::Drawing;

/// Character inserted for a dot.
const SIGN: char = '•';
/// Width of dots as a fraction of the font size, and maximum relative difference of width and height.
const WIDE: std::ops::Range<f32> = 0.15..0.7;
const UNLIKE: f32 = 0.25;
/// Distance of a dot from its text, and height of its center above the baseline, as a fraction of the font size.
const BEFORE: std::ops::Range<f32> = 0.15..3.0;
const ABOVE: std::ops::Range<f32> = 0.08..0.6;
/// Minimum free space around a dot, as a fraction of the font size.
const ALONE: f32 = 1.2;
/// Maximum difference of the distances in one list, points.
const NEAR: f32 = 1.0;
/// Maximum width of a dot, points, and maximum number of dots of a page.
const WIDEST: f32 = 14.0;
const DOTS: usize = 1_000;
/// Maximum number of segments of a circle.
const SEGMENTS: usize = 32;
/// Maximum number of characters of a line that are examined.
const LETTERS: usize = 2_000;

/// Returns the bounds of circles that are drawn as outlines.
pub(in crate::analysis) fn circles(drawings: &[Drawing]) -> impl Iterator<Item = Rect> {
    drawings.iter().filter_map(|drawing| match drawing {
        Drawing::Shape(shape, clip)
            if shape.stroke.is_some() && shape.segments.len() <= SEGMENTS =>
        {
            let mut segments = shape.segments.iter();
            let is_round = segments.all(|segment| !matches!(segment, PathSegment::Line(_)));
            let bounds = shape.bounds().filter(|_| is_round)?;
            clip.contains(bounds.center()).then_some(bounds)
        }
        _ => None,
    })
}

/// A dot before a text.
struct Bullet {
    dot: Rect,
    /// Index of the first character of the text.
    text: usize,
    from_right: bool,
    /// Distance from the text, points.
    gap: f32,
    baseline: f32,
}

/// Inserts a bullet character for each drawn bullet of a page.
pub(in crate::analysis) fn add(glyphs: &mut Vec<Glyph>, shapes: impl Iterator<Item = Rect>) {
    let dots: Vec<Rect> = shapes.filter(is_dot).take(DOTS).collect();
    if dots.len() < 2 {
        return;
    }
    let lines = ByLine::of(glyphs);
    let found = dots.iter().filter_map(|dot| lines.bullet(dot, &dots));
    let found: Vec<Bullet> = found.collect();
    let is_one_of_several = |bullet: &&Bullet| found.iter().any(|other| other.is_like(bullet));
    let mut bullets: Vec<&Bullet> = found.iter().filter(is_one_of_several).collect();
    bullets.sort_by_key(|bullet| bullet.text);
    let mut bullets = bullets.into_iter().peekable();
    let mut all = Vec::with_capacity(glyphs.len() + bullets.len());
    for (place, glyph) in glyphs.iter().enumerate() {
        while let Some(bullet) = bullets.next_if(|bullet| bullet.text == place) {
            all.push(bullet.sign(glyph));
        }
        all.push(glyph.clone());
    }
    *glyphs = all;
}

fn is_dot(fill: &Rect) -> bool {
    let (width, height) = (fill.width(), fill.height());
    width <= WIDEST && width > 0.0 && (width - height).abs() <= UNLIKE * width.max(height)
}

impl Bullet {
    /// Whether another dot has the same distance from another line.
    fn is_like(&self, other: &Self) -> bool {
        self.from_right == other.from_right
            && (self.gap - other.gap).abs() < NEAR
            && (self.dot.width() - other.dot.width()).abs() < NEAR
            && (self.baseline - other.baseline).abs() > self.dot.height()
    }

    /// Returns the bullet as a character.
    fn sign(&self, text: &Glyph) -> Glyph {
        Glyph {
            text: SIGN,
            bounds: Rect {
                left: self.dot.left,
                right: self.dot.right,
                ..text.bounds
            },
            underlined: false,
            strikethrough: false,
            link: None,
            ..text.clone()
        }
    }
}

/// The characters of a page, sorted by baseline.
struct ByLine<'g> {
    /// Characters with their index, from top to bottom.
    glyphs: Vec<(usize, &'g Glyph)>,
    largest: f32,
}

impl<'g> ByLine<'g> {
    fn of(glyphs: &'g [Glyph]) -> Self {
        let seen = glyphs.iter().enumerate();
        let mut seen: Vec<(usize, &Glyph)> = seen
            .filter(|(_, glyph)| !glyph.text.is_whitespace() && !is_turned(glyph))
            .collect();
        seen.sort_by(|(_, one), (_, other)| one.baseline.total_cmp(&other.baseline));
        let sizes = seen.iter().map(|(_, glyph)| glyph.size);
        Self {
            largest: sizes.fold(0.0, f32::max).min(WIDEST / WIDE.start),
            glyphs: seen,
        }
    }

    /// Returns the dot as the bullet of the text after it; `None` if there is no such text or the dot is not isolated.
    fn bullet(&self, dot: &Rect, dots: &[Rect]) -> Option<Bullet> {
        let neighbors = self.next_to(dot);
        let near = |from_right: bool| {
            let gap = |glyph: &Glyph| match from_right {
                false => glyph.bounds.left - dot.right,
                true => dot.left - glyph.bounds.right,
            };
            let ahead = neighbors.iter().filter(|(_, glyph)| gap(glyph) > 0.0);
            let first = ahead.min_by(|(_, one), (_, other)| gap(one).total_cmp(&gap(other)))?;
            let (text, glyph) = *first;
            // A line may begin with a word that runs the other way.
            let row = neighbors.iter().map(|(_, glyph)| *glyph);
            let is_towards = bidi::is_from_right(glyph) == from_right
                || bidi::is_mostly_from_right(row) == from_right;
            let is_text = WIDE.contains(&(dot.width() / glyph.size))
                && BEFORE.contains(&(gap(glyph) / glyph.size))
                && is_towards;
            is_text.then_some(Bullet {
                dot: *dot,
                text,
                from_right,
                gap: gap(glyph),
                baseline: glyph.baseline,
            })
        };
        let bullet = near(false).or_else(|| near(true))?;
        let (_, text) = neighbors.iter().find(|(place, _)| *place == bullet.text)?;
        let room = dot.grown(text.size * ALONE);
        let meets = |other: &Rect| {
            other != dot && room.shared_width(other) > 0.0 && dot.shared_height(other) > 0.0
        };
        let is_behind = |glyph: &Glyph| match bullet.from_right {
            false => glyph.bounds.left < dot.right && glyph.bounds.right > room.left,
            true => glyph.bounds.right > dot.left && glyph.bounds.left < room.right,
        };
        let is_alone =
            !dots.iter().any(meets) && !neighbors.iter().any(|(_, glyph)| is_behind(glyph));
        is_alone.then_some(bullet)
    }

    /// Returns the characters on the line of a dot.
    fn next_to(&self, dot: &Rect) -> Vec<(usize, &'g Glyph)> {
        let (_, y) = dot.center();
        let begin = self.glyphs.partition_point(|(_, glyph)| glyph.baseline < y);
        let rest = self.glyphs.get(begin..).unwrap_or_default().iter();
        let near = rest.take_while(|(_, glyph)| glyph.baseline <= y + self.largest * ABOVE.end);
        let near = near.take(LETTERS);
        let near = near.filter(|(_, glyph)| ABOVE.contains(&((glyph.baseline - y) / glyph.size)));
        near.copied().collect()
    }
}
