//! Makes light text legible: in a flow without backgrounds, text from a dark background would be invisible.

use crate::{Block, Content, Page, Run};

/// Minimum contrast to white, as a ratio of luminances.
const MIN_CONTRAST: f32 = 2.0;

/// Sets text of a page to black if its contrast to white is too low.
pub(super) fn on_white(page: &mut Page) {
    for blocks in [&mut page.header, &mut page.blocks, &mut page.footer] {
        blocks.iter_mut().for_each(of_block);
    }
}

fn of_block(block: &mut Block) {
    match &mut block.content {
        Content::Heading { runs, .. }
        | Content::Paragraph { runs, .. }
        | Content::Footnote { runs, .. } => runs.iter_mut().for_each(of_run),
        Content::List { items } => {
            let runs = items.iter_mut().flat_map(|item| &mut item.runs);
            runs.for_each(of_run);
        }
        Content::Table(table) => {
            let blocks = table.cells.iter_mut().flat_map(|cell| &mut cell.blocks);
            blocks.for_each(of_block);
        }
        Content::Image { .. } | Content::Rule => {}
    }
}

fn of_run(run: &mut Run) {
    run.style.color = run
        .style
        .color
        .filter(|color| contrast(*color) >= MIN_CONTRAST);
}

/// Returns the contrast of an sRGB color to white [WCAG 2.2], from 1 to 21.
fn contrast(color: [u8; 3]) -> f32 {
    let light = color.map(|part| {
        let part = f32::from(part) / 255.0;
        match part <= 0.04045 {
            true => part / 12.92,
            false => ((part + 0.055) / 1.055).powf(2.4),
        }
    });
    let [red, green, blue] = light;
    1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

#[cfg(test)]
mod tests {
    use super::contrast;

    #[test]
    fn contrasts_match_reference_values() {
        for (color, expected) in [
            ([0, 0, 0], 21.0),
            ([255, 255, 255], 1.0),
            ([255, 0, 0], 3.998),
            ([0x77, 0x77, 0x77], 4.478),
            ([255, 255, 0], 1.074),
        ] {
            assert!((contrast(color) - expected).abs() < 0.01, "{color:?}");
        }
    }
}
