//! Adds text layers to a PDF by an incremental update [ISO 32000-1, 7.5.6], so that existing bytes stay unchanged: each page
//! only draws one more form before its content.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use lopdf::{IncrementalDocument, Object, ObjectId, Stream, dictionary};
use task::{TaskError, TaskResult};

use super::invisible_text;
use super::ocr_page::TextLayer;
use super::page_result::{ContentChange, PageResult};
use super::pages::Pages;
use super::rasterized;
use super::text_layer::{CharacterCodes, compressed_stream, content};

/// Writes `source` to `target` with the text layers of `pages` and the changes to their contents. `font` is a font program
/// without glyphs.
pub(super) fn write(source: &Path, target: &Path, pages: &Pages, font: &[u8]) -> TaskResult<()> {
    let mut document = IncrementalDocument::load(source).map_err(unreadable)?;
    let ids: Vec<ObjectId> = document.get_prev_documents().page_iter().collect();
    change_contents(&mut document, &ids, pages)?;
    let mut characters = CharacterCodes::default();
    let font_id = document.new_document.new_object_id();
    pages.each(|index, PageResult { page, .. }| {
        let layer = page.layer.as_ref().filter(|layer| !layer.blocks.is_empty());
        match (ids.get(index), layer) {
            (Some(id), Some(layer)) => {
                add_text_layer(&mut document, *id, layer, &mut characters, font_id)
                    .map_err(unreadable)
            }
            _ => Ok(()),
        }
    })?;
    let made = characters.font(&mut document.new_document, font);
    move_object(&mut document, made, font_id);
    count_objects(&mut document);
    let mut output = BufWriter::new(File::create(target)?);
    document.save_to(&mut output).map_err(unreadable)?;
    output.flush()?;
    Ok(())
}

/// Changes the contents of pages, whose number has to be that of `ids`.
fn change_contents(
    document: &mut IncrementalDocument,
    ids: &[ObjectId],
    pages: &Pages,
) -> TaskResult<()> {
    let mut cleaner = invisible_text::InvisibleTextRemover::default();
    let (mut count, mut is_rasterized) = (0, false);
    pages.each(|index, PageResult { content, .. }| {
        count = index + 1;
        is_rasterized |= content.is_rasterized();
        let id = *ids.get(index).ok_or_else(TaskError::input_corrupt)?;
        match content {
            ContentChange::Unchanged => Ok(()),
            ContentChange::InvisibleTextRemoved => cleaner.clean(document, id),
            ContentChange::Rasterized(page) => rasterized::replace_content(document, id, page),
        }
        .map_err(unreadable)
    })?;
    if count != ids.len() {
        return Err(TaskError::input_corrupt());
    }
    if is_rasterized {
        rasterized::remove_structure_tree(document).map_err(unreadable)?;
    }
    Ok(())
}

/// Moves the font, created when all characters are known, to the object id that the pages already refer to.
fn move_object(document: &mut IncrementalDocument, from: ObjectId, to: ObjectId) {
    let objects: &mut BTreeMap<ObjectId, Object> = &mut document.new_document.objects;
    if let Some(object) = objects.remove(&from) {
        objects.insert(to, object);
    }
}

/// Sets the highest object number in use, from which the `Size` of the trailer follows [ISO 32000-1, 7.5.5, table 15];
/// allocated but unused numbers do not count.
fn count_objects(document: &mut IncrementalDocument) {
    let before = &document.get_prev_documents().reference_table.entries;
    let before = before.keys().max().copied().unwrap_or(0);
    let new = document.new_document.objects.keys().map(|id| id.0).max();
    document.new_document.max_id = new.unwrap_or(0).max(before);
}

fn add_text_layer(
    document: &mut IncrementalDocument,
    page: ObjectId,
    layer: &TextLayer,
    characters: &mut CharacterCodes,
    font: ObjectId,
) -> lopdf::Result<()> {
    // Unlimited bounding box.
    const UNBOUNDED: i64 = 1_000_000;
    let form = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => vec![(-UNBOUNDED).into(), (-UNBOUNDED).into(), UNBOUNDED.into(), UNBOUNDED.into()],
        "Resources" => dictionary! { "Font" => dictionary! { "F" => font } },
    };
    let form = compressed_stream(form, content(layer, characters).into_bytes());
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

/// Returns the content streams of a page that was copied into the update.
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

/// Converts an error of lopdf.
fn unreadable(error: impl Into<lopdf::Error>) -> TaskError {
    match error.into() {
        lopdf::Error::IO(error) => TaskError::Io(error),
        _ => TaskError::input_corrupt(),
    }
}
