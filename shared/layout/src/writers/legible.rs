//! Makes text legible: where a flow does not keep what is behind text, light text from a dark background would be invisible.

use crate::{Block, Content, Page, Run};

/// Minimum contrast to the background, as a ratio of luminances.
const MIN_CONTRAST: f32 = 2.0;

const WHITE: [u8; 3] = [u8::MAX; 3];

/// Sets text of a page to black or white if its contrast is too low: to its highlight, the color of its cell, or white paper.
pub(super) fn on_paper(page: &mut Page) {
    in_margins(page);
    page.blocks
        .iter_mut()
        .for_each(|block| of_block(block, WHITE));
}

/// As [`on_paper`], for the header and footer.
pub(super) fn in_margins(page: &mut Page) {
    for blocks in [&mut page.header, &mut page.footer] {
        blocks.iter_mut().for_each(|block| of_block(block, WHITE));
    }
}

fn of_block(block: &mut Block, behind: [u8; 3]) {
    match &mut block.content {
        Content::Heading { runs, .. }
        | Content::Paragraph { runs, .. }
        | Content::Footnote { runs, .. } => runs.iter_mut().for_each(|run| of_run(run, behind)),
        Content::List { items } => {
            let runs = items.iter_mut().flat_map(|item| &mut item.runs);
            runs.for_each(|run| of_run(run, behind));
        }
        Content::Table(table) => {
            for cell in &mut table.cells {
                let behind = cell.fill.unwrap_or(behind);
                cell.blocks
                    .iter_mut()
                    .for_each(|block| of_block(block, behind));
            }
        }
        Content::Image { .. } | Content::Rule => {}
    }
}

fn of_run(run: &mut Run, behind: [u8; 3]) {
    let behind = run.style.highlight.unwrap_or(behind);
    if contrast(run.style.color.unwrap_or_default(), behind) < MIN_CONTRAST {
        let is_dark = contrast(behind, WHITE) > contrast(behind, [0; 3]);
        run.style.color = is_dark.then_some(WHITE);
    }
}

/// Returns the contrast of two sRGB colors [WCAG 2.2], from 1 to 21.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f32 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(color: [u8; 3]) -> f32 {
    let [red, green, blue] = color.map(|part| {
        let part = f32::from(part) / 255.0;
        match part <= 0.04045 {
            true => part / 12.92,
            false => ((part + 0.055) / 1.055).powf(2.4),
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::{WHITE, contrast, of_run};
    use crate::{Run, Style};

    #[test]
    fn contrasts_match_reference_values() {
        for (color, expected) in [
            ([0, 0, 0], 21.0),
            ([255, 255, 255], 1.0),
            ([255, 0, 0], 3.998),
            ([0x77, 0x77, 0x77], 4.478),
            ([255, 255, 0], 1.074),
        ] {
            assert!(
                (contrast(color, WHITE) - expected).abs() < 0.01,
                "{color:?}"
            );
        }
    }

    #[test]
    fn text_is_legible_on_what_is_behind_it() {
        let blue = Some([0, 0, 128]);
        let color = |color, highlight| {
            let style = Style {
                color,
                highlight,
                ..Style::default()
            };
            let mut run = Run {
                text: String::new(),
                style,
                link: None,
            };
            of_run(&mut run, WHITE);
            run.style.color
        };
        assert_eq!(color(Some(WHITE), None), None);
        assert_eq!(color(Some(WHITE), blue), Some(WHITE));
        assert_eq!(color(None, blue), Some(WHITE));
        assert_eq!(color(None, Some([255, 255, 0])), None);
    }
}
