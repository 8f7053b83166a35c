//! Builds the DOM tree with html5ever [HTML, 13.2.6], in an arena.

mod guard;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, ExpandedName, QualName};

use self::guard::{ATTRIBUTES, Guard};
pub(crate) use self::guard::{CountsTokens, Feed};
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::xml::Element;

/// Index of a node.
type Id = u32;

/// The document node.
const ROOT: Id = 0;

/// Parses a page; the result is a nameless element with the children of the document.
pub(super) fn build(text: &str, budget: &Budget) -> Result<Element> {
    // Without scripting, the content of `noscript` is parsed as elements.
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        drop_doctype: true,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(Sink::new(budget), options);
    let guard = Guard::new(builder, budget.limits.depth);
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let mut feed = Feed::new(text);
    while !tokenizer.sink.builder.sink.is_full() && feed.next(&tokenizer) {}
    tokenizer.end();
    let sink = tokenizer.sink.builder.sink;
    match sink.is_full.get() {
        true => Err(MarkupError::TooLarge("it has too many elements")),
        false => Ok(sink
            .arena
            .into_inner()
            .into_element(budget.limits.depth * 2)),
    }
}

/// Receives the nodes from the tree builder.
struct Sink<'a> {
    arena: RefCell<Arena>,
    budget: &'a Budget,
    is_full: Cell<bool>,
}

/// A node with the name that the tree builder asks for.
#[derive(Clone)]
struct Handle {
    id: Id,
    name: QualName,
}

impl<'a> Sink<'a> {
    fn new(budget: &'a Budget) -> Self {
        Self {
            arena: RefCell::new(Arena {
                nodes: vec![Entry::default()],
                ..Arena::default()
            }),
            budget,
            is_full: Cell::new(false),
        }
    }

    /// Whether the limits are exceeded; further nodes are dropped.
    fn is_full(&self) -> bool {
        self.is_full.get()
    }

    /// Creates a node and charges `weight` elements.
    fn create(&self, content: Content, weight: usize) -> Id {
        let mut arena = self.arena.borrow_mut();
        let is_full = self.budget.spend(weight).is_err()
            || arena.nodes.len() > self.budget.limits.elements_at_once;
        self.is_full.set(self.is_full.get() || is_full);
        arena.create(content)
    }

    /// Inserts a node or text as the last child of `parent`, or before `next`.
    fn insert(&self, parent: Id, next: Option<Id>, child: NodeOrText<Handle>) {
        let node = match child {
            NodeOrText::AppendNode(handle) => handle.id,
            NodeOrText::AppendText(text) => {
                if self.arena.borrow_mut().extend_text(parent, next, &text) {
                    return;
                }
                self.create(Content::Text(text.to_string()), 1)
            }
        };
        self.arena.borrow_mut().insert(parent, next, node);
    }
}

