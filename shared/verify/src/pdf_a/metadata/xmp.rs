//! Reads the properties of an XMP packet [ISO 16684-1].

use std::collections::HashSet;

use quick_xml::NsReader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{QName, ResolveResult};

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const SCHEMA: &str = "http://www.aiim.org/pdfa/ns/schema#";
const PROPERTY: &str = "http://www.aiim.org/pdfa/ns/property#";

/// Maximum number of properties, and of elements within each other.
const MAX_PROPERTIES: usize = 10_000;
const MAX_DEPTH: usize = 200;

/// The metadata of a document.
#[derive(Default)]
pub(super) struct Xmp {
    pub(super) properties: Vec<Property>,
    /// Whether the header of the packet has the attribute `bytes` or `encoding`.
    pub(super) has_obsolete_header: bool,
    /// What extension schemas declare.
    pub(super) declared_namespaces: HashSet<String>,
    pub(super) declared_names: HashSet<String>,
}

/// A property.
pub(super) struct Property {
    pub(super) namespace: String,
    pub(super) name: String,
    /// The text outside of arrays.
    text: String,
    /// The items of an array.
    items: Vec<String>,
}

/// A name with its namespace.
type Name = (String, String);

impl Xmp {
    /// Reads a packet; `None` if it is not well-formed.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut xmp = Self::default();
        let mut reader = NsReader::from_str(text.trim_start_matches('\u{feff}'));
        reader.config_mut().check_comments = true;
        let mut open: Vec<Name> = Vec::new();
        let mut has_root = false;
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) => {
                    let name = xmp.start(&reader, &tag, &open)?;
                    has_root = true;
                    open.push(name);
                    if open.len() > MAX_DEPTH || xmp.properties.len() > MAX_PROPERTIES {
                        return None;
                    }
                }
                Event::Empty(tag) => {
                    xmp.start(&reader, &tag, &open)?;
                    has_root = true;
                }
                Event::End(_) => {
                    open.pop()?;
                }
                Event::Text(text) => xmp.text_in(&open, &text.into_inner())?,
                Event::CData(text) => xmp.text_in(&open, &text.into_inner())?,
                Event::GeneralRef(reference) => {
                    let mut letter = [0; 4];
                    let text = match reference.resolve_char_ref().ok()? {
                        Some(character) => character.encode_utf8(&mut letter),
                        None => resolve_predefined_entity(&reference)?,
                    };
                    xmp.text_in(&open, text)?;
                }
                Event::PI(instruction) if instruction.target() == "xpacket" => {
                    let content = instruction.content();
                    let has = |name: &str| content.contains(name);
                    xmp.has_obsolete_header |= has("bytes=") || has("encoding=");
                }
                Event::Eof => return (open.is_empty() && has_root).then_some(xmp),
                Event::DocType(_) => return None,
                _ => {}
            }
        }
    }

    /// The text of a property, or of its first item.
    pub(super) fn text(&self, namespace: &str, name: &str) -> Option<&str> {
        let mut properties = self.properties.iter();
        let found = properties.find(|found| found.namespace == namespace && found.name == name)?;
        Some(found.items.first().unwrap_or(&found.text).trim())
    }

    /// Reads a start tag and returns its name.
    fn start(
        &mut self,
        reader: &NsReader<&[u8]>,
        tag: &BytesStart<'_>,
        open: &[Name],
    ) -> Option<Name> {
        let name = resolved(reader, tag.name(), true)?;
        let is_description = name.0 == RDF && name.1 == "Description";
        let is_top = is_description
            && open
                .last()
                .is_some_and(|(space, name)| space == RDF && name == "RDF");
        let in_description = open.len() >= 2 && is_property_level(open);
        if in_description {
            self.property(&name, String::new());
        } else if name.0 == RDF && name.1 == "li" && self.is_outer_item(open) {
            self.properties.last_mut()?.items.push(String::new());
        }
        for attribute in tag.attributes() {
            let attribute = attribute.ok()?;
            if attribute.key.as_namespace_binding().is_some() {
                continue;
            }
            let key = resolved(reader, attribute.key, false)?;
            let value = unescape(&attribute.value).ok()?.into_owned();
            self.declare(&key, &value);
            if is_top && key.0 != RDF && key.0 != XML && !key.0.is_empty() {
                self.property(&key, value);
            }
        }
        Some(name)
    }

    fn property(&mut self, (namespace, name): &Name, text: String) {
        self.properties.push(Property {
            namespace: namespace.clone(),
            name: name.clone(),
            text,
            items: Vec::new(),
        });
    }

    /// Whether an item within these elements is one of a property's own array.
    fn is_outer_item(&self, open: &[Name]) -> bool {
        let items = open
            .iter()
            .filter(|(space, name)| space == RDF && name == "li");
        items.count() == 0 && !self.properties.is_empty()
    }

    fn text_in(&mut self, open: &[Name], text: &str) -> Option<()> {
        let Some(element) = open.last() else {
            // Outside of the root there is only white space.
            return text.trim().is_empty().then_some(());
        };
        self.declare(element, text);
        if let Some(property) = self.properties.last_mut() {
            match property.items.last_mut() {
                Some(item) => item.push_str(text),
                None => property.text.push_str(text),
            }
        }
        Some(())
    }

    /// Notes what an element or attribute of an extension schema declares.
    fn declare(&mut self, (namespace, name): &Name, value: &str) {
        match (namespace.as_str(), name.as_str()) {
            (SCHEMA, "namespaceURI") => self.declared_namespaces.insert(value.trim().to_owned()),
            (PROPERTY, "name") => self.declared_names.insert(value.trim().to_owned()),
            _ => false,
        };
    }
}

/// Whether an element within these is a property: a child of a description in `rdf:RDF`.
fn is_property_level(open: &[Name]) -> bool {
    let mut outer = open.iter().rev();
    let is = |found: Option<&Name>, wanted: &str| {
        found.is_some_and(|(space, name)| space == RDF && name == wanted)
    };
    is(outer.next(), "Description") && is(outer.next(), "RDF")
}

/// The namespace (empty if none) and the local name; `None` if the prefix is unknown.
fn resolved(reader: &NsReader<&[u8]>, name: QName<'_>, is_element: bool) -> Option<Name> {
    let resolver = reader.resolver();
    let (namespace, local) = match is_element {
        true => resolver.resolve_element(name),
        false => resolver.resolve_attribute(name),
    };
    let namespace = match namespace {
        ResolveResult::Bound(namespace) => namespace.0.to_owned(),
        ResolveResult::Unbound => String::new(),
        ResolveResult::Unknown(_) => return None,
    };
    Some((namespace, local.as_ref().to_owned()))
}
