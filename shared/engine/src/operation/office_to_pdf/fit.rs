//! Spreadsheets whose sheets are scaled so that each is one page, or one page wide, however long it is.

use domain::format::Format;
use office::kit::Reading;
use office::{Document, Kit};
use task::{Inspection, Outcome, Task};

use crate::operation::office_document::{Cells, load, refused, rewrite, save};

/// How the styles of pages begin, and the scale that they may have [OpenDocument 1.3, 17.2 and 20.374 ff.].
const STYLE: &str = "<style:page-layout-properties";
const SCALE: &str = " style:scale-to";

/// What every sheet is to fit on.
#[derive(Clone, Copy)]
pub(super) enum Fit {
    /// One page across, and as many down as it takes.
    Width,
    /// One page.
    Page,
}

/// Loads the source of a task with every sheet scaled. No option of LibreOffice's does that as sheets are printed, without
/// those that are hidden and in the ranges that are to be printed, but the styles of pages in its own format.
pub(super) fn fitted<'a>(
    task: &Task,
    inspection: &Inspection,
    fit: Fit,
    kit: &'a Kit,
) -> Outcome<Document<'a>> {
    let plain = task.directory.join("plain.ods");
    let fitted = task.directory.join("fitted.ods");
    let document = load(task, inspection, Cells::AsWritten, kit)?;
    save(&document, &plain, Format::Ods, "")?;
    rewrite(
        &plain,
        &fitted,
        |part| part == "styles.xml",
        |styles| scaled(styles, fit),
    )?;
    kit.load(&fitted, Reading::default()).map_err(refused)
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

/// Attributes as LibreOffice writes them: a space before each, and quotation marks that no value holds.
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
    fn every_style_of_pages_loses_its_scale_and_gets_another() {
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
