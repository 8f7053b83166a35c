//! Scales the sheets of a spreadsheet to one page, or to one page in width.

use domain::format::Format;
use office::{Document, LibreOfficeKit};
use task::{Inspection, Task, TaskResult};

use super::page_styles::with_attributes;
use crate::operation::office_document::{Cells, load, load_error, load_options, rewrite, save};

/// Scale attributes of a page layout style [OpenDocument 1.3, 20.374 ff.].
pub(super) const SCALE: &str = "style:scale-to";

/// Target of the scaling.
#[derive(Clone, Copy)]
pub(super) enum Fit {
    /// One page in width, any number in height.
    Width,
    /// One page.
    Page,
}

/// Loads the source of a task with every sheet scaled, by changing the page styles of an intermediate ODS. LibreOffice has
/// no export option that respects hidden sheets and print ranges.
pub(super) fn fitted<'a>(
    task: &Task,
    inspection: &Inspection,
    fit: Fit,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    let unscaled = task.directory.join("plain.ods");
    let fitted = task.directory.join("fitted.ods");
    let document = load(task, inspection, Cells::AsWritten, kit)?;
    save(&document, &unscaled, Format::Ods, "")?;
    rewrite(
        &unscaled,
        &fitted,
        |_| true,
        |part, text| (part == "styles.xml").then(|| scaled(text, fit)),
    )?;
    kit.load(&fitted, load_options(task)).map_err(load_error)
}

fn scaled(styles: &str, fit: Fit) -> String {
    let pages_down = match fit {
        Fit::Width => 0,
        Fit::Page => 1,
    };
    let scale = format!(r#" {SCALE}-X="1" {SCALE}-Y="{pages_down}""#);
    with_attributes(styles, &scale, &[SCALE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_that_of_one_page_or_one_page_in_width() {
        let styles = r#"<style:page-layout-properties style:scale-to="80%"/>"#;
        let scaled = |pages_down| {
            format!(
                r#"<style:page-layout-properties style:scale-to-X="1" style:scale-to-Y="{pages_down}"/>"#
            )
        };
        assert_eq!(super::scaled(styles, Fit::Width), scaled(0));
        assert_eq!(super::scaled(styles, Fit::Page), scaled(1));
    }
}
