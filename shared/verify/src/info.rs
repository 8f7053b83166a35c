//! Checks the JSON of the `info` operation against other libraries.

mod attached;

use std::fs::File;

use domain::format::Format;
use pdf::qpdf;
use serde::de::DeserializeOwned;
use task::info::{FieldInfo, FieldType, FormInfo, ImageInfo, PdfInfo};
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::field_tree::{self, FieldTree, FoundField};
use super::object_graph::ObjectGraph;

/// Checks that the JSON matches the schema, and describes this PDF with all of its pages.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn pdf_info(task: &Task, _: &Product) -> TaskResult<Verified> {
    let info: PdfInfo = read(task)?;
    check_pages(task, &info)?;
    if let Some(form) = &info.form {
        check_form(task, form)?;
    }
    attached::check(task, &info)?;
    verified(task, info.format, info.pages)
}

/// Checks that the JSON matches the schema, and describes this image.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn image_info(task: &Task, _: &Product) -> TaskResult<Verified> {
    let info: ImageInfo = read(task)?;
    if info.width == 0 || info.height == 0 {
        return Err(TaskError::output_invalid("its width or height is 0"));
    }
    verified(task, info.format, info.pages)
}

fn read<T: DeserializeOwned>(task: &Task) -> TaskResult<T> {
    let info = serde_json::from_reader(File::open(task.output())?);
    info.map_err(|_| TaskError::output_invalid("it does not match the schema"))
}

fn verified(task: &Task, format: Format, pages: u32) -> TaskResult<Verified> {
    match format == task.from {
        true => Ok(Verified::complete(pages)),
        false => Err(TaskError::output_invalid(
            "its format differs from the source",
        )),
    }
}

/// Checks that the form has the listed fields in this order, with the listed texts, and no others.
fn check_form(task: &Task, form: &FormInfo) -> TaskResult<()> {
    let invalid = || TaskError::output_invalid("its form fields differ from those of the document");
    let graph = ObjectGraph::read(&task.readable(), &task.scratch)?;
    let tree = FieldTree::of(&graph);
    let has_all = tree.fields.len() == form.fields.len();
    if !(has_all || form.truncated && tree.fields.len() > form.fields.len()) {
        return Err(invalid());
    }
    let mut pairs = form.fields.iter().zip(&tree.fields);
    let is_equal = |(listed, found): (&FieldInfo, &FoundField<'_>)| {
        let has_text = matches!(listed.kind, FieldType::Text | FieldType::Dropdown);
        let same_text = listed.value.as_str() == field_tree::text(&found.value()).as_deref();
        listed.name == found.name && (same_text || !has_text || listed.value.is_array())
    };
    match pairs.all(is_equal) {
        true => Ok(()),
        false => Err(invalid()),
    }
}

fn check_pages(task: &Task, info: &PdfInfo) -> TaskResult<()> {
    let access = qpdf::access(&task.readable(), "")?;
    // If libqpdf cannot read the file, the page count of pdfium is accepted.
    let found = access.shape().map_or(info.pages, |shape| shape.pages);
    match found == info.pages && info.page_sizes.len() == info.pages as usize {
        true => Ok(()),
        false => Err(TaskError::output_invalid("pages are missing")),
    }
}
