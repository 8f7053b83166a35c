//! Compares the content of a result with that of its source: words, numbers, images, tables. Both are read by code that neither the
//! engines' readers nor their writers use.

mod art;
mod bytes;
mod comparison;
mod compound;
mod decimal;
mod doc;
mod docx;
mod epub;
mod fields;
mod graphics;
mod grid;
mod hidden_shape;
mod html;
mod item;
mod mail;
mod markdown;
mod msg;
mod numbers;
mod odf;
mod package;
mod pdf;
mod picture;
mod ppt;
mod pptx;
mod result;
mod rtf;
mod scope;
mod source;
mod tables;
#[cfg(test)]
mod test_files;
mod text;
mod words;
mod xls;
mod xlsb;
mod xlsx;
pub(super) mod xml;

use domain::job::JobErrorCode;
use domain::operation::Operation;
use task::{
    DroppedContent, MissingContent, Product, Shortfall, Task, TaskError, TaskResult, Warning,
};

use self::comparison::Difference;
use self::source::Source;
pub use self::words::count_words;

/// A result is incomplete if it misses at least this share of the words of its source, and at least this many.
const INCOMPLETE_SHARE: u64 = 2;
const INCOMPLETE_WORDS: u64 = 20;
/// Maximum number of places that a warning names.
const MAX_PLACES: usize = 20;

/// Returns warnings about content of the source that the result of a conversion misses or has in another order, or about why
/// that is not known.
///
/// # Errors
/// [`TaskError::Document`] with `output_incomplete` if the result misses half or more of the words.
pub fn content(task: &Task, product: &Product) -> TaskResult<Vec<Warning>> {
    let Operation::Convert(options) = &task.operation else {
        return Ok(Vec::new());
    };
    let Some(source) = Source::open(task, options) else {
        return Ok(Vec::new());
    };
    let found = match source.compare(product) {
        Ok(found) => found,
        Err(reason) => {
            let warnings = [
                Some(Warning::ContentNotVerified(reason)),
                source.missing_glyphs(),
            ];
            return Ok(warnings.into_iter().flatten().collect());
        }
    };
    if found.words.missing * INCOMPLETE_SHARE >= found.words.of
        && found.words.missing >= INCOMPLETE_WORDS
    {
        return Err(incomplete(&found));
    }
    let missing = MissingContent {
        words: found.words,
        numbers: found.numbers,
        images: found.images,
        tables: found.tables,
        parts: found.parts,
        places: source.places(&found.places),
    };
    let is_reordered = source.is_reordered(found.order);
    let reordered = Shortfall {
        missing: found.order.compared - found.order.in_order,
        of: found.order.compared,
    };
    let charts = u32::try_from(found.charts).unwrap_or(u32::MAX);
    let drops_charts = charts > 0 && task.to.is_delimited_text();
    let warnings = [
        (!found.hidden.slides.is_empty()).then_some(Warning::ContentHidden(found.hidden)),
        drops_charts.then_some(Warning::Dropped(DroppedContent::Charts, charts)),
        (!missing.is_empty()).then_some(Warning::ContentMissing(missing)),
        is_reordered.then_some(Warning::ContentReordered(reordered)),
        source.missing_glyphs(),
    ];
    Ok(warnings.into_iter().flatten().collect())
}

fn incomplete(found: &Difference) -> TaskError {
    let Difference { words, .. } = found;
    let message = format!(
        "The result misses {} of {} words of the source.",
        words.missing, words.of
    );
    TaskError::document(JobErrorCode::OutputIncomplete, &message)
}
