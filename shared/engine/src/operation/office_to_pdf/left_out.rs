//! Counts what a PDF leaves out: hidden sheets and slides, and comments.

use markup::Options;
use office::Document;
use task::{DroppedContent, Task, Warning};

/// Warnings about hidden sheets or slides and about comments. Comments of a document that only LibreOffice can read, such as an
/// encrypted one, are not counted.
pub(super) fn warnings(document: &Document<'_>, task: &Task) -> Vec<Warning> {
    let comments = markup::comments(&task.source, task.from, &Options::default());
    let counts = [
        (DroppedContent::Hidden, document.hidden_parts()),
        (DroppedContent::Comments, comments.unwrap_or(0)),
    ];
    let dropped = counts.into_iter().filter(|(_, count)| *count > 0);
    dropped
        .map(|(content, count)| Warning::Dropped(content, count))
        .collect()
}
