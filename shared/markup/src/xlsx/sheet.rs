//! Reads a worksheet: its name as a heading, its table, and its drawings.

use super::cells::{Cells, Link};
use super::{Sheet, Workbook, drawings};
use crate::comment_parts;
use crate::error::{MarkupError, Result};
use crate::link;
use crate::package::Relations;
use crate::paper;
use crate::source::UnnumberedPage;
use crate::warning::Loss;
use crate::{worksheet, xml};

/// Reads a worksheet.
pub(super) fn read(book: &mut Workbook, sheet: &Sheet) -> Result<UnnumberedPage> {
    let bytes = book
        .package
        .part(&sheet.target)?
        .ok_or(MarkupError::Corrupt("a sheet is missing"))?;
    let relations = book.package.relations(&sheet.target)?;
    let mut cells = Cells::read(book, &xml::decode(&bytes))?;
    drop(bytes);
    let comments = comment_parts::of_part(&mut book.package, &relations)?;
    add_links(&mut cells, &relations);
    let (budget, losses) = (&book.package.budget, &mut book.package.losses);
    losses.add_many(Loss::Formula, cells.uncalculated);
    losses.add_many(Loss::Comment, comments);
    losses.add_many(Loss::SheetHeader, cells.headers);
    let header_rows = sheet.titles.max(cells.frozen);
    let mut flow = worksheet::flow(&sheet.name, cells.sheet, header_rows, budget, losses)?;
    drawings::read(&mut book.package, &relations, &mut flow)?;
    Ok(UnnumberedPage {
        size: cells.size.unwrap_or(paper::A4),
        sheet: std::mem::take(&mut flow.sheet),
        blocks: flow.into_blocks(),
        ..UnnumberedPage::default()
    })
}

fn add_links(cells: &mut Cells, relations: &Relations) {
    for (place, content) in &mut cells.sheet.cells {
        let url = match cells.links.get(place) {
            Some(Link::Relation(id)) => relations.url(id).and_then(link::allowed),
            Some(Link::Within) | None => None,
        };
        if url.is_some() {
            content
                .runs
                .iter_mut()
                .for_each(|run| run.link.clone_from(&url));
        }
    }
}
