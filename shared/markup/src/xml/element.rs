//! An element tree.

use std::sync::Arc;

/// An element; names have the canonical prefixes of [`super::namespaces`].
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(super) name: Arc<str>,
    pub(super) attributes: Vec<(Arc<str>, Box<str>)>,
    pub(super) children: Vec<Node>,
}

impl Default for Element {
    /// An element without name and content.
    fn default() -> Self {
        Self {
            name: "".into(),
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }
}

/// A child of an element.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

impl Element {
    /// Creates an element without children.
    pub(crate) fn new(name: &str, attributes: Vec<(String, String)>) -> Self {
        let attributes = attributes
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        Self {
            name: name.into(),
            attributes: attributes.collect(),
            children: Vec::new(),
        }
    }

    /// Adds the attributes that it does not have yet, up to `most` attributes.
    pub(crate) fn add_missing(&mut self, attributes: Vec<(String, String)>, most: usize) {
        for (name, value) in attributes {
            if self.attributes.len() < most && self.get(&name).is_none() {
                self.attributes.push((name.into(), value.into()));
            }
        }
    }

    /// Appends a child element.
    pub(crate) fn push(&mut self, element: Self) {
        self.children.push(Node::Element(element));
    }

    /// Appends text.
    pub(crate) fn push_text(&mut self, text: &str) {
        match self.children.last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => self.children.push(Node::Text(text.to_owned())),
        }
    }

    /// Finishes the element: frees spare capacity.
    pub(crate) fn shrunk(mut self) -> Self {
        self.children.shrink_to_fit();
        self
    }

    /// Returns the name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        &*self.name == name
    }

    /// Returns the value of an attribute.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| &**key == name);
        found.map(|(_, value)| &**value)
    }

    /// Parses an attribute as a number.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.trim().parse().ok()
    }

    /// Returns the children in order.
    pub(crate) fn children(&self) -> &[Node] {
        &self.children
    }

    /// Returns the child elements in order.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Returns the child elements with this name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.elements().filter(move |element| element.is(name))
    }

    /// Returns the first child element with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Self> {
        self.elements().find(|element| element.is(name))
    }

    /// Returns the element at this path of first children.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter()
            .try_fold(self, |element, name| element.find(name))
    }

    /// Returns the first descendant with this name, in document order.
    pub(crate) fn descendant(&self, name: &str) -> Option<&Self> {
        self.elements().find_map(|element| match element.is(name) {
            true => Some(element),
            false => element.descendant(name),
        })
    }

    /// Returns the text of all descendants.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, text: &mut String) {
        for node in &self.children {
            match node {
                Node::Element(element) => element.add_text(text),
                Node::Text(piece) => text.push_str(piece),
            }
        }
    }
}
