//! Structure of a page from the structure tree of the document (tagged PDF).

mod brackets;
mod breaks;
mod build;
mod code;
mod columns;
mod joins;
mod leaves;
mod list;
mod margins;
mod plan;
mod table;

use self::build::Builder;
use self::leaves::Leaves;
use self::plan::Plan;
use super::front::marked;
use super::line::Line;
use super::page::PageReader;
use super::statistics::DocumentStatistics;
use super::{Options, continued, loose};
use crate::model::block::Block;
use crate::model::page::{Basis, Page};
use crate::model::page_content::PageContent;

/// Reads a page by its structure tree and returns whether a table row continues at its beginning; `None` if the tree misses
/// much of the page or contradicts the geometry.
pub(super) fn read(
    sheet: &PageContent,
    statistics: &DocumentStatistics,
    options: Options,
    page: &mut Page,
) -> Option<bool> {
    let mut plan = Plan::of(&sheet.structure)?;
    let (glyphs, drawn) = marked(sheet);
    plan.join(&glyphs);
    let mut leaves = Leaves::of(glyphs, &plan);
    leaves.refer(&drawn.links, sheet.number);
    if !leaves.is_whole() || leaves.is_shapeless() {
        return None;
    }
    let reader = PageReader::new(statistics, options, &drawn, &leaves.all());
    let Leaves {
        by_leaf,
        artifacts,
        rest,
    } = leaves;
    let is_row_open = plan.begins_in_row();
    let mut builder = Builder::new(&reader, by_leaf, rest);
    let mut blocks = builder.blocks(plan.parts);
    brackets::turn_round(&mut blocks);
    if builder.contradicts {
        return None;
    }
    let (pictures, rest, notes) = builder.finish();
    // Only the first block can continue the previous page.
    continued::begin(blocks.get_mut(1..).unwrap_or_default());
    add_rest(&reader, rest, &mut blocks);
    loose::insert(&mut blocks, pictures);
    let said = margins::read(&reader, artifacts, &blocks, page);
    add_rest(&reader, said, &mut blocks);
    blocks.extend(notes);
    page.blocks = blocks;
    page.basis = Basis::Structure;
    Some(is_row_open)
}

/// Inserts lines missing from the structure tree at their positions.
fn add_rest(reader: &PageReader<'_>, rest: Vec<Line>, blocks: &mut Vec<Block>) {
    let atoms = rest.into_iter().map(super::atom::Atom::Line).collect();
    let rest = reader.blocks(atoms);
    loose::insert(blocks, rest);
}
