//! Walks through an XML part: elements by local name, and text with resolved references.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

use super::item::Unreadable;

/// A node of an XML part.
pub(crate) enum Node<'x> {
    /// A start tag.
    Start(Element<'x>),
    /// An end tag, by its local name; also after the start tag of an empty element.
    End(&'x str),
    /// Text.
    Text(&'x str),
}

/// A start tag.
pub(crate) struct Element<'x> {
    tag: &'x BytesStart<'x>,
    name: &'x str,
}

impl Element<'_> {
    /// The name without prefix.
    pub(crate) fn name(&self) -> &str {
        self.name
    }

    /// The value of an attribute, by its name without prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        self.value(name).map(Cow::into_owned)
    }

    /// The value of an attribute without a copy, by its name without prefix.
    pub(crate) fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut attributes = self.tag.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| local(attribute.key.0) == name)?;
        Some(match found.value {
            Cow::Borrowed(value) => unescape(value).unwrap_or(Cow::Borrowed(value)),
            Cow::Owned(value) => match unescape(&value) {
                Ok(value) => Cow::Owned(value.into_owned()),
                Err(_) => Cow::Owned(value),
            },
        })
    }

    /// Calls `take` with the name of each attribute, without its prefix, and its value, in which nothing is unescaped.
    pub(crate) fn each_attribute(&self, mut take: impl FnMut(&str, &str)) {
        let mut attributes = self.tag.attributes();
        for attribute in attributes.with_checks(false).flatten() {
            take(local(attribute.key.0), &attribute.value);
        }
    }

    /// The identifier of a relationship: the attribute `id` with a prefix, because elements may have an `id` of their own.
    pub(crate) fn relationship(&self) -> Option<String> {
        let mut attributes = self.tag.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let found = attributes.find(|attribute| attribute.key.0.ends_with(":id"))?;
        Some(found.value.into_owned())
    }

    /// Whether an attribute has a value.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.value(name).as_deref() == Some(value)
    }

    /// Whether a property is switched on: present and not `0`, `false` or `off`.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.value("val").as_deref(), Some("0" | "false" | "off"))
    }
}

/// Calls `take` with each node and the number of elements that are open around it.
///
/// # Errors
/// XML that is not well-formed.
pub(crate) fn walk(part: &[u8], mut take: impl FnMut(Node<'_>, usize)) -> Result<(), Unreadable> {
    let mut reader = Reader::from_reader(part);
    let mut depth = 0_usize;
    loop {
        match reader.read_event()? {
            Event::Start(tag) => {
                let name = local(tag.name().0);
                take(Node::Start(Element { tag: &tag, name }), depth);
                depth += 1;
            }
            Event::Empty(tag) => {
                let name = local(tag.name().0);
                take(Node::Start(Element { tag: &tag, name }), depth);
                take(Node::End(name), depth);
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                take(Node::End(local(tag.name().0)), depth);
            }
            Event::Text(text) => take(Node::Text(&text), depth),
            Event::CData(text) => take(Node::Text(&text), depth),
            Event::GeneralRef(reference) => {
                let mut letter = [0; 4];
                let text = match reference.resolve_char_ref() {
                    Ok(Some(character)) => character.encode_utf8(&mut letter),
                    _ => resolve_predefined_entity(&reference).unwrap_or(" "),
                };
                take(Node::Text(text), depth);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn local(name: &str) -> &str {
    let colon = name.bytes().rposition(|byte| byte == b':');
    colon.map_or(name, |colon| name.get(colon + 1..).unwrap_or(name))
}
