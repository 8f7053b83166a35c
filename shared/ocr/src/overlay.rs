//! Lays text under the pages of a PDF: an incremental update [ISO 32000-1, 7.5.6], so what is there stays byte for byte,
//! and each page only draws one more form before anything else.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use lopdf::{IncrementalDocument, Object, ObjectId, Stream, dictionary};
use task::{Fault, Outcome};

use super::hidden;
use super::layer::{Characters, compressed, content};
use super::layout::{Layer, Page};
use super::redrawn::{self, Redrawn};

/// What becomes of the content of a page.
pub(super) enum Content {
    /// It stays as it is.
    Kept,
    /// Text of an earlier recognition is taken out.
    WithoutHidden,
    /// A picture takes its place.
    Redrawn(Redrawn),
}

/// Writes the document at `source` to `target`, with the layers of `pages` and the contents that become of them. `font` is
/// the file of a font without glyphs.
pub(super) fn write(
    source: &Path,
    target: &Path,
    pages: &[Page],
    contents: &[Content],
    font: &[u8],
) -> Outcome<()> {
    let mut document = IncrementalDocument::load(source).map_err(unreadable)?;
    let ids: Vec<ObjectId> = document.get_prev_documents().page_iter().collect();
    if ids.len() != pages.len() {
        return Err(Fault::corrupt());
    }
    change(&mut document, &ids, contents).map_err(unreadable)?;
    let mut characters = Characters::default();
    let font_id = document.new_document.new_object_id();
    for (id, page) in ids.iter().zip(pages) {
        if let Some(layer) = page.layer.as_ref().filter(|layer| !layer.blocks.is_empty()) {
            lay(&mut document, *id, layer, &mut characters, font_id).map_err(unreadable)?;
        }
    }
    let made = characters.font(&mut document.new_document, font);
    move_object(&mut document, made, font_id);
    count_objects(&mut document);
    let mut output = BufWriter::new(File::create(target)?);
    document.save_to(&mut output).map_err(unreadable)?;
    output.flush()?;
    Ok(())
}

/// Changes the contents of pages.
fn change(
    document: &mut IncrementalDocument,
    ids: &[ObjectId],
    contents: &[Content],
) -> lopdf::Result<()> {
    let mut cleaner = hidden::Cleaner::default();
    for (id, content) in ids.iter().zip(contents) {
        match content {
            Content::Kept => {}
            Content::WithoutHidden => cleaner.clean(document, *id)?,
            Content::Redrawn(redrawn) => redrawn::redraw(document, *id, redrawn)?,
        }
    }
    if contents.iter().any(Content::is_redrawn) {
        redrawn::without_structure(document)?;
    }
    Ok(())
}

impl Content {
    /// Whether a picture takes its place.
    pub(super) fn is_redrawn(&self) -> bool {
        matches!(self, Self::Redrawn(_))
    }
}

/// The font is made when all its characters are known, under the identifier that the pages name already.
fn move_object(document: &mut IncrementalDocument, from: ObjectId, to: ObjectId) {
    let objects: &mut BTreeMap<ObjectId, Object> = &mut document.new_document.objects;
    if let Some(object) = objects.remove(&from) {
        objects.insert(to, object);
    }
}

/// The trailer states one more than the highest number there is [ISO 32000-1, 7.5.5, table 15], and numbers that no object
/// has taken in the end are none.
fn count_objects(document: &mut IncrementalDocument) {
    let before = &document.get_prev_documents().reference_table.entries;
    let before = before.keys().max().copied().unwrap_or(0);
    let new = document.new_document.objects.keys().map(|id| id.0).max();
    document.new_document.max_id = new.unwrap_or(0).max(before);
}

fn lay(
    document: &mut IncrementalDocument,
    page: ObjectId,
    layer: &Layer,
    characters: &mut Characters,
    font: ObjectId,
) -> lopdf::Result<()> {
    // The space that the text may take: no viewer clips by it.
    const EVERYWHERE: i64 = 1_000_000;
    let form = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => vec![(-EVERYWHERE).into(), (-EVERYWHERE).into(), EVERYWHERE.into(), EVERYWHERE.into()],
        "Resources" => dictionary! { "Font" => dictionary! { "F" => font } },
    };
    let form = compressed(form, content(layer, characters).into_bytes());
    let form = document.new_document.add_object(form);
    let name = format!("RecognisedText{}", form.0);
    document.get_or_create_resources(page)?.as_dict()?;
    document.add_xobject(page, name.as_str(), form)?;
    let draw = Stream::new(dictionary! {}, format!("/{name} Do\n").into_bytes());
    let draw = Object::Reference(document.new_document.add_object(draw));
    let before = contents(document, page)?;
    let contents: Vec<Object> = std::iter::once(draw).chain(before).collect();
    let page = document.new_document.get_dictionary_mut(page)?;
    page.set("Contents", contents);
    Ok(())
}

/// The streams of a page that has been taken over into the update.
fn contents(document: &IncrementalDocument, page: ObjectId) -> lopdf::Result<Vec<Object>> {
    let page = document.new_document.get_dictionary(page)?;
    let Ok(contents) = page.get(b"Contents") else {
        return Ok(Vec::new());
    };
    let Object::Reference(id) = contents else {
        return Ok(contents.as_array()?.clone());
    };
    let found = document
        .new_document
        .get_object(*id)
        .or_else(|_| document.get_prev_documents().get_object(*id))?;
    match found {
        Object::Array(streams) => Ok(streams.clone()),
        Object::Null => Ok(Vec::new()),
        _ => Ok(vec![Object::Reference(*id)]),
    }
}

/// What it means that a document cannot be changed.
fn unreadable(error: impl Into<lopdf::Error>) -> Fault {
    match error.into() {
        lopdf::Error::IO(error) => Fault::Io(error),
        _ => Fault::corrupt(),
    }
}
