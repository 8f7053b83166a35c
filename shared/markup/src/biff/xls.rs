//! Reads xls. A scan of all records precedes calamine, which allocates the whole range that a sheet declares.

mod scan;

use domain::operation::Locale;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use calamine::{Reader as _, Sheet, Xls, XlsError};
use cfb::{CompoundFile, Version};

use self::scan::Records;
use super::sheet_records::SheetRecords;
use super::styles::Styles;
use super::{DAMAGED, count_dropped, is_page, read, sheet_pages};
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::link;
use crate::pictures::Pictures;
use crate::sheet_links::SheetPages;
use crate::source::{Metadata, Source, UnnumberedPage};
use crate::warning::{Losses, Warning};
use crate::worksheet;

const DAMAGED_CONTAINER: &str = "its compound file cannot be read";
const SUMMARY: &str = "/\u{5}SummaryInformation";

/// A workbook that is read sheet by sheet.
pub(crate) struct Workbook {
    values: Xls<Cursor<Vec<u8>>>,
    sheets: VecDeque<(Sheet, SheetRecords)>,
    sheet_pages: SheetPages,
    styles: Styles,
    budget: Budget,
    losses: Losses,
    metadata: Metadata,
    pages: u32,
}

/// Returns the number of comments.
pub(crate) fn comments(path: &Path, budget: &Budget) -> Result<u32> {
    let (_, stream) = stream(path, budget)?;
    Ok(scan::comments(&stream))
}

/// Opens a workbook.
pub(crate) fn open(path: &Path, budget: Budget, locale: Locale) -> Result<Workbook> {
    let (mut file, mut stream) = stream(path, &budget)?;
    let records = Records::scan(&mut stream, &budget, locale)?;
    // calamine gets a new container with the workbook stream alone: it walks all streams, and does not read short streams of
    // version 4.
    let mut container = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
    container.create_stream("/Workbook")?.write_all(&stream)?;
    drop(stream);
    if file.is_stream(SUMMARY) {
        let summary = part(&mut file, SUMMARY, &budget)?;
        container.create_stream(SUMMARY)?.write_all(&summary)?;
    }
    container.flush()?;
    let container = Cursor::new(container.into_inner().into_inner());
    let mut values = read(|| Xls::new(container), fault)?;
    let title = read(|| values.workbook_properties(), fault)
        .ok()
        .and_then(|known| known.title);
    let sheets = records.sheets.into_iter();
    let sheet_pages = sheet_pages(values.sheets_metadata());
    let sheets = values
        .sheets_metadata()
        .iter()
        .cloned()
        .zip(sheets)
        .collect();
    Ok(Workbook {
        values,
        sheets,
        sheet_pages,
        styles: records.styles,
        budget,
        losses: Losses::default(),
        metadata: Metadata {
            title: title.filter(|title| !title.trim().is_empty()),
            ..Metadata::default()
        },
        pages: 0,
    })
}

/// The compound file and its stream of records.
fn stream(path: &Path, budget: &Budget) -> Result<(CompoundFile<File>, Vec<u8>)> {
    let mut file = CompoundFile::open(File::open(path)?)
        .map_err(|error| MarkupError::reading(error, DAMAGED_CONTAINER))?;
    if file.is_stream("/EncryptedPackage") {
        return Err(MarkupError::PasswordRequired);
    }
    let name = ["/Workbook", "/Book"]
        .into_iter()
        .find(|name| file.is_stream(name));
    let stream = part(&mut file, name.ok_or(MarkupError::Mismatch)?, budget)?;
    Ok((file, stream))
}

fn part(file: &mut CompoundFile<File>, name: &str, budget: &Budget) -> Result<Vec<u8>> {
    let fault = |error| MarkupError::reading(error, DAMAGED_CONTAINER);
    let stream = file.open_stream(name).map_err(fault)?;
    if stream.len() > budget.limits.inflated_bytes {
        return Err(MarkupError::TooLarge("the workbook stream is too large"));
    }
    let mut bytes = Vec::new();
    stream
        .take(budget.limits.inflated_bytes)
        .read_to_end(&mut bytes)
        .map_err(fault)?;
    Ok(bytes)
}

fn fault(error: XlsError) -> MarkupError {
    match error {
        XlsError::Password => MarkupError::PasswordRequired,
        _ => DAMAGED,
    }
}

impl Source for Workbook {
    fn next(&mut self) -> Result<Option<UnnumberedPage>> {
        while let Some((sheet, mut sheet_records)) = self.sheets.pop_front() {
            self.losses.page = self.pages + 1;
            if !is_page(&sheet) {
                count_dropped(&sheet, &mut self.losses);
                continue;
            }
            self.pages += 1;
            let range = read(|| self.values.worksheet_range(&sheet.name), fault)?;
            let (first_row, first_column) = range.start().unwrap_or_default();
            for (row, column, value) in range.used_cells() {
                let at = |first: u32, offset| {
                    first.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX))
                };
                let place = (at(first_row, row), at(first_column, column));
                sheet_records.add(place, value, &self.styles, &self.budget)?;
            }
            sheet_records.report(&mut self.losses);
            let mut flow = worksheet::flow(
                &sheet.name,
                sheet_records.sheet,
                sheet_records.frozen,
                &self.budget,
                &mut self.losses,
            )?;
            let placed = std::mem::take(&mut flow.sheet);
            let mut blocks = flow.into_blocks();
            let page = |place: &str| self.sheet_pages.page(place, self.pages);
            link::resolve_anchors(&mut blocks, page, &mut self.losses);
            return Ok(Some(UnnumberedPage {
                size: crate::paper::A4,
                sheet: placed,
                blocks,
                ..UnnumberedPage::default()
            }));
        }
        Ok(None)
    }

    fn left(&self) -> usize {
        self.sheets.len()
    }

    fn pictures(&self) -> Pictures {
        Pictures::default()
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn warnings(&self) -> Vec<Warning> {
        self.losses.all()
    }
}
