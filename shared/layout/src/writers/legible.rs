//! Colours that can be read on white paper: where pages flow no grounds are kept, and what stood on a dark one would not be seen.

use crate::{Block, Content, Page, Run};

/// The least contrast to white that can be read, as a ratio of luminances.
const LEAST: f32 = 2.0;

/// Makes the text of a page black wherever its colour cannot be read on white.
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
    run.style.colour = run.style.colour.filter(|colour| contrast(*colour) >= LEAST);
}

/// The contrast of a colour of sRGB to white [WCAG 2.2], from 1 to 21.
fn contrast(colour: [u8; 3]) -> f32 {
    let light = colour.map(|part| {
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
    fn contrasts_are_those_that_others_measure() {
        for (colour, expected) in [
            ([0, 0, 0], 21.0),
            ([255, 255, 255], 1.0),
            ([255, 0, 0], 3.998),
            ([0x77, 0x77, 0x77], 4.478),
            ([255, 255, 0], 1.074),
        ] {
            assert!((contrast(colour) - expected).abs() < 0.01, "{colour:?}");
        }
    }
}
