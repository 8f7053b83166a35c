//! Finds the content that is visible, from the pages down to forms, patterns and glyphs, and rewrites it without hidden layers.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId, Stream};
use task::{TaskError, TaskResult};

use super::content_filter::{Filtered, HiddenNames, filter};
use super::layers::Layers;
use super::unsupported;
use crate::objects::{is_a, items, member, resources};

/// Maximum decoded size of a content stream, in bytes.
const MAX_CONTENT: usize = 64 * 1024 * 1024;
/// Maximum number of content streams.
const MAX_STREAMS: usize = 200_000;

/// The visible content of a document.
#[derive(Default)]
pub(super) struct VisibleContent {
    /// Images and forms that visible content draws.
    pub(super) drawn: HashSet<ObjectId>,
    /// Content streams that were read.
    pub(super) read: HashSet<ObjectId>,
    /// Files with the new content of pages.
    pub(super) pages: HashMap<ObjectId, PathBuf>,
    /// Files with the new content of streams.
    pub(super) streams: HashMap<ObjectId, PathBuf>,
    /// Marked content that was hidden: its page or stream, and its identifier.
    pub(super) marks: HashSet<(ObjectId, i64)>,
    /// Number of hidden sections and objects.
    pub(super) hidden: usize,
}

/// Loads a normalized copy with the data of content streams.
fn load(plain: &Path) -> TaskResult<Document> {
    let options = LoadOptions::with_filter(|id, object| {
        if let Object::Stream(stream) = object
            && (is_a(&stream.dict, b"Image") || stream.dict.has(b"Length1"))
        {
            stream.content.clear();
        }
        Some((id, object.clone()))
    });
    Document::load_with_options(plain, options).map_err(|_| TaskError::input_corrupt())
}

impl VisibleContent {
    /// Reads a normalized copy, and writes the new content into `directory`.
    ///
    /// # Errors
    /// [`TaskError::Document`] if content of hidden layers cannot be separated from other content.
    pub(super) fn of(plain: &Path, layers: &Layers, directory: &Path) -> TaskResult<Self> {
        let document = load(plain)?;
        std::fs::create_dir_all(directory)?;
        let mut walk = Walk {
            document: &document,
            layers,
            directory,
            found: Self::default(),
            due: Vec::new(),
        };
        for id in document.get_pages().into_values() {
            walk.page(id)?;
        }
        while let Some((id, stream, inherited)) = walk.due.pop() {
            let own = member(&document, &stream.dict, b"Resources");
            let content = decoded(&document, stream);
            let filtered = walk.content(id, content.as_deref(), own.or(inherited))?;
            if let Some(content) = filtered {
                let file = walk.write(id, &content)?;
                walk.found.streams.insert(id, file);
            }
        }
        Ok(walk.found)
    }
}

struct Walk<'d> {
    document: &'d Document,
    layers: &'d Layers,
    directory: &'d Path,
    found: VisibleContent,
    /// Streams to read, with the resources of the content that uses them.
    due: Vec<(ObjectId, &'d Stream, Option<&'d Dictionary>)>,
}

impl<'d> Walk<'d> {
    fn page(&mut self, id: ObjectId) -> TaskResult<()> {
        let document = self.document;
        let Ok(page) = document.get_dictionary(id) else {
            return Ok(());
        };
        let parts = document.get_page_contents(id).into_iter().map(|part| {
            let stream = document.get_object(part).ok()?.as_stream().ok()?;
            decoded(document, stream)
        });
        let parts: Option<Vec<Vec<u8>>> = parts.collect();
        let content = parts.map(|parts| parts.join(&b'\n'));
        if let Some(content) = self.content(id, content.as_deref(), resources(document, page))? {
            let file = self.write(id, &content)?;
            self.found.pages.insert(id, file);
        }
        for annotation in items(document, page, b"Annots") {
            let Ok((_, Object::Dictionary(annotation))) = document.dereference(annotation) else {
                continue;
            };
            let owner = annotation.get(b"OC");
            if owner.is_ok_and(|owner| self.layers.hides(document, owner)) {
                continue;
            }
            for key in [b"AP".as_slice(), b"MK"] {
                if let Some(appearances) = member(document, annotation, key) {
                    self.streams_of(appearances, 2);
                }
            }
        }
        Ok(())
    }

