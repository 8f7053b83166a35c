//! Writes OCR results as JSON.
//!
//! ```text
//! {"languages": ["eng"],                    as requested
//!  "confidence": 95.3,                      mean over all recognized words weighted by length, 0 to 100; null without any
//!  "skipped": 0,                            number of pages that were not recognized
//!  "pages": [{
//!    "number": 1,
//!    "width": 595.28, "height": 841.89,     of the page as displayed
//!    "unit": "pt",                          unit of sizes and boxes: points of a PDF, or "px", pixels of an upright image
//!    "recognised": true,                    false if the existing text was used, or recognition of the page failed
//!    "rotation": 0,                         clockwise rotation in degrees that makes its text upright
//!    "confidence": 95.3,                    mean over the words of this page; null without any
//!    "text": "…",                           as in the output `text`
//!    "blocks": [{                           paragraphs in reading order
//!      "box": [left, top, right, bottom],   from the top left corner of the page
//!      "lines": [{
//!        "box": […],
//!        "words": [{"text": "Dear", "box": […], "confidence": 96.1}]      null if the existing text was used
//!      }]}]}]}
//! ```

use std::io::Write;

use serde::Serialize;
use task::TaskResult;

use super::ocr_page::{Block, Line, Page, Rectangle, Unit, Word, confidence, words};
use super::pages::{Pages, Summary};

#[derive(Serialize)]
struct PageJson<'a> {
    number: usize,
    width: f64,
    height: f64,
    unit: &'static str,
    #[serde(rename = "recognised")]
    is_recognized: bool,
    rotation: u32,
    confidence: Option<f64>,
    text: String,
    blocks: Vec<BlockJson<'a>>,
}

#[derive(Serialize)]
struct BlockJson<'a> {
    r#box: [f64; 4],
    lines: Vec<LineJson<'a>>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    r#box: [f64; 4],
    words: Vec<WordJson<'a>>,
}

#[derive(Serialize)]
struct WordJson<'a> {
    text: &'a str,
    r#box: [f64; 4],
    confidence: Option<f64>,
}

/// Writes pages, one at a time.
pub(super) fn write(pages: &Pages, summary: &Summary, output: &mut impl Write) -> TaskResult<()> {
    let languages: Vec<&str> = summary.languages.codes().collect();
    let confidence = summary.confidence().map(round);
    write!(
        output,
        r#"{{"languages":{},"confidence":{},"skipped":{},"pages":["#,
        serde_json::json!(languages),
        serde_json::json!(confidence),
        summary.skipped()
    )?;
    pages.each(|index, result| {
        if index > 0 {
            output.write_all(b",")?;
        }
        let page = page(index + 1, &result.page);
        Ok(serde_json::to_writer(&mut *output, &page).map_err(std::io::Error::from)?)
    })?;
    Ok(output.write_all(b"]}\n")?)
}

fn page(number: usize, page: &Page) -> PageJson<'_> {
    PageJson {
        number,
        width: round(page.sides.0),
        height: round(page.sides.1),
        unit: match page.unit {
            Unit::Pixel => "px",
            Unit::Point => "pt",
        },
        is_recognized: page.is_recognized,
        rotation: page.rotation,
        confidence: confidence(words(&page.blocks)).map(round),
        text: page.text(),
        blocks: page.blocks.iter().map(block).collect(),
    }
}

fn block(block: &Block) -> BlockJson<'_> {
    BlockJson {
        r#box: numbers(block.rectangle),
        lines: block.lines.iter().map(line).collect(),
    }
}

fn line(line: &Line) -> LineJson<'_> {
    LineJson {
        r#box: numbers(line.rectangle),
        words: line.words.iter().map(word).collect(),
    }
}

fn word(word: &Word) -> WordJson<'_> {
    WordJson {
        text: &word.text,
        r#box: numbers(word.rectangle),
        confidence: word.confidence.map(|confidence| round(confidence.into())),
    }
}

fn numbers(rectangle: Rectangle) -> [f64; 4] {
    let Rectangle {
        left,
        top,
        right,
        bottom,
    } = rectangle;
    [left, top, right, bottom].map(round)
}

/// Rounds to two decimal places.
fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
