//! Reads doubtful words of other scripts again with the English model in addition: models of one script misread Latin names,
//! addresses and digits, with low confidence.

use task::TaskResult;

use super::ocr_page::{Block, Line, Rectangle, Word, confidence};

/// Confidence below which a word is doubtful, and minimum confidence of its replacement, in percent.
const DOUBTFUL: f32 = 60.0;
const CONFIDENT: f64 = 80.0;
/// Maximum number of places of a page that are read again.
const MAX_PLACES: usize = 150;

/// Replaces doubtful words. `read` reads a part of the page as a single line.
pub(super) fn replace_doubtful(
    blocks: &mut [Block],
    mut read: impl FnMut(Rectangle) -> TaskResult<Vec<Block>>,
) -> TaskResult<()> {
    let mut left = MAX_PLACES;
    for line in blocks.iter_mut().flat_map(|block| &mut block.lines) {
        let mut words = Vec::new();
        for run in line
            .words
            .chunk_by(|one, next| is_doubtful(one) == is_doubtful(next))
        {
            match run.first() {
                Some(first) if is_doubtful(first) && left > 0 => {
                    left -= 1;
                    words.extend(reread(run, &mut read)?);
                }
                _ => words.extend_from_slice(run),
            }
        }
        line.words = words;
    }
    Ok(())
}

/// Returns the words at the place of others, if they are read with confidence and have Latin letters or digits; otherwise these.
fn reread(
    run: &[Word],
    read: &mut impl FnMut(Rectangle) -> TaskResult<Vec<Block>>,
) -> TaskResult<Vec<Word>> {
    let places = run.iter().map(|word| word.rectangle);
    let Some(place) = places.reduce(Rectangle::union) else {
        return Ok(Vec::new());
    };
    let lines = read(place)?.into_iter().flat_map(|block| block.lines);
    let words = lines.flat_map(|line: Line| line.words);
    // The part has a margin, in which neighbors may be.
    let words: Vec<Word> = words
        .filter(|word| place.contains_center(word.rectangle))
        .collect();
    let is_sure = confidence(words.iter()).is_some_and(|mean| mean >= CONFIDENT);
    let is_latin = |word: &Word| word.text.contains(|c: char| c.is_ascii_alphanumeric());
    Ok(match is_sure && words.iter().any(is_latin) {
        true => words,
        false => run.to_vec(),
    })
}

fn is_doubtful(word: &Word) -> bool {
    word.confidence.is_some_and(|sure| sure < DOUBTFUL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, left: f64, confidence: f32) -> Word {
        let place = Rectangle {
            left,
            top: 0.0,
            right: left + 40.0,
            bottom: 20.0,
        };
        Word::new(text, place, Some(confidence)).unwrap()
    }

    fn page(words: &[(&str, f64, f32)]) -> Vec<Block> {
        let words = words.iter();
        let words = words.map(|(text, left, sure)| word(text, *left, *sure));
        let mut block = Block::new(0, Rectangle::default());
        block.lines.push(Line {
            words: words.collect(),
            ..Line::default()
        });
        vec![block]
    }

    fn texts(blocks: &[Block]) -> Vec<&str> {
        super::super::ocr_page::words(blocks)
            .map(|word| word.text.as_str())
            .collect()
    }

    #[test]
    fn only_doubtful_words_are_read_again_and_only_confident_results_are_kept() {
        let mut blocks = page(&[
            ("שלום", 300.0, 91.0),
            ("061310", 250.0, 20.0),
            ("501", 200.0, 0.0),
            ("חברת", 100.0, 90.0),
            ("?", 0.0, 30.0),
            ("רב", -100.0, 90.0),
            ("!", -200.0, 30.0),
        ]);
        let mut places = Vec::new();
        replace_doubtful(&mut blocks, |place| {
            places.push((place.left, place.right));
            Ok(match place.left {
                200.0 => page(&[
                    ("Octavo", 200.0, 92.0),
                    ("Software", 250.0, 95.0),
                    ("neighbor", 292.0, 95.0),
                ]),
                0.0 => page(&[("x", 0.0, 50.0)]),
                _ => page(&[("ש", -200.0, 95.0)]),
            })
        })
        .unwrap();
        assert_eq!(places, [(200.0, 290.0), (0.0, 40.0), (-200.0, -160.0)]);
        assert_eq!(
            texts(&blocks),
            ["שלום", "Octavo", "Software", "חברת", "?", "רב", "!"]
        );
    }
}
