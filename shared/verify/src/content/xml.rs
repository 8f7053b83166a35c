//! Walks through an XML part: elements by local name, and text with resolved references.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

use super::item::Unreadable;

/// A node of an XML part.
pub(super) enum Node<'x> {
    /// A start tag.
    Start(Element<'x>),
    /// An end tag, by its local name; also after the start tag of an empty element.
    End(&'x str),
    /// Text.
    Text(&'x str),
}

/// A start tag.
pub(super) struct Element<'x> {
    tag: &'x BytesStart<'x>,
}

impl Element<'_> {
    /// The name without prefix.
    pub(super) fn name(&self) -> &str {
        local(self.tag.name().0)
    }

    /// The value of an attribute, by its name without prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.tag.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| local(attribute.key.0) == name)?;
        let value = unescape(&found.value).ok();
        Some(value.unwrap_or(found.value.clone()).into_owned())
    }

    /// Calls `take` with the name of each attribute, without its prefix, and its value, in which nothing is unescaped.
    pub(super) fn each_attribute(&self, mut take: impl FnMut(&str, &str)) {
        let mut attributes = self.tag.attributes();
        for attribute in attributes.with_checks(false).flatten() {
            take(local(attribute.key.0), &attribute.value);
        }
    }

    /// The values of all attributes with a name, with any prefix.
    pub(super) fn attributes(&self, name: &str) -> Vec<String> {
        let mut attributes = self.tag.attributes();
        let attributes = attributes.with_checks(false).flatten();
        let named = attributes.filter(|attribute| local(attribute.key.0) == name);
        named
            .map(|attribute| attribute.value.into_owned())
            .collect()
    }

    /// The identifier of a relationship: the attribute `id` with a prefix, because elements may have an `id` of their own.
    pub(super) fn relationship(&self) -> Option<String> {
        let mut attributes = self.tag.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let found = attributes.find(|attribute| attribute.key.0.ends_with(":id"))?;
        Some(found.value.into_owned())
    }

    /// Whether an attribute has a value.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        self.attribute(name).as_deref() == Some(value)
    }

    /// Whether a property is switched on: present and not `0`, `false` or `off`.
    pub(super) fn is_on(&self) -> bool {
        !matches!(
            self.attribute("val").as_deref(),
            Some("0" | "false" | "off")
        )
    }
}

/// Calls `take` with each node and the number of elements that are open around it.
///
/// # Errors
/// XML that is not well-formed.
pub(super) fn walk(
    part: impl BufRead,
    mut take: impl FnMut(Node<'_>, usize),
) -> Result<(), Unreadable> {
    let mut reader = Reader::from_reader(part);
    let (mut depth, mut buffer) = (0_usize, Vec::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer)? {
            Event::Start(tag) => {
                take(Node::Start(Element { tag: &tag }), depth);
                depth += 1;
            }
            Event::Empty(tag) => {
                take(Node::Start(Element { tag: &tag }), depth);
                take(Node::End(local(tag.name().0)), depth);
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
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}
