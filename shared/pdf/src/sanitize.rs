//! Removes scripts, actions, embedded files, hidden layers and metadata. What each place of the object graph may have is listed
//! in `places`; everything else is dropped, and the result is written with its reachable objects only.

mod actions;
mod annotations;
mod content_filter;
mod layers;
mod page_tree;
mod places;
mod structure;
mod visible_content;
mod walk;

use std::path::Path;

use domain::job::JobErrorCode;
use domain::operation::{SanitizeOptions, SanitizedPart};
use lopdf::{Dictionary, Document, Object};
use task::{Inspection, Product, RemovedParts, Task, TaskError, TaskResult, Warning, options};

use self::layers::Layers;
use self::visible_content::VisibleContent;
use self::walk::Walk;
use crate::patch::{self, Patch};

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let options = options::sanitize(&task.operation)?;
    let removed = write(&task.readable(), &task.directory, options, &task.output())?;
    Ok(Product {
        pages: inspection.pages,
        warnings: Vec::from_iter((!removed.is_empty()).then_some(Warning::Sanitized(removed))),
        ..Product::default()
    })
}

/// Writes a sanitized copy of a document, with temporary files in `directory`. Returns what was removed.
///
/// # Errors
/// Errors of the document or the installation.
pub fn write(
    source: &Path,
    directory: &Path,
    options: &SanitizeOptions,
    output: &Path,
) -> TaskResult<RemovedParts> {
    let plain = directory.join("plain");
    patch::write_normalized(source, &plain)?;
    let document = patch::skeleton(&plain)?;
    let mut patch = Patch::of(&document);
    let layers = match options.removes(SanitizedPart::HiddenLayers) {
        true => Layers::of(&document),
        false => Layers::default(),
    };
    let visible = layers
        .hide_anything()
        .then(|| VisibleContent::of(&plain, &layers, &directory.join("content")));
    let catalog = document.trailer.get(b"Root").and_then(Object::as_reference);
    let catalog = catalog.map_err(|_| TaskError::input_corrupt())?;
    let mut walk = Walk::new(document, options, (layers, visible.transpose()?));
    walk.set_parents(catalog);
    walk.remove_layers(catalog);
    walk.run(catalog);
    walk.clean_trailer(&mut patch);
    walk.write(&mut patch);
    let removed = walk.removed;
    let job = patch.job(&plain, &directory.join("patch"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .write(output)?;
    Ok(removed)
}

/// Number of hidden layers of a document.
pub(crate) fn hidden_layers(document: &Document) -> u32 {
    u32::try_from(Layers::of(document).hidden()).unwrap_or(u32::MAX)
}

/// The document cannot be sanitized without a wrong result.
fn unsupported(reason: &str) -> TaskError {
    let message = format!(
        "The content of hidden layers cannot be removed: {reason} Set `hiddenLayers` to false to keep it."
    );
    TaskError::document(JobErrorCode::InputCorrupt, &message)
}

impl Walk<'_> {
    /// Keeps the visible layers in the catalog.
    fn remove_layers(&mut self, catalog: lopdf::ObjectId) {
        if !self.removes(SanitizedPart::HiddenLayers) {
            return;
        }
        let Ok(mut members) = self.document.get_dictionary(catalog).cloned() else {
            return;
        };
        if members.remove(b"OCProperties").is_none() {
            return;
        }
        if let Some(properties) = self.layers.visible_properties(&self.document) {
            members.set("OCProperties", properties);
        }
        self.set(catalog, members.into());
        let sections = self.visible.as_ref().map_or(0, |visible| visible.hidden);
        let hidden = self.layers.hidden() + sections;
        self.count(Some(SanitizedPart::HiddenLayers), hidden);
    }

    /// Keeps the catalog, and, if metadata stays, the information dictionary and the identifier.
    fn clean_trailer(&mut self, patch: &mut Patch) {
        let trailer = std::mem::take(&mut self.document.trailer);
        let mut kept = Dictionary::new();
        for key in [b"Root".as_slice(), b"Size"] {
            if let Ok(value) = trailer.get(key) {
                kept.set(key, value.clone());
            }
        }
        for key in [b"Info".as_slice(), b"ID"] {
            let Ok(value) = trailer.get(key) else {
                continue;
            };
            if self.removes(SanitizedPart::Metadata) {
                self.count(Some(SanitizedPart::Metadata), usize::from(key == b"Info"));
            } else {
                self.clean_below(value);
                kept.set(key, value.clone());
            }
        }
        patch.set_trailer(&kept);
    }

    /// Writes the changed objects and contents.
    fn write(&mut self, patch: &mut Patch) {
        let mut visible = self.visible.take().unwrap_or_default();
        for (page, file) in visible.pages.drain() {
            let content = patch.new_id();
            patch.set_stream(content, &Dictionary::new(), &file);
            if let Ok(members) = self.document.get_dictionary_mut(page) {
                members.set("Contents", content);
                self.changed.insert(page);
            }
        }
        self.changed.extend(visible.streams.keys());
        for id in &self.changed {
            match (self.document.objects.get(id), visible.streams.get(id)) {
                (Some(Object::Stream(stream)), Some(file)) => {
                    let mut dict = stream.dict.clone();
                    for key in [b"Filter".as_slice(), b"DecodeParms"] {
                        dict.remove(key);
                    }
                    patch.set_stream(*id, &dict, file);
                }
                (Some(Object::Stream(stream)), None) => {
                    patch.set_stream_dictionary(*id, &stream.dict);
                }
                (Some(object), _) => patch.set(*id, object),
                (None, _) => {}
            }
        }
    }
}
