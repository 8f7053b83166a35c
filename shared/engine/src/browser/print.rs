//! Prints a page into a file.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::operation::Sheet;
use serde_json::{Value, json};
use task::{Fault, Outcome};

use super::Trouble;
use super::page::Page;
use super::state::text;

/// Millimetres of an inch, in which the browser measures paper.
const INCH: f64 = 25.4;
/// Bytes of the result that are asked for at once.
const PIECE: usize = 1024 * 1024;
/// What is printed into a margin where there is no line for it. Of nothing at all the browser would make a line of its own.
const NO_LINE: &str = "<span></span>";

/// How a page is laid out on paper.
pub(crate) struct Layout {
    /// The paper, where the document does not say otherwise.
    pub(crate) sheet: Sheet,
    /// How large the page is printed.
    pub(crate) scale: f64,
    /// Whether what lies behind the text is printed.
    pub(crate) background: bool,
    /// HTML for the top margin of each sheet.
    pub(crate) header: Option<String>,
    /// HTML for the bottom margin of each sheet.
    pub(crate) footer: Option<String>,
}

/// Prints the sheets that `ranges` names, such as `1-3,7`; those that are not there count for nothing.
pub(crate) fn print(
    page: &mut Page,
    layout: &Layout,
    ranges: &str,
    target: &Path,
    until: Instant,
) -> Outcome<()> {
    let printed = page.insist("Page.printToPDF", &options(layout, ranges), until)?;
    let stream = text(&printed, "stream").to_owned();
    let mut file = File::create(target)?;
    loop {
        let wanted = json!({ "handle": stream, "size": PIECE });
        let piece = page.call("IO.read", wanted, until)?;
        file.write_all(&bytes(&piece)?)?;
        if piece.get("eof").and_then(Value::as_bool).unwrap_or(true) {
            return Ok(file.flush()?);
        }
    }
}

fn options(layout: &Layout, ranges: &str) -> Value {
    let sheet = &layout.sheet;
    let [top, right, bottom, left] = sheet.margins.map(|margin| margin / INCH);
    let line = |html: &Option<String>| html.clone().unwrap_or_else(|| NO_LINE.to_owned());
    json!({
        "paperWidth": sheet.width / INCH, "paperHeight": sheet.height / INCH,
        "marginTop": top, "marginRight": right, "marginBottom": bottom, "marginLeft": left,
        "printBackground": layout.background, "preferCSSPageSize": true, "scale": layout.scale,
        "displayHeaderFooter": layout.header.is_some() || layout.footer.is_some(),
        "headerTemplate": line(&layout.header), "footerTemplate": line(&layout.footer),
        "generateTaggedPDF": true, "generateDocumentOutline": true,
        "pageRanges": ranges,
        "transferMode": "ReturnAsStream",
    })
}

fn bytes(piece: &Value) -> Outcome<Vec<u8>> {
    let data = text(piece, "data");
    match piece.get("base64Encoded").and_then(Value::as_bool) {
        Some(true) => STANDARD
            .decode(data)
            .map_err(|_| Fault::from(Trouble::Gone)),
        _ => Ok(data.as_bytes().to_vec()),
    }
}
