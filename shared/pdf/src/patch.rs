//! Changes of single objects of a PDF: lopdf reads the objects, and libqpdf writes the file with the changes.

use std::path::Path;

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};
use serde_json::{Map, Number, Value, json};
use task::{TaskError, TaskResult};

use crate::qpdf::{QpdfDocument, QpdfJob};

/// Writes a normalized copy that both libraries parse alike: repaired, decrypted, without object streams.
///
/// # Errors
/// [`TaskError::Document`] if it cannot be parsed.
pub fn write_normalized(source: &Path, target: &Path) -> TaskResult<()> {
    let job = QpdfJob::read(source)
        .option("--object-streams=disable")
        .unencrypted();
    job.write(target)
}

/// Loads a normalized copy without stream data, except for metadata streams.
///
/// # Errors
/// [`TaskError::Document`] if it cannot be parsed.
pub fn skeleton(plain: &Path) -> TaskResult<Document> {
    let options = LoadOptions::with_filter(|id, object| {
        if let Object::Stream(stream) = object
            && !stream.dict.has_type(b"Metadata")
        {
            stream.content.clear();
        }
        Some((id, object.clone()))
    });
    Document::load_with_options(plain, options).map_err(|_| TaskError::input_corrupt())
}

/// New and replaced objects of a document.
pub struct Patch {
    objects: Map<String, Value>,
    /// The next free object number.
    next: u32,
}

impl Patch {
    /// An empty patch of a document.
    pub fn of(document: &Document) -> Self {
        Self {
            objects: Map::new(),
            next: document.max_id + 1,
        }
    }

    /// An empty patch for changes of existing objects only.
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

    /// Reserves the number of a new object, which must then be set.
    pub fn new_id(&mut self) -> ObjectId {
        let id = (self.next, 0);
        self.next += 1;
        id
    }

    /// Sets an object other than a stream.
    pub fn set(&mut self, id: ObjectId, object: &Object) {
        self.objects
            .insert(key(id), json!({ "value": value(object) }));
    }

    /// Adds an object other than a stream.
    pub fn add(&mut self, object: &Object) -> ObjectId {
        let id = self.new_id();
        self.set(id, object);
        id
    }

    /// Sets a stream whose encoded data is in a file.
    pub fn set_stream(&mut self, id: ObjectId, dictionary: &Dictionary, content: &Path) {
        let stream =
            json!({ "dict": stream_dictionary(dictionary), "datafile": content.to_string_lossy() });
        self.objects.insert(key(id), json!({ "stream": stream }));
    }

    /// Sets the dictionary of a stream and keeps its data.
    pub fn set_stream_dictionary(&mut self, id: ObjectId, dictionary: &Dictionary) {
        let stream = json!({ "dict": stream_dictionary(dictionary) });
        self.objects.insert(key(id), json!({ "stream": stream }));
    }

    /// Sets the trailer.
    pub fn set_trailer(&mut self, trailer: &Dictionary) {
        let trailer = json!({ "value": members(trailer) });
        self.objects.insert("trailer".to_owned(), trailer);
    }

    /// Creates a qpdf job that reads the normalized copy with these changes, which are written to `file`.
    ///
    /// # Errors
    /// If `file` cannot be written.
    pub fn job(&self, plain: &Path, file: &Path) -> TaskResult<QpdfJob> {
        if self.is_empty() {
            return Ok(QpdfJob::read(plain));
        }
        self.write(file)?;
        let mut option = std::ffi::OsString::from("--update-from-json=");
        option.push(file);
        Ok(QpdfJob::read(plain).option(option))
    }

    /// Applies the changes to a document in memory, by way of `file`.
    ///
    /// # Errors
    /// If `file` cannot be written, or libqpdf rejects the changes.
    pub fn apply(&self, document: &QpdfDocument, file: &Path) -> TaskResult<()> {
        if self.is_empty() {
            return Ok(());
        }
        self.write(file)?;
        document.update(file)
    }

    fn write(&self, file: &Path) -> TaskResult<()> {
        let header = json!({ "jsonversion": 2, "pdfversion": "1.7", "maxobjectid": self.next });
        let text = json!({ "qpdf": [header, self.objects] }).to_string();
        Ok(std::fs::write(file, text)?)
    }
}

fn key((number, generation): ObjectId) -> String {
    format!("obj:{number} {generation} R")
}

/// Serializes an object as qpdf JSON version 2 [qpdf manual, qpdf JSON].
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
        // A stream cannot be a direct object.
        Object::Stream(_) => Value::Null,
        Object::Reference((number, generation)) => {
            Value::String(format!("{number} {generation} R"))
        }
    }
}

/// Serializes the shortest decimal of an `f32`, not its `f64` expansion.
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

/// The dictionary of a stream without `Length`, which libqpdf sets.
fn stream_dictionary(dictionary: &Dictionary) -> Value {
    let mut dict = dictionary.clone();
    dict.remove(b"Length");
    members(&dict)
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
    fn objects_are_serialized_as_qpdf_json() {
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
