//! Checks results of the `optimize` operation.

use task::{Product, Task, TaskError, TaskResult, Verified, Warning};

use super::documents;

/// Checks that all pages look as before, and that the PDF is smaller unless a warning reports that it is not.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn optimized(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = documents(task, product)?;
    if product.unchanged || product.warnings.contains(&Warning::LargerThanSource) {
        return Ok(verified);
    }
    let (size, most) = (
        std::fs::metadata(task.output())?.len(),
        std::fs::metadata(&task.source)?.len(),
    );
    match size < most {
        true => Ok(verified),
        false => Err(TaskError::output_invalid(
            "it is not smaller than the source",
        )),
    }
}
