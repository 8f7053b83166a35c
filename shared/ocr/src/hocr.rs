//! Writes hOCR 1.2: XHTML with bounding boxes and confidences in the `title` attributes.
//!
//! Bounding boxes are integers, as hOCR requires: pixels of an image, or tenths of a point of a PDF (`scan_res 720 720`).

use std::borrow::Cow;
use std::io::Write;

use quick_xml::escape::escape;
use task::TaskResult;

use super::ocr_page::{Block, Line, Page, Rectangle, Unit};
use super::pages::Pages;

/// hOCR units per point.
const UNITS_PER_POINT: f64 = 10.0;

/// Writes pages, one at a time. `system` is the name and version of the OCR engine.
pub(super) fn write(
    pages: &Pages,
    (count, system): (usize, &str),
    output: &mut impl Write,
) -> TaskResult<()> {
    writeln!(
        output,
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
<head>
<title></title>
<meta http-equiv="Content-Type" content="text/html;charset=utf-8" />
<meta name="ocr-system" content="{}" />
<meta name="ocr-capabilities" content="ocr_page ocr_par ocr_line ocrx_word ocrp_wconf" />
<meta name="ocr-number-of-pages" content="{}" />
</head>
<body>"#,
        escape(system),
        count
    )?;
    pages.each(|index, result| write_page(index, &result.page, output))?;
    output.write_all(b"</body>\n</html>\n")?;
    Ok(())
}

fn write_page(index: usize, page: &Page, output: &mut impl Write) -> TaskResult<()> {
    let scale = match page.unit {
        Unit::Pixel => 1.0,
        Unit::Point => UNITS_PER_POINT,
    };
    let (right, bottom) = page.sides;
    let whole = Rectangle {
        right,
        bottom,
        ..Rectangle::default()
    };
    let number = index + 1;
    let resolution = match page.unit {
        Unit::Pixel => "",
        Unit::Point => "; scan_res 720 720",
    };
    writeln!(
        output,
        r#"<div class="ocr_page" id="page_{number}" title="{}; ppageno {index}{resolution}">"#,
        bbox(whole, scale)
    )?;
    let mut ids = IdCounters {
        page: number,
        lines: 0,
        words: 0,
    };
    for (block, paragraph) in page.blocks.iter().zip(1..) {
        write_block(block, paragraph, scale, &mut ids, output)?;
    }
    output.write_all(b"</div>\n")?;
    Ok(())
}

/// Counters for element ids within a page.
struct IdCounters {
    page: usize,
    lines: usize,
    words: usize,
}

fn write_block(
    block: &Block,
    number: usize,
    scale: f64,
    ids: &mut IdCounters,
    output: &mut impl Write,
) -> TaskResult<()> {
    let (page, place) = (ids.page, bbox(block.rectangle, scale));
    writeln!(
        output,
        r#"<p class="ocr_par" id="par_{page}_{number}" title="{place}">"#
    )?;
    for line in &block.lines {
        write_line(line, scale, ids, output)?;
    }
    output.write_all(b"</p>\n")?;
    Ok(())
}

fn write_line(
    line: &Line,
    scale: f64,
    ids: &mut IdCounters,
    output: &mut impl Write,
) -> TaskResult<()> {
    ids.lines += 1;
    let (page, number) = (ids.page, ids.lines);
    let direction = if line.right_to_left {
        r#" dir="rtl""#
    } else {
        ""
    };
    let place = bbox(line.rectangle, scale);
    write!(
        output,
        r#"<span class="ocr_line" id="line_{page}_{number}"{direction} title="{place}">"#
    )?;
    for (word, space) in line.spaced() {
        ids.words += 1;
        let number = ids.words;
        let confidence = word
            .confidence
            .map(|confidence| format!("; x_wconf {confidence:.0}"));
        write!(
            output,
            r#"<span class="ocrx_word" id="word_{page}_{number}" title="{}{}">{}</span>{}"#,
            bbox(word.rectangle, scale),
            confidence.unwrap_or_default(),
            xml(&word.text),
            if space { " " } else { "" },
        )?;
    }
    output.write_all(b"</span>\n")?;
    Ok(())
}

/// Escapes text for XML, without characters that XML cannot represent [XML 1.0, 2.2].
fn xml(text: &str) -> String {
    let allowed = |c: &char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(allowed).collect();
    match escape(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    }
}

fn bbox(rectangle: Rectangle, scale: f64) -> String {
    let [left, top, right, bottom] = [
        rectangle.left,
        rectangle.top,
        rectangle.right,
        rectangle.bottom,
    ]
    .map(|number| (number * scale).round().max(0.0));
    format!("bbox {left} {top} {right} {bottom}")
}
