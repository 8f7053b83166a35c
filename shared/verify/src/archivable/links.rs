//! The links of a document to web pages and mail addresses.

use std::collections::HashMap;

use pdfium_render::prelude::{PdfDocument, PdfPageAnnotation, PdfPageAnnotationCommon as _};

/// Whether a link of the source is not in the result. Hidden links and other schemes are not expected.
pub(super) fn are_lost(source: &PdfDocument<'_>, result: &PdfDocument<'_>) -> bool {
    let found = addresses(result);
    let mut expected = addresses(source).into_iter();
    expected.any(|(address, count)| found.get(&address).is_none_or(|found| *found < count))
}

/// How often each address is linked.
fn addresses(document: &PdfDocument<'_>) -> HashMap<String, usize> {
    let mut addresses = HashMap::new();
    for page in document.pages().iter() {
        let annotations = page.annotations();
        let found = annotations
            .iter()
            .filter_map(|annotation| address(&annotation));
        for address in found {
            *addresses.entry(address).or_default() += 1;
        }
    }
    addresses
}

fn address(annotation: &PdfPageAnnotation<'_>) -> Option<String> {
    const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];
    let PdfPageAnnotation::Link(link) = annotation else {
        return None;
    };
    if link.is_hidden() || link.is_printable_but_not_viewable() {
        return None;
    }
    let address = link.link().ok()?.action()?.as_uri_action()?.uri().ok()?;
    let scheme = address.to_ascii_lowercase();
    let is_kept = SCHEMES.iter().any(|known| scheme.starts_with(known));
    is_kept.then_some(address)
}
