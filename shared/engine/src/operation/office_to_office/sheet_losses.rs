//! Counts what CSV does not have of the sheets of a workbook: comments, headers and footers.

use std::collections::BTreeMap;

use markup::{Loss, Options, Reader};
use task::{DroppedContent, Task, Warning};

/// Warnings about the comments, headers and footers of the visible sheets. Those of a workbook that only LibreOffice can read are
/// not counted.
pub(super) fn warnings(task: &Task) -> Vec<Warning> {
    let Ok(mut reader) = Reader::open(&task.source, task.from, &Options::default()) else {
        return Vec::new();
    };
    while let Ok(Some(_)) = reader.next_sheet() {}
    let mut counts: BTreeMap<DroppedContent, u32> = BTreeMap::new();
    for warning in reader.warnings() {
        let content = match warning.loss {
            Loss::Comment => DroppedContent::Comments,
            Loss::SheetHeader => DroppedContent::SheetHeaders,
            _ => continue,
        };
        let count = counts.entry(content).or_default();
        *count = count.saturating_add(warning.count);
    }
    let dropped = counts.into_iter();
    dropped
        .map(|(content, count)| Warning::Dropped(content, count))
        .collect()
}
