//! What was read as hOCR 1.2: XHTML whose classes and titles say where everything stands.
//!
//! Boxes are whole numbers, as hOCR asks for: pixels of an image, and tenths of a point of a PDF (`scan_res 720 720`).

use std::borrow::Cow;
use std::io::Write;

use quick_xml::escape::escape;
use task::Outcome;

use super::layout::{Block, Line, Page, Rectangle, Unit};

/// Units a point.
const TENTHS: f64 = 10.0;

/// Writes pages. `system` names the engine.
pub(super) fn write(pages: &[Page], system: &str, output: &mut impl Write) -> Outcome<()> {
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
        pages.len()
    )?;
    for (index, page) in pages.iter().enumerate() {
        write_page(index, page, output)?;
    }
    output.write_all(b"</body>\n</html>\n")?;
    Ok(())
}

fn write_page(index: usize, page: &Page, output: &mut impl Write) -> Outcome<()> {
    let scale = match page.unit {
        Unit::Pixel => 1.0,
        Unit::Point => TENTHS,
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
    let mut names = Names {
        page: number,
        lines: 0,
        words: 0,
    };
    for (block, paragraph) in page.blocks.iter().zip(1..) {
        write_block(block, paragraph, scale, &mut names, output)?;
    }
    output.write_all(b"</div>\n")?;
    Ok(())
}

/// Numbers for identifiers within a page.
struct Names {
    page: usize,
    lines: usize,
    words: usize,
}

fn write_block(
    block: &Block,
    number: usize,
    scale: f64,
    names: &mut Names,
    output: &mut impl Write,
) -> Outcome<()> {
    let (page, place) = (names.page, bbox(block.rectangle, scale));
    writeln!(
        output,
        r#"<p class="ocr_par" id="par_{page}_{number}" title="{place}">"#
    )?;
    for line in &block.lines {
        write_line(line, scale, names, output)?;
    }
    output.write_all(b"</p>\n")?;
    Ok(())
}

fn write_line(line: &Line, scale: f64, names: &mut Names, output: &mut impl Write) -> Outcome<()> {
    names.lines += 1;
    let (page, number) = (names.page, names.lines);
    let direction = if line.leftward { r#" dir="rtl""# } else { "" };
    let place = bbox(line.rectangle, scale);
    write!(
        output,
        r#"<span class="ocr_line" id="line_{page}_{number}"{direction} title="{place}">"#
    )?;
    for (word, space) in line.spaced() {
        names.words += 1;
        let number = names.words;
        let sure = word.confidence.map(|sure| format!("; x_wconf {sure:.0}"));
        write!(
            output,
            r#"<span class="ocrx_word" id="word_{page}_{number}" title="{}{}">{}</span>{}"#,
            bbox(word.rectangle, scale),
            sure.unwrap_or_default(),
            xml(&word.text),
            if space { " " } else { "" },
        )?;
    }
    output.write_all(b"</span>\n")?;
    Ok(())
}

/// Text as XML holds it: characters that it has none for are left out [XML 1.0, 2.2].
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
