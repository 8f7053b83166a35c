//! Checks an Internet message: that it begins with a header.

use std::fs::File;
use std::io::Read as _;

use domain::library::is_mail;
use task::magic::Container;
use task::{Inspection, Task, TaskError, TaskResult};

/// Bytes in which the header is searched.
const HEAD: u64 = 64 * 1024;

pub(super) fn check(task: &Task, found: Container) -> TaskResult<Inspection> {
    // A name of a field or of an attached file may look like the header of a PDF.
    if !matches!(found, Container::Unknown | Container::Pdf) {
        return Err(TaskError::content_mismatch());
    }
    let mut head = Vec::new();
    File::open(&task.source)?
        .take(HEAD)
        .read_to_end(&mut head)?;
    match is_mail(&head) {
        true => Ok(Inspection::default()),
        false => Err(TaskError::content_mismatch()),
    }
}
