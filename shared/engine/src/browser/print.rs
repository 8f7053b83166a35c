//! Prints a page into a file.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Trouble;
use super::page::Page;
use super::state::text;
use crate::fault::{Fault, Outcome};

/// A4, in inches.
const PAPER: (f64, f64) = (8.27, 11.69);
/// What stays white at each side unless the document says otherwise, in inches.
const MARGIN: f64 = 0.4;
/// How often printing is tried again.
const TRIES: u32 = 3;
/// Bytes of the result that are asked for at once.
const PIECE: usize = 1024 * 1024;

/// Prints at most `pages` pages and one more, which tells that there are too many.
pub(crate) fn print(page: &mut Page, pages: u32, target: &Path, until: Instant) -> Outcome<()> {
    let options = json!({
        "paperWidth": PAPER.0, "paperHeight": PAPER.1,
        "marginTop": MARGIN, "marginBottom": MARGIN, "marginLeft": MARGIN, "marginRight": MARGIN,
        "printBackground": true, "preferCSSPageSize": true, "displayHeaderFooter": false,
        "generateTaggedPDF": true, "generateDocumentOutline": true,
        "pageRanges": format!("1-{}", pages.saturating_add(1)),
        "transferMode": "ReturnAsStream",
    });
    let printed = printed(page, &options, until)?;
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

/// A page that was just about to become another one is refused once it has: printing is tried again.
fn printed(page: &mut Page, options: &Value, until: Instant) -> Result<Value, Trouble> {
    let mut tried = 0;
    loop {
        match page.call("Page.printToPDF", options.clone(), until) {
            Err(Trouble::Refused) if tried < TRIES => tried += 1,
            answer => return answer,
        }
    }
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
