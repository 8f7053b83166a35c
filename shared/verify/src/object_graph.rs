//! The objects of a PDF as libqpdf prints them in JSON [qpdf manual, qpdf JSON].

use std::path::Path;

use pdf::qpdf::QpdfJob;
use serde_json::{Map, Value};
use task::{TaskError, TaskResult};

/// The objects of a file.
pub(super) struct ObjectGraph {
    objects: Map<String, Value>,
}

impl ObjectGraph {
    /// Reads a file, without the data of streams. The report is written to `scratch`.
    ///
    /// # Errors
    /// `output_invalid` if libqpdf cannot read the file.
    pub(super) fn read(file: &Path, scratch: &Path) -> TaskResult<Self> {
        let report = scratch.join("objects");
        let job = QpdfJob::read(file).options(&["--json=2", "--json-key=qpdf"]);
        let job = job.options(&["--json-stream-data=none", "--decode-level=none"]);
        let invalid = || TaskError::output_invalid("its objects cannot be read");
        job.write(&report).map_err(|_| invalid())?;
        let report = std::fs::read(&report)?;
        let mut report: Value = serde_json::from_slice(&report).map_err(|_| invalid())?;
        let objects = report.pointer_mut("/qpdf/1").map(Value::take);
        match objects {
            Some(Value::Object(objects)) => Ok(Self { objects }),
            _ => Err(invalid()),
        }
    }

    /// All objects with their references, such as `12 0 R`.
    pub(super) fn objects(&self) -> impl Iterator<Item = (&str, &Value)> {
        let objects = self.objects.iter();
        objects.filter_map(|(name, object)| {
            let value = object.get("value").unwrap_or(object);
            Some((name.strip_prefix("obj:")?, value))
        })
    }

    /// The dictionaries of all streams with their references.
    pub(super) fn streams(&self) -> impl Iterator<Item = (&str, &Map<String, Value>)> {
        let streams = self.objects().map(|(reference, object)| {
            let dict = object.pointer("/stream/dict")?.as_object()?;
            Some((reference, dict))
        });
        streams.flatten()
    }

    /// The members of the trailer.
    pub(super) fn trailer(&self) -> Option<&Map<String, Value>> {
        self.objects.get("trailer")?.get("value")?.as_object()
    }

    /// The members of the catalog.
    pub(super) fn catalog(&self) -> Option<&Map<String, Value>> {
        self.dictionary(self.trailer()?.get("/Root")?)
    }

    /// All dictionaries, also those of streams, with their references.
    pub(super) fn dictionaries(&self) -> impl Iterator<Item = (&str, &Map<String, Value>)> {
        self.objects.iter().filter_map(|(key, object)| {
            let value = object
                .get("value")
                .or_else(|| object.pointer("/stream/dict"))?;
            Some((key.strip_prefix("obj:")?, value.as_object()?))
        })
    }

    /// All arrays that are objects of their own.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &Value> {
        let values = self
            .objects
            .values()
            .filter_map(|object| object.get("value"));
        values.filter(|value| value.is_array())
    }

    /// Follows a reference.
    pub(super) fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value.as_str().and_then(|text| self.referenced(text)) {
            Some(object) => object.get("value").unwrap_or(object),
            None => value,
        }
    }

    /// Follows a reference to a dictionary or a stream.
    pub(super) fn dictionary<'a>(&'a self, value: &'a Value) -> Option<&'a Map<String, Value>> {
        let value = self.resolve(value);
        let stream = value.pointer("/stream/dict");
        stream.unwrap_or(value).as_object()
    }

    /// A member, with its reference followed.
    pub(super) fn member<'a>(&'a self, of: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
        Some(self.resolve(of.get(key)?))
    }

    /// A member that is a name, with its slash.
    pub(super) fn name<'a>(&'a self, of: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
        let name = self.member(of, key)?.as_str()?;
        name.starts_with('/').then_some(name)
    }

    /// The items of a member that is an array.
    pub(super) fn items<'a>(&'a self, of: &'a Map<String, Value>, key: &str) -> &'a [Value] {
        let items = self.member(of, key).and_then(Value::as_array);
        items.map_or(&[], Vec::as_slice)
    }

    fn referenced(&self, text: &str) -> Option<&Value> {
        let is_reference = text.ends_with(" R");
        is_reference.then(|| self.objects.get(&format!("obj:{text}")))?
    }
}
