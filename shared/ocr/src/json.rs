//! What was read as JSON.
//!
//! ```text
//! {"languages": ["eng"],                    as asked for
//!  "confidence": 95.3,                      mean of all recognised words by their length, 0 to 100; null without any
//!  "skipped": 0,                            how many pages were not read, but their own text was taken
//!  "pages": [{
//!    "number": 1,
//!    "width": 595.28, "height": 841.89,     of the page as it is shown
//!    "unit": "pt",                          of these and of boxes: points of a PDF, or "px", pixels of an upright image
//!    "recognised": true,                    false where the page's own text was taken
//!    "rotation": 0,                         degrees clockwise by which its text has to be turned to stand upright
//!    "confidence": 95.3,                    mean of this page's words; null without any
//!    "text": "…",                           as in the output `text`
//!    "blocks": [{                           paragraphs in reading order
//!      "box": [left, top, right, bottom],   from the top left corner of the page
//!      "lines": [{
//!        "box": […],
//!        "words": [{"text": "Dear", "box": […], "confidence": 96.1}]      null where the page's own text was taken
//!      }]}]}]}
//! ```

use std::io::Write;

use serde::Serialize;
use task::Outcome;

use super::layout::{Block, Line, Page, Rectangle, Unit, Word, confidence, words};

#[derive(Serialize)]
struct WholeShape<'a> {
    languages: Vec<&'a str>,
    confidence: Option<f64>,
    skipped: usize,
    pages: Vec<PageShape<'a>>,
}

#[derive(Serialize)]
struct PageShape<'a> {
    number: usize,
    width: f64,
    height: f64,
    unit: &'static str,
    recognised: bool,
    rotation: u32,
    confidence: Option<f64>,
    text: String,
    blocks: Vec<BlockShape<'a>>,
}

#[derive(Serialize)]
struct BlockShape<'a> {
    r#box: [f64; 4],
    lines: Vec<LineShape<'a>>,
}

#[derive(Serialize)]
struct LineShape<'a> {
    r#box: [f64; 4],
    words: Vec<WordShape<'a>>,
}

#[derive(Serialize)]
struct WordShape<'a> {
    text: &'a str,
    r#box: [f64; 4],
    confidence: Option<f64>,
}

/// Writes pages.
pub(super) fn write(
    pages: &[Page],
    languages: &[&str],
    mean: Option<f64>,
    output: &mut impl Write,
) -> Outcome<()> {
    let whole = WholeShape {
        languages: languages.to_vec(),
        confidence: mean.map(rounded),
        skipped: pages.iter().filter(|page| !page.recognised).count(),
        pages: pages
            .iter()
            .enumerate()
            .map(|(index, page)| shape(index + 1, page))
            .collect(),
    };
    serde_json::to_writer(&mut *output, &whole).map_err(std::io::Error::from)?;
    output.write_all(b"\n")?;
    Ok(())
}

fn shape(number: usize, page: &Page) -> PageShape<'_> {
    PageShape {
        number,
        width: rounded(page.sides.0),
        height: rounded(page.sides.1),
        unit: match page.unit {
            Unit::Pixel => "px",
            Unit::Point => "pt",
        },
        recognised: page.recognised,
        rotation: page.turned,
        confidence: confidence(words(&page.blocks)).map(rounded),
        text: page.text(),
        blocks: page.blocks.iter().map(block).collect(),
    }
}

fn block(block: &Block) -> BlockShape<'_> {
    BlockShape {
        r#box: numbers(block.rectangle),
        lines: block.lines.iter().map(line).collect(),
    }
}

fn line(line: &Line) -> LineShape<'_> {
    LineShape {
        r#box: numbers(line.rectangle),
        words: line.words.iter().map(word).collect(),
    }
}

fn word(word: &Word) -> WordShape<'_> {
    WordShape {
        text: &word.text,
        r#box: numbers(word.rectangle),
        confidence: word.confidence.map(|confidence| rounded(confidence.into())),
    }
}

fn numbers(rectangle: Rectangle) -> [f64; 4] {
    let Rectangle {
        left,
        top,
        right,
        bottom,
    } = rectangle;
    [left, top, right, bottom].map(rounded)
}

/// With two digits after the point.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
