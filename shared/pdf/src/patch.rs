//! Changes to single objects of a PDF: lopdf reads what is there, and libqpdf writes the file with the changes in it.

use std::path::Path;

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};
use serde_json::{Map, Number, Value, json};
use task::{Fault, Outcome};

use crate::qpdf::{Held, Job};

/// Writes a copy that both libraries read alike: mended, open, without streams of objects.
pub fn plain(source: &Path, target: &Path) -> Outcome<()> {
    let job = Job::read(source).option("--object-streams=disable").open();
    job.write(target)
}

/// Reads such a copy without the content of its streams, but with that of metadata.
pub fn skeleton(plain: &Path) -> Outcome<Document> {
    let options = LoadOptions::with_filter(|id, object| {
        if let Object::Stream(stream) = object
            && !stream.dict.has_type(b"Metadata")
        {
            stream.content.clear();
        }
        Some((id, object.clone()))
    });
    Document::load_with_options(plain, options).map_err(|_| Fault::corrupt())
}

/// Objects that replace others of a document or are new in it.
pub struct Patch {
    objects: Map<String, Value>,
    /// The number of the next new object.
    next: u32,
}

impl Patch {
    /// No change to a document yet.
    pub fn of(document: &Document) -> Self {
        Self {
            objects: Map::new(),
            next: document.max_id + 1,
        }
    }

    /// No change to any document.
    pub fn none() -> Self {
        Self {
            objects: Map::new(),
            next: 1,
        }
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Takes the number of a new object, which has to be set then.
    pub fn new_id(&mut self) -> ObjectId {
        let id = (self.next, 0);
        self.next += 1;
        id
    }

    /// Sets an object that is no stream.
    pub fn set(&mut self, id: ObjectId, object: &Object) {
        self.objects
            .insert(key(id), json!({ "value": value(object) }));
    }

    /// Adds an object that is no stream.
    pub fn add(&mut self, object: &Object) -> ObjectId {
        let id = self.new_id();
        self.set(id, object);
        id
    }

    /// Sets a stream whose content, as the dictionary says that it is encoded, lies in a file.
    pub fn set_stream(&mut self, id: ObjectId, dictionary: &Dictionary, content: &Path) {
        let stream = json!({ "dict": about(dictionary), "datafile": content.to_string_lossy() });
        self.objects.insert(key(id), json!({ "stream": stream }));
    }

    /// Sets the dictionary of a stream, whose content stays.
    pub fn set_about(&mut self, id: ObjectId, dictionary: &Dictionary) {
        let stream = json!({ "dict": about(dictionary) });
        self.objects.insert(key(id), json!({ "stream": stream }));
    }

    /// Sets the trailer.
    pub fn set_trailer(&mut self, trailer: &Dictionary) {
        let trailer = json!({ "value": members(trailer) });
        self.objects.insert("trailer".to_owned(), trailer);
    }

    /// A run of qpdf that reads the plain copy with these changes, which it finds in `file`.
    pub fn job(&self, plain: &Path, file: &Path) -> Outcome<Job> {
        if self.is_empty() {
            return Ok(Job::read(plain));
        }
        self.write(file)?;
        let mut option = std::ffi::OsString::from("--update-from-json=");
        option.push(file);
        Ok(Job::read(plain).option(option))
    }

    /// Makes the changes to a document in memory, through a file that it finds them in.
    pub fn apply(&self, document: &Held, file: &Path) -> Outcome<()> {
        if self.is_empty() {
            return Ok(());
        }
        self.write(file)?;
        document.update(file)
    }

    fn write(&self, file: &Path) -> Outcome<()> {
        let header = json!({ "jsonversion": 2, "pdfversion": "1.7", "maxobjectid": self.next });
        let text = json!({ "qpdf": [header, self.objects] }).to_string();
        Ok(std::fs::write(file, text)?)
    }
}

fn key((number, generation): ObjectId) -> String {
    format!("obj:{number} {generation} R")
}

/// An object in qpdf's JSON, version 2 [qpdf manual, qpdf JSON].
fn value(object: &Object) -> Value {
    match object {
        Object::Null => Value::Null,
        Object::Boolean(boolean) => Value::Bool(*boolean),
        Object::Integer(integer) => Value::from(*integer),
        Object::Real(real) => number(*real),
        Object::Name(bytes) => Value::String(name(bytes)),
        Object::String(bytes, _) => Value::String(format!("b:{}", domain::key::hex(bytes))),
        Object::Array(items) => items.iter().map(value).collect(),
        Object::Dictionary(dictionary) => members(dictionary),
        // Only objects of their own are streams.
        Object::Stream(_) => Value::Null,
        Object::Reference((number, generation)) => {
            Value::String(format!("{number} {generation} R"))
        }
    }
}

/// The number as it is written, and not what it is as a number of twice the length.
fn number(real: f32) -> Value {
    let exact = real.to_string().parse().ok();
    exact
        .and_then(Number::from_f64)
        .map_or(Value::Null, Value::Number)
}

fn members(dictionary: &Dictionary) -> Value {
    let members = dictionary.iter();
    let members = members.map(|(key, object)| (name(key), value(object)));
    Value::Object(members.collect())
}

/// What a stream says about itself, but for its length, which libqpdf measures.
fn about(dictionary: &Dictionary) -> Value {
    let mut about = dictionary.clone();
    about.remove(b"Length");
    members(&about)
}

fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(char::is_control) => format!("/{text}"),
        _ => {
            let escaped = bytes.iter().map(|byte| format!("#{byte:02x}"));
            format!("n:/{}", escaped.collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn objects_are_spelled_as_qpdf_reads_them() {
        let object = Object::Dictionary(dictionary! {
            "A" => vec![1.into(), 0.1.into(), true.into(), Object::Null],
            "B" => Object::string_literal("a\u{e9}"),
            "C" => Object::Name(vec![0xff]),
            "D" => (7, 1),
        });
        let expected = json!({
            "/A": [1, 0.1, true, null],
            "/B": "b:61c3a9",
            "/C": "n:/#ff",
            "/D": "7 1 R",
        });
        assert_eq!(value(&object), expected);
    }
}
