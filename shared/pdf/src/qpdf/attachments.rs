//! The attached files of a document [ISO 32000-1, 7.11.4; ISO 32000-2, 14.13].

use std::collections::HashSet;
use std::ffi::{CStr, c_int};
use std::io::Read as _;

use flate2::read::ZlibDecoder;
use lopdf::ObjectId;
use qpdf_sys::qpdf_object_type_e_ot_stream;
use task::info::AttachmentInfo;

use super::QpdfDocument;
use super::bounded::Bounded;
use super::handle::Object;

/// Maximum number of files, and of nodes of the tree of names.
const MAX_FILES: usize = 10_000;
const MAX_NODES: usize = 10_000;
/// Maximum number of items of an array.
const MAX_ITEMS: c_int = 20_000;
/// Maximum depth of the tree of names.
const MAX_DEPTH: u32 = 50;
/// Maximum length of a description in characters, and of a media type or a relationship in bytes.
const MAX_TEXT: usize = 1_000;
/// The keys of a file name and of its content, the preferred one first; the last three are those of PDF 1.6 and earlier.
const KEYS: [&CStr; 5] = [c"/UF", c"/F", c"/Unix", c"/Mac", c"/DOS"];

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its description for the result of `info`.
    pub info: AttachmentInfo,
    /// Whether it is in the name tree of embedded files.
    pub is_embedded: bool,
    /// The stream with its content.
    pub content: ObjectId,
    /// How the content is stored.
    pub encoding: AttachmentEncoding,
}

/// How the content of an attached file is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentEncoding {
    /// As it is.
    Plain,
    /// With the filter `FlateDecode`.
    Deflated,
    /// With other filters.
    Other,
}

impl QpdfDocument {
    /// Lists the attached files that have a name and a content: first the embedded files by name, then the associated files
    /// of the catalog, then those of annotations by page. A file that is attached in several places under one name is listed
    /// once.
    pub fn attachments(&self) -> Vec<Attachment> {
        let mut found = Found::default();
        let root = self.handle.root();
        let names = root.find(c"/Names");
        if let Some(names) = names.and_then(|names| names.find(c"/EmbeddedFiles")) {
            found.walk(&names, 0);
        }
        for file in root.get(c"/AF").items(MAX_ITEMS) {
            found.add(&file, None, None);
        }
        for (index, number) in (0..self.pages()).zip(1..) {
            for annotation in self.handle.page(index).get(c"/Annots").items(MAX_ITEMS) {
                let subtype = annotation.find(c"/Subtype");
                let subtype = subtype.and_then(|subtype| subtype.name());
                if subtype.as_deref() == Some("FileAttachment")
                    && let Some(file) = annotation.find(c"/FS")
                {
                    found.add(&file, None, Some(number));
                }
            }
        }
        found.files
    }

    /// Returns the content of an attached file, if it has at most `most` bytes and is stored plain or deflated; `None`
    /// otherwise, or if it is damaged.
    pub fn attached_content(&self, file: &Attachment, most: usize) -> Option<Vec<u8>> {
        let mut stored = Bounded::new(most);
        let is_whole = self.copy_stream(file.content, &mut stored).ok()?;
        let stored = is_whole.then_some(stored.bytes)?;
        if file.encoding == AttachmentEncoding::Plain {
            return Some(stored);
        }
        let mut content = Vec::new();
        let limit = u64::try_from(most).ok()?.saturating_add(1);
        let mut decoder = ZlibDecoder::new(&*stored).take(limit);
        decoder.read_to_end(&mut content).ok()?;
        let is_read = file.encoding == AttachmentEncoding::Deflated && content.len() <= most;
        is_read.then_some(content)
    }
}

/// The files that were found.
#[derive(Default)]
struct Found {
    files: Vec<Attachment>,
    known: HashSet<(ObjectId, String)>,
    nodes: usize,
}

impl Found {
    /// Adds the files of a node of a name tree [ISO 32000-1, 7.9.6].
    fn walk(&mut self, node: &Object<'_>, depth: u32) {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES || !node.is_dictionary() {
            return;
        }
        for pair in node.get(c"/Names").items(MAX_ITEMS).chunks_exact(2) {
            if let [key, file] = pair {
                self.add(file, Some(key), None);
            }
        }
        for kid in node.get(c"/Kids").items(MAX_ITEMS) {
            self.walk(&kid, depth + 1);
        }
    }

    /// Adds a file that the name tree lists under a key, or that stands elsewhere.
    fn add(&mut self, file: &Object<'_>, key: Option<&Object<'_>>, page: Option<u32>) {
        if self.files.len() < MAX_FILES
            && let Some(file) = attachment(file, key, page)
            && self.known.insert((file.content, file.info.name.clone()))
        {
            self.files.push(file);
        }
    }
}

/// Reads a file specification [ISO 32000-1, 7.11.3]. Without a file name, the key of the name tree is its name.
fn attachment(
    file: &Object<'_>,
    key: Option<&Object<'_>>,
    page: Option<u32>,
) -> Option<Attachment> {
    let embedded = file.find(c"/EF")?;
    let mut streams = KEYS.iter().filter_map(|key| embedded.find(key));
    let stream = streams.find(|stream| stream.kind() == qpdf_object_type_e_ot_stream)?;
    let text = |key: &CStr| file.find(key)?.text().filter(|text| !text.is_empty());
    let name = KEYS.iter().find_map(|key| text(key));
    let dictionary = stream.stream_dictionary();
    let parameters = dictionary.find(c"/Params");
    let size = parameters.and_then(|parameters| parameters.find(c"/Size")?.integer());
    let has_parameters = dictionary.find(c"/DecodeParms").is_some();
    let encoding = match &*dictionary.get(c"/Filter").unparsed_resolved() {
        b"null" => AttachmentEncoding::Plain,
        b"/FlateDecode" | b"[ /FlateDecode ]" if !has_parameters => AttachmentEncoding::Deflated,
        _ => AttachmentEncoding::Other,
    };
    Some(Attachment {
        info: AttachmentInfo {
            name: name.or_else(|| key?.text())?,
            description: text(c"/Desc").map(|text| text.chars().take(MAX_TEXT).collect()),
            media_type: dictionary.find(c"/Subtype").and_then(short_name),
            size: size.and_then(|size| u64::try_from(size).ok()),
            relationship: file.find(c"/AFRelationship").and_then(short_name),
            page,
        },
        is_embedded: key.is_some(),
        content: stream.id(),
        encoding,
    })
}

fn short_name(name: Object<'_>) -> Option<String> {
    let name = name.name()?;
    (!name.is_empty() && name.len() <= MAX_TEXT).then_some(name)
}
