//! A pull parser with namespace resolution and limits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};

use super::element::{Element, Node};
use super::namespaces;
use crate::error::{MarkupError, Result};
use crate::limits::Budget;

const DAMAGED: MarkupError = MarkupError::Corrupt("a part is not well-formed XML");

/// Maximum number of attributes of an element, more than genuine documents have.
const ATTRIBUTES: usize = 1_000;

/// A parsing event.
pub(crate) enum Step {
    /// A start tag, without its content.
    Open(Element),
    /// An end tag.
    Close,
    /// Text.
    Text(String),
    /// The end of the part.
    End,
}

/// A position in a part.
pub(crate) struct Cursor<'a> {
    reader: Reader<&'a [u8]>,
    budget: &'a Budget,
    names: HashSet<Arc<str>>,
    /// The canonical prefixes bound to each prefix, the innermost last.
    prefixes: HashMap<String, Vec<&'static str>>,
    /// The prefixes that each open element declares.
    open: Vec<Vec<String>>,
    /// Whether the last start tag was of an empty element.
    closes: bool,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the beginning of a part.
    pub(crate) fn new(text: &'a str, budget: &'a Budget) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().allow_dangling_amp = true;
        let prefixes = HashMap::from([("xml".to_owned(), vec!["xml"])]);
        Self {
            reader,
            budget,
            names: HashSet::new(),
            prefixes,
            open: Vec::new(),
            closes: false,
        }
    }

    /// Returns the next event.
    pub(crate) fn step(&mut self) -> Result<Step> {
        if std::mem::take(&mut self.closes) {
            return Ok(self.close());
        }
        loop {
            let event = self.reader.read_event().map_err(|_| DAMAGED)?;
            if let Some(step) = self.handle(event)? {
                return Ok(step);
            }
        }
    }

    /// Reads the content of an element up to its end tag.
    pub(crate) fn fill(&mut self, element: Element) -> Result<Element> {
        let mut stack = vec![element];
        let mut count = 0_usize;
        loop {
            count += 1;
            if count > self.budget.limits.elements_at_once {
                return Err(MarkupError::TooLarge(
                    "one of its parts has too many elements",
                ));
            }
            let node = match self.step()? {
                Step::Open(element) => {
                    stack.push(element);
                    continue;
                }
                Step::Text(text) => Node::Text(text),
                Step::Close | Step::End => match stack.pop() {
                    Some(whole) if stack.is_empty() => return Ok(select_alternative(whole)),
                    Some(whole) => Node::Element(whole.shrunk()),
                    None => return Err(DAMAGED),
                },
            };
            if let Some(parent) = stack.last_mut() {
                add(parent, node);
            }
        }
    }

    fn handle(&mut self, event: Event<'a>) -> Result<Option<Step>> {
        match event {
            Event::Start(start) => self.open(&start).map(Some),
            Event::Empty(start) => {
                self.closes = true;
                self.open(&start).map(Some)
            }
            Event::End(_) if self.open.is_empty() => Err(DAMAGED),
            Event::End(_) => Ok(Some(self.close())),
            Event::Text(text) => self.text(&text.xml10_content()),
            Event::CData(text) => self.text(&text.xml10_content()),
            Event::GeneralRef(reference) => self.text(&resolve_reference(&reference)),
            Event::DocType(_) => Err(MarkupError::Corrupt(
                "a part has a document type declaration",
            )),
            Event::Eof if self.open.is_empty() => Ok(Some(Step::End)),
            Event::Eof => Err(DAMAGED),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Ok(None),
        }
    }

    fn text(&self, text: &str) -> Result<Option<Step>> {
        self.budget.spend(1)?;
        Ok((!text.is_empty()).then(|| Step::Text(text.to_owned())))
    }

    fn open(&mut self, start: &BytesStart<'_>) -> Result<Step> {
        self.budget.check_depth(self.open.len() + 1)?;
        let mut all = start.attributes();
        let all = all.with_checks(false).flatten();
        let attributes: Vec<Attribute<'_>> = all.take(ATTRIBUTES).collect();
        self.budget.spend(1 + attributes.len())?;
        let declared = self.declare(&attributes);
        let name = self.name(start.name().0, false);
        let named = attributes
            .iter()
            .filter(|attribute| !declares(attribute.key.0));
        let attributes = named.map(|attribute| self.attribute(attribute)).collect();
        let mut element = Element {
            name,
            attributes,
            children: Vec::new(),
        };
        self.disable_unsupported_choice(&mut element);
        self.open.push(declared);
        Ok(Step::Open(element))
    }

    fn close(&mut self) -> Step {
        let Some(declared) = self.open.pop() else {
            return Step::End;
        };
        for prefix in &declared {
            if let Some(meanings) = self.prefixes.get_mut(prefix) {
                meanings.pop();
            }
        }
        Step::Close
    }

    fn declare(&mut self, attributes: &[Attribute<'_>]) -> Vec<String> {
        let mut declared = Vec::new();
        for attribute in attributes
            .iter()
            .filter(|attribute| declares(attribute.key.0))
        {
            let prefix = attribute
                .key
                .0
                .strip_prefix("xmlns:")
                .unwrap_or_default()
                .to_owned();
            let meaning = namespaces::prefix(attribute.value.trim());
            self.prefixes
                .entry(prefix.clone())
                .or_default()
                .push(meaning);
            declared.push(prefix);
        }
        declared
    }

    fn attribute(&mut self, attribute: &Attribute<'_>) -> (Arc<str>, Box<str>) {
        let value = match unescape(&attribute.value) {
            Ok(value) => value.into(),
            Err(_) => attribute.value.as_ref().into(),
        };
        (self.name(attribute.key.0, true), value)
    }

    /// Returns a name with its canonical prefix. Attributes without a prefix have no namespace.
    fn name(&mut self, qualified: &str, of_attribute: bool) -> Arc<str> {
        let name = match qualified.split_once(':') {
            None if of_attribute => qualified.to_owned(),
            None => self.qualified("", qualified),
            Some((prefix, name)) => self.qualified(prefix, name),
        };
        if let Some(known) = self.names.get(name.as_str()) {
            return Arc::clone(known);
        }
        let name: Arc<str> = name.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    fn qualified(&self, prefix: &str, name: &str) -> String {
        match self.meaning(prefix) {
            Some(meaning) => format!("{meaning}:{name}"),
            None => name.to_owned(),
        }
    }

    fn meaning(&self, prefix: &str) -> Option<&'static str> {
        self.prefixes.get(prefix)?.last().copied()
    }

    /// Disables an `mc:Choice` that requires an unknown namespace or VML.
    fn disable_unsupported_choice(&self, element: &mut Element) {
        if element.is("mc:Choice") {
            let required = element.get("Requires").unwrap_or_default();
            let mut meanings = required
                .split_whitespace()
                .map(|prefix| self.meaning(prefix));
            if meanings.any(|meaning| matches!(meaning, None | Some("?" | "v"))) {
                element.name = "?".into();
            }
        }
    }
}

