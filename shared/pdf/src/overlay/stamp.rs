//! A picture or the first page of a PDF as a form that is drawn on many pages [ISO 32000-1, 8.10].

use domain::format::{Category, Format};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::{Fault, Inspection, Outcome, Task};

use super::sheet::Sheet;
use crate::image_to_pdf;
use crate::objects::inherited;
use crate::qpdf::Job;

/// A form that is drawn on many pages.
pub(super) struct Stamp {
    /// The form.
    pub(super) form: ObjectId,
    /// Width in points.
    pub(super) width: f32,
    /// Height in points.
    pub(super) height: f32,
    /// Whether it was a picture and no page.
    pub(super) is_picture: bool,
}

/// Whether the task brings a picture.
pub(super) fn is_picture(task: &Task) -> bool {
    let formats = task.attachments.iter().map(|attached| attached.format);
    formats
        .take(1)
        .any(|format| format.facts().category == Category::Image)
}

/// What the task brings as a document of one upright page.
pub(super) fn document(task: &Task) -> Outcome<Document> {
    let nothing = || Fault::Installation("a watermark without a source".to_owned());
    let attached = task.attached().next().ok_or_else(nothing)?;
    let page = match attached.from {
        Format::Pdf => attached.readable(),
        format if format.facts().category == Category::Image => {
            image_to_pdf::run(&attached, &Inspection::default())?;
            attached.output()
        }
        _ => return Err(Fault::mismatch()),
    };
    let plain = attached.directory.join("stamp");
    Job::read(&page)
        .options(&["--pages", ".", "1", "--", "--flatten-rotation"])
        .options(&["--object-streams=disable", "--coalesce-contents"])
        .open()
        .write(&plain)?;
    Document::load(plain).map_err(|_| Fault::corrupt())
}

/// Makes the page of a document a form in it.
pub(super) fn form(document: &mut Document, is_picture: bool) -> Outcome<Stamp> {
    let pages = document.get_pages();
    let page = pages.values().next().copied().ok_or_else(Fault::corrupt)?;
    let content = document.get_page_content(page);
    let dictionary = document
        .get_dictionary(page)
        .map_err(|_| Fault::corrupt())?;
    let sheet = Sheet::of(document, dictionary);
    let bounds = bounds(document, dictionary, &sheet);
    let resources = inherited(document, dictionary, b"Resources").cloned();
    let (left, bottom) = (bounds.0, bounds.1);
    let about = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => vec![left.into(), bottom.into(), (left + sheet.width).into(), (bottom + sheet.height).into()],
        // The lower left corner becomes the origin.
        "Matrix" => vec![1.into(), 0.into(), 0.into(), 1.into(), (-left).into(), (-bottom).into()],
        "Resources" => resources.unwrap_or_else(|| Dictionary::new().into()),
        // As a whole: what lies over one another in it does not shine through.
        "Group" => dictionary! { "Type" => "Group", "S" => "Transparency" },
    };
    let mut stream = Stream::new(about, content);
    // Left as it is when it does not become smaller.
    stream.compress().ok();
    Ok(Stamp {
        form: document.add_object(stream),
        width: sheet.width,
        height: sheet.height,
        is_picture,
    })
}

/// The lower left corner of the part of a page that the sheet is as large as.
fn bounds(document: &Document, page: &Dictionary, sheet: &Sheet) -> (f32, f32) {
    let boxes = [b"TrimBox" as &[u8], b"CropBox", b"MediaBox"];
    let found = boxes.iter().find_map(|key| {
        let numbers = inherited(document, page, key)?.as_array().ok()?;
        let number = |index: usize| numbers.get(index).map(Object::as_float)?.ok();
        let (a, b, c, d) = (number(0)?, number(1)?, number(2)?, number(3)?);
        let fits = |from: f32, to: f32, side: f32| ((to - from).abs() - side).abs() < 0.5;
        (fits(a, c, sheet.width) && fits(b, d, sheet.height)).then(|| (a.min(c), b.min(d)))
    });
    found.unwrap_or((0.0, 0.0))
}
