//! A sheet: its name as a heading, its table, and what is drawn on it.

use super::cells::{Cells, Link};
use super::{Sheet, Workbook, drawn};
use crate::error::{MarkupError, Outcome};
use crate::link;
use crate::package::Relations;
use crate::paper;
use crate::source::Leaf;
use crate::warning::Loss;
use crate::{worksheet, xml};

/// Reads a sheet.
pub(super) fn read(book: &mut Workbook, sheet: &Sheet) -> Outcome<Leaf> {
    let bytes = book
        .package
        .part(&sheet.target)?
        .ok_or(MarkupError::Corrupt("a sheet is missing"))?;
    let relations = book.package.relations(&sheet.target)?;
    let mut cells = Cells::read(book, &xml::decode(&bytes))?;
    drop(bytes);
    lead(&mut cells, &relations);
    let (budget, losses) = (&book.package.budget, &mut book.package.losses);
    losses.add_many(Loss::Formula, cells.uncalculated);
    let header_rows = sheet.titles.max(cells.frozen);
    let mut flow = worksheet::flow(&sheet.name, cells.sheet, header_rows, budget, losses)?;
    drawn::read(&mut book.package, &relations, &mut flow)?;
    Ok(Leaf {
        size: cells.size.unwrap_or(paper::A4),
        blocks: flow.into_blocks(),
        ..Leaf::default()
    })
}

fn lead(cells: &mut Cells, relations: &Relations) {
    for (place, said) in &mut cells.sheet.cells {
        let url = match cells.links.get(place) {
            Some(Link::Relation(id)) => relations.url(id).and_then(link::allowed),
            Some(Link::Within) | None => None,
        };
        if url.is_some() {
            said.runs
                .iter_mut()
                .for_each(|run| run.link.clone_from(&url));
        }
    }
}
