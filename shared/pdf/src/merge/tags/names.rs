//! Roles, classes and identifiers of structure elements. If two documents define a name differently, the appended document's is
//! renamed [ISO 32000-1, 14.7.2, 14.7.3, 14.7.5].

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, StringFormat};

use super::elements::Elements;
use super::renaming::Renaming;
use crate::objects::{items, member};
use crate::patch::Patch;
use crate::trees;

/// The names of the merged document.
#[derive(Default)]
pub(super) struct Names {
    roles: Dictionary,
    classes: Dictionary,
    identifiers: BTreeMap<Vec<u8>, Object>,
    namespaces: Vec<Object>,
    /// Number of appended documents.
    added: usize,
}

impl Names {
    /// The names of the first document.
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

    /// Determines which names of a document have to be renamed.
    pub(super) fn rename(&mut self, document: &Document, root: &Dictionary) -> Renaming {
        self.added += 1;
        let names = |key| member(document, root, key).into_iter().flatten();
        let roles = names(b"RoleMap").filter(|(name, role)| {
            let known = self.roles.get(name);
            known.is_ok_and(|known| known != *role)
        });
        let classes = names(b"ClassMap").filter(|(name, _)| self.classes.has(name));
        let mut identifiers = trees::names(document, root, b"IDTree").into_iter();
        Renaming {
            roles: roles.map(|(name, _)| name.clone()).collect(),
            classes: classes.map(|(name, _)| name.clone()).collect(),
            identifiers: identifiers.any(|(name, _)| self.identifiers.contains_key(&name)),
            suffix: format!("-{}", self.added + 1).into_bytes(),
        }
    }

    /// Adds the names of a document.
    pub(super) fn add<'d>(
        &mut self,
        root: &'d Dictionary,
        renamed: &Renaming,
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

    /// Writes the names to the structure tree root.
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

fn namespaces<'d>(document: &'d Document, root: &'d Dictionary) -> &'d [Object] {
    items(document, root, b"Namespaces")
}
