//! Reads a worksheet: its name as a heading, its table, and its drawings.

use super::cells::{Cells, Link};
use super::{Sheet, Workbook, drawings};
use crate::comment_parts;
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::link;
use crate::package::Relations;
use crate::paper;
use crate::source::UnnumberedPage;
use crate::warning::{Loss, Losses};
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
    let (budget, losses) = (&book.package.budget, &mut book.package.losses);
    add_links(&mut cells, &relations, budget, losses)?;
    losses.add_many(Loss::Formula, cells.uncalculated);
    losses.add_many(Loss::Comment, comments);
    losses.add_many(Loss::SheetHeader, cells.headers);
    let header_rows = sheet.titles.max(cells.frozen);
    let mut flow = worksheet::flow(&sheet.name, cells.sheet, header_rows, budget, losses)?;
    drawings::read(&mut book.package, &relations, &mut flow)?;
    let placed = std::mem::take(&mut flow.sheet);
    let mut blocks = flow.into_blocks();
    let page = |place: &str| book.sheet_pages.page(place, book.pages);
    link::resolve_anchors(&mut blocks, page, &mut book.package.losses);
    Ok(UnnumberedPage {
        size: cells.size.unwrap_or(paper::A4),
        sheet: placed,
        blocks,
        ..UnnumberedPage::default()
    })
}

/// Adds the links of the cells; those that are not kept are counted as dropped content.
fn add_links(
    cells: &mut Cells,
    relations: &Relations,
    budget: &Budget,
    losses: &mut Losses,
) -> Result {
    for (place, content) in &mut cells.sheet.cells {
        let url = match cells.links.get(place) {
            Some(Link::Relation(id)) => {
                let url = relations.url(id);
                url.and_then(|url| link::kept(url, losses))
            }
            Some(Link::Within(place)) => Some(format!("#{}", place.trim_start_matches('#'))),
            Some(Link::Formula(target)) => target.kept(losses),
            None => None,
        };
        if let Some(url) = url {
            budget.spend(content.runs.len() * url.len() / 16)?;
            for run in &mut content.runs {
                run.link = Some(url.clone());
            }
        }
    }
    Ok(())
}
