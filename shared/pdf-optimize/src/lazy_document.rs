//! A PDF whose objects are in memory, while stream contents are read from the file on demand.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use lopdf::xref::XrefEntry;
use lopdf::{Document, LoadOptions, Object, ObjectId, Stream};
use task::{TaskError, TaskResult};

/// Maximum decoded size of a stream that is not an image, in bytes.
const MAX_INFLATED: usize = 64 * 1024 * 1024;

/// Maximum filters of a stream.
const MAX_FILTERS: usize = 32;

/// A PDF without stream contents in memory.
pub(super) struct LazyDocument {
    /// The objects; streams have no content.
    pub(super) document: Document,
    file: File,
}

impl LazyDocument {
    /// Opens a file without object streams.
    pub(super) fn open(path: &Path) -> TaskResult<Self> {
        let options = LoadOptions::with_filter(without_content);
        let document =
            Document::load_with_options(path, options).map_err(|_| TaskError::input_corrupt())?;
        let file = File::open(path)?;
        let mut source = Self { document, file };
        source.find_contents();
        Ok(source)
    }

    /// Records where the content of each stream starts.
    fn find_contents(&mut self) {
        let offsets = &self.document.reference_table.entries;
        for ((number, _), object) in &mut self.document.objects {
            if let Object::Stream(stream) = object
                && let Some(XrefEntry::Normal { offset, .. }) = offsets.get(number)
            {
                let size = Self::size(stream);
                stream.start_position = content_of(&self.file, u64::from(*offset), size);
            }
        }
    }

    /// Returns all streams with their ids.
    pub(super) fn streams(&self) -> impl Iterator<Item = (ObjectId, &Stream)> {
        let objects = self.document.objects.iter();
        objects.filter_map(|(id, object)| Some((*id, object.as_stream().ok()?)))
    }

    /// Returns the encoded size of a stream in bytes.
    pub(super) fn size(stream: &Stream) -> usize {
        let size = stream.dict.get(b"Length").and_then(Object::as_i64);
        size.map_or(0, |size| usize::try_from(size).unwrap_or(0))
    }

    /// Returns a stream with its encoded content; `None` if the content was not found.
    pub(super) fn with_content(&self, stream: &Stream) -> Option<Stream> {
        let mut content = vec![0; Self::size(stream)];
        if !content.is_empty() {
            let position = u64::try_from(stream.start_position?).ok()?;
            self.file.read_exact_at(&mut content, position).ok()?;
        }
        let mut dictionary = stream.dict.clone();
        for key in [b"Filter" as &[u8], b"DecodeParms"] {
            if let Ok(value) = stream.dict.get(key) {
                match self.resolved_filters(value)? {
                    Object::Null => drop(dictionary.remove(key)),
                    value => dictionary.set(key, value),
                }
            }
        }
        Some(Stream::new(dictionary, content))
    }

    /// Resolves the references in `Filter` and `DecodeParms`, which lopdf does not do when decoding. `None` if there are too
    /// many filters.
    fn resolved_filters(&self, value: &Object) -> Option<Object> {
        let one = |value: &Object| match self.resolved(value) {
            Object::Dictionary(members) => {
                let members = members.iter();
                let members = members.map(|(key, value)| (key.clone(), self.resolved(value)));
                Object::Dictionary(members.collect())
            }
            other => other,
        };
        match self.resolved(value) {
            Object::Array(items) if items.len() > MAX_FILTERS => None,
            Object::Array(items) => Some(Object::Array(items.iter().map(one).collect())),
            other => Some(one(&other)),
        }
    }

    /// Resolves a reference, unless it is to a stream.
    fn resolved(&self, value: &Object) -> Object {
        match self.document.dereference(value) {
            Ok((_, Object::Stream(_))) => value.clone(),
            Ok((_, found)) => found.clone(),
            Err(_) => Object::Null,
        }
    }

    /// Returns the decoded content of a stream that is not an image.
    pub(super) fn decoded(&self, stream: &Stream) -> Option<Vec<u8>> {
        let stream = self.with_content(stream)?;
        match stream.dict.has(b"Filter") {
            true => stream.get_plain_content_with_limit(MAX_INFLATED).ok(),
            false => Some(stream.content),
        }
    }

    /// Returns the concatenated content streams of a page.
    pub(super) fn content_of_page(&self, id: ObjectId) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        for part in self.document.get_page_contents(id) {
            let part = self.document.get_object(part).ok()?.as_stream().ok()?;
            content.extend(self.decoded(part)?);
            content.push(b'\n');
        }
        Some(content)
    }
}

/// Finds the content of a stream of `size` bytes whose object is at `offset`: between the keywords `stream` and
/// `endstream`, as libqpdf writes them.
fn content_of(file: &File, offset: u64, size: usize) -> Option<usize> {
    const BEGIN: &[u8] = b"\nstream\n";
    const END: &[u8] = b"endstream";
    const CHUNK: usize = 4 * 1024;
    const MAX_HEAD: usize = 4 * 1024 * 1024;
    let mut head = Vec::new();
    while head.len() < MAX_HEAD {
        let from = head.len();
        head.resize(from + CHUNK, 0);
        let read = file
            .read_at(head.get_mut(from..)?, offset + from as u64)
            .ok()?;
        head.truncate(from + read);
        let begins = head.windows(BEGIN.len()).enumerate();
        let begins = begins.filter(|(_, window)| *window == BEGIN);
        for (at, _) in begins {
            let begin = usize::try_from(offset).ok()? + at + BEGIN.len();
            let mut end = [0; END.len()];
            let ends = file.read_exact_at(&mut end, (begin + size) as u64).is_ok();
            if ends && end == END {
                return Some(begin);
            }
        }
        if read == 0 {
            return None;
        }
    }
    None
}

/// Replaces the content of a stream by its length.
fn without_content(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    if let Object::Stream(stream) = object {
        let length = i64::try_from(stream.content.len()).unwrap_or(0);
        stream.dict.set("Length", length);
        stream.content = Vec::new();
    }
    Some((id, object.clone()))
}
