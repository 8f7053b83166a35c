//! Reads the invoice that a Factur-X or ZUGFeRD document carries as an attached XML file [EN 16931, UN/CEFACT Cross Industry
//! Invoice D16B; ZUGFeRD 1.0].

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};
use task::info::{EInvoice, InvoiceProfile};

use crate::qpdf::{Attachment, QpdfDocument};

/// The file names that the standards prescribe, in lower case.
const NAMES: [&str; 3] = ["factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"];
/// Maximum size of the XML in bytes, and maximum depth of its elements.
const MAX_XML: usize = 8 << 20;
const MAX_DEPTH: usize = 64;
/// Maximum length of a value in characters.
const MAX_VALUE: usize = 1_000;

/// Returns the invoice among the embedded files of a document, where the standards put it; `None` if it has none, or none that
/// can be read.
pub fn find(document: &QpdfDocument, files: &[Attachment]) -> Option<EInvoice> {
    let mut named = files.iter().filter(|file| {
        let name = file.info.name.to_ascii_lowercase();
        NAMES.contains(&name.as_str()) && file.is_embedded
    });
    named.find_map(|file| {
        let mut invoice = read(&document.attached_content(file, MAX_XML)?)?;
        invoice.file.clone_from(&file.info.name);
        Some(invoice)
    })
}

/// Reads a cross-industry invoice; `None` for other XML.
fn read(xml: &[u8]) -> Option<EInvoice> {
    let xml = std::str::from_utf8(xml).ok()?;
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{feff}'));
    let mut path: Vec<String> = Vec::new();
    let mut invoice = EInvoice::default();
    let (mut text, mut currency) = (String::new(), None);
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                path.push(start.local_name().as_ref().to_owned());
                text.clear();
                let attribute = start.try_get_attribute("currencyID").ok()?;
                currency = attribute.map(|attribute| attribute.value.into_owned());
                let root = path.first().map(String::as_str);
                let is_invoice =
                    matches!(root, Some("CrossIndustryInvoice" | "CrossIndustryDocument"));
                if !is_invoice || path.len() > MAX_DEPTH {
                    return None;
                }
            }
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::CData(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => text.push_str(&resolved(&reference)?),
            Event::End(_) => {
                set(&mut invoice, &path, (&text, currency.as_deref()));
                text.clear();
                path.pop();
            }
            // Entities, which only a document type can declare, have no use in an invoice.
            Event::DocType(_) => return None,
            Event::Eof => break,
            _ => {}
        }
    }
    invoice.profile = profile(invoice.guideline.as_deref()?);
    path.is_empty().then_some(invoice)
}

/// Resolves a character or predefined entity reference.
fn resolved(reference: &BytesRef<'_>) -> Option<String> {
    if let Some(character) = reference.resolve_char_ref().ok()? {
        return Some(character.to_string());
    }
    resolve_predefined_entity(&reference.xml10_content()).map(str::to_owned)
}

/// Stores the text of the element that ends, if it is the first of a value. The tax is also stated in the currency of the tax
/// office [EN 16931, BT-111], which is not that of the invoice.
fn set(invoice: &mut EInvoice, path: &[String], (text, currency): (&str, Option<&str>)) {
    let mut value: String = text.trim().chars().take(MAX_VALUE).collect();
    let [.., grandparent, parent, name] = path else {
        return;
    };
    let place = (grandparent.as_str(), parent.as_str(), name.as_str());
    let target = match place {
        (_, "GuidelineSpecifiedDocumentContextParameter", "ID") => &mut invoice.guideline,
        (_, "ExchangedDocument" | "HeaderExchangedDocument", "ID") => &mut invoice.number,
        (_, "ExchangedDocument" | "HeaderExchangedDocument", "TypeCode") => &mut invoice.type_code,
        ("ExchangedDocument" | "HeaderExchangedDocument", "IssueDateTime", "DateTimeString") => {
            value = date(&value).unwrap_or_default();
            &mut invoice.issue_date
        }
        (_, "SellerTradeParty", "Name") => &mut invoice.seller,
        (_, "BuyerTradeParty", "Name") => &mut invoice.buyer,
        (_, _, "InvoiceCurrencyCode") => &mut invoice.currency,
        (
            _,
            "SpecifiedTradeSettlementHeaderMonetarySummation"
            | "SpecifiedTradeSettlementMonetarySummation",
            amount,
        ) if currency.is_none() || currency == invoice.currency.as_deref() => match amount {
            "TaxBasisTotalAmount" => &mut invoice.net_total,
            "TaxTotalAmount" => &mut invoice.tax_total,
            "GrandTotalAmount" => &mut invoice.gross_total,
            "DuePayableAmount" => &mut invoice.amount_due,
            _ => return,
        },
        _ => return,
    };
    if target.is_none() && !value.is_empty() {
        *target = Some(value);
    }
}

/// The profile by the identifier of the guideline, such as `urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic`.
fn profile(guideline: &str) -> Option<InvoiceProfile> {
    let guideline = guideline.to_ascii_lowercase();
    if guideline.contains("xrechnung") {
        return Some(InvoiceProfile::Xrechnung);
    }
    match guideline.rsplit([':', '#']).next()? {
        "minimum" => Some(InvoiceProfile::Minimum),
        "basicwl" => Some(InvoiceProfile::BasicWl),
        "basic" => Some(InvoiceProfile::Basic),
        "comfort" => Some(InvoiceProfile::Comfort),
        "extended" => Some(InvoiceProfile::Extended),
        _ if guideline.starts_with("urn:cen.eu:en16931:2017") => Some(InvoiceProfile::En16931),
        _ => None,
    }
}

/// A date of format 102, `CCYYMMDD`, in ISO 8601.
fn date(value: &str) -> Option<String> {
    let is_date = value.len() == 8 && value.bytes().all(|byte| byte.is_ascii_digit());
    let parts = (value.get(..4)?, value.get(4..6)?, value.get(6..)?);
    is_date.then(|| format!("{}-{}-{}", parts.0, parts.1, parts.2))
}
