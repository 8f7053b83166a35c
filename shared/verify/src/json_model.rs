//! Streams the JSON document model, which may be far larger than the document.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use task::{TaskError, TaskResult};

/// Calls `take` with the name and the value of each of the members `names` within the pages of a model. Returns the number of pages.
///
/// # Errors
/// An invalid model.
pub(super) fn for_each_text(
    path: &Path,
    names: &'static [&'static str],
    mut take: impl FnMut(&str, &str),
) -> TaskResult<u32> {
    let reader = BufReader::new(File::open(path)?);
    let mut source = serde_json::Deserializer::from_reader(reader);
    let sink = TextSink {
        names,
        take: &mut take,
    };
    let counted = Model(sink).deserialize(&mut source);
    let counted = counted.and_then(|pages| source.end().map(|()| pages));
    counted.map_err(|_| TaskError::output_invalid("it does not open"))
}

/// The wanted members and their callback.
struct TextSink<'a> {
    names: &'static [&'static str],
    take: &'a mut dyn FnMut(&str, &str),
}

impl TextSink<'_> {
    fn reborrow(&mut self) -> TextSink<'_> {
        TextSink {
            names: self.names,
            take: self.take,
        }
    }
}

/// The top-level object.
struct Model<'a>(TextSink<'a>);

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

    fn visit_map<M: MapAccess<'de>>(mut self, mut members: M) -> Result<u32, M::Error> {
        let mut pages = None;
        while let Some(name) = members.next_key::<String>()? {
            if name == "pages" {
                pages = Some(members.next_value_seed(Texts(self.0.reborrow()))?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        pages.ok_or_else(|| M::Error::missing_field("pages"))
    }
}

/// Any value within a page; yields the number of items if it is an array.
struct Texts<'a>(TextSink<'a>);

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

    fn visit_map<M: MapAccess<'de>>(mut self, mut members: M) -> Result<u32, M::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if self.0.names.contains(&name.as_str()) {
                members.next_value_seed(Text(&name, self.0.reborrow()))?;
            } else {
                members.next_value_seed(Texts(self.0.reborrow()))?;
            }
        }
        Ok(0)
    }

    fn visit_seq<S: SeqAccess<'de>>(mut self, mut items: S) -> Result<u32, S::Error> {
        let mut count = 0;
        while items.next_element_seed(Texts(self.0.reborrow()))?.is_some() {
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

/// The value of a wanted member; `null` is ignored.
struct Text<'a>(&'a str, TextSink<'a>);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        let text: Option<String> = Deserialize::deserialize(source)?;
        text.iter().for_each(|text| (self.1.take)(self.0, text));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(model: &str) -> TaskResult<(u32, Vec<String>)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), model).unwrap();
        let mut found = Vec::new();
        let pages = for_each_text(file.path(), &["text", "label"], |_, text| {
            found.push(text.to_owned());
        });
        pages.map(|pages| (pages, found))
    }

    #[test]
    fn only_texts_of_pages_are_reported() {
        let model = r#"{"images":[{"data":"zz","text":"y"}],"pages":[
            {"blocks":[{"type":"table","cells":[{"blocks":[{"label":"1","runs":[{"text":"a\u00e9"}]}]}]}]},
            {"number":2,"text":null,"size":{"width":1.5}}]}"#;
        let (pages, found) = read(model).unwrap();
        assert_eq!((pages, found), (2, vec!["1".to_owned(), "aé".to_owned()]));
    }

    #[test]
    fn an_invalid_model_is_rejected() {
        for broken in ["", "[]", "{}", r#"{"pages":[}"#, r#"{"pages":[]} more"#] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
