//! Draws comb fields: each character in the middle of a cell of its own [ISO 32000-1, 12.7.4.3, table 228].

use std::fmt::Write as _;

use task::TaskResult;
use unicode_segmentation::UnicodeSegmentation as _;

use super::layout::{AUTO_SIZES, Field, MAX_LINE_HEIGHT};
use crate::text_drawing::FontSet;

/// Returns the operators that draw a text in cells of equal width.
pub(super) fn content(
    field: &Field,
    text: &str,
    cells: u16,
    fonts: &mut FontSet,
) -> TaskResult<String> {
    let characters: Vec<&str> = text.graphemes(true).collect();
    let cell = field.width / f32::from(cells);
    let used = u16::try_from(characters.len()).unwrap_or(cells);
    let free = cells.saturating_sub(used);
    let first = match field.alignment {
        1 => free / 2,
        2 => free,
        _ => 0,
    };
    let most = match field.size > 0.0 {
        true => field.size,
        false => (field.height * MAX_LINE_HEIGHT).min(AUTO_SIZES.0),
    };
    let mut lines = Vec::new();
    for character in characters {
        lines.push(fonts.line(character)?);
    }
    let widest = lines.iter().map(|line| line.width).fold(0.01, f32::max);
    let size = most.min(cell / widest);
    let capitals = lines.iter().map(|line| line.height).fold(0.0, f32::max) * size;
    let base = (field.height - capitals) / 2.0;
    let mut content = field.background.clone();
    write!(
        content,
        "/Tx BMC q 0 0 {} {} re W n BT {} ",
        field.width, field.height, field.color
    )
    .ok();
    let mut middle = (f32::from(first) + 0.5) * cell;
    for line in lines {
        let left = middle - line.width * size / 2.0;
        write!(content, "1 0 0 1 {left} {base} Tm {}", line.operators(size)).ok();
        middle += cell;
    }
    content.push_str("ET Q EMC");
    Ok(content)
}
