//! An element with all that it holds.

use std::sync::Arc;

/// An element; its names are as [`super::namespaces`] spells them.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(super) name: Arc<str>,
    pub(super) attributes: Vec<(Arc<str>, Box<str>)>,
    pub(super) children: Vec<Node>,
}

impl Default for Element {
    /// An element of no name that holds nothing.
    fn default() -> Self {
        Self {
            name: "".into(),
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }
}

/// What an element holds.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

impl Element {
    /// An element that holds nothing so far.
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

    /// Adds the attributes of which it has none of the same name, as long as it has less than `most`.
    pub(crate) fn add_missing(&mut self, attributes: Vec<(String, String)>, most: usize) {
        for (name, value) in attributes {
            if self.attributes.len() < most && self.get(&name).is_none() {
                self.attributes.push((name.into(), value.into()));
            }
        }
    }

    /// Adds an element behind what it holds.
    pub(crate) fn push(&mut self, element: Self) {
        self.children.push(Node::Element(element));
    }

    /// Adds text behind what it holds.
    pub(crate) fn push_text(&mut self, text: &str) {
        match self.children.last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => self.children.push(Node::Text(text.to_owned())),
        }
    }

    /// The same at its end: it takes no more memory than what it holds.
    pub(crate) fn ended(mut self) -> Self {
        self.children.shrink_to_fit();
        self
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is called so.
    pub(crate) fn is(&self, name: &str) -> bool {
        &*self.name == name
    }

    /// The value of an attribute.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| &**key == name);
        found.map(|(_, value)| &**value)
    }

    /// The number that an attribute says.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.trim().parse().ok()
    }

    /// What it holds, in order.
    pub(crate) fn children(&self) -> &[Node] {
        &self.children
    }

    /// The elements in it, in order.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The elements in it that are called so.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.elements().filter(move |element| element.is(name))
    }

    /// The first element in it that is called so.
    pub(crate) fn find(&self, name: &str) -> Option<&Self> {
        self.elements().find(|element| element.is(name))
    }

    /// The element that this way down leads to.
    pub(crate) fn at(&self, way: &[&str]) -> Option<&Self> {
        way.iter()
            .try_fold(self, |element, name| element.find(name))
    }

    /// The first element at any depth that is called so.
    pub(crate) fn descendant(&self, name: &str) -> Option<&Self> {
        self.elements().find_map(|element| match element.is(name) {
            true => Some(element),
            false => element.descendant(name),
        })
    }

    /// All text in it.
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
