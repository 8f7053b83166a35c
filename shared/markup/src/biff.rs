//! Binary workbooks: xls [MS-XLS] and xlsb [MS-XLSB]. calamine reads the cell values; number formats, fonts, hidden rows and
//! columns, frozen rows and the merged cells of xlsb, which it does not report, are read from the same BIFF records.

mod bytes;
mod hyperlink;
mod records;
mod shared_strings;
mod sheet_records;
mod styles;
pub(crate) mod xls;
pub(crate) mod xlsb;

pub use records::RecordReader;

use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{Sheet, SheetType, SheetVisible};

use crate::error::{MarkupError, Result};
use crate::sheet_links::SheetPages;
use crate::warning::{Loss, Losses};

const DAMAGED: MarkupError = MarkupError::Corrupt("its BIFF records cannot be read");

/// Runs calamine, which panics on some damaged files, and converts a panic to an error.
fn read<T, E>(
    work: impl FnOnce() -> Result<T, E>,
    fault: impl FnOnce(E) -> MarkupError,
) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(fault),
        Err(_) => Err(DAMAGED),
    }
}

/// The pages of the sheets that become one.
fn sheet_pages(sheets: &[Sheet]) -> SheetPages {
    let shown = sheets.iter().filter(|sheet| is_page(sheet));
    SheetPages::of(shown.map(|sheet| sheet.name.as_str()))
}

/// Whether a sheet becomes a page.
fn is_page(sheet: &Sheet) -> bool {
    sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet
}

/// Counts a sheet that does not become a page.
fn count_dropped(sheet: &Sheet, losses: &mut Losses) {
    match sheet.typ {
        _ if sheet.visible != SheetVisible::Visible => {
            losses.page = 0;
            losses.add(Loss::Hidden);
        }
        SheetType::ChartSheet => losses.add(Loss::Chart),
        _ => losses.add(Loss::Object),
    }
}
