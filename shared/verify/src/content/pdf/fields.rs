//! Reads what form fields and other annotations of a PDF page show.

use std::cell::OnceCell;
use std::path::PathBuf;

use pdf::qpdf::QpdfDocument;
use pdfium_render::prelude::{
    PdfDocument, PdfFormField, PdfPage, PdfPageAnnotation, PdfPageAnnotationCommon as _,
    PdfPageAnnotationType,
};

use super::Unreadable;

/// The form of a document.
pub(super) struct Form {
    path: PathBuf,
    needs_appearances: OnceCell<bool>,
}

impl Form {
    /// The form of the document in this file.
    pub(super) fn of(path: PathBuf) -> Self {
        Self {
            path,
            needs_appearances: OnceCell::new(),
        }
    }

    /// Loads a page with its annotations as a part of it, and returns the values that readers draw instead of outdated
    /// appearances.
    pub(super) fn flattened<'d>(
        &self,
        document: &'d PdfDocument<'_>,
        (index, mut page): (i32, PdfPage<'d>),
    ) -> Result<(PdfPage<'d>, Vec<String>), Unreadable> {
        let (mut values, mut is_flat) = (Vec::new(), true);
        for mut annotation in page.annotations().iter() {
            let is_plain = matches!(
                annotation.annotation_type(),
                PdfPageAnnotationType::Link | PdfPageAnnotationType::Popup
            );
            if annotation.is_hidden() || annotation.is_printable_but_not_viewable() {
                annotation.set_is_printed(false)?;
                continue;
            }
            if is_plain {
                continue;
            }
            is_flat = false;
            match value(&annotation).filter(|_| self.needs_appearances()) {
                Some(value) => {
                    values.push(value);
                    annotation.set_is_hidden(true)?;
                }
                // pdfium flattens what is printed.
                None => annotation.set_is_printed(true)?,
            }
        }
        if is_flat {
            return Ok((page, values));
        }
        page.flatten()?;
        // The objects of a page that is flattened are outdated.
        drop(page);
        Ok((document.pages().get(index)?, values))
    }

    fn needs_appearances(&self) -> bool {
        *self.needs_appearances.get_or_init(|| {
            QpdfDocument::open(&self.path).is_ok_and(|document| document.needs_appearances())
        })
    }
}

/// The value of a text field or combo box, as readers draw it.
fn value(annotation: &PdfPageAnnotation<'_>) -> Option<String> {
    match annotation.as_form_field()? {
        PdfFormField::Text(field) if !field.is_password() => field.value(),
        PdfFormField::ComboBox(field) => {
            let chosen = field.options().iter().find(|option| option.is_set());
            let label = chosen.and_then(|option| option.label().cloned());
            label.or_else(|| field.value())
        }
        _ => None,
    }
}