/// Adds a child; of `mc:AlternateContent` only the content of the selected alternative.
fn add(parent: &mut Element, node: Node) {
    match node {
        Node::Element(element) if element.is("mc:AlternateContent") => {
            parent.children.extend(select_alternative(element).children);
        }
        Node::Text(text) => match parent.children.last_mut() {
            Some(Node::Text(before)) => before.push_str(&text),
            _ => parent.children.push(Node::Text(text)),
        },
        element => parent.children.push(element),
    }
}

/// Replaces the children of `mc:AlternateContent` by those of the first supported alternative.
fn select_alternative(mut element: Element) -> Element {
    if element.is("mc:AlternateContent") {
        let mut alternatives = std::mem::take(&mut element.children).into_iter();
        let known = alternatives.find_map(|node| match node {
            Node::Element(one) if one.is("mc:Choice") || one.is("mc:Fallback") => Some(one),
            _ => None,
        });
        element.children = known.map(|known| known.children).unwrap_or_default();
    }
    element
}

fn declares(name: &str) -> bool {
    name == "xmlns" || name.starts_with("xmlns:")
}

/// Resolves a character or entity reference; entities declared by the document resolve to nothing.
fn resolve_reference(name: &str) -> String {
    if let Some(known) = resolve_xml_entity(name) {
        return known.to_owned();
    }
    let code = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
            None => number.parse().ok(),
        },
        None => None,
    };
    code.and_then(char::from_u32)
        .map(String::from)
        .unwrap_or_default()
}
