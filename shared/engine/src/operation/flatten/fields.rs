//! Filled-in texts that no page shows yet: they become pictures of what was typed, in fonts that have its characters
//! [ISO 32000-1, 12.7.4.3]. libqpdf would write single lines of Latin letters only, and only where a document asks for that.

mod layout;

use std::path::Path;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use self::layout::{Field, Written, content};
use crate::fault::{Fault, Outcome};
use crate::lettering::Lettering;
use crate::objects::{inherited, is_a};
use crate::patch::Patch;

/// Most texts that are written.
const FIELDS: usize = 10_000;
/// Longest text that is written, in characters.
const LONGEST: usize = 20_000;

/// Flags of fields [ISO 32000-1, 12.7.4, tables 221, 228 and 230].
const MULTILINE: i64 = 1 << 12;
const PASSWORD: i64 = 1 << 13;
const COMBO: i64 = 1 << 17;

/// What a document's texts become; what is drawn lies in files in a directory then.
pub(super) fn drawn(document: &Document, directory: &Path) -> Outcome<Patch> {
    let mut patch = Patch::of(document);
    let Some(form) = form(document) else {
        return Ok(patch);
    };
    let mut lettering = Lettering::default();
    let mut texts = Vec::new();
    for id in widgets(document) {
        if let Some(widget) = Widget::of(document, form, id)
            && let Some(written) = widget.written(&mut lettering)?
        {
            texts.push((widget, written));
        }
    }
    if texts.is_empty() {
        return Ok(patch);
    }
    std::fs::create_dir_all(directory)?;
    let fonts = embedded(&lettering, &mut patch, directory)?;
    for (widget, written) in texts {
        let about = dictionary! {
            "Type" => "XObject",
            "Subtype" => "Form",
            "BBox" => vec![0.into(), 0.into(), widget.field.width.into(), widget.field.height.into()],
            "Resources" => dictionary! { "Font" => fonts },
        };
        let drawing = Stream::new(about, content(&widget.field, &written).into_bytes());
        let id = patch.new_id();
        set_stream(&mut patch, id, &drawing, directory)?;
        patch.set(widget.id, &widget.pictured(id).into());
    }
    Ok(patch)
}

fn form(document: &Document) -> Option<&Dictionary> {
    let catalog = document.catalog().ok()?;
    catalog
        .get_deref(b"AcroForm", document)
        .ok()?
        .as_dict()
        .ok()
}

fn widgets(document: &Document) -> Vec<ObjectId> {
    let pages = document.get_pages().into_values();
    let annotations = pages.flat_map(|page| {
        let page = document.get_dictionary(page);
        let annotations = page.and_then(|page| page.get_deref(b"Annots", document));
        let annotations = annotations.and_then(Object::as_array);
        annotations.into_iter().flatten()
    });
    let annotations = annotations.filter_map(|annotation| annotation.as_reference().ok());
    annotations.take(FIELDS).collect()
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

/// A field's place on a page that is not drawn yet, or would be drawn anew, and holds text.
struct Widget<'d> {
    id: ObjectId,
    about: &'d Dictionary,
    field: Field,
    text: String,
}

impl<'d> Widget<'d> {
    fn of(document: &'d Document, form: &'d Dictionary, id: ObjectId) -> Option<Self> {
        let about = document.get_dictionary(id).ok()?;
        if !is_a(about, b"Widget") {
            return None;
        }
        let anew = form.get_deref(b"NeedAppearances", document);
        let is_drawn = about
            .get_deref(b"AP", document)
            .and_then(Object::as_dict)
            .is_ok_and(|appearance| appearance.has(b"N"));
        if is_drawn && !matches!(anew, Ok(Object::Boolean(true))) {
            return None;
        }
        let own = |key: &[u8]| inherited(document, about, key);
        let flags = own(b"Ff")
            .and_then(|flags| flags.as_i64().ok())
            .unwrap_or(0);
        let value = own(b"V")?;
        let text = match own(b"FT")?.as_name().ok()? {
            // As many as there are characters say nothing of them.
            b"Tx" if flags & PASSWORD != 0 => "*".repeat(text(value)?.chars().count()),
            b"Tx" => text(value)?,
            b"Ch" if flags & COMBO != 0 => shown(document, own(b"Opt"), text(value)?),
            _ => return None,
        };
        if text.trim().is_empty() || text.chars().count() > LONGEST {
            return None;
        }
        let either = |key: &[u8]| own(key).or_else(|| form.get_deref(key, document).ok());
        let looks = about.get_deref(b"MK", document).and_then(Object::as_dict);
        let field = Field::of(
            document,
            about,
            looks.ok(),
            either(b"DA").and_then(|text| text.as_str().ok()),
            either(b"Q")
                .and_then(|side| side.as_i64().ok())
                .unwrap_or(0),
            flags & MULTILINE != 0,
        )?;
        Some(Self {
            id,
            about,
            field,
            text,
        })
    }

    /// The lines of the text; `None` if no font has its characters.
    fn written(&self, lettering: &mut Lettering) -> Outcome<Option<Written>> {
        let written = self
            .field
            .written(&self.text, &mut |line| lettering.line(line));
        match written {
            Ok(written) => Ok(Some(written)),
            Err(Fault::Document(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The same as a picture, which is no field any longer.
    fn pictured(&self, drawing: ObjectId) -> Dictionary {
        let mut picture = self.about.clone();
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
}

/// A text of one's own that was typed.
fn text(value: &Object) -> Option<String> {
    match value {
        Object::String(..) => lopdf::decode_text_string(value).ok(),
        _ => None,
    }
}

/// What a choice is shown as.
fn shown(document: &Document, options: Option<&Object>, value: String) -> String {
    let options = options.and_then(|options| options.as_array().ok());
    let shown = options.into_iter().flatten().find_map(|option| {
        let pair = document.dereference(option).ok()?.1.as_array().ok()?;
        match pair.as_slice() {
            [export, shown] if text(export)? == value => text(shown),
            _ => None,
        }
    });
    shown.unwrap_or(value)
}
