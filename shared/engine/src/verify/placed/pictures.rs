//! Counts pictures: those that a page of the source shows, and those on each page of a result.

use std::fs::File;
use std::io::{BufRead, BufReader};

use domain::format::Format;
use domain::operation::Recognition;
use pdfium_render::prelude::{
    PdfDocument, PdfPage, PdfPageObject, PdfPageObjectCommon as _, PdfPageObjectsCommon as _,
    PdfPathSegments as _, PdfRect,
};
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use crate::fault::{Fault, Outcome};
use crate::layout::{STAMP, is_real};
use crate::operation::document_to_document::{keeps_pictures, options};
use crate::task::Task;

/// The least extent of a picture that counts, points: a little more than that of those that are kept.
const LEAST: f32 = 4.0;
/// Most things of a page that are looked at; where there are more, pictures may be among what is left out.
const THINGS: usize = 5_000;
/// Most pixels of a picture of which it is looked whether it can be read at all.
const PIXELS: i64 = 40_000_000;

/// How many pictures each page of the result has; none where they are not wanted.
pub(super) fn counts(task: &Task) -> Outcome<Option<Vec<usize>>> {
    if !keeps_pictures(options(&task.operation)?) {
        return Ok(None);
    }
    let file = BufReader::new(File::open(task.output())?);
    let counts = match task.to {
        Format::Docx => {
            let mut package = ZipArchive::new(file).map_err(|_| damaged())?;
            let part = package.by_name("word/document.xml");
            let part = part.map_err(|_| damaged())?;
            in_elements(BufReader::new(part), (3, "w:p"), "pic:pic")?
        }
        Format::Pptx => {
            let mut package = ZipArchive::new(file).map_err(|_| damaged())?;
            let mut counts = Vec::new();
            for number in 1.. {
                let name = format!("ppt/slides/slide{number}.xml");
                let Ok(part) = package.by_name(&name) else {
                    break;
                };
                counts.extend(in_elements(BufReader::new(part), (1, "p:sld"), "p:pic")?);
            }
            counts
        }
        Format::Html => in_sections(file)?,
        _ => return Ok(None),
    };
    Ok(Some(counts))
}

/// Whether the pictures of a page that says so little may have been read by OCR, and are not in the result then.
pub(super) fn may_be_read(task: &Task, words: &str) -> bool {
    let recognition = options(&task.operation).map(|options| options.ocr.unwrap_or_default());
    let is_off = matches!(recognition, Ok(Recognition::Off));
    !is_off && words.chars().filter(|text| is_real(*text)).count() < STAMP
}

/// Whether a page shows more pictures than so many, which can be read.
pub(super) fn are_missing(document: &PdfDocument<'_>, page: &PdfPage<'_>, found: usize) -> bool {
    let Ok(paper) = page.boundaries().bounding() else {
        return false;
    };
    let objects = page.objects();
    if objects.len() > THINGS {
        return false;
    }
    let is_seen = |object: &PdfPageObject<'_>| is_seen(object, &paper.bounds);
    let pictures = || objects.iter().filter(is_seen);
    pictures().count() > found && {
        let readable = pictures().filter(|object| can_be_read(document, object));
        readable.count() > found
    }
}

/// Whether an object is a picture of which something is seen.
fn is_seen(object: &PdfPageObject<'_>, paper: &PdfRect) -> bool {
    let (Some(_), Ok(bounds)) = (object.as_image_object(), object.bounds()) else {
        return false;
    };
    let mut seen = edges(&bounds.to_rect());
    cut(&mut seen, edges(paper));
    for path in object.get_clip_path().iter().flat_map(|clip| clip.iter()) {
        let points = path.iter().map(|segment| segment.point());
        let points = points.map(|(x, y)| [x.value, y.value, x.value, y.value]);
        let around = points.reduce(|[left, bottom, right, top], [x, y, ..]| {
            [left.min(x), bottom.min(y), right.max(x), top.max(y)]
        });
        if let Some(around) = around {
            cut(&mut seen, around);
        }
    }
    let [left, bottom, right, top] = seen;
    right - left >= LEAST && top - bottom >= LEAST
}

fn edges(rect: &PdfRect) -> [f32; 4] {
    [rect.left(), rect.bottom(), rect.right(), rect.top()].map(|edge| edge.value)
}

fn cut(seen: &mut [f32; 4], [left, bottom, right, top]: [f32; 4]) {
    let [own_left, own_bottom, own_right, own_top] = *seen;
    *seen = [
        own_left.max(left),
        own_bottom.max(bottom),
        own_right.min(right),
        own_top.min(top),
    ];
}

fn can_be_read(document: &PdfDocument<'_>, object: &PdfPageObject<'_>) -> bool {
    object.as_image_object().is_some_and(|image| {
        let pixels = image.width().ok().zip(image.height().ok());
        let is_sound = pixels.is_some_and(|(width, height)| {
            i64::from(width).saturating_mul(height.into()) <= PIXELS
        });
        is_sound && image.get_processed_image(document).is_ok()
    })
}

fn damaged() -> Fault {
    Fault::output_invalid("it does not open")
}

/// How many elements of a name are within each element of another name that is nested so deeply.
fn in_elements(
    part: impl BufRead,
    (depth, name): (usize, &str),
    counted: &str,
) -> Outcome<Vec<usize>> {
    let mut reader = Reader::from_reader(part);
    let (mut within, mut buffer, mut count, mut counts) = (0_usize, Vec::new(), 0, Vec::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| damaged())? {
            Event::Start(element) => {
                within += 1;
                count += usize::from(element.name().as_ref() == counted);
            }
            Event::End(element) => {
                if within == depth && element.name().as_ref() == name {
                    counts.push(std::mem::take(&mut count));
                }
                within = within.saturating_sub(1);
            }
            Event::Eof => return Ok(counts),
            _ => {}
        }
    }
}

/// How many pictures are within each section of HTML.
fn in_sections(mut file: impl BufRead) -> Outcome<Vec<usize>> {
    let (mut piece, mut count, mut counts) = (Vec::new(), 0, Vec::new());
    while file.read_until(b'<', &mut piece)? > 0 {
        let is_picture = [&b"img "[..], b"image ", b"use "]
            .iter()
            .any(|name| piece.starts_with(name));
        count += usize::from(is_picture);
        if piece.starts_with(b"/section") {
            counts.push(std::mem::take(&mut count));
        }
        piece.clear();
    }
    Ok(counts)
}
