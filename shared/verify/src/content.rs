//! Compares the content of a result with that of its source: words, numbers, images. Both are read by code that neither the
//! engines' readers nor their writers use.

mod art;
mod bytes;
mod comparison;
mod compound;
mod doc;
mod docx;
mod fields;
mod grid;
mod html;
mod item;
mod markdown;
mod numbers;
mod odf;
mod package;
mod pdf;
mod ppt;
mod pptx;
mod result;
mod rtf;
mod scope;
mod source;
mod text;
mod words;
#[cfg(test)]
mod written;
mod xls;
mod xlsb;
mod xlsx;
mod xml;

use domain::job::JobErrorCode;
use domain::operation::Operation;
use task::{MissingContent, Product, Task, TaskError, TaskResult, Warning};

use self::comparison::Difference;
use self::source::Source;
pub use self::words::count_words;

/// A result is incomplete if it misses at least this share of the words of its source, and at least this many.
const INCOMPLETE_SHARE: u64 = 2;
const INCOMPLETE_WORDS: u64 = 20;
/// Maximum number of places that a warning names.
const MAX_PLACES: usize = 20;

/// Returns a warning about the content of the source that the result of a conversion misses, or about why that is not known.
///
/// # Errors
/// [`TaskError::Document`] with `output_incomplete` if the result misses half or more of the words.
pub fn content(task: &Task, product: &Product) -> TaskResult<Option<Warning>> {
    let Operation::Convert(options) = &task.operation else {
        return Ok(None);
    };
    let Some(source) = Source::open(task, options) else {
        return Ok(None);
    };
    let found = match source.compare(product) {
        Ok(found) => found,
        Err(reason) => return Ok(Some(Warning::ContentNotVerified(reason))),
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
        places: source.places(&found.places),
    };
    Ok((!missing.is_empty()).then_some(Warning::ContentMissing(missing)))
}

fn incomplete(found: &Difference) -> TaskError {
    let Difference { words, .. } = found;
    let message = format!(
        "The result misses {} of {} words of the source.",
        words.missing, words.of
    );
    TaskError::document(JobErrorCode::OutputIncomplete, &message)
}
