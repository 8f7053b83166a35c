//! What `sanitize` removed from a document.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Number of removed parts of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedParts {
    /// Scripts.
    pub javascript: u32,
    /// Actions, and links that are not to a web page, to a mail address or within the document.
    pub actions: u32,
    /// Embedded files and references to them.
    pub attachments: u32,
    /// Hidden layers, and annotations and sections of content in them.
    pub hidden_layers: u32,
    /// Entries with metadata.
    pub metadata: u32,
    /// Other entries that a document does not need: media, XFA forms, private entries.
    pub other: u32,
}

impl RemovedParts {
    /// Whether nothing was removed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn data(&self) -> Value {
        Value::Object(self.counts())
    }

    pub(super) fn message(&self) -> String {
        let labels = [
            "scripts",
            "actions",
            "embedded files",
            "parts of hidden layers",
            "entries of metadata",
            "other entries",
        ];
        let counts = self.counts();
        let counts = labels.iter().zip(counts.values());
        let counts = counts.filter(|(_, count)| **count != 0);
        let listed: Vec<String> = counts
            .map(|(label, count)| format!("{label}: {count}"))
            .collect();
        format!("Removed from the document: {}.", listed.join(", "))
    }

    fn counts(&self) -> Map<String, Value> {
        let counts = json!({
            "javascript": self.javascript, "actions": self.actions, "attachments": self.attachments,
            "hiddenLayers": self.hidden_layers, "metadata": self.metadata, "other": self.other,
        });
        match counts {
            Value::Object(counts) => counts,
            _ => Map::new(),
        }
    }
}
