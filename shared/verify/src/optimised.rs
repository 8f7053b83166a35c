//! Checks a PDF that was made smaller.

use task::{Fault, Outcome, Product, Remark, Task, Verified};

use super::documents;

/// All pages are there and look as before, and it is smaller, unless it says that it is not.
pub fn optimised(task: &Task, product: &Product) -> Outcome<Verified> {
    let verified = documents(task, product)?;
    if product.unchanged || product.remarks.contains(&Remark::LargerThanSource) {
        return Ok(verified);
    }
    let (size, most) = (
        std::fs::metadata(task.output())?.len(),
        std::fs::metadata(&task.source)?.len(),
    );
    match size < most {
        true => Ok(verified),
        false => Err(Fault::output_invalid("it is no smaller than the source")),
    }
}
