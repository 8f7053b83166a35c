//! An image or the first page of a PDF as a form XObject that is drawn on many pages [ISO 32000-1, 8.10].

use domain::format::{Category, Format};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::{Inspection, Task, TaskError, TaskResult};

use super::page::DisplayedPage;
use crate::image_to_pdf;
use crate::objects::inherited;
use crate::qpdf::QpdfJob;

/// A form XObject that is drawn on many pages.
pub(super) struct Stamp {
    /// The form XObject.
    pub(super) form: ObjectId,
    /// Width in points.
    pub(super) width: f32,
    /// Height in points.
    pub(super) height: f32,
    /// Whether the source is an image.
    pub(super) is_picture: bool,
}

/// Whether the watermark of the task is an image.
pub(super) fn is_picture(task: &Task) -> bool {
    let formats = task.attachments.iter().map(|attached| attached.format);
    formats
        .take(1)
        .any(|format| format.spec().category == Category::Image)
}

/// Returns the watermark as a document of one upright page.
pub(super) fn document(task: &Task) -> TaskResult<Document> {
    let nothing = || TaskError::Installation("a watermark without a source".to_owned());
    let attached = task.attachment_tasks().next().ok_or_else(nothing)?;
    let page = match attached.from {
        Format::Pdf => attached.readable(),
        format if format.spec().category == Category::Image => {
            image_to_pdf::run(&attached, &Inspection::default())?;
            attached.output()
        }
        _ => return Err(TaskError::content_mismatch()),
    };
    let plain = attached.directory.join("stamp");
    QpdfJob::read(&page)
        .options(&["--pages", ".", "1", "--", "--flatten-rotation"])
        .options(&["--object-streams=disable", "--coalesce-contents"])
        .unencrypted()
        .write(&plain)?;
    Document::load(plain).map_err(|_| TaskError::input_corrupt())
}

/// Turns the page of a document into a form XObject.
pub(super) fn form(document: &mut Document, is_picture: bool) -> TaskResult<Stamp> {
    let pages = document.get_pages();
    let page = pages
        .values()
        .next()
        .copied()
        .ok_or_else(TaskError::input_corrupt)?;
    let content = document.get_page_content(page);
    let dictionary = document
        .get_dictionary(page)
        .map_err(|_| TaskError::input_corrupt())?;
    let page = DisplayedPage::of(document, dictionary);
    let bounds = origin(document, dictionary, &page);
    let resources = inherited(document, dictionary, b"Resources").cloned();
    let (left, bottom) = (bounds.0, bounds.1);
    let dict = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => vec![left.into(), bottom.into(), (left + page.width).into(), (bottom + page.height).into()],
        // Moves the lower left corner to the origin.
        "Matrix" => vec![1.into(), 0.into(), 0.into(), 1.into(), (-left).into(), (-bottom).into()],
        "Resources" => resources.unwrap_or_else(|| Dictionary::new().into()),
        // A transparency group, so that overlapping objects do not show through each other.
        "Group" => dictionary! { "Type" => "Group", "S" => "Transparency" },
    };
    let mut stream = Stream::new(dict, content);
    // Compression fails if it does not reduce the size.
    stream.compress().ok();
    Ok(Stamp {
        form: document.add_object(stream),
        width: page.width,
        height: page.height,
        is_picture,
    })
}

/// Returns the lower left corner of the box that determines the size of the displayed page.
fn origin(document: &Document, page: &Dictionary, displayed: &DisplayedPage) -> (f32, f32) {
    let boxes = [b"TrimBox" as &[u8], b"CropBox", b"MediaBox"];
    let found = boxes.iter().find_map(|key| {
        let numbers = inherited(document, page, key)?.as_array().ok()?;
        let number = |index: usize| numbers.get(index).map(Object::as_float)?.ok();
        let (a, b, c, d) = (number(0)?, number(1)?, number(2)?, number(3)?);
        let fits = |from: f32, to: f32, side: f32| ((to - from).abs() - side).abs() < 0.5;
        (fits(a, c, displayed.width) && fits(b, d, displayed.height)).then(|| (a.min(c), b.min(d)))
    });
    found.unwrap_or((0.0, 0.0))
}
