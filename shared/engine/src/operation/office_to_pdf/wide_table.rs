//! Fits a table of CSV or TSV to the width of the paper: scales it down as far as it stays readable, then turns the paper to
//! landscape, then divides the columns among pages that repeat the first one.

use domain::format::Format;
use domain::operation::{Locale, PaperSize};
use office::{Document, LibreOfficeKit};
use task::{Task, TaskResult};

use super::column_widths::{PAGE_WIDTH, TableSize};
use super::fit::SCALE;
use super::page_styles::with_attributes;
use crate::operation::office_document::{load_error, load_options, rewrite, save};

/// The smallest readable scale in percent, as that of web pages. The text of cells (10 pt) then has 6 pt.
const READABLE_SCALE: u32 = 60;
/// Height of the rows on a page in landscape, in twips.
const TURNED_HEIGHT: u32 = 8_000;
/// Start of a column in the content of a sheet.
const COLUMN: &str = "<table:table-column";
/// Attributes of the paper in a page layout style.
const PAPER: [&str; 3] = ["fo:page-width", "fo:page-height", "style:print-orientation"];

/// Paper in landscape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TurnedPaper {
    /// Attributes of a page layout style.
    attributes: &'static str,
    /// Width between the margins, in twips.
    width: u32,
}

const TURNED_A4: TurnedPaper = TurnedPaper {
    attributes: r#" fo:page-width="297mm" fo:page-height="210mm" style:print-orientation="landscape""#,
    width: 14_500,
};
const TURNED_LETTER: TurnedPaper = TurnedPaper {
    attributes: r#" fo:page-width="11in" fo:page-height="8.5in" style:print-orientation="landscape""#,
    width: 13_500,
};

/// How a table fits the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    is_turned: bool,
    /// Whether the columns are divided among pages.
    is_split: bool,
    /// The scale in percent. Without it, LibreOffice chooses the largest one with which the table has the width of a page.
    scale: Option<u32>,
}

/// Returns the document with a page style that fits the table, or as it is if the table fits the page.
pub(super) fn fitted<'a>(
    document: Document<'a>,
    size: TableSize,
    task: &Task,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    if size.columns.iter().sum::<u32>() <= PAGE_WIDTH {
        return Ok(document);
    }
    let paper = turned_paper(task::options::locale(&task.operation));
    let layout = layout(&size, paper);
    let unscaled = task.directory.join("plain.ods");
    let fitted = task.directory.join("fitted.ods");
    save(&document, &unscaled, Format::Ods, "")?;
    rewrite(
        &unscaled,
        &fitted,
        |_| true,
        |part, text| match part {
            "styles.xml" => Some(page_style(text, layout, paper)),
            "content.xml" if layout.is_split => repeat_first_column(text),
            _ => None,
        },
    )?;
    kit.load(&fitted, load_options(task)).map_err(load_error)
}

fn turned_paper(locale: Locale) -> TurnedPaper {
    match PaperSize::of(locale) {
        PaperSize::Letter => TURNED_LETTER,
        _ => TURNED_A4,
    }
}

fn layout(size: &TableSize, paper: TurnedPaper) -> Layout {
    let width: u32 = size.columns.iter().sum();
    let is_readable = |page: u32| width <= page * 100 / READABLE_SCALE;
    if is_readable(PAGE_WIDTH) {
        return Layout {
            is_turned: false,
            is_split: false,
            scale: None,
        };
    }
    let is_split = !is_readable(paper.width);
    // The scale at which the highest row fits the page.
    let of_rows = TURNED_HEIGHT * 100 / size.row_height.max(1);
    let of_columns = match is_split {
        true => even_scale(size, paper.width),
        false => paper.width * 100 / width,
    };
    let scale = of_rows.min(of_columns).max(READABLE_SCALE);
    Layout {
        is_turned: true,
        is_split,
        scale: (is_split || of_rows < of_columns).then_some(scale),
    }
}

/// The largest scale with which the table needs no more pages than at the smallest readable one, so that the last page does not
/// have a few columns only.
fn even_scale(size: &TableSize, page: u32) -> u32 {
    let pages = |scale| {
        let down = size.height / (TURNED_HEIGHT * 100 / scale);
        (pages(&size.columns, page * 100 / scale), down)
    };
    let fewest = pages(READABLE_SCALE);
    let mut scales = (READABLE_SCALE..=100).rev();
    scales
        .find(|scale| {
            let (across, down) = pages(*scale);
            across <= fewest.0 && down <= fewest.1
        })
        .unwrap_or(READABLE_SCALE)
}

/// The number of pages across for columns of which the first is repeated.
fn pages(columns: &[u32], page: u32) -> u32 {
    let (first, others) = columns.split_first().unwrap_or((&0, &[]));
    let (mut count, mut used) = (1, *first);
    for width in others {
        if used > *first && used + width > page {
            (count, used) = (count + 1, *first);
        }
        used += width;
    }
    count
}

fn page_style(styles: &str, layout: Layout, paper: TurnedPaper) -> String {
    let scale = match layout.scale {
        Some(scale) => format!(r#" {SCALE}="{scale}%""#),
        None => format!(r#" {SCALE}-X="1" {SCALE}-Y="0""#),
    };
    let styles = with_attributes(styles, &scale, &[SCALE]);
    match layout.is_turned {
        true => with_attributes(&styles, paper.attributes, &PAPER),
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

    /// The layout of a table with columns of equal width.
    fn layout(columns: usize, width: u32, row_height: u32) -> (bool, bool, Option<u32>) {
        let size = TableSize {
            columns: vec![width; columns],
            row_height,
            height: row_height * 4,
        };
        let layout = super::layout(&size, turned_paper("de-DE".parse().unwrap()));
        (layout.is_turned, layout.is_split, layout.scale)
    }

    #[test]
    fn the_table_is_scaled_then_turned_then_split() {
        assert_eq!(layout(16, 1_000, 300), (false, false, None));
        assert_eq!(layout(17, 1_000, 300), (true, false, None));
        assert_eq!(layout(24, 1_000, 300), (true, false, None));
        // Two pages of 13 columns, the first of which is the same.
        assert_eq!(layout(25, 1_000, 300), (true, true, Some(100)));
        // Two pages of 23 columns.
        assert_eq!(layout(45, 1_000, 300), (true, true, Some(63)));
        // More rows than a page has at a larger scale.
        assert_eq!(layout(25, 1_000, 3_300), (true, true, Some(60)));
    }

    #[test]
    fn the_highest_row_fits_the_page() {
        assert_eq!(layout(17, 1_000, 9_000), (true, false, None));
        assert_eq!(layout(17, 1_000, 10_000), (true, false, Some(80)));
        assert_eq!(layout(25, 1_000, 10_000), (true, true, Some(79)));
        assert_eq!(layout(25, 1_000, 30_000), (true, true, Some(60)));
    }

    #[test]
    fn the_paper_is_that_of_the_locale() {
        assert_eq!(turned_paper("en-US".parse().unwrap()), TURNED_LETTER);
        assert_eq!(turned_paper("en-GB".parse().unwrap()), TURNED_A4);
        assert_eq!(turned_paper("de".parse().unwrap()), TURNED_A4);
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
