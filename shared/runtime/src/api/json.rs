//! Reads JSON that every reader understands alike [RFC 7493]: no member stands twice in an object.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Map, Value};

/// Reads `text`.
///
/// # Errors
/// It is not JSON, or names a member of an object twice.
pub(super) fn read(text: &[u8]) -> Result<Value, Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Unambiguous.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Any value whose objects name each member once.
struct Unambiguous;

impl<'de> DeserializeSeed<'de> for Unambiguous {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unambiguous {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element_seed(Unambiguous)? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Unambiguous)?;
            if read.insert(name, value).is_some() {
                return Err(A::Error::custom("an object names a member twice"));
            }
        }
        Ok(Value::Object(read))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_member_stands_once() {
        for twice in [
            r#"{"a": [{"b": 1, "c": 2, "b": 1}]}"#,
            r#"{"a": 1, "\u0061": 2}"#,
        ] {
            assert!(read(twice.as_bytes()).is_err(), "{twice}");
            let once = twice.replacen("\"b\": 1, ", "", 1).replace("\\u0061", "b");
            assert!(read(once.as_bytes()).is_ok(), "{once}");
        }
        let text = r#" {"a": {"b": null}, "b": [true, {"b": -1, "c": "\"x"}], "d": 1.5e3} "#;
        let value = read(text.as_bytes()).unwrap();
        let expected = json!({"a": {"b": null}, "b": [true, {"b": -1, "c": "\"x"}], "d": 1500.0});
        assert_eq!(value.to_string(), expected.to_string());
    }

    #[test]
    fn what_is_no_json_is_not_read() {
        for text in ["", "{", "[1,]", "{} x", "01", "nul", "\u{feff}{}"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
        assert!(read("[".repeat(200).as_bytes()).is_err());
    }
}
