//! Merges optional content groups (layers), so that hidden content stays hidden [ISO 32000-1, 8.11].

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::appended::AppendedDocument;
use crate::objects::{items, member, resources};

/// Maximum number of objects of a document.
const MAX_OBJECTS: usize = 1_000_000;
/// Entries of an annotation that are searched for groups: its appearance and its own group. Others may lead to other pages.
const VISIBILITY_KEYS: [&[u8]; 2] = [b"AP", b"OC"];
/// Lists of the default configuration to which groups are appended. `ON` and `OFF` are derived from the states.
const LISTS: [&[u8]; 3] = [b"Order", b"RBGroups", b"Locked"];

/// The optional content groups of appended documents, with object numbers of the merged one.
#[derive(Default)]
pub(super) struct OptionalContent {
    all: Vec<Object>,
    shown: Vec<Object>,
    hidden: Vec<Object>,
    /// Items to append to each of [`LISTS`].
    lists: [Vec<Object>; 3],
    /// Usage application dictionaries.
    usages: Vec<Object>,
}

impl OptionalContent {
    /// Adds the groups of a document.
    pub(super) fn add(&mut self, appended: &AppendedDocument<'_>, merged: &Document) {
        let document = appended.document;
        let Some(properties) = properties(document) else {
            return;
        };
        let known = counterparts(appended, merged);
        if known.is_empty() {
            return;
        }
        let configuration = member(document, properties, b"D");
        let listed = |key: &[u8]| -> HashSet<ObjectId> {
            let items = configuration.map_or(&[][..], |it| items(document, it, key));
            items
                .iter()
                .filter_map(|id| id.as_reference().ok())
                .collect()
        };
        let is_hidden_at_first = configuration.is_some_and(is_hidden_at_first);
        let (on, off) = (listed(b"ON"), listed(b"OFF"));
        for layer in items(document, properties, b"OCGs") {
            let Ok(layer) = layer.as_reference() else {
                continue;
            };
            if let Some(copy) = known.get(&layer) {
                let is_hidden =
                    off.contains(&layer) || (is_hidden_at_first && !on.contains(&layer));
                self.all.push((*copy).into());
                let state = if is_hidden {
                    &mut self.hidden
                } else {
                    &mut self.shown
                };
                state.push((*copy).into());
            }
        }
        let Some(configuration) = configuration else {
            return;
        };
        for (key, list) in LISTS.into_iter().zip(&mut self.lists) {
            list.extend(map_list(
                document,
                items(document, configuration, key),
                &known,
                &mut HashSet::new(),
            ));
        }
        for usage in items(document, configuration, b"AS") {
            self.usages.extend(self::usage(document, usage, &known));
        }
    }

    /// Writes the groups to the catalog. Returns whether there are any.
    pub(super) fn join(self, catalog: &mut Dictionary, merged: &Document) -> bool {
        if self.all.is_empty() {
            return false;
        }
        let known = properties(merged);
        let mut configuration = known
            .and_then(|known| member(merged, known, b"D"))
            .cloned()
            .unwrap_or_default();
        let state: (&[u8], _) = match is_hidden_at_first(&configuration) {
            true => (b"ON", self.shown),
            false => (b"OFF", self.hidden),
        };
        let lists = LISTS.into_iter().zip(self.lists);
        for (key, added) in lists.chain([state, (b"AS", self.usages)]) {
            if !added.is_empty() {
                let all = [items(merged, &configuration, key), &added].concat();
                configuration.set(key, all);
            }
        }
        let own = known.map_or(&[][..], |known| items(merged, known, b"OCGs"));
        let all = [own, &self.all].concat();
        let mut properties = known.cloned().unwrap_or_else(|| dictionary! {});
        properties.set("OCGs", all);
        properties.set("D", configuration);
        catalog.set("OCProperties", properties);
        true
    }
}

fn properties(document: &Document) -> Option<&Dictionary> {
    member(document, document.catalog().ok()?, b"OCProperties")
}

