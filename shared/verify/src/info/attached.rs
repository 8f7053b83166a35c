//! Compares the attached files that `info` lists with those that pdfium finds, and the invoice with its XML. Pdfium does not
//! find associated files and those of annotations.

use std::collections::HashSet;

use pdf::pdfium;
use pdfium_render::prelude::PdfAttachment;
use task::info::{EInvoice, PdfInfo};
use task::{Task, TaskError, TaskResult};

use crate::content::xml::{Node, walk};

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
    let file = found.iter().find(|file| file.name() == invoice.file);
    let xml = file.and_then(|file| file.save_to_bytes().ok());
    match xml.is_some_and(|xml| states(&xml, invoice)) {
        true => Ok(()),
        false => Err(TaskError::output_invalid(
            "the invoice differs from its XML",
        )),
    }
}

/// Whether the XML has an element with the text of each value.
fn states(xml: &[u8], invoice: &EInvoice) -> bool {
    let mut missing = HashSet::new();
    let values = [
        ("ID", &invoice.guideline),
        ("ID", &invoice.number),
        ("Name", &invoice.seller),
        ("Name", &invoice.buyer),
        ("GrandTotalAmount", &invoice.gross_total),
        ("DuePayableAmount", &invoice.amount_due),
    ];
    for (element, value) in values {
        if let Some(value) = value {
            missing.insert((element, value.as_str()));
        }
    }
    let mut text = String::new();
    let walked = walk(xml, |node, _| match node {
        Node::Start(_) => text.clear(),
        Node::Text(part) => text.push_str(part),
        Node::End(name) => {
            missing.retain(|(element, value)| *element != name || !text.trim().starts_with(value));
        }
    });
    walked.is_ok() && missing.is_empty()
}
