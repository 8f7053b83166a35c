//! Compares the attached files that `info` lists with those that pdfium finds, and the invoice with its XML. Pdfium does not
//! find associated files and those of annotations.

use std::collections::HashSet;

use pdf::pdfium;
use pdfium_render::prelude::PdfAttachment;
use task::info::{EInvoice, PdfInfo};
use task::{Task, TaskError, TaskResult};

use crate::content::xml::{Node, walk};

/// Length at which a value of the invoice is cut, in characters.
const MAX_VALUE: usize = 1_000;

/// Checks that all files that pdfium finds are listed, and that the XML has the values of the invoice.
///
/// # Errors
/// `output_invalid` if they differ.
pub(super) fn check(task: &Task, info: &PdfInfo) -> TaskResult<()> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let found: Vec<PdfAttachment<'_>> = document.attachments().iter().collect();
    let listed: HashSet<&str> = info.attachments.iter().map(|file| &*file.name).collect();
    let is_cut = info.attachment_count as usize > info.attachments.len();
    // Pdfium also lists names without a content.
    let is_listed = |file: &PdfAttachment<'_>| listed.contains(&*file.name()) || file.is_empty();
    if !(is_cut || found.iter().all(is_listed)) {
        return Err(TaskError::output_invalid("attached files are missing"));
    }
    let Some(invoice) = &info.e_invoice else {
        return Ok(());
    };
    // Several files may have its name.
    let mut named = found.into_iter().filter(|file| file.name() == invoice.file);
    let is_stated = |file: PdfAttachment<'_>| {
        let xml = file.save_to_bytes();
        xml.is_ok_and(|xml| states(&xml, invoice))
    };
    match named.any(is_stated) {
        true => Ok(()),
        false => Err(TaskError::output_invalid(
            "the invoice differs from its XML",
        )),
    }
}

/// Whether the XML has an element with the text of each value. Long texts are cut in the invoice.
fn states(xml: &[u8], invoice: &EInvoice) -> bool {
    let values = [
        (
            "GuidelineSpecifiedDocumentContextParameter",
            "ID",
            &invoice.guideline,
        ),
        ("ExchangedDocument", "ID", &invoice.number),
        ("ExchangedDocument", "TypeCode", &invoice.type_code),
        ("SellerTradeParty", "Name", &invoice.seller),
        ("BuyerTradeParty", "Name", &invoice.buyer),
        ("TradeSettlement", "InvoiceCurrencyCode", &invoice.currency),
        (
            "MonetarySummation",
            "TaxBasisTotalAmount",
            &invoice.net_total,
        ),
        ("MonetarySummation", "TaxTotalAmount", &invoice.tax_total),
        (
            "MonetarySummation",
            "GrandTotalAmount",
            &invoice.gross_total,
        ),
        ("MonetarySummation", "DuePayableAmount", &invoice.amount_due),
    ];
    let values = values.into_iter();
    let mut missing: Vec<_> = values
        .filter_map(|(parent, name, value)| Some((parent, name, value.as_deref()?)))
        .collect();
    let (mut open, mut text) = (Vec::new(), String::new());
    let walked = walk(xml, |node, _| match node {
        Node::Start(element) => {
            open.push(element.name().to_owned());
            text.clear();
        }
        Node::Text(part) => text.push_str(part),
        Node::End(name) => {
            open.pop();
            // Names of ZUGFeRD 1 have a prefix, such as `HeaderExchangedDocument`.
            let is_inside = |parent: &str| open.last().is_some_and(|last| last.ends_with(parent));
            let found = text.trim();
            let is_value = |value: &str| match value.chars().count() {
                MAX_VALUE => found.starts_with(value),
                _ => found == value,
            };
            missing.retain(|(parent, element, value)| {
                !(*element == name && is_inside(parent) && is_value(value))
            });
        }
    });
    walked.is_ok() && missing.is_empty()
}
