//! I-JSON parser [RFC 7493]: rejects duplicate member names, which JSON parsers resolve differently.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Map, Value};

/// Parses `text`.
///
/// # Errors
/// When it is not JSON or an object has two members of the same name.
pub(super) fn parse(text: &[u8]) -> Result<Value, Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = UniqueMembers.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Deserializes any value whose objects have unique member names.
struct UniqueMembers;

impl<'de> DeserializeSeed<'de> for UniqueMembers {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueMembers {
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
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(UniqueMembers)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(UniqueMembers)?;
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("duplicate member name in an object"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn duplicate_member_names_are_rejected() {
        for duplicate in [
            r#"{"a": [{"b": 1, "c": 2, "b": 1}]}"#,
            r#"{"a": 1, "\u0061": 2}"#,
        ] {
            assert!(parse(duplicate.as_bytes()).is_err(), "{duplicate}");
            let unique = duplicate
                .replacen("\"b\": 1, ", "", 1)
                .replace("\\u0061", "b");
            assert!(parse(unique.as_bytes()).is_ok(), "{unique}");
        }
        let text = r#" {"a": {"b": null}, "b": [true, {"b": -1, "c": "\"x"}], "d": 1.5e3} "#;
        let value = parse(text.as_bytes()).unwrap();
        let expected = json!({"a": {"b": null}, "b": [true, {"b": -1, "c": "\"x"}], "d": 1500.0});
        assert_eq!(value.to_string(), expected.to_string());
    }

    #[test]
    fn invalid_json_is_rejected() {
        for text in ["", "{", "[1,]", "{} x", "01", "nul", "\u{feff}{}"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse("[".repeat(200).as_bytes()).is_err());
    }
}
