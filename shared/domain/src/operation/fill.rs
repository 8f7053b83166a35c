//! Options of `fill`.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::field;

/// Maximum number of fields of one request.
const MAX_FIELDS: usize = 2_000;
/// Maximum length of a name in characters.
const MAX_NAME: usize = 1_000;
/// Maximum length of a text in characters.
const MAX_TEXT: usize = 20_000;
/// Maximum length of all names and values in bytes, so that the row of a job with several steps fits into one DynamoDB item
/// (400 KB).
const MAX_BYTES: usize = 32_000;
/// Maximum number of selected options of a list.
const MAX_SELECTED: usize = 1_000;

/// Options of `fill`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct FillOptions {
    /// The value of each field to fill, by the full name of the field, such as `person[0].name`. Text fields take a string or a
    /// number; check boxes `true`, `false` or the name of their state; radio buttons and lists one of their options; lists
    /// with multiple selection an array. An empty string clears the field. Required.
    pub fields: FieldValues,
    /// Whether the filled form becomes page content, as with `flatten`. Default: false.
    pub flatten: Option<bool>,
    /// Whether read-only fields can be filled. Default: false.
    pub fill_read_only: Option<bool>,
}

/// The values of form fields, by the full names of the fields.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BTreeMap<String, FieldValue>")]
#[schemars(extend("minProperties" = 1, "maxProperties" = 2_000))]
pub struct FieldValues(BTreeMap<String, FieldValue>);

impl FieldValues {
    /// Iterates over the names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FieldValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl TryFrom<BTreeMap<String, FieldValue>> for FieldValues {
    type Error = String;

    fn try_from(values: BTreeMap<String, FieldValue>) -> Result<Self, String> {
        if values.is_empty() || values.len() > MAX_FIELDS {
            return Err("must have 1 to 2,000 fields".to_owned());
        }
        if values.keys().any(|name| name.chars().count() > MAX_NAME) {
            return Err("must have names of at most 1,000 characters".to_owned());
        }
        let bytes = values
            .iter()
            .map(|(name, value)| name.len() + value.bytes());
        match bytes.sum::<usize>() <= MAX_BYTES {
            true => Ok(Self(values)),
            false => Err("must have at most 32,000 bytes of names and values".to_owned()),
        }
    }
}

impl fmt::Debug for FieldValues {
    /// Omits names and values, which are personal data.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} fields", self.0.len())
    }
}

/// The value of a form field.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Value", into = "Value")]
#[schemars(with = "AnyValue")]
pub enum FieldValue {
    /// Whether a check box is on.
    Flag(bool),
    /// Text, or the name of an option.
    Text(String),
    /// The selected options of a list.
    Selected(Vec<String>),
}

impl FieldValue {
    /// Returns the length of its texts in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::Flag(_) => 0,
            Self::Text(text) => text.len(),
            Self::Selected(selected) => selected.iter().map(String::len).sum(),
        }
    }
}

impl TryFrom<Value> for FieldValue {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::Bool(flag) => Ok(Self::Flag(flag)),
            Value::Number(number) => Ok(Self::Text(number.to_string())),
            Value::String(text) => match text.chars().count() <= MAX_TEXT {
                true => Ok(Self::Text(text)),
                false => Err("must have at most 20,000 characters".to_owned()),
            },
            Value::Array(items) if items.len() <= MAX_SELECTED => {
                let text = |item| match item {
                    Value::String(text) if text.chars().count() <= MAX_TEXT => Ok(text),
                    _ => Err("must be an array of strings".to_owned()),
                };
                let selected: Result<Vec<String>, String> = items.into_iter().map(text).collect();
                Ok(Self::Selected(selected?))
            }
            Value::Array(_) => Err("must have at most 1,000 items".to_owned()),
            Value::Null | Value::Object(_) => {
                Err("must be a string, a number, a boolean or an array of strings".to_owned())
            }
        }
    }
}

impl From<FieldValue> for Value {
    fn from(value: FieldValue) -> Self {
        match value {
            FieldValue::Flag(flag) => flag.into(),
            FieldValue::Text(text) => text.into(),
            FieldValue::Selected(selected) => selected.into(),
        }
    }
}

/// The JSON of a field's value.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyValue {
    Text(String),
    Number(Number),
    Flag(bool),
    Selected(Vec<String>),
}
