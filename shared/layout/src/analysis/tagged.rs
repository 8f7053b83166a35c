//! Structure of a page from the structure tree of the document (tagged PDF).

mod breaks;
mod build;
mod columns;
mod edges;
mod joins;
mod leaves;
mod list;
mod margins;
mod plan;
mod table;

use self::build::Builder;
use self::leaves::Leaves;
use self::plan::{Part, Plan};
use super::candidates::candidate::Trace;
use super::document::page::PageReader;
use super::front::{Backdrop, marked};
use super::glyphs::glyph::Glyph;
use super::lines::line::Line;
use super::survey::headings::page_lines::PageLines;
use super::survey::statistics::DocumentStatistics;
use crate::analysis::blocks::loose;
use crate::analysis::document::blocks_across_pages;
use crate::analysis::regions::known_gutters::KnownGutters;
use crate::model::block::Block;
use crate::model::page::{Basis, Page};
use crate::model::page_content::PageContent;

/// Minimum number of form fields and of ruled cells of a form.
const FIELDS: usize = 3;
const CELLS: usize = 6;
/// Minimum number of rows and of columns of a table that the structure tree cannot have left out.
const GRID: usize = 3;

/// Reads a page by its structure tree and returns whether a table row continues at its beginning; `None` if the tree misses
/// much of the page, contradicts the geometry, or has no table for a form or table in ruled cells.
pub(super) fn read(
    sheet: &PageContent,
    statistics: &DocumentStatistics,
    trace: &Trace,
    page: &mut Page,
) -> Option<bool> {
    let mut plan = Plan::of(&sheet.structure)?;
    let (glyphs, drawn) = marked(sheet, trace);
    if lacks_ruled_table(sheet, &plan, &glyphs, &drawn) {
        return None;
    }
    plan.join(&glyphs);
    let mut leaves = Leaves::of(glyphs, &plan);
    leaves.refer(&drawn.links, sheet.number);
    if !leaves.is_whole() || leaves.is_shapeless() {
        return None;
    }
    let lines = leaves.all();
    let places = PageLines::of(&lines, drawn.page, &sheet.outline, &drawn.fields);
    let known = KnownGutters::default();
    let reader = PageReader::new(statistics, &drawn, &lines, &places, &known, trace);
    let edges = plan.edges(&mut leaves, &reader, sheet.number);
    let Leaves {
        by_leaf,
        artifacts,
        rest,
    } = leaves;
    let is_row_open = plan.begins_in_row();
    let mut builder = Builder::new(&reader, by_leaf, rest);
    let mut blocks = builder.blocks(plan.parts);
    if builder.contradicts {
        return None;
    }
    let (pictures, rest, notes) = builder.finish();
    // Only the first block can continue the previous page.
    blocks_across_pages::begin(blocks.get_mut(1..).unwrap_or_default());
    add_rest(&reader, rest, &mut blocks);
    loose::insert(&mut blocks, pictures);
    let said = margins::read(&reader, artifacts, edges, &blocks, page);
    add_rest(&reader, said, &mut blocks);
    blocks.extend(notes);
    page.blocks = blocks;
    page.basis = Basis::Structure;
    drawn.back(page);
    Some(is_row_open)
}

/// Whether most of the page is in the ruled cells of a form or of a table of several rows and columns, without a table in the
/// structure tree: texts would be separated from the cells they are in.
fn lacks_ruled_table(sheet: &PageContent, plan: &Plan, glyphs: &[Glyph], drawn: &Backdrop) -> bool {
    let fields = sheet.fields.len() + sheet.check_boxes.len();
    let cells: usize = drawn
        .tables
        .iter()
        .map(|table| table.grid.cells.len())
        .sum();
    let in_cells = glyphs.iter().filter(|glyph| glyph.zone > 0).count();
    let has_table = || plan.parts.iter().any(|part| matches!(part, Part::Table(_)));
    let is_form = fields >= FIELDS && cells >= CELLS;
    let has_grid = || {
        let mut grids = drawn.tables.iter().map(|table| &table.grid);
        grids.any(|grid| grid.head.is_none() && grid.xs.len() > GRID && grid.ys.len() > GRID)
    };
    (is_form || has_grid()) && in_cells * 2 > glyphs.len() && !has_table()
}

/// Inserts lines missing from the structure tree at their positions.
fn add_rest(reader: &PageReader<'_>, rest: Vec<Line>, blocks: &mut Vec<Block>) {
    let atoms = rest
        .into_iter()
        .map(super::regions::atom::Atom::Line)
        .collect();
    let rest = reader.blocks(atoms);
    loose::insert(blocks, rest);
}
