//! Reads the text and images of the visible slides of a PowerPoint 97-2003 presentation [MS-PPT].

mod persist;
mod slide;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

use self::persist::PersistObjects;
use self::slide::read_slide;
use self::text::{TextBox, text_boxes};
use super::art::{self, Images, Record, records};
use super::bytes::Bytes as _;
use super::compound::Compound;
use super::item::{Place, Take, Unreadable};

const DOCUMENT: u16 = 0x03e8;
const SLIDE: u16 = 0x03ee;
const SLIDE_PERSIST: u16 = 0x03f3;
const DRAWING_GROUP: u16 = 0x040b;
const SLIDE_LIST: u16 = 0x0ff0;

/// The instance of the list of slides; others are of masters and notes.
const SLIDES: u16 = 0;

/// Calls `take` with the items of each slide that is not hidden. Slides are numbered in their order, hidden ones included.
pub(super) fn read(path: &Path, take: Take<'_>) -> Result<(), Unreadable> {
    let mut file = Compound::open(path)?;
    let user = file.stream("Current User")?;
    let stream = file.stream("PowerPoint Document")?;
    let objects = PersistObjects::read(&user, &stream)?;
    let document = objects.document(DOCUMENT).ok_or(Unreadable)?;
    let mut images = Images::new();
    let mut slides = Vec::new();
    for record in records(document) {
        match record.kind {
            DRAWING_GROUP => {
                let group = records(record.data).next();
                images = art::images(group.map_or(&[], |group| group.data));
            }
            SLIDE_LIST if record.instance == SLIDES => slides.extend(slide_entries(&record)),
            _ => {}
        }
    }
    // Slides are different parts of the stream.
    let mut left = stream.len();
    for (number, entry) in (1..).zip(slides) {
        let slide = objects.object(entry.id, SLIDE).ok_or(Unreadable)?;
        left = left.checked_sub(slide.len()).ok_or(Unreadable)?;
        let place = Place { number, cell: None };
        read_slide(slide, entry.outline, &images, &mut |item| take(item, place));
    }
    Ok(())
}

/// An entry of the list of slides.
struct SlideEntry<'a> {
    id: u32,
    /// Texts that shapes of the slide refer to.
    outline: Vec<TextBox<'a>>,
}

fn slide_entries<'a>(list: &Record<'a>) -> Vec<SlideEntry<'a>> {
    let mut entries: Vec<SlideEntry<'a>> = Vec::new();
    let mut texts = Vec::new();
    for record in records(list.data) {
        match record.kind {
            SLIDE_PERSIST => {
                if let Some(entry) = entries.last_mut() {
                    entry.outline = text_boxes(texts.drain(..));
                }
                entries.push(SlideEntry {
                    id: record.data.u32_at(0).unwrap_or(0),
                    outline: Vec::new(),
                });
            }
            _ => texts.push(record),
        }
    }
    if let Some(entry) = entries.last_mut() {
        entry.outline = text_boxes(texts.into_iter());
    }
    entries
}
