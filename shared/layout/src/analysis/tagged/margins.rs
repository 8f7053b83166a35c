//! Headers and footers among the artifacts of a page.

use crate::analysis::document::page::PageReader;
use crate::analysis::lines::line::Line;
use crate::analysis::survey::headers_footers::{PART, key, rows};
use crate::model::block::{Block, Content};
use crate::model::geometry::Rect;
use crate::model::page::Page;

/// Minimum number of letters from which other artifacts are content instead of a watermark.
const LETTERS: usize = 64;

/// Reads the header and footer of a page with these blocks; lines of `declared` are tagged as text. Returns other artifacts if
/// they are long enough to be content, such as form labels.
pub(super) fn read(
    reader: &PageReader<'_>,
    artifacts: Vec<Line>,
    declared: [Vec<Line>; 2],
    blocks: &[Block],
    page: &mut Page,
) -> Vec<Line> {
    let height = reader.drawn.page.height();
    let upright = artifacts.into_iter().filter(|line| !line.is_turned());
    let ([mut upper, mut lower], mut others) = (declared, Vec::new());
    let body = Rect::around(blocks.iter().filter_map(|block| block.bounds));
    let (top, bottom) = body.map_or((height, 0.0), |body| (body.top, body.bottom));
    for row in rows(upright) {
        let Some(line) = row.first() else { continue };
        let key = key(&row);
        let (above, below) = (
            line.baseline <= height * PART,
            line.baseline >= height * (1.0 - PART),
        );
        let is_head =
            reader.statistics.upper.contains(&key) || line.baseline < top && !repeats_head(blocks);
        let is_foot = reader.statistics.lower.contains(&key) || line.core().start > bottom;
        if above && is_head {
            upper.extend(row);
        } else if below && is_foot {
            lower.extend(row);
        } else {
            others.extend(row);
        }
    }
    page.header = reader.rows(upper);
    page.footer = reader.rows(lower);
    let glyphs = others.iter().flat_map(Line::glyphs);
    let letters = glyphs.filter(|glyph| glyph.text.is_alphanumeric()).count();
    let are_said = letters >= LETTERS && !repeats_head(blocks);
    if are_said { others } else { Vec::new() }
}

/// Whether a table continues at the top of the page: its repeated header row is not a page header.
fn repeats_head(blocks: &[Block]) -> bool {
    matches!(blocks.first().map(|block| &block.content), Some(Content::Table(table)) if table.continues)
}
