//! Carries over the layers of later documents, so that what is hidden stays hidden [ISO 32000-1, 8.11].

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::later::Later;
use crate::objects::{items, member, resources};

/// Most objects of a document that are looked at.
const OBJECTS: usize = 1_000_000;
/// What of an annotation tells when and how it is drawn; other members lead out of the page.
const DRAWN: [&[u8]; 2] = [b"AP", b"OC"];
/// Lists of layers in a configuration that later documents add to: those that are hidden come from their states.
const LISTS: [&[u8]; 3] = [b"Order", b"RBGroups", b"Locked"];

/// The layers that later documents bring, as they are in the merged one.
#[derive(Default)]
pub(super) struct Layers {
    all: Vec<Object>,
    shown: Vec<Object>,
    hidden: Vec<Object>,
    /// What joins each of [`LISTS`].
    lists: [Vec<Object>; 3],
    /// When layers are shown by themselves.
    usages: Vec<Object>,
}

impl Layers {
    /// Adds those of a document.
    pub(super) fn add(&mut self, later: &Later<'_>, merged: &Document) {
        let document = later.document;
        let Some(properties) = properties(document) else {
            return;
        };
        let known = counterparts(later, merged);
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
            list.extend(mapped(
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

    /// Puts them into the catalog; whether there are any.
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

/// Whether layers are hidden of which nothing is said.
fn is_hidden_at_first(configuration: &Dictionary) -> bool {
    let state = configuration.get(b"BaseState").and_then(Object::as_name);
    state.is_ok_and(|state| state == b"OFF")
}

/// A list with the layers as they are in the merged document, without those that are not there. Lists within it that are
/// objects of their own are followed once each.
fn mapped(
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
                let list = mapped(document, list, known, seen);
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
    let layers = items(document, usage, b"OCGs");
    let layers = mapped(document, layers, known, &mut HashSet::new());
    let mut copy = dictionary! { "OCGs" => layers };
    let event = usage.get(b"Event").ok()?.as_name().ok()?;
    copy.set("Event", Object::Name(event.to_vec()));
    let categories = items(document, usage, b"Category").iter();
    let names = categories.filter(|name| matches!(name, Object::Name(_)));
    copy.set("Category", names.cloned().collect::<Vec<_>>());
    Some(copy.into())
}

/// What the pages of a document draw, each object with its copy in the merged one.
fn counterparts(later: &Later<'_>, merged: &Document) -> HashMap<ObjectId, ObjectId> {
    let document = later.document;
    let mut met = Vec::new();
    for (own, copy) in &later.pages {
        let pages = (document.get_dictionary(*own), merged.get_dictionary(*copy));
        let (Ok(own), Ok(copy)) = pages else { continue };
        let both = (resources(document, own), resources(merged, copy));
        if let (Some(own), Some(copy)) = both {
            meet(own, copy, &mut met);
        }
        let annotations = items(document, own, b"Annots").iter();
        for (own, copy) in annotations.zip(items(merged, copy, b"Annots")) {
            let pair = (document.dereference(own), merged.dereference(copy));
            if let (Ok((_, Object::Dictionary(own))), Ok((_, Object::Dictionary(copy)))) = pair {
                met.extend(
                    DRAWN
                        .iter()
                        .filter_map(|key| own.get(key).ok().zip(copy.get(key).ok())),
                );
            }
        }
    }
    let mut known = HashMap::new();
    while let Some((own, copy)) = met.pop() {
        match (own, copy) {
            (Object::Reference(own), Object::Reference(copy)) => {
                if known.len() < OBJECTS
                    && known.insert(*own, *copy).is_none()
                    && let (Ok(own), Ok(copy)) =
                        (document.get_object(*own), merged.get_object(*copy))
                {
                    met.push((own, copy));
                }
            }
            (Object::Dictionary(own), Object::Dictionary(copy)) => meet(own, copy, &mut met),
            (Object::Stream(own), Object::Stream(copy)) => meet(&own.dict, &copy.dict, &mut met),
            (Object::Array(own), Object::Array(copy)) => met.extend(own.iter().zip(copy)),
            _ => {}
        }
    }
    known
}

fn meet<'d>(own: &'d Dictionary, copy: &'d Dictionary, met: &mut Vec<(&'d Object, &'d Object)>) {
    let own = own.iter();
    met.extend(own.filter_map(|(key, value)| Some((value, copy.get(key).ok()?))));
}
