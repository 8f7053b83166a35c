//! Prints a page into a PDF file.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::io::{ReadParams, ReadReturns};
use chromiumoxide_cdp::cdp::browser_protocol::page::{PrintToPdfParams, PrintToPdfTransferMode};
use domain::operation::Sheet;
use task::Outcome;

use crate::returns::PrintToPdf;
use crate::{BrowserError, Page};

/// Millimetres of an inch, the protocol's unit.
const INCH: f64 = 25.4;
/// Bytes of the result that are read at once.
const CHUNK: i64 = 1024 * 1024;
/// The template of a margin without a line. The browser replaces an empty one by its own.
const EMPTY_LINE: &str = "<span></span>";

/// How a page is laid out on paper.
pub struct Layout {
    /// Paper size and margins, unless the document sets its own.
    pub sheet: Sheet,
    /// The scale of the content.
    pub scale: f64,
    /// Whether backgrounds are printed.
    pub background: bool,
    /// HTML for the top margin of each page.
    pub header: Option<String>,
    /// HTML for the bottom margin of each page.
    pub footer: Option<String>,
}

/// Prints the pages of `ranges`, such as `1-3,7`; pages that do not exist are ignored.
pub fn print(
    page: &mut Page,
    layout: &Layout,
    ranges: &str,
    target: &Path,
    until: Instant,
) -> Outcome<()> {
    let printed: PrintToPdf = page.call_with_retry(&parameters(layout, ranges), until)?;
    let missing = || {
        let what = format!("result of {}", PrintToPdfParams::IDENTIFIER);
        BrowserError::malformed(what, "no stream")
    };
    let read = ReadParams {
        handle: printed.stream.ok_or_else(missing)?,
        offset: None,
        size: Some(CHUNK),
    };
    let mut file = File::create(target)?;
    loop {
        let chunk: ReadReturns = page.call(&read, until)?;
        let is_last = chunk.eof;
        file.write_all(&bytes(chunk)?)?;
        if is_last {
            return Ok(file.flush()?);
        }
    }
}

fn parameters(layout: &Layout, ranges: &str) -> PrintToPdfParams {
    let sheet = &layout.sheet;
    let [top, right, bottom, left] = sheet.margins.map(|margin| Some(margin / INCH));
    let line = |html: &Option<String>| html.clone().or_else(|| Some(EMPTY_LINE.to_owned()));
    PrintToPdfParams {
        landscape: None,
        display_header_footer: Some(layout.header.is_some() || layout.footer.is_some()),
        print_background: Some(layout.background),
        scale: Some(layout.scale),
        paper_width: Some(sheet.width / INCH),
        paper_height: Some(sheet.height / INCH),
        margin_top: top,
        margin_bottom: bottom,
        margin_left: left,
        margin_right: right,
        page_ranges: Some(ranges.to_owned()),
        header_template: line(&layout.header),
        footer_template: line(&layout.footer),
        prefer_css_page_size: Some(true),
        transfer_mode: Some(PrintToPdfTransferMode::ReturnAsStream),
        generate_tagged_pdf: Some(true),
        generate_document_outline: Some(true),
    }
}

fn bytes(chunk: ReadReturns) -> Result<Vec<u8>, BrowserError> {
    match chunk.base64_encoded {
        Some(true) => STANDARD
            .decode(chunk.data)
            .map_err(|error| BrowserError::malformed("chunk of a PDF", error)),
        _ => Ok(chunk.data.into_bytes()),
    }
}