    /// Adds the streams that are members of a dictionary, or of its members.
    fn streams_of(&mut self, dictionary: &'d Dictionary, depth: u32) {
        for (_, value) in dictionary {
            match self.document.dereference(value) {
                Ok((Some(id), Object::Stream(stream))) => self.add(id, stream, None),
                Ok((_, Object::Dictionary(inner))) if depth > 1 => {
                    self.streams_of(inner, depth - 1);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, id: ObjectId, stream: &'d Stream, inherited: Option<&'d Dictionary>) {
        self.found.drawn.insert(id);
        if !is_a(&stream.dict, b"Image")
            && self.found.read.len() < MAX_STREAMS
            && self.found.read.insert(id)
        {
            self.due.push((id, stream, inherited));
        }
    }

    /// Filters a content. Returns its new content if any of it is hidden.
    fn content(
        &mut self,
        id: ObjectId,
        content: Option<&[u8]>,
        resources: Option<&'d Dictionary>,
    ) -> TaskResult<Option<Vec<u8>>> {
        let names = self.hidden_names(resources);
        let objects = self.category(resources, b"XObject");
        let filtered = content.map(|content| filter(content, &names)).transpose()?;
        let filtered = match filtered.flatten() {
            Some(filtered) => filtered,
            None if names.properties.is_empty() && names.objects.is_empty() => Filtered {
                drawn: objects.iter().map(|(name, _)| name.to_vec()).collect(),
                ..Filtered::default()
            },
            None => return Err(unsupported("A page with hidden layers cannot be parsed.")),
        };
        self.found.hidden += filtered.hidden;
        let marks = filtered.marks.iter().map(|mark| (id, *mark));
        self.found.marks.extend(marks);
        for (name, object) in objects {
            if let Ok((Some(id), Object::Stream(stream))) = self.document.dereference(object)
                && filtered.drawn.contains(name)
            {
                self.add(id, stream, resources);
            }
        }
        self.used_by_state(resources);
        Ok(filtered.content)
    }

    /// Adds patterns, soft masks and glyphs.
    fn used_by_state(&mut self, resources: Option<&'d Dictionary>) {
        let document = self.document;
        for (_, pattern) in self.category(resources, b"Pattern") {
            if let Ok((Some(id), Object::Stream(stream))) = document.dereference(pattern) {
                self.add(id, stream, resources);
            }
        }
        for (_, state) in self.category(resources, b"ExtGState") {
            let state = document.dereference(state).map(|(_, state)| state);
            let mask = state.and_then(Object::as_dict).ok();
            let mask = mask.and_then(|state| member(document, state, b"SMask"));
            let group = mask.and_then(|mask| document.dereference(mask.get(b"G").ok()?).ok());
            if let Some((Some(id), Object::Stream(stream))) = group {
                self.add(id, stream, resources);
            }
        }
        for (_, font) in self.category(resources, b"Font") {
            let Ok((_, Object::Dictionary(font))) = document.dereference(font) else {
                continue;
            };
            let own = member(document, font, b"Resources").or(resources);
            let glyphs = member(document, font, b"CharProcs");
            for (_, glyph) in glyphs.into_iter().flatten() {
                if let Ok((Some(id), Object::Stream(stream))) = document.dereference(glyph) {
                    self.add(id, stream, own);
                }
            }
        }
    }

    fn category(
        &self,
        resources: Option<&'d Dictionary>,
        kind: &[u8],
    ) -> Vec<(&'d [u8], &'d Object)> {
        let category = resources.and_then(|resources| member(self.document, resources, kind));
        let category = category.into_iter().flatten();
        category
            .map(|(name, object)| (name.as_slice(), object))
            .collect()
    }

    fn hidden_names(&self, resources: Option<&'d Dictionary>) -> HiddenNames {
        let properties = self.category(resources, b"Properties");
        let marks = properties.iter().filter_map(|(name, list)| {
            let (_, list) = self.document.dereference(list).ok()?;
            let mark = list.as_dict().ok()?.get(b"MCID").and_then(Object::as_i64);
            Some((name.to_vec(), mark.ok()?))
        });
        let marks = marks.collect();
        let properties = properties.into_iter();
        let properties = properties.filter(|(_, owner)| self.layers.hides(self.document, owner));
        let objects = self.category(resources, b"XObject").into_iter();
        let objects = objects.filter(|(_, object)| {
            let stream = self.document.dereference(object).map(|(_, stream)| stream);
            let owner = stream.and_then(Object::as_stream);
            let owner = owner.and_then(|stream| stream.dict.get(b"OC"));
            owner.is_ok_and(|owner| self.layers.hides(self.document, owner))
        });
        HiddenNames {
            properties: properties.map(|(name, _)| name.to_vec()).collect(),
            objects: objects.map(|(name, _)| name.to_vec()).collect(),
            marks,
        }
    }

    fn write(&self, id: ObjectId, content: &[u8]) -> TaskResult<PathBuf> {
        let file = self.directory.join(format!("content-{}", id.0));
        std::fs::write(&file, content)?;
        Ok(file)
    }
}

/// The decoded content of a stream; `None` if it cannot be decoded.
fn decoded(document: &Document, stream: &Stream) -> Option<Vec<u8>> {
    let mut stream = stream.clone();
    for key in [b"Filter".as_slice(), b"DecodeParms"] {
        if let Ok(value) = stream.dict.get_deref(key, document).cloned() {
            stream.dict.set(key, value);
        }
    }
    match stream.dict.has(b"Filter") {
        true => stream.get_plain_content_with_limit(MAX_CONTENT).ok(),
        false => Some(stream.content),
    }
}
