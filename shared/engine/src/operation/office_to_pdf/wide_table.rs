//! Fits a table of CSV or TSV to the width of the paper: scales it down as far as it stays readable, then turns the paper to
//! landscape, then divides the columns among pages that repeat the first one.

use domain::format::Format;
use office::{Document, LibreOfficeKit};
use task::{Task, TaskResult};

use super::column_widths::{PAGE_WIDTH, TableSize};
use super::fit::SCALE;
use super::page_styles::with_attributes;
use crate::operation::office_document::{load_error, load_options, rewrite, save};

/// The smallest readable scale in percent, at which the text of cells (10 pt) has 7 pt.
const READABLE_SCALE: u32 = 70;
/// Width between the margins of an A4 page in landscape, and the height of its rows, in twips.
const TURNED_WIDTH: u32 = 14_500;
const TURNED_HEIGHT: u32 = 8_000;
/// Start of a column in the content of a sheet.
const COLUMN: &str = "<table:table-column";
/// Attributes of a page layout style that turn A4 paper.
const TURNED: &str =
    r#" fo:page-width="297mm" fo:page-height="210mm" style:print-orientation="landscape""#;
const PAPER: [&str; 3] = ["fo:page-width", "fo:page-height", "style:print-orientation"];

/// How a table fits the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    is_turned: bool,
    /// Whether the columns are divided among pages.
    is_split: bool,
}

/// Returns the document with a page style that fits the table, or as it is if the table fits the page.
pub(super) fn fitted<'a>(
    document: Document<'a>,
    size: TableSize,
    task: &Task,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    if size.width <= PAGE_WIDTH {
        return Ok(document);
    }
    let layout = layout(size);
    let unscaled = task.directory.join("plain.ods");
    let fitted = task.directory.join("fitted.ods");
    save(&document, &unscaled, Format::Ods, "")?;
    rewrite(
        &unscaled,
        &fitted,
        |_| true,
        |part, text| match part {
            "styles.xml" => Some(page_style(text, layout)),
            "content.xml" if layout.is_split => repeat_first_column(text),
            _ => None,
        },
    )?;
    kit.load(&fitted, load_options(task)).map_err(load_error)
}

fn layout(size: TableSize) -> Layout {
    let is_readable = |width: u32| size.width <= width * 100 / READABLE_SCALE;
    let scale_in = |width: u32| (width * 100 / size.width.max(1)).clamp(READABLE_SCALE, 100);
    let fits_turned = size.row_height * scale_in(TURNED_WIDTH) <= TURNED_HEIGHT * 100;
    let is_turned = !is_readable(PAGE_WIDTH) && fits_turned;
    let width = match is_turned {
        true => TURNED_WIDTH,
        false => PAGE_WIDTH,
    };
    Layout {
        is_turned,
        is_split: !is_readable(width),
    }
}

fn page_style(styles: &str, layout: Layout) -> String {
    let scale = match layout.is_split {
        true => format!(r#" {SCALE}="{READABLE_SCALE}%""#),
        false => format!(r#" {SCALE}-X="1" {SCALE}-Y="0""#),
    };
    let styles = with_attributes(styles, &scale, &[SCALE]);
    match layout.is_turned {
        true => with_attributes(&styles, TURNED, &PAPER),
        false => styles,
    }
}

/// Makes the first column of the only sheet a header column, which every page repeats. `None` if there is no column.
fn repeat_first_column(content: &str) -> Option<String> {
    let (before, rest) = content.split_once(COLUMN)?;
    let (attributes, after) = rest.split_once("/>")?;
    let column = |attributes: &str| format!("{COLUMN}{attributes}/>");
    let repeated = r#" table:number-columns-repeated=""#;
    let (first, others) = match attributes.split_once(repeated) {
        None => (attributes.to_owned(), String::new()),
        Some((start, rest)) => {
            let (count, end) = rest.split_once('"')?;
            let others = count.parse::<u32>().ok()?.saturating_sub(1);
            let others = column(&format!(r#"{start}{repeated}{others}"{end}"#));
            (format!("{start}{end}"), others)
        }
    };
    let first = column(&first);
    Some(format!(
        "{before}<table:table-header-columns>{first}</table:table-header-columns>{others}{after}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u32, row_height: u32) -> (bool, bool) {
        let layout = super::layout(TableSize { width, row_height });
        (layout.is_turned, layout.is_split)
    }

    #[test]
    fn the_table_is_scaled_then_turned_then_split() {
        assert_eq!(layout(13_700, 300), (false, false));
        assert_eq!(layout(13_800, 300), (true, false));
        assert_eq!(layout(20_700, 300), (true, false));
        assert_eq!(layout(20_800, 300), (true, true));
    }

    #[test]
    fn the_paper_is_not_turned_if_a_row_would_be_cut() {
        assert_eq!(layout(20_700, 11_400), (true, false));
        assert_eq!(layout(14_000, 8_100), (false, true));
        assert_eq!(layout(90_000, 11_500), (false, true));
    }

    #[test]
    fn the_first_column_becomes_a_header() {
        let content = |columns: &str| format!("<t>{columns}<table:table-row/></t>");
        let header = |first: &str| {
            format!("<table:table-header-columns>{first}</table:table-header-columns>")
        };
        let first = r#"<table:table-column a="x" b="y"/>"#;
        let alone = repeat_first_column(&content(&format!("{first}<table:table-column/>")));
        let expected = content(&(header(first) + "<table:table-column/>"));
        assert_eq!(alone, Some(expected));
        let repeated = |count| {
            format!(r#"<table:table-column a="x" table:number-columns-repeated="{count}" b="y"/>"#)
        };
        let shared = repeat_first_column(&content(&repeated(9)));
        assert_eq!(shared, Some(content(&(header(first) + &repeated(8)))));
        assert_eq!(repeat_first_column("<t/>"), None);
    }
}
