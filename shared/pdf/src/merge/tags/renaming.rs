//! Renames the names of an appended document.

use std::collections::BTreeSet;

use lopdf::Object;

/// The names to rename, and the suffix they get.
#[derive(Default)]
pub(super) struct Renaming {
    pub(super) roles: BTreeSet<Vec<u8>>,
    pub(super) classes: BTreeSet<Vec<u8>>,
    /// Whether all identifiers are renamed.
    pub(super) identifiers: bool,
    pub(super) suffix: Vec<u8>,
}

impl Renaming {
    /// Returns a member of an element with renamed names.
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

    /// Renames in attributes: table cells refer to headers by identifier.
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

    pub(super) fn name(&self, renamed: &BTreeSet<Vec<u8>>, name: &[u8]) -> Vec<u8> {
        match renamed.contains(name) {
            true => [name, &self.suffix].concat(),
            false => name.to_vec(),
        }
    }

    pub(super) fn identifier(&self, name: &[u8]) -> Vec<u8> {
        match self.identifiers {
            true => [name, &self.suffix].concat(),
            false => name.to_vec(),
        }
    }
}
