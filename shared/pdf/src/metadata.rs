//! Sets title, author, subject and keywords of a PDF in its information dictionary, and in its XMP packet if there is one [ISO
//! 32000-1, 14.3].

mod xmp;

use domain::operation::Operation;
use lopdf::{Dictionary, Document, Object, ObjectId, text_string};
use task::options::metadata_texts;
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning};

pub(crate) use self::xmp::description;
use crate::patch::{self, Patch};

/// Maximum size of an XMP packet, in bytes.
const MAX_PACKET: usize = 4 * 1024 * 1024;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let Operation::Metadata(options) = &task.operation else {
        return Err(TaskError::Installation(
            "operation is not metadata".to_owned(),
        ));
    };
    let texts = metadata_texts(options);
    let plain = task.directory.join("plain");
    patch::write_normalized(&task.readable(), &plain)?;
    let document = patch::skeleton(&plain)?;
    let mut patch = Patch::of(&document);
    set_information(&document, &mut patch, &texts);
    let dropped = set_packet(task, &document, &mut patch, &texts)?;
    let job = patch.job(&plain, &task.directory.join("patch"))?;
    job.option("--object-streams=preserve")
        .option("--deterministic-id")
        .write(&task.output())?;
    Ok(Product {
        pages: inspection.pages,
        warnings: Vec::from_iter(dropped),
        ..Product::default()
    })
}

fn set_information(document: &Document, patch: &mut Patch, texts: &[(&str, &str)]) {
    let known = document.trailer.get(b"Info").and_then(Object::as_reference);
    let mut information = match document.trailer.get_deref(b"Info", document) {
        Ok(Object::Dictionary(information)) => information.clone(),
        _ => Dictionary::new(),
    };
    for (key, text) in texts {
        information.remove(key.as_bytes());
        if !text.is_empty() {
            information.set(*key, text_string(text));
        }
    }
    match known {
        Ok(id) => patch.set(id, &information.into()),
        Err(_) => {
            let mut trailer = document.trailer.clone();
            trailer.set("Info", patch.add(&information.into()));
            patch.set_trailer(&trailer);
        }
    }
}

/// Sets the texts in the XMP packet. An unparsable packet is dropped, because it would contradict the information dictionary.
fn set_packet(
    task: &Task,
    document: &Document,
    patch: &mut Patch,
    texts: &[(&str, &str)],
) -> TaskResult<Option<Warning>> {
    let Some((id, packet)) = packet(document) else {
        return Ok(None);
    };
    let Some(packet) = packet.and_then(|packet| xmp::set(&packet, texts)) else {
        drop_packet(document, patch);
        return Ok(Some(Warning::MetadataDropped));
    };
    let file = task.directory.join("packet");
    std::fs::write(&file, packet)?;
    let dict = lopdf::dictionary! { "Type" => "Metadata", "Subtype" => "XML" };
    patch.set_stream(id, &dict, &file);
    Ok(None)
}

/// Returns the XMP packet, if there is one, and its content, if it can be decoded.
fn packet(document: &Document) -> Option<(ObjectId, Option<Vec<u8>>)> {
    let id = document.catalog().ok()?.get(b"Metadata").ok()?;
    let id = id.as_reference().ok()?;
    let stream = document.get_object(id).ok()?.as_stream().ok()?;
    let content = stream.get_plain_content_with_limit(MAX_PACKET).ok();
    Some((id, content))
}

fn drop_packet(document: &Document, patch: &mut Patch) {
    let root = document.trailer.get(b"Root").and_then(Object::as_reference);
    if let (Ok(root), Ok(catalog)) = (root, document.catalog()) {
        let mut catalog = catalog.clone();
        catalog.remove(b"Metadata");
        patch.set(root, &catalog.into());
    }
}
