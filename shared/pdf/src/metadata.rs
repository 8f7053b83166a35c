//! Sets a PDF's title, author, subject and keywords, where readers look for them: in its information dictionary, and in its
//! XMP packet if there is one [ISO 32000-1, 14.3].

mod xmp;

use domain::operation::Operation;
use lopdf::{Dictionary, Document, Object, ObjectId, text_string};
use task::options::metadata_texts;
use task::{Fault, Inspection, Outcome, Product, Remark, Task};

use crate::patch::{self, Patch};

/// Largest XMP packet that is kept, in bytes.
const PACKET: usize = 4 * 1024 * 1024;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let Operation::Metadata(options) = &task.operation else {
        return Err(Fault::Installation("not metadata".to_owned()));
    };
    let texts = metadata_texts(options);
    let plain = task.directory.join("plain");
    patch::plain(&task.readable(), &plain)?;
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
        remarks: Vec::from_iter(dropped),
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

/// A packet that cannot be read would tell something else than the dictionary, so it goes.
fn set_packet(
    task: &Task,
    document: &Document,
    patch: &mut Patch,
    texts: &[(&str, &str)],
) -> Outcome<Option<Remark>> {
    let Some((id, packet)) = packet(document) else {
        return Ok(None);
    };
    let Some(packet) = packet.and_then(|packet| xmp::set(&packet, texts)) else {
        drop_packet(document, patch);
        return Ok(Some(Remark::MetadataPacketDropped));
    };
    let file = task.directory.join("packet");
    std::fs::write(&file, packet)?;
    let about = lopdf::dictionary! { "Type" => "Metadata", "Subtype" => "XML" };
    patch.set_stream(id, &about, &file);
    Ok(None)
}

/// The document's packet, if there is one; its content, if it can be decoded.
fn packet(document: &Document) -> Option<(ObjectId, Option<Vec<u8>>)> {
    let id = document.catalog().ok()?.get(b"Metadata").ok()?;
    let id = id.as_reference().ok()?;
    let stream = document.get_object(id).ok()?.as_stream().ok()?;
    let content = stream.get_plain_content_with_limit(PACKET).ok();
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
