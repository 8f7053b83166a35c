//! Scales the sheets of a spreadsheet to one page, or to one page in width.

use domain::format::Format;
use office::{Document, LibreOfficeKit};
use task::{Inspection, Task, TaskResult};

use crate::operation::office_document::{Cells, load, load_error, load_options, rewrite, save};

/// Start of a page layout style, and its scale attributes [OpenDocument 1.3, 17.2 and 20.374 ff.].
const STYLE: &str = "<style:page-layout-properties";
const SCALE: &str = " style:scale-to";

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
    let scale = format!(r#"{SCALE}-X="1"{SCALE}-Y="{pages_down}""#);
    let mut parts = styles.split(STYLE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (attributes, rest) = part.split_at(part.find('>').unwrap_or(part.len()));
        text.push_str(STYLE);
        text.push_str(&scale);
        text.push_str(&without_scale(attributes));
        text.push_str(rest);
    }
    text
}

/// Removes scale attributes. Expects LibreOffice's serialization: one space before each attribute, no quotation marks in
/// values.
fn without_scale(attributes: &str) -> String {
    let mut parts = attributes.split(SCALE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.extend(part.splitn(3, '"').nth(2));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_style_gets_the_new_scale() {
        let styles = concat!(
            r#"<a><style:page-layout-properties style:num-format="1" style:scale-to="80%" style:print="x"/>"#,
            r#"<style:page-layout-properties style:scale-to-X="3" style:scale-to-Y="2"><b/></a>"#
        );
        let expected = concat!(
            r#"<a><style:page-layout-properties style:scale-to-X="1" style:scale-to-Y="0" style:num-format="1""#,
            r#" style:print="x"/>"#,
            r#"<style:page-layout-properties style:scale-to-X="1" style:scale-to-Y="0"><b/></a>"#
        );
        assert_eq!(scaled(styles, Fit::Width), expected);
        let one_page = expected.replace(r#"Y="0""#, r#"Y="1""#);
        assert_eq!(scaled(styles, Fit::Page), one_page);
    }
}
