//! Writes a skeleton PDF without stream data, so that lopdf can load the object graph cheaply.

use std::collections::BTreeMap;

use lopdf::{Document, ObjectId};
use task::{TaskError, TaskResult};

/// The file so far.
#[derive(Default)]
pub(super) struct SkeletonWriter {
    bytes: Vec<u8>,
    /// Offset and generation of each object.
    offsets: BTreeMap<u32, (usize, u16)>,
}

/// Object streams, whose objects are added one by one, and cross-reference streams.
const CONTAINERS: [&[u8]; 2] = [b"/Type /ObjStm", b"/Type /XRef"];

impl SkeletonWriter {
    /// Adds a serialized object. For a stream, `text` is its dictionary.
    pub(super) fn add(&mut self, (number, generation): ObjectId, is_stream: bool, text: &[u8]) {
        let holds_objects = |kind: &&[u8]| text.windows(kind.len()).any(|part| part == *kind);
        if is_stream && CONTAINERS.iter().any(holds_objects) {
            return;
        }
        let offset = (self.with_header().len(), generation);
        if *self.offsets.entry(number).or_insert(offset) != offset {
            return;
        }
        self.write(format!("{number} {generation} obj\n").as_bytes());
        match text.strip_suffix(b">>").filter(|_| is_stream) {
            // Overrides the `Length` of the dictionary: of equal keys, the last one applies.
            Some(members) => {
                self.write(members);
                self.write(b"/Length 0 >>\nstream\n\nendstream");
            }
            None => self.write(text),
        }
        self.write(b"\nendobj\n");
    }

    /// Ends the file with this catalog, and parses it.
    ///
    /// # Errors
    /// [`TaskError::Document`] if it cannot be parsed.
    pub(super) fn read(mut self, root: &[u8]) -> TaskResult<Document> {
        let start = self.with_header().len();
        let size = self.offsets.keys().next_back().map_or(1, |last| last + 1);
        self.write(b"xref\n0 1\n0000000000 65535 f \n");
        for (number, (place, generation)) in std::mem::take(&mut self.offsets) {
            self.write(format!("{number} 1\n{place:010} {generation:05} n \n").as_bytes());
        }
        self.write(format!("trailer\n<< /Size {size} /Root ").as_bytes());
        self.write(root);
        self.write(format!(" >>\nstartxref\n{start}\n%%EOF\n").as_bytes());
        Document::load_mem(&self.bytes).map_err(|_| TaskError::input_corrupt())
    }

    fn with_header(&mut self) -> &[u8] {
        if self.bytes.is_empty() {
            self.write(b"%PDF-1.7\n");
        }
        &self.bytes
    }

    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

/// Returns the references in a serialization of libqpdf, which separates all tokens by spaces. Text that looks like a reference
/// inside a string is returned, too.
pub(super) fn references(text: &[u8]) -> impl Iterator<Item = ObjectId> {
    let mut before: [Option<u32>; 2] = [None, None];
    text.split(|byte| *byte == b' ').filter_map(move |token| {
        let [number, generation] = before;
        match token {
            b"R" => {
                before = [None, None];
                Some((number?, generation?.try_into().ok()?))
            }
            _ => {
                before = [generation, parse_number(token)];
                None
            }
        }
    })
}

/// Returns the reference that is the value of a key, which ends with a space, in a serialization of libqpdf.
pub(super) fn reference(text: &[u8], key: &[u8]) -> Option<ObjectId> {
    let start = text.windows(key.len()).position(|part| part == key)? + key.len();
    let value = text.get(start..)?;
    let spaces = value.iter().enumerate().filter(|(_, byte)| **byte == b' ');
    let end = spaces.map(|(index, _)| index).nth(2);
    references(value.get(..end.unwrap_or(value.len()))?).next()
}

fn parse_number(token: &[u8]) -> Option<u32> {
    let digits = token.first().is_some_and(u8::is_ascii_digit);
    std::str::from_utf8(token)
        .ok()
        .filter(|_| digits)?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use lopdf::Object;

    use super::*;

    #[test]
    fn references_are_found() {
        let text = b"<< /A [ 3 0 R 4 1 R ] /B (5 0) /C 6 0 R /D [ 0 1 2 ] >>";
        let found: Vec<_> = references(text).collect();
        assert_eq!(found, [(3, 0), (4, 1), (6, 0)]);
    }

    #[test]
    fn the_reference_of_a_key_is_its_whole_value() {
        let text = b"<< /Widths 5 0 R /Differences 6 0 R /Encoding /X /Next 7 0 R >>";
        assert_eq!(reference(text, b"/Differences "), Some((6, 0)));
        assert_eq!(reference(text, b"/Encoding "), None);
        assert_eq!(reference(text, b"/None "), None);
    }

    #[test]
    fn objects_are_kept_and_stream_data_is_dropped() {
        let mut writer = SkeletonWriter::default();
        writer.add((7, 0), true, b"<< /Filter /FlateDecode /Length 9000 >>");
        writer.add((1, 0), false, b"<< /Type /Catalog /Pages 70000 2 R >>");
        writer.add((70_000, 2), false, b"<< /Kids [ ] /Name (a\\)\\001) >>");
        writer.add((8, 0), true, b"<< /Type /ObjStm /N 1 >>");
        writer.add((9, 0), false, b"[ 1 .5 /A#20B ]");
        let document = writer.read(b"1 0 R").unwrap();
        let pages = document.catalog().unwrap().get_deref(b"Pages", &document);
        let name = pages.unwrap().as_dict().unwrap().get(b"Name").unwrap();
        assert_eq!(name.as_str().unwrap(), b"a)\x01");
        let stream = document.get_object((7, 0)).unwrap().as_stream().unwrap();
        assert_eq!(
            stream.dict.get(b"Filter").unwrap().as_name().unwrap(),
            b"FlateDecode"
        );
        assert!(stream.content.is_empty());
        assert!(document.get_object((8, 0)).is_err());
        let array = document.get_object((9, 0)).unwrap().as_array().unwrap();
        assert_eq!(
            array[1..],
            [Object::Real(0.5), Object::Name(b"A B".to_vec())]
        );
        assert_eq!(document.max_id, 70_000);
    }
}
