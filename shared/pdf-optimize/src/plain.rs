//! A PDF whose objects are in memory, and the content of whose streams is read from its file one by one.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use lopdf::xref::XrefEntry;
use lopdf::{Document, LoadOptions, Object, ObjectId, Stream};
use task::{Fault, Outcome};

/// Most bytes that the content of a stream inflates to, unless it is a picture.
const INFLATED: usize = 64 * 1024 * 1024;

/// Most filters of a stream.
const FILTERS: usize = 32;

/// A PDF.
pub(super) struct Plain {
    /// Its objects; streams have no content here.
    pub(super) document: Document,
    file: File,
}

impl Plain {
    /// Opens a file whose objects lie beside each other.
    pub(super) fn open(path: &Path) -> Outcome<Self> {
        let options = LoadOptions::with_filter(without_content);
        let document = Document::load_with_options(path, options).map_err(|_| Fault::corrupt())?;
        let file = File::open(path)?;
        let mut plain = Self { document, file };
        plain.find_contents();
        Ok(plain)
    }

    /// Notes where the content of each stream begins.
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

    /// The ids of all streams.
    pub(super) fn streams(&self) -> impl Iterator<Item = (ObjectId, &Stream)> {
        let objects = self.document.objects.iter();
        objects.filter_map(|(id, object)| Some((*id, object.as_stream().ok()?)))
    }

    /// How many bytes the content of a stream takes, encoded.
    pub(super) fn size(stream: &Stream) -> usize {
        let size = stream.dict.get(b"Length").and_then(Object::as_i64);
        size.map_or(0, |size| usize::try_from(size).unwrap_or(0))
    }

    /// A stream with its content, as it is encoded; `None` if it is not where it should be.
    pub(super) fn with_content(&self, stream: &Stream) -> Option<Stream> {
        let mut content = vec![0; Self::size(stream)];
        if !content.is_empty() {
            let position = u64::try_from(stream.start_position?).ok()?;
            self.file.read_exact_at(&mut content, position).ok()?;
        }
        let mut about = stream.dict.clone();
        for key in [b"Filter" as &[u8], b"DecodeParms"] {
            if let Ok(value) = stream.dict.get(key) {
                match self.coding(value)? {
                    Object::Null => drop(about.remove(key)),
                    value => about.set(key, value),
                }
            }
        }
        Some(Stream::new(about, content))
    }

    /// What says how a stream is encoded, with all that it refers to: lopdf decodes as if that were not there. `None` if
    /// there are too many filters.
    fn coding(&self, value: &Object) -> Option<Object> {
        let one = |value: &Object| match self.found(value) {
            Object::Dictionary(members) => {
                let members = members.iter();
                let members = members.map(|(key, value)| (key.clone(), self.found(value)));
                Object::Dictionary(members.collect())
            }
            other => other,
        };
        match self.found(value) {
            Object::Array(items) if items.len() > FILTERS => None,
            Object::Array(items) => Some(Object::Array(items.iter().map(one).collect())),
            other => Some(one(&other)),
        }
    }

    /// What a value refers to, unless it is a stream, which is no value.
    fn found(&self, value: &Object) -> Object {
        match self.document.dereference(value) {
            Ok((_, Object::Stream(_))) => value.clone(),
            Ok((_, found)) => found.clone(),
            Err(_) => Object::Null,
        }
    }

    /// The decoded content of a stream that is no picture.
    pub(super) fn decoded(&self, stream: &Stream) -> Option<Vec<u8>> {
        let stream = self.with_content(stream)?;
        match stream.dict.has(b"Filter") {
            true => stream.get_plain_content_with_limit(INFLATED).ok(),
            false => Some(stream.content),
        }
    }

    /// All parts of what a page draws, one after the other.
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

/// Where the content of a stream of so many bytes begins whose object lies at an offset: between the words that begin and
/// end it, as libqpdf writes them.
fn content_of(file: &File, offset: u64, size: usize) -> Option<usize> {
    const BEGIN: &[u8] = b"\nstream\n";
    const END: &[u8] = b"endstream";
    const PIECE: usize = 4 * 1024;
    const MOST: usize = 4 * 1024 * 1024;
    let mut head = Vec::new();
    while head.len() < MOST {
        let from = head.len();
        head.resize(from + PIECE, 0);
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

/// Only how long it is.
fn without_content(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    if let Object::Stream(stream) = object {
        let length = i64::try_from(stream.content.len()).unwrap_or(0);
        stream.dict.set("Length", length);
        stream.content = Vec::new();
    }
    Some((id, object.clone()))
}
