//! Prints a page to a PDF file (`Page.printToPDF`).

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::io::{ReadParams, ReadReturns};
use chromiumoxide_cdp::cdp::browser_protocol::page::{PrintToPdfParams, PrintToPdfTransferMode};
use domain::operation::PageSetup;
use task::TaskResult;

use crate::returns::PrintToPdf;
use crate::{BrowserError, Page};

/// Millimeters per inch; the protocol uses inches.
const INCH: f64 = 25.4;
/// Size of one read of the result, in bytes.
const CHUNK: i64 = 1024 * 1024;
/// The template of an empty header or footer. The browser replaces an empty string with its default template.
const EMPTY_LINE: &str = "<span></span>";

/// Options for printing.
pub struct PrintOptions {
    /// Paper size and margins, unless the document sets its own.
    pub page_setup: PageSetup,
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
///
/// # Errors
///
/// Fails if the browser fails or does not respond before `until`, or the file cannot be written.
pub fn print(
    page: &mut Page,
    options: &PrintOptions,
    ranges: &str,
    target: &Path,
    until: Instant,
) -> TaskResult<()> {
    let printed: PrintToPdf = page.call_with_retry(&parameters(options, ranges), until)?;
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

fn parameters(options: &PrintOptions, ranges: &str) -> PrintToPdfParams {
    let page_setup = &options.page_setup;
    let [top, right, bottom, left] = page_setup.margins.map(|margin| Some(margin / INCH));
    let line = |html: &Option<String>| html.clone().or_else(|| Some(EMPTY_LINE.to_owned()));
    PrintToPdfParams {
        landscape: None,
        display_header_footer: Some(options.header.is_some() || options.footer.is_some()),
        print_background: Some(options.background),
        scale: Some(options.scale),
        paper_width: Some(page_setup.width / INCH),
        paper_height: Some(page_setup.height / INCH),
        margin_top: top,
        margin_bottom: bottom,
        margin_left: left,
        margin_right: right,
        page_ranges: Some(ranges.to_owned()),
        header_template: line(&options.header),
        footer_template: line(&options.footer),
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