/// Whether groups are hidden by default.
fn is_hidden_at_first(configuration: &Dictionary) -> bool {
    let state = configuration.get(b"BaseState").and_then(Object::as_name);
    state.is_ok_and(|state| state == b"OFF")
}

/// Maps a list of groups to the merged document and drops missing ones. Each nested list that is an indirect object is followed
/// once.
fn map_list(
    document: &Document,
    list: &[Object],
    known: &HashMap<ObjectId, ObjectId>,
    seen: &mut HashSet<ObjectId>,
) -> Vec<Object> {
    let mut items = Vec::new();
    for item in list {
        if let Object::Reference(id) = item {
            if let Some(copy) = known.get(id) {
                items.push((*copy).into());
                continue;
            }
            if !seen.insert(*id) {
                continue;
            }
        }
        match document.dereference(item).map(|(_, object)| object) {
            Ok(Object::Array(list)) => {
                let list = map_list(document, list, known, seen);
                items.extend((!list.is_empty()).then_some(Object::Array(list)));
            }
            Ok(Object::String(label, form)) => items.push(Object::String(label.clone(), *form)),
            _ => {}
        }
    }
    items
}

fn usage(
    document: &Document,
    usage: &Object,
    known: &HashMap<ObjectId, ObjectId>,
) -> Option<Object> {
    let usage = document.dereference(usage).ok()?.1.as_dict().ok()?;
    let optional_content = items(document, usage, b"OCGs");
    let optional_content = map_list(document, optional_content, known, &mut HashSet::new());
    let mut copy = dictionary! { "OCGs" => optional_content };
    let event = usage.get(b"Event").ok()?.as_name().ok()?;
    copy.set("Event", Object::Name(event.to_vec()));
    let categories = items(document, usage, b"Category").iter();
    let names = categories.filter(|name| matches!(name, Object::Name(_)));
    copy.set("Category", names.cloned().collect::<Vec<_>>());
    Some(copy.into())
}

/// Pairs the objects that the pages of a document draw with their copies in the merged document.
fn counterparts(appended: &AppendedDocument<'_>, merged: &Document) -> HashMap<ObjectId, ObjectId> {
    let document = appended.document;
    let mut pending = Vec::new();
    for (own, copy) in &appended.pages {
        let pages = (document.get_dictionary(*own), merged.get_dictionary(*copy));
        let (Ok(own), Ok(copy)) = pages else { continue };
        let both = (resources(document, own), resources(merged, copy));
        if let (Some(own), Some(copy)) = both {
            visit(own, copy, &mut pending);
        }
        let annotations = items(document, own, b"Annots").iter();
        for (own, copy) in annotations.zip(items(merged, copy, b"Annots")) {
            let pair = (document.dereference(own), merged.dereference(copy));
            if let (Ok((_, Object::Dictionary(own))), Ok((_, Object::Dictionary(copy)))) = pair {
                pending.extend(
                    VISIBILITY_KEYS
                        .iter()
                        .filter_map(|key| own.get(key).ok().zip(copy.get(key).ok())),
                );
            }
        }
    }
    let mut known = HashMap::new();
    while let Some((own, copy)) = pending.pop() {
        match (own, copy) {
            (Object::Reference(own), Object::Reference(copy)) => {
                if known.len() < MAX_OBJECTS
                    && known.insert(*own, *copy).is_none()
                    && let (Ok(own), Ok(copy)) =
                        (document.get_object(*own), merged.get_object(*copy))
                {
                    pending.push((own, copy));
                }
            }
            (Object::Dictionary(own), Object::Dictionary(copy)) => visit(own, copy, &mut pending),
            (Object::Stream(own), Object::Stream(copy)) => {
                visit(&own.dict, &copy.dict, &mut pending)
            }
            (Object::Array(own), Object::Array(copy)) => pending.extend(own.iter().zip(copy)),
            _ => {}
        }
    }
    known
}

fn visit<'d>(
    own: &'d Dictionary,
    copy: &'d Dictionary,
    pending: &mut Vec<(&'d Object, &'d Object)>,
) {
    let own = own.iter();
    pending.extend(own.filter_map(|(key, value)| Some((value, copy.get(key).ok()?))));
}
