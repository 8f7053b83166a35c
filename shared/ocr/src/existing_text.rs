//! The existing visible text of a recognized page: recognized words at the same position are dropped from the text layer.

use pdf::pdfium;
use pdfium_render::prelude::{PdfPage, PdfPageTextRenderMode};
use task::TaskResult;
use task::matrix::Matrix;

use super::document::{self, bounds};
use super::ocr_page::{Block, Rectangle, retain_words};
use super::survey::is_legible;

/// Minimum fraction of a word's area covered by existing characters.
const MIN_COVERED: f64 = 0.4;

/// Returns the bounds of the visible existing characters, in pixels of the rendered page.
pub(super) fn visible_character_bounds(
    page: &PdfPage<'_>,
    sides: (u32, u32),
) -> TaskResult<Vec<Rectangle>> {
    let Some(to_pixels) = document::pixels_to_user_space(page, sides)?.inverse() else {
        return Ok(Vec::new());
    };
    let text = page.text().map_err(pdfium::load_error)?;
    let characters = text.chars();
    let visible = characters.iter().filter(|character| {
        let is_hidden = matches!(
            character.render_mode(),
            Ok(PdfPageTextRenderMode::Invisible) | Err(_)
        );
        !is_hidden && character.unicode_char().is_some_and(is_legible)
    });
    let places = visible.filter_map(|character| bounds(&character));
    Ok(places.map(|place| place.transformed(to_pixels)).collect())
}

/// Removes recognized words that existing characters cover. `back` maps pixels of the recognized picture to those of the
/// rendered page.
pub(super) fn remove_covered_words(
    blocks: Vec<Block>,
    existing: &[Rectangle],
    back: Matrix,
) -> Vec<Block> {
    let is_covered = covered(existing, back);
    retain_words(blocks, |word| !is_covered(word.rectangle))
}

/// Removes areas that existing characters cover. `back` is as for [`remove_covered_words`].
pub(super) fn uncovered(
    mut areas: Vec<Rectangle>,
    existing: &[Rectangle],
    back: Matrix,
) -> Vec<Rectangle> {
    let is_covered = covered(existing, back);
    areas.retain(|area| !is_covered(*area));
    areas
}

/// Returns the test whether existing characters cover an area of the recognized picture.
fn covered(existing: &[Rectangle], back: Matrix) -> impl Fn(Rectangle) -> bool {
    let to_read = back.inverse();
    let existing = existing.iter();
    let existing = existing.filter_map(|place| Some(place.transformed(to_read?)));
    let existing: Vec<Rectangle> = existing.collect();
    move |area| {
        let taken = existing
            .iter()
            .map(|place| area.intersection(*place).area());
        !existing.is_empty() && taken.sum::<f64>() >= MIN_COVERED * area.area()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::{Line, Word, words};
    use super::*;

    #[test]
    fn existing_words_are_not_added_again() {
        let at = |left: f64| Rectangle {
            left,
            top: 10.0,
            right: left + 40.0,
            bottom: 20.0,
        };
        let word = |text: &str, left: f64| Word::new(text, at(left), Some(90.0)).unwrap();
        let mut block = Block::new(0, at(0.0));
        block.lines.push(Line {
            words: vec![word("read", 0.0), word("own", 50.0)],
            ..Line::default()
        });
        let existing = [at(48.0)];
        let left = remove_covered_words(
            vec![block.clone()],
            &existing,
            Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        );
        let texts: Vec<_> = words(&left).map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["read"]);
        // Recognized upside down.
        let turned = Matrix([-1.0, 0.0, 0.0, -1.0, 138.0, 30.0]);
        let left = remove_covered_words(vec![block], &[at(48.0)], turned);
        assert_eq!(words(&left).count(), 1);
    }
}
