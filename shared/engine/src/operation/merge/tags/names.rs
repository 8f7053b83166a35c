//! The names that elements go by or refer to: roles, classes and identifiers. Where two documents mean different things by
//! one, the later document's is renamed [ISO 32000-1, 14.7.2, 14.7.3, 14.7.5].

use std::collections::{BTreeMap, BTreeSet};

use lopdf::{Dictionary, Document, Object, StringFormat};
use pdf::objects::{items, member};
use pdf::patch::Patch;
use pdf::trees;

use super::elements::Elements;

/// The names of the merged document.
#[derive(Default)]
pub(super) struct Names {
    roles: Dictionary,
    classes: Dictionary,
    identifiers: BTreeMap<Vec<u8>, Object>,
    namespaces: Vec<Object>,
    /// How many documents were added.
    added: usize,
}

/// What names of a document are in the merged one.
#[derive(Default)]
pub(super) struct Renamed {
    roles: BTreeSet<Vec<u8>>,
    classes: BTreeSet<Vec<u8>>,
    identifiers: bool,
    suffix: Vec<u8>,
}

impl Names {
    /// Those of the first document.
    pub(super) fn of(document: &Document, root: &Dictionary) -> Self {
        let named = |key| member(document, root, key).cloned().unwrap_or_default();
        let identifiers = trees::names(document, root, b"IDTree").into_iter();
        Self {
            roles: named(b"RoleMap"),
            classes: named(b"ClassMap"),
            identifiers: identifiers
                .map(|(name, element)| (name, element.clone()))
                .collect(),
            namespaces: namespaces(document, root).to_vec(),
            added: 0,
        }
    }

    /// Which names of a document have to be others.
    pub(super) fn rename(&mut self, document: &Document, root: &Dictionary) -> Renamed {
        self.added += 1;
        let names = |key| member(document, root, key).into_iter().flatten();
        let roles = names(b"RoleMap").filter(|(name, role)| {
            let known = self.roles.get(name);
            known.is_ok_and(|known| known != *role)
        });
        let classes = names(b"ClassMap").filter(|(name, _)| self.classes.has(name));
        let mut identifiers = trees::names(document, root, b"IDTree").into_iter();
        Renamed {
            roles: roles.map(|(name, _)| name.clone()).collect(),
            classes: classes.map(|(name, _)| name.clone()).collect(),
            identifiers: identifiers.any(|(name, _)| self.identifiers.contains_key(&name)),
            suffix: format!("-{}", self.added + 1).into_bytes(),
        }
    }

    /// Adds those of a document.
    pub(super) fn add<'d>(
        &mut self,
        root: &'d Dictionary,
        renamed: &Renamed,
        elements: &mut Elements<'d>,
        patch: &mut Patch,
    ) {
        let document = elements.document();
        for (name, role) in member(document, root, b"RoleMap").into_iter().flatten() {
            let role = renamed.member(b"S", elements.copy(role, patch));
            self.roles.set(renamed.name(&renamed.roles, name), role);
        }
        for (name, class) in member(document, root, b"ClassMap").into_iter().flatten() {
            let class = renamed.member(b"A", elements.copy_attributes(class, patch));
            self.classes
                .set(renamed.name(&renamed.classes, name), class);
        }
        for (name, element) in trees::names(document, root, b"IDTree") {
            if let Some(element) = elements.copy_of(element) {
                self.identifiers
                    .insert(renamed.identifier(&name), element.into());
            }
        }
        for namespace in namespaces(document, root) {
            self.namespaces.push(elements.copy(namespace, patch));
        }
    }

    /// Writes them into the root.
    pub(super) fn write(&mut self, root: &mut Dictionary, patch: &mut Patch) {
        for (key, names) in [
            ("RoleMap", &mut self.roles),
            ("ClassMap", &mut self.classes),
        ] {
            if !names.is_empty() {
                root.set(key, std::mem::take(names));
            }
        }
        let identifiers = std::mem::take(&mut self.identifiers).into_iter();
        let identifiers = identifiers
            .map(|(name, element)| (Object::String(name, StringFormat::Hexadecimal), element));
        let identifiers: Vec<_> = identifiers.collect();
        if !identifiers.is_empty() {
            root.set("IDTree", trees::write(b"Names", identifiers, patch));
        }
        if !self.namespaces.is_empty() {
            root.set("Namespaces", std::mem::take(&mut self.namespaces));
        }
    }
}

impl Renamed {
    /// A member of an element with the names that it is to have.
    pub(super) fn member(&self, key: &[u8], value: Object) -> Object {
        match (key, value) {
            (b"S", Object::Name(role)) => Object::Name(self.name(&self.roles, &role)),
            (b"C", Object::Name(class)) => Object::Name(self.name(&self.classes, &class)),
            (b"C", Object::Array(classes)) => {
                let classes = classes.into_iter().map(|class| self.member(b"C", class));
                Object::Array(classes.collect())
            }
            (b"ID", Object::String(name, form)) => Object::String(self.identifier(&name), form),
            (b"A", value) => self.attributes(value),
            (_, value) => value,
        }
    }

    /// Cells of tables name their headers.
    fn attributes(&self, value: Object) -> Object {
        match value {
            Object::Array(items) => {
                let items = items.into_iter().map(|item| self.attributes(item));
                Object::Array(items.collect())
            }
            Object::Dictionary(mut attributes) => {
                if let Ok(Object::Array(headers)) = attributes.get_mut(b"Headers") {
                    for header in headers {
                        *header = self.member(b"ID", std::mem::replace(header, Object::Null));
                    }
                }
                Object::Dictionary(attributes)
            }
            other => other,
        }
    }

    fn name(&self, renamed: &BTreeSet<Vec<u8>>, name: &[u8]) -> Vec<u8> {
        match renamed.contains(name) {
            true => [name, &self.suffix].concat(),
            false => name.to_vec(),
        }
    }

    fn identifier(&self, name: &[u8]) -> Vec<u8> {
        match self.identifiers {
            true => [name, &self.suffix].concat(),
            false => name.to_vec(),
        }
    }
}

fn namespaces<'d>(document: &'d Document, root: &'d Dictionary) -> &'d [Object] {
    items(document, root, b"Namespaces")
}