impl TreeSink for Sink<'_> {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'b>
        = ExpandedName<'b>
    where
        Self: 'b;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle {
            id: ROOT,
            name: QualName::new(None, html5ever::ns!(), html5ever::local_name!("")),
        }
    }

    fn elem_name<'b>(&'b self, target: &'b Handle) -> ExpandedName<'b> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> Handle {
        let weight = 1 + attrs.len();
        let element = Element::new(&name.local, attributes(attrs));
        let id = self.create(Content::Element(element), weight);
        Handle { id, name }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        Handle {
            id: self.create(Content::Nothing, 1),
            ..self.get_document()
        }
    }

    fn create_pi(&self, _: StrTendril, text: StrTendril) -> Handle {
        self.create_comment(text)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let has_parent = self.arena.borrow().get(element.id).parent.is_some();
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(prev_element, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        let parent = self.arena.borrow().get(sibling.id).parent;
        self.insert(parent.unwrap_or(ROOT), Some(sibling.id), new_node);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        if let Content::Element(element) = &mut self.arena.borrow_mut().get_mut(target.id).content {
            element.add_missing(attributes(attrs), ATTRIBUTES);
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.arena.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut arena = self.arena.borrow_mut();
        while let Some(child) = arena.get(node.id).first {
            arena.insert(new_parent.id, None, child);
        }
    }
}

/// A tree of nodes in a vector. Links to siblings make insertion and removal O(1).
#[derive(Debug, Default)]
struct Arena {
    nodes: Vec<Entry>,
    /// Placeholder for an invalid index.
    nothing: Entry,
}

#[derive(Debug, Default)]
struct Entry {
    content: Content,
    parent: Option<Id>,
    previous: Option<Id>,
    next: Option<Id>,
    first: Option<Id>,
    last: Option<Id>,
}

#[derive(Debug, Default)]
enum Content {
    Element(Element),
    Text(String),
    /// The document or a comment.
    #[default]
    Nothing,
}

impl Arena {
    fn get(&self, id: Id) -> &Entry {
        self.nodes.get(id as usize).unwrap_or(&self.nothing)
    }

    fn get_mut(&mut self, id: Id) -> &mut Entry {
        self.nodes.get_mut(id as usize).unwrap_or(&mut self.nothing)
    }

    /// Adds a node without a parent.
    fn create(&mut self, content: Content) -> Id {
        let id = Id::try_from(self.nodes.len()).unwrap_or(Id::MAX);
        self.nodes.push(Entry {
            content,
            ..Entry::default()
        });
        id
    }

    /// Appends text to the text node before this position; returns `false` if there is none.
    fn extend_text(&mut self, parent: Id, next: Option<Id>, text: &str) -> bool {
        let before = match next {
            Some(next) => self.get(next).previous,
            None => self.get(parent).last,
        };
        match before.map(|before| &mut self.get_mut(before).content) {
            Some(Content::Text(known)) => {
                known.push_str(text);
                true
            }
            _ => false,
        }
    }

    fn detach(&mut self, id: Id) {
        let node = self.get_mut(id);
        let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
        let Some(parent) = parent else { return };
        match previous {
            Some(previous) => self.get_mut(previous).next = next,
            None => self.get_mut(parent).first = next,
        }
        match next {
            Some(next) => self.get_mut(next).previous = previous,
            None => self.get_mut(parent).last = previous,
        }
    }

    /// Moves a node to the end of `parent`, or before `next`.
    fn insert(&mut self, parent: Id, next: Option<Id>, id: Id) {
        self.detach(id);
        let previous = match next {
            Some(next) => self.get_mut(next).previous.replace(id),
            None => self.get_mut(parent).last.replace(id),
        };
        match previous {
            Some(previous) => self.get_mut(previous).next = Some(id),
            None => self.get_mut(parent).first = Some(id),
        }
        let node = self.get_mut(id);
        (node.parent, node.previous, node.next) = (Some(parent), previous, next);
    }

    /// Converts the document to an element. Elements nested deeper than `deepest` are replaced by their content.
    fn into_element(mut self, deepest: usize) -> Element {
        let mut open = vec![Element::default()];
        let mut steps = vec![Step::Enter(ROOT)];
        while let Some(step) = steps.pop() {
            let Step::Enter(id) = step else {
                let closed = open.pop().unwrap_or_default().shrunk();
                if let Some(last) = open.last_mut() {
                    last.push(closed);
                }
                continue;
            };
            match std::mem::take(&mut self.get_mut(id).content) {
                Content::Text(text) => {
                    if let Some(last) = open.last_mut() {
                        last.push_text(&text);
                    }
                }
                Content::Element(element) if open.len() <= deepest => {
                    open.push(element);
                    steps.push(Step::Leave);
                }
                Content::Element(_) | Content::Nothing => {}
            }
            let mut child = self.get(id).last;
            while let Some(id) = child {
                steps.push(Step::Enter(id));
                child = self.get(id).previous;
            }
        }
        open.pop().unwrap_or_default()
    }
}

/// A pending step of the depth-first traversal.
enum Step {
    Enter(Id),
    Leave,
}

fn attributes(attributes: Vec<Attribute>) -> Vec<(String, String)> {
    attributes
        .into_iter()
        .map(|attribute| {
            (
                attribute.name.local.to_string(),
                attribute.value.to_string(),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests;
