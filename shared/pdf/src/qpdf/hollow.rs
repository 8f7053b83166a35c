//! A file that holds what libqpdf says of objects, and no content of streams, for lopdf to read.

use std::collections::BTreeMap;

use lopdf::{Document, ObjectId};
use task::{Fault, Outcome};

/// The file as far as it is written.
#[derive(Default)]
pub(super) struct Hollow {
    bytes: Vec<u8>,
    /// Where the objects are.
    places: BTreeMap<u32, (usize, u16)>,
}

/// Streams that hold objects, which are met themselves.
const CONTAINERS: [&[u8]; 2] = [b"/Type /ObjStm", b"/Type /XRef"];

impl Hollow {
    /// Adds an object, or a stream of which this is the dictionary.
    pub(super) fn add(&mut self, (number, generation): ObjectId, is_stream: bool, text: &[u8]) {
        let holds_objects = |kind: &&[u8]| text.windows(kind.len()).any(|part| part == *kind);
        if is_stream && CONTAINERS.iter().any(holds_objects) {
            return;
        }
        let place = (self.begun().len(), generation);
        if *self.places.entry(number).or_insert(place) != place {
            return;
        }
        self.write(format!("{number} {generation} obj\n").as_bytes());
        match text.strip_suffix(b">>").filter(|_| is_stream) {
            // The last one counts.
            Some(members) => {
                self.write(members);
                self.write(b"/Length 0 >>\nstream\n\nendstream");
            }
            None => self.write(text),
        }
        self.write(b"\nendobj\n");
    }

    /// Ends the file with this catalog, and reads it.
    ///
    /// # Errors
    /// [`Fault::Document`] if it cannot be read.
    pub(super) fn read(mut self, root: &[u8]) -> Outcome<Document> {
        let start = self.begun().len();
        let size = self.places.keys().next_back().map_or(1, |last| last + 1);
        self.write(b"xref\n0 1\n0000000000 65535 f \n");
        for (number, (place, generation)) in std::mem::take(&mut self.places) {
            self.write(format!("{number} 1\n{place:010} {generation:05} n \n").as_bytes());
        }
        self.write(format!("trailer\n<< /Size {size} /Root ").as_bytes());
        self.write(root);
        self.write(format!(" >>\nstartxref\n{start}\n%%EOF\n").as_bytes());
        Document::load_mem(&self.bytes).map_err(|_| Fault::corrupt())
    }

    fn begun(&mut self) -> &[u8] {
        if self.bytes.is_empty() {
            self.write(b"%PDF-1.7\n");
        }
        &self.bytes
    }

    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

/// The objects that a text of libqpdf names, which has a space between any two tokens, and some of which strings only seem to
/// name.
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
                before = [generation, whole(token)];
                None
            }
        }
    })
}

fn whole(token: &[u8]) -> Option<u32> {
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
    fn what_a_text_names_is_found() {
        let text = b"<< /A [ 3 0 R 4 1 R ] /B (5 0) /C 6 0 R /D [ 0 1 2 ] >>";
        let found: Vec<_> = references(text).collect();
        assert_eq!(found, [(3, 0), (4, 1), (6, 0)]);
    }

    #[test]
    fn objects_are_read_as_they_are_and_streams_without_their_content() {
        let mut hollow = Hollow::default();
        hollow.add((7, 0), true, b"<< /Filter /FlateDecode /Length 9000 >>");
        hollow.add((1, 0), false, b"<< /Type /Catalog /Pages 70000 2 R >>");
        hollow.add((70_000, 2), false, b"<< /Kids [ ] /Name (a\\)\\001) >>");
        hollow.add((8, 0), true, b"<< /Type /ObjStm /N 1 >>");
        hollow.add((9, 0), false, b"[ 1 .5 /A#20B ]");
        let document = hollow.read(b"1 0 R").unwrap();
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
