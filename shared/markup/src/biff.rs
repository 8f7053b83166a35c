//! Binary workbooks, xls [MS-XLS] and xlsb [MS-XLSB]. calamine reads the values of cells; what it does not report (number
//! formats, fonts, hidden rows and columns, frozen rows, merged cells of xlsb) is read from the same records.

mod bytes;
mod frame;
mod hyperlink;
mod records;
mod shared_strings;
mod styles;
pub(crate) mod xls;
pub(crate) mod xlsb;

pub use records::RecordReader;

use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{Sheet, SheetType, SheetVisible};

use crate::error::{MarkupError, Outcome};
use crate::warning::{Loss, Losses};

const DAMAGED: MarkupError = MarkupError::Corrupt("its records cannot be read");

/// What calamine reads, which panics on some damaged files.
fn read<T, E>(
    work: impl FnOnce() -> Result<T, E>,
    fault: impl FnOnce(E) -> MarkupError,
) -> Outcome<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(fault),
        Err(_) => Err(DAMAGED),
    }
}

/// Whether a sheet is shown as a page; what is left out is counted.
fn is_page(sheet: &Sheet, losses: &mut Losses) -> bool {
    if sheet.visible != SheetVisible::Visible {
        losses.page = 0;
        losses.add(Loss::Hidden);
        return false;
    }
    match sheet.typ {
        SheetType::WorkSheet => return true,
        SheetType::ChartSheet => losses.add(Loss::Chart),
        SheetType::DialogSheet | SheetType::MacroSheet | SheetType::Vba => losses.add(Loss::Object),
    }
    false
}
