//! Goes through a part from one tag to the next.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};

use super::element::{Element, Node};
use super::namespaces;
use crate::error::{MarkupError, Outcome};
use crate::limits::Budget;

const DAMAGED: MarkupError = MarkupError::Corrupt("a part is not well formed");

/// Most attributes of an element; no document has as many.
const ATTRIBUTES: usize = 1_000;

/// What is next in a part.
pub(crate) enum Step {
    /// An element begins; what it holds is still to come.
    Open(Element),
    /// An element ends.
    Close,
    /// Text.
    Text(String),
    /// The part ends.
    End,
}

/// A place in a part.
pub(crate) struct Cursor<'a> {
    reader: Reader<&'a [u8]>,
    budget: &'a Budget,
    names: HashSet<Arc<str>>,
    /// What each prefix stands for, the innermost meaning last.
    prefixes: HashMap<String, Vec<&'static str>>,
    /// The prefixes that each open element declares.
    open: Vec<Vec<String>>,
    /// The element that was opened last is empty.
    closes: bool,
}

impl<'a> Cursor<'a> {
    /// The beginning of a part.
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

    /// Goes on to what is next.
    pub(crate) fn step(&mut self) -> Outcome<Step> {
        if std::mem::take(&mut self.closes) {
            return Ok(self.close());
        }
        loop {
            let event = self.reader.read_event().map_err(|_| DAMAGED)?;
            if let Some(step) = self.take(event)? {
                return Ok(step);
            }
        }
    }

    /// Reads all that an element holds, up to its end.
    pub(crate) fn fill(&mut self, element: Element) -> Outcome<Element> {
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
                    Some(whole) if stack.is_empty() => return Ok(chosen(whole)),
                    Some(whole) => Node::Element(whole.ended()),
                    None => return Err(DAMAGED),
                },
            };
            if let Some(parent) = stack.last_mut() {
                add(parent, node);
            }
        }
    }

    fn take(&mut self, event: Event<'a>) -> Outcome<Option<Step>> {
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
            Event::GeneralRef(reference) => self.text(&referred(&reference)),
            Event::DocType(_) => Err(MarkupError::Corrupt("a part declares a document type")),
            Event::Eof if self.open.is_empty() => Ok(Some(Step::End)),
            Event::Eof => Err(DAMAGED),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Ok(None),
        }
    }

    fn text(&self, text: &str) -> Outcome<Option<Step>> {
        self.budget.spend(1)?;
        Ok((!text.is_empty()).then(|| Step::Text(text.to_owned())))
    }

    fn open(&mut self, start: &BytesStart<'_>) -> Outcome<Step> {
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
        self.refuse_choice(&mut element);
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

    /// A name with the prefix that stands for its namespace. Attributes without a prefix have no namespace.
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

    /// Renames an alternative that calls for a namespace which is not known here, or only for a shape of the older kind.
    fn refuse_choice(&self, element: &mut Element) {
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

/// Adds to an element; of alternatives only what the chosen one holds.
fn add(parent: &mut Element, node: Node) {
    match node {
        Node::Element(element) if element.is("mc:AlternateContent") => {
            parent.children.extend(chosen(element).children);
        }
        Node::Text(text) => match parent.children.last_mut() {
            Some(Node::Text(before)) => before.push_str(&text),
            _ => parent.children.push(Node::Text(text)),
        },
        element => parent.children.push(element),
    }
}

/// Of alternatives, the first that is known instead of all.
fn chosen(mut element: Element) -> Element {
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

/// The character that a reference stands for; nothing for entities that a document declares itself.
fn referred(name: &str) -> String {
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
