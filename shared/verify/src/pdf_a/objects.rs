//! The objects of a PDF with the data of the streams that the checks read.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;
use pdf::qpdf::QpdfJob;
use serde_json::{Map, Value};
use task::{TaskError, TaskResult};

use crate::object_graph::ObjectGraph;

/// The members of a dictionary.
pub(super) type Dict = Map<String, Value>;

/// Maximum size of a decoded stream in bytes.
const MAX_DATA: u64 = 64 << 20;

/// A document.
pub(super) struct Document<'g> {
    pub(super) graph: &'g ObjectGraph,
    /// Files with the stored data of streams, by reference.
    files: HashMap<String, PathBuf>,
}

impl<'g> Document<'g> {
    /// Has libqpdf write the stored data of all streams but images to `scratch`.
    pub(super) fn read(file: &Path, scratch: &Path, graph: &'g ObjectGraph) -> TaskResult<Self> {
        let mut job = QpdfJob::read(file).options(&["--json=2", "--json-key=qpdf"]);
        job = job.options(&["--json-stream-data=file", "--decode-level=none"]);
        let mut prefix = std::ffi::OsString::from("--json-stream-prefix=");
        prefix.push(scratch.join("stream"));
        job = job.option(prefix);
        let mut wanted = 0_usize;
        for (reference, dict) in graph.streams() {
            if graph.name(dict, "/Subtype") != Some("/Image") {
                let object = reference.trim_end_matches(" R").replace(' ', ",");
                job = job.option(format!("--json-object={object}"));
                wanted += 1;
            }
        }
        let mut files = HashMap::new();
        let listing = scratch.join("streams");
        let invalid = || TaskError::output_invalid("its streams cannot be read");
        if wanted > 0 {
            job.write(&listing).map_err(|_| invalid())?;
            let listing: Value =
                serde_json::from_slice(&std::fs::read(&listing)?).map_err(|_| invalid())?;
            let objects = listing.pointer("/qpdf/1").and_then(Value::as_object);
            for (name, object) in objects.into_iter().flatten() {
                let path = object.pointer("/stream/datafile").and_then(Value::as_str);
                if let (Some(reference), Some(path)) = (name.strip_prefix("obj:"), path) {
                    files.insert(reference.to_owned(), PathBuf::from(path));
                }
            }
        }
        Ok(Self { graph, files })
    }

    /// The decoded data of a stream; `None` if it is no stream, too large, or has another filter than `FlateDecode`.
    pub(super) fn data(&self, reference: &Value) -> Option<Vec<u8>> {
        let dict = self.graph.dictionary(reference)?;
        let file = File::open(self.files.get(reference.as_str()?)?).ok()?;
        let filters = names(self.graph, dict, "/Filter");
        let parameters = dict.get("/DecodeParms").map(|value| self.first(value));
        let parameters = parameters.and_then(|value| self.graph.dictionary(value));
        let predictor = parameters.and_then(|dict| self.integer(dict, "/Predictor"));
        let mut data = Vec::new();
        match filters.as_slice() {
            [] => file.take(MAX_DATA).read_to_end(&mut data),
            ["/FlateDecode"] if predictor.unwrap_or(1) == 1 => {
                ZlibDecoder::new(file).take(MAX_DATA).read_to_end(&mut data)
            }
            _ => return None,
        }
        .ok()?;
        (u64::try_from(data.len()).ok()? < MAX_DATA).then_some(data)
    }

    /// A value, or the first item if it is an array.
    pub(super) fn first<'a>(&'a self, value: &'a Value) -> &'a Value {
        let items = self.graph.resolve(value).as_array();
        items.map_or(value, |items| items.first().unwrap_or(&Value::Null))
    }

    /// A member that is an integer.
    pub(super) fn integer(&self, dict: &Dict, key: &str) -> Option<i64> {
        self.graph.member(dict, key)?.as_i64()
    }

    /// A member that is a dictionary or a stream.
    pub(super) fn dict<'a>(&'a self, dict: &'a Dict, key: &str) -> Option<&'a Dict> {
        self.graph.dictionary(dict.get(key)?)
    }

    /// Whether a member is `true`.
    pub(super) fn is_true(&self, dict: &Dict, key: &str) -> bool {
        self.graph.member(dict, key) == Some(&Value::Bool(true))
    }

    /// Whether a value is a stream.
    pub(super) fn is_stream(&self, value: &Value) -> bool {
        self.graph.resolve(value).pointer("/stream").is_some()
    }
}

/// A name, or the names of an array.
pub(super) fn names<'a>(graph: &'a ObjectGraph, dict: &'a Dict, key: &str) -> Vec<&'a str> {
    match graph.member(dict, key) {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(items)) => {
            let items = items.iter().map(|item| graph.resolve(item));
            items.filter_map(Value::as_str).collect()
        }
        _ => Vec::new(),
    }
}
