//! Describes a form for the operation `info`.

use std::collections::HashMap;

use lopdf::{Document, Object, ObjectId};
use serde_json::Value;
use task::info::{FieldInfo, FieldType, FormInfo};

use super::{FieldKind, Form, FormField, pages_of_annotations, text};

/// Maximum number of fields that are listed.
const MAX_FIELDS: usize = 1_000;
/// Maximum length of all names, values and options, in bytes.
const MAX_BYTES: usize = 1_000_000;

impl Form<'_> {
    /// Lists the fields.
    pub fn describe(&self, document: &Document) -> FormInfo {
        let pages = pages_of_annotations(document);
        let mut left = MAX_BYTES;
        let mut fields = Vec::new();
        for field in self.fields.iter().take(MAX_FIELDS) {
            let described = field.describe(&pages);
            let Some(rest) = left.checked_sub(size(&described)) else {
                break;
            };
            left = rest;
            fields.push(described);
        }
        FormInfo {
            xfa: self.has_xfa,
            truncated: self.is_truncated || fields.len() < self.fields.len(),
            fields,
        }
    }
}

/// The length of its texts in bytes.
fn size(field: &FieldInfo) -> usize {
    let value = field.value.to_string().len();
    let options = field.options.iter().flatten().map(String::len);
    field.name.len() + value + options.sum::<usize>()
}

impl FormField<'_> {
    fn describe(&self, pages: &HashMap<ObjectId, u32>) -> FieldInfo {
        FieldInfo {
            name: self.name.clone(),
            kind: match self.kind {
                FieldKind::Text => FieldType::Text,
                FieldKind::CheckBox => FieldType::Checkbox,
                FieldKind::Radio => FieldType::Radio,
                FieldKind::Dropdown { .. } => FieldType::Dropdown,
                FieldKind::List { .. } => FieldType::List,
                FieldKind::Button => FieldType::Button,
                FieldKind::Signature => FieldType::Signature,
            },
            value: self.value(),
            options: self.names_of_options(),
            required: self.is_required(),
            read_only: self.is_read_only(),
            page: self.widgets.iter().find_map(|id| pages.get(id).copied()),
            max_length: self.max_length(),
        }
    }

    /// The exported names of options or states.
    fn names_of_options(&self) -> Option<Vec<String>> {
        let mut names: Vec<String> = match self.kind {
            FieldKind::Dropdown { .. } | FieldKind::List { .. } => {
                let options = self.options().into_iter();
                options.map(|option| option.export).collect()
            }
            FieldKind::CheckBox | FieldKind::Radio => {
                let states = self.on_states().into_iter();
                states.map(|state| state.export).collect()
            }
            _ => return None,
        };
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        Some(names)
    }

    /// The value, as `fill` accepts it; `null` if there is none.
    fn value(&self) -> Value {
        let value = self.own(b"V");
        match self.kind {
            FieldKind::Button | FieldKind::Signature => Value::Null,
            FieldKind::CheckBox | FieldKind::Radio => self.state(value),
            _ => match value {
                Some(Object::Array(values)) => {
                    let values = values.iter().filter_map(|value| self.text(value));
                    values.collect::<Vec<String>>().into()
                }
                value => value.and_then(text).map_or(Value::Null, Value::from),
            },
        }
    }

    /// The state of a button: of check boxes with one state `true` or `false`, of others its name.
    fn state(&self, value: Option<&Object>) -> Value {
        let off = match self.kind {
            FieldKind::CheckBox => false.into(),
            _ => Value::Null,
        };
        let Some(Object::Name(name)) = value else {
            return off;
        };
        if name == b"Off" || name.is_empty() {
            return off;
        }
        let states = self.on_states();
        let is_of_value = |state: &&super::OnState| state.state.as_ref() == Some(name);
        let found = states.iter().find(is_of_value);
        let export = found.map_or_else(
            || String::from_utf8_lossy(name).into_owned(),
            |state| state.export.clone(),
        );
        let is_one = self
            .names_of_options()
            .is_some_and(|names| names.len() == 1);
        match self.kind == FieldKind::CheckBox && is_one {
            true => true.into(),
            false => export.into(),
        }
    }
}
