//! Attached files of a PDF/A-3: all belong to the document, with a media type, a date and a relationship [ISO 19005-3, 6.8].

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use lopdf::{Dictionary, Document, Object, dictionary, text_string};
use task::TaskResult;

use crate::objects::member;
use crate::patch::Patch;
use crate::qpdf::{Attachment, AttachmentEncoding, QpdfDocument};
use crate::trees;

/// The date of a file that has none.
const NO_DATE: &str = "D:19700101000000Z";

/// Adds the attached files of the source to a catalog, with temporary files in `directory`. Returns the number of added files:
/// those whose content is stored with other filters than `FlateDecode`, or is damaged, are missing.
pub(super) fn add(
    directory: &Path,
    (document, source): (&QpdfDocument, &Document),
    files: &[Attachment],
    (converted, catalog, patch): (&Document, &mut Dictionary, &mut Patch),
) -> TaskResult<usize> {
    let mut names = Vec::new();
    let mut associated = Vec::new();
    for (file, number) in files.iter().zip(1..) {
        let stored = source.get_object(file.content).and_then(Object::as_stream);
        let (Ok(stored), true) = (stored, file.encoding != AttachmentEncoding::Other) else {
            continue;
        };
        let path = directory.join(format!("attached-{number}"));
        let mut writer = BufWriter::new(File::create(&path)?);
        let is_whole = document.copy_stream(file.content, &mut writer)?;
        writer.flush()?;
        if !is_whole {
            continue;
        }
        let mut content = dictionary! {
            "Type" => "EmbeddedFile",
            "Subtype" => media_type(file),
            "Params" => parameters(source, &stored.dict, file),
        };
        if file.encoding == AttachmentEncoding::Deflated {
            content.set("Filter", "FlateDecode");
        }
        let stream = patch.new_id();
        patch.set_stream(stream, &content, &path);
        let name = text_string(&file.info.name);
        let relationship = file.info.relationship.as_deref().unwrap_or("Unspecified");
        let mut specification = dictionary! {
            "Type" => "Filespec",
            "F" => name.clone(),
            "UF" => name,
            "EF" => dictionary! { "F" => stream, "UF" => stream },
            "AFRelationship" => relationship,
        };
        if let Some(description) = &file.info.description {
            specification.set("Desc", text_string(description));
        }
        let specification = patch.add(&specification.into());
        // Keys of a name tree are sorted and differ.
        let key = Object::string_literal(format!("{number:05}"));
        names.push((key, Object::Reference(specification)));
        associated.push(Object::Reference(specification));
    }
    let added = associated.len();
    if added > 0 {
        let tree = trees::write(b"Names", names, patch);
        catalog.set("Names", with_files(converted, catalog, tree));
        catalog.set("AF", associated);
    }
    Ok(added)
}

/// The names of a catalog, with the tree of files.
fn with_files(document: &Document, catalog: &Dictionary, tree: (u32, u16)) -> Dictionary {
    let names = member(document, catalog, b"Names");
    let mut names = names.cloned().unwrap_or_default();
    names.set("EmbeddedFiles", tree);
    names
}

fn media_type(file: &Attachment) -> &str {
    let stated = file.info.media_type.as_deref();
    let stated =
        stated.filter(|stated| stated.split('/').filter(|part| !part.is_empty()).count() == 2);
    stated.unwrap_or("application/octet-stream")
}

/// The parameters of a file: its dates, and its size as stated.
fn parameters(source: &Document, stored: &Dictionary, file: &Attachment) -> Dictionary {
    let stated = member(source, stored, b"Params");
    let mut parameters = Dictionary::new();
    for key in [&b"CreationDate"[..], b"ModDate"] {
        let date = stated.and_then(|stated| stated.get_deref(key, source).ok());
        if let Some(date @ Object::String(..)) = date {
            parameters.set(key, date.clone());
        }
    }
    if !parameters.has(b"ModDate") {
        parameters.set("ModDate", Object::string_literal(NO_DATE));
    }
    if let Some(size) = file.info.size.and_then(|size| i64::try_from(size).ok()) {
        parameters.set("Size", size);
    }
    parameters
}
