//! Generates missing appearance streams of form fields, with fonts that have their characters [ISO 32000-1, 12.7.4].
//! libqpdf would do so for single lines of Latin text only, and only if the document has `NeedAppearances`.

mod button;
mod comb;
mod layout;
mod list;
mod plan;
mod widget;

use std::path::Path;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::TaskResult;

use self::layout::Field;
use self::plan::WidgetPlan;
use self::widget::Widget;
use crate::objects::{items, member};
use crate::patch::Patch;
use crate::text_drawing::FontSet;

/// Maximum number of fields that are drawn.
const MAX_FIELDS: usize = 10_000;

/// Generated appearances of a document's fields.
pub struct FieldAppearances {
    /// The changes that add the appearances.
    pub patch: Patch,
    /// Fields that cannot be drawn and stay unchanged.
    pub kept: Vec<ObjectId>,
}

/// Generates the missing or outdated appearances of a document's fields. Streams are written to files in `directory`.
///
/// # Errors
/// If a font is missing or a file cannot be written.
pub fn appearances(document: &Document, directory: &Path) -> TaskResult<FieldAppearances> {
    let (mut patch, mut kept) = (Patch::of(document), Vec::new());
    let (form, none) = (document.catalog().ok(), Dictionary::new());
    let form = form.and_then(|catalog| member(document, catalog, b"AcroForm"));
    let mut fonts = FontSet::default();
    let mut drawings = Vec::new();
    for (number, (id, dict)) in widgets(document).into_iter().enumerate() {
        let widget = Widget {
            document,
            form: form.unwrap_or(&none),
            dict,
        };
        match widget.plan(&mut fonts)? {
            WidgetPlan::Unchanged => {}
            WidgetPlan::Remove => patch.set(id, &Object::Null),
            WidgetPlan::Draw(field, content) if number < MAX_FIELDS => {
                drawings.push((id, dict, field, content));
            }
            WidgetPlan::Keep | WidgetPlan::Draw(..) => kept.push(id),
        }
    }
    let (widgets, drawings): (Vec<_>, Vec<_>) = drawings
        .into_iter()
        .map(|(id, dict, field, content)| ((id, dict), (field, content)))
        .unzip();
    let streams = add_streams(drawings, &fonts, &mut patch, directory)?;
    for ((id, dict), stream) in widgets.into_iter().zip(streams) {
        patch.set(id, &as_annotation(dict, stream).into());
    }
    Ok(FieldAppearances { patch, kept })
}

/// The widgets of text fields and lists whose appearances are missing or outdated.
pub struct OutdatedWidgets {
    /// Those that can be drawn.
    pub drawable: Vec<ObjectId>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// Finds the widgets that viewers would have to draw, except for these.
///
/// # Errors
/// If a font is missing.
pub fn outdated(document: &Document, except: &[ObjectId]) -> TaskResult<OutdatedWidgets> {
    let (form, none) = (document.catalog().ok(), Dictionary::new());
    let form = form.and_then(|catalog| member(document, catalog, b"AcroForm"));
    let form = form.unwrap_or(&none);
    let mut outdated = OutdatedWidgets {
        drawable: Vec::new(),
        is_complete: true,
    };
    let mut fonts = FontSet::default();
    let widgets = widgets(document).into_iter();
    for (id, dict) in widgets.filter(|(id, _)| !except.contains(id)) {
        let widget = Widget {
            document,
            form,
            dict,
        };
        let is_button = matches!(widget.own(b"FT"), Some(Object::Name(kind)) if kind == b"Btn");
        match widget.plan(&mut fonts)? {
            WidgetPlan::Draw(..) if is_button => outdated.is_complete = false,
            WidgetPlan::Draw(..) if outdated.drawable.len() < MAX_FIELDS => {
                outdated.drawable.push(id);
            }
            WidgetPlan::Keep | WidgetPlan::Draw(..) => outdated.is_complete = false,
            WidgetPlan::Unchanged | WidgetPlan::Remove => {}
        }
    }
    Ok(outdated)
}

/// Draws widgets anew by the values of their fields. Adds the streams to the patch, and returns that of each widget; `None`
/// if it has no area.
///
/// # Errors
/// If no font has the characters of a text, or a file cannot be written.
pub fn drawn(
    document: &Document,
    widgets: &[ObjectId],
    patch: &mut Patch,
    directory: &Path,
) -> TaskResult<Vec<Option<ObjectId>>> {
    let (form, none) = (document.catalog().ok(), Dictionary::new());
    let form = form.and_then(|catalog| member(document, catalog, b"AcroForm"));
    let form = form.unwrap_or(&none);
    let (mut fonts, mut drawings, mut has_area) = (FontSet::default(), Vec::new(), Vec::new());
    for id in widgets {
        let dict = document.get_dictionary(*id).unwrap_or(&none);
        let widget = Widget {
            document,
            form,
            dict,
        };
        let drawing = widget.redrawn(&mut fonts)?;
        has_area.push(drawing.is_some());
        drawings.extend(drawing);
    }
    let mut streams = add_streams(drawings, &fonts, patch, directory)?.into_iter();
    let streams = has_area
        .into_iter()
        .map(|has_area| has_area.then(|| streams.next())?);
    Ok(streams.collect())
}

/// Adds appearance streams to the patch, and returns their ids.
fn add_streams(
    drawings: Vec<(Field, String)>,
    fonts: &FontSet,
    patch: &mut Patch,
    directory: &Path,
) -> TaskResult<Vec<ObjectId>> {
    if drawings.is_empty() {
        return Ok(Vec::new());
    }
    std::fs::create_dir_all(directory)?;
    let fonts = embedded(fonts, patch, directory)?;
    let mut streams = Vec::new();
    for (field, content) in drawings {
        let drawing = Stream::new(form_of(&field, fonts), content.into_bytes());
        let stream = patch.new_id();
        set_stream(patch, stream, &drawing, directory)?;
        streams.push(stream);
    }
    Ok(streams)
}

/// Returns the dictionary of an appearance stream.
fn form_of(field: &Field, fonts: ObjectId) -> Dictionary {
    dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => vec![0.into(), 0.into(), field.width.into(), field.height.into()],
        "Matrix" => field.matrix().map(Object::from).to_vec(),
        "Resources" => dictionary! { "Font" => fonts },
    }
}

/// Returns the annotations of all pages.
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

/// Adds the fonts to the document and returns the font resources.
fn embedded(fonts: &FontSet, patch: &mut Patch, directory: &Path) -> TaskResult<ObjectId> {
    let mut font_objects = Document::new();
    font_objects.max_id = patch.new_id().0;
    let names = fonts.embed(&mut font_objects)?;
    while patch.new_id().0 < font_objects.max_id {}
    for (id, object) in &font_objects.objects {
        match object {
            Object::Stream(stream) => set_stream(patch, *id, stream, directory)?,
            object => patch.set(*id, object),
        }
    }
    Ok(patch.add(&names.into()))
}

fn set_stream(
    patch: &mut Patch,
    id: ObjectId,
    stream: &Stream,
    directory: &Path,
) -> TaskResult<()> {
    let file = directory.join(id.0.to_string());
    std::fs::write(&file, &stream.content)?;
    patch.set_stream(id, &stream.dict, &file);
    Ok(())
}

/// Returns the widget as an annotation with an appearance, which is not a field any more.
fn as_annotation(dict: &Dictionary, drawing: ObjectId) -> Dictionary {
    let mut picture = dict.clone();
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
