//! The text of its own that a page keeps when it is read: what is recognised there is not laid under it once more.

use pdf::pdfium;
use pdfium_render::prelude::{PdfPage, PdfPageTextRenderMode};
use task::Outcome;
use task::matrix::Matrix;

use super::document::{self, bounds};
use super::layout::{Block, Rectangle};
use super::survey::is_real;

/// Part of a word that characters of the page have to take for it to be theirs.
const PART: f64 = 0.4;

/// Where characters are drawn that say something, in the pixels of a picture of the page.
pub(super) fn places(page: &PdfPage<'_>, sides: (u32, u32)) -> Outcome<Vec<Rectangle>> {
    let Some(to_pixels) = document::place(page, sides)?.inverse() else {
        return Ok(Vec::new());
    };
    let text = page.text().map_err(pdfium::fault)?;
    let characters = text.chars();
    let drawn = characters.iter().filter(|character| {
        let is_hidden = matches!(
            character.render_mode(),
            Ok(PdfPageTextRenderMode::Invisible) | Err(_)
        );
        !is_hidden && character.unicode_char().is_some_and(is_real)
    });
    let places = drawn.filter_map(|character| bounds(&character));
    Ok(places.map(|place| place.mapped(to_pixels)).collect())
}

/// What was read without the words that stand where characters of the page do. `back` says where the pixels of what was
/// read are in the picture of the page.
pub(super) fn without(blocks: Vec<Block>, own: &[Rectangle], back: Matrix) -> Vec<Block> {
    let Some(to_read) = back.inverse().filter(|_| !own.is_empty()) else {
        return blocks;
    };
    let own: Vec<Rectangle> = own.iter().map(|place| place.mapped(to_read)).collect();
    let is_own = |word: Rectangle| {
        let taken: f64 = own.iter().map(|place| area(word.shared(*place))).sum();
        taken >= PART * area(word)
    };
    let mut blocks = blocks;
    for line in blocks.iter_mut().flat_map(|block| &mut block.lines) {
        line.words.retain(|word| !is_own(word.rectangle));
    }
    for block in &mut blocks {
        block.lines.retain(|line| !line.words.is_empty());
    }
    blocks.retain(|block| !block.lines.is_empty());
    blocks
}

fn area(rectangle: Rectangle) -> f64 {
    (rectangle.right - rectangle.left).max(0.0) * (rectangle.bottom - rectangle.top).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Line, Word, words};
    use super::*;

    #[test]
    fn words_that_the_page_has_itself_are_not_laid_under_it() {
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
        let own = [at(48.0)];
        let left = without(
            vec![block.clone()],
            &own,
            Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        );
        let texts: Vec<_> = words(&left).map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["read"]);
        // The picture was read on its head.
        let turned = Matrix([-1.0, 0.0, 0.0, -1.0, 138.0, 30.0]);
        let left = without(vec![block], &[at(48.0)], turned);
        assert_eq!(words(&left).count(), 1);
    }
}
