//! Fields that no page shows yet: they become pictures of what was typed or chosen, in fonts that have its characters
//! [ISO 32000-1, 12.7.4]. libqpdf would write single lines of Latin letters only, and only where a document asks for that.

mod button;
mod fate;
mod layout;
mod list;
mod widget;

use std::path::Path;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::Outcome;

use self::fate::Fate;
use self::layout::Field;
use self::widget::Widget;
use crate::lettering::Lettering;
use crate::objects::{items, member};
use crate::patch::Patch;

/// Most fields that are drawn.
const FIELDS: usize = 10_000;

/// What a document's fields become.
pub struct Drawn {
    /// Pictures of them.
    pub patch: Patch,
    /// Those that cannot be drawn, on which the changes leave everything as it is.
    pub kept: Vec<ObjectId>,
}

/// What a document's fields become that are not drawn yet, or would be drawn anew; what is drawn lies in files in a
/// directory then.
pub fn drawn(document: &Document, directory: &Path) -> Outcome<Drawn> {
    let (mut patch, mut kept) = (Patch::of(document), Vec::new());
    let (form, none) = (document.catalog().ok(), Dictionary::new());
    let form = form.and_then(|catalog| member(document, catalog, b"AcroForm"));
    let mut lettering = Lettering::default();
    let mut drawings = Vec::new();
    for (number, (id, about)) in widgets(document).into_iter().enumerate() {
        let widget = Widget {
            document,
            form: form.unwrap_or(&none),
            about,
        };
        match widget.fate(&mut lettering)? {
            Fate::AsItIs => {}
            Fate::Gone => patch.set(id, &Object::Null),
            Fate::Drawn(field, content) if number < FIELDS => {
                drawings.push((id, about, field, content));
            }
            Fate::Kept | Fate::Drawn(..) => kept.push(id),
        }
    }
    if drawings.is_empty() {
        return Ok(Drawn { patch, kept });
    }
    std::fs::create_dir_all(directory)?;
    let fonts = embedded(&lettering, &mut patch, directory)?;
    for (id, about, field, content) in drawings {
        let drawing = Stream::new(form_of(&field, fonts), content.into_bytes());
        let stream = patch.new_id();
        set_stream(&mut patch, stream, &drawing, directory)?;
        patch.set(id, &pictured(about, stream).into());
    }
    Ok(Drawn { patch, kept })
}

/// What the picture of a field says about itself.
fn form_of(field: &Field, fonts: ObjectId) -> Dictionary {
    dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => vec![0.into(), 0.into(), field.width.into(), field.height.into()],
        "Matrix" => field.matrix().map(Object::from).to_vec(),
        "Resources" => dictionary! { "Font" => fonts },
    }
}

/// The annotations of all pages.
fn widgets(document: &Document) -> Vec<(ObjectId, &Dictionary)> {
    let pages = document.get_pages().into_values();
    let annotations = pages.flat_map(|page| {
        let page = document.get_dictionary(page).ok();
        page.map_or(&[][..], |page| items(document, page, b"Annots"))
    });
    let widgets = annotations.filter_map(|annotation| {
        let id = annotation.as_reference().ok()?;
        Some((id, document.get_dictionary(id).ok()?))
    });
    widgets.collect()
}

/// Puts the fonts beside the other objects of the document, and tells the dictionary that names them.
fn embedded(lettering: &Lettering, patch: &mut Patch, directory: &Path) -> Outcome<ObjectId> {
    let mut fonts = Document::new();
    fonts.max_id = patch.new_id().0;
    let names = lettering.embed(&mut fonts)?;
    while patch.new_id().0 < fonts.max_id {}
    for (id, object) in &fonts.objects {
        match object {
            Object::Stream(stream) => set_stream(patch, *id, stream, directory)?,
            object => patch.set(*id, object),
        }
    }
    Ok(patch.add(&names.into()))
}

fn set_stream(patch: &mut Patch, id: ObjectId, stream: &Stream, directory: &Path) -> Outcome<()> {
    let file = directory.join(id.0.to_string());
    std::fs::write(&file, &stream.content)?;
    patch.set_stream(id, &stream.dict, &file);
    Ok(())
}

/// The same annotation as a picture, which is no field any longer.
fn pictured(about: &Dictionary, drawing: ObjectId) -> Dictionary {
    let mut picture = about.clone();
    for key in [
        b"FT" as &[u8],
        b"Parent",
        b"V",
        b"DV",
        b"T",
        b"Ff",
        b"AS",
        b"MK",
        b"AA",
        b"A",
    ] {
        picture.remove(key);
    }
    picture.set("Subtype", "Stamp");
    picture.set("AP", dictionary! { "N" => drawing });
    picture
}
