//! The model of a document as JSON, read piece by piece: it may be far larger than the document.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::letters::Letters;
use crate::fault::{Fault, Outcome};

/// Counts what a model says, and returns how many pages it has.
pub(super) fn letters(path: &Path, letters: &mut Letters) -> Outcome<u32> {
    let reader = BufReader::new(File::open(path)?);
    let mut source = serde_json::Deserializer::from_reader(reader);
    let counted = Model(letters).deserialize(&mut source);
    let counted = counted.and_then(|pages| source.end().map(|()| pages));
    counted.map_err(|_| Fault::output_invalid("it does not open"))
}

/// The whole of it.
struct Model<'a>(&'a mut Letters);

impl<'de> DeserializeSeed<'de> for Model<'_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<u32, D::Error> {
        source.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Model<'_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<u32, M::Error> {
        let mut pages = None;
        while let Some(name) = members.next_key::<String>()? {
            if name == "pages" {
                pages = Some(members.next_value_seed(Texts(self.0))?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        pages.ok_or_else(|| M::Error::missing_field("pages"))
    }
}

/// Anything within it; how many items it has, if it is a list.
struct Texts<'a>(&'a mut Letters);

impl<'de> DeserializeSeed<'de> for Texts<'_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<u32, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Texts<'_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<u32, M::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if name == "text" {
                self.0.add_text(&members.next_value::<String>()?);
            } else {
                members.next_value_seed(Texts(self.0))?;
            }
        }
        Ok(0)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<u32, S::Error> {
        let mut count = 0;
        while items.next_element_seed(Texts(self.0))?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    fn visit_bool<E>(self, _: bool) -> Result<u32, E> {
        Ok(0)
    }

    fn visit_u64<E>(self, _: u64) -> Result<u32, E> {
        Ok(0)
    }

    fn visit_i64<E>(self, _: i64) -> Result<u32, E> {
        Ok(0)
    }

    fn visit_f64<E>(self, _: f64) -> Result<u32, E> {
        Ok(0)
    }

    fn visit_str<E>(self, _: &str) -> Result<u32, E> {
        Ok(0)
    }

    fn visit_unit<E>(self) -> Result<u32, E> {
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(model: &str) -> Outcome<(u32, Letters)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), model).unwrap();
        let mut found = Letters::default();
        letters(file.path(), &mut found).map(|pages| (pages, found))
    }

    #[test]
    fn texts_of_pages_are_counted_and_nothing_else() {
        let model = r#"{"images":[{"data":"zz"}],"pages":[
            {"blocks":[{"type":"table","cells":[{"blocks":[{"runs":[{"text":"a\u00e9"}]}]}]}]},{"number":2,"size":{"width":1.5}}]}"#;
        let (pages, found) = read(model).unwrap();
        let mut wanted = Letters::default();
        wanted.add_text("aé");
        assert_eq!(pages, 2);
        assert!(found.hold(&wanted) && wanted.hold(&found));
    }

    #[test]
    fn what_is_no_model_does_not_open() {
        for broken in ["", "[]", "{}", r#"{"pages":[}"#, r#"{"pages":[]} more"#] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
