//! Walks over the object graph and keeps what each place of it may have.

use std::collections::{BTreeSet, HashSet};

use domain::operation::{SanitizeOptions, SanitizedPart};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::RemovedParts;

use super::layers::Layers;
use super::places::{ANNOTATION, ANY, CATALOG, EXTERNAL, HARMFUL, Member, PAGE, Place, RESOURCES};
use super::visible_content::VisibleContent;
use crate::objects::{is_a, items, member};
use crate::trees;

/// Maximum depth of direct objects.
const MAX_DEPTH: u32 = 200;

static GLYPHS: Place = Place::Map(&ANY);

/// A document whose objects are cleaned.
pub(super) struct Walk<'o> {
    pub(super) document: Document,
    pub(super) options: &'o SanitizeOptions,
    pub(super) layers: Layers,
    /// The visible content, if some is hidden.
    pub(super) visible: Option<VisibleContent>,
    /// The pages of the page tree.
    pub(super) pages: HashSet<ObjectId>,
    /// Annotations that pages keep.
    pub(super) annotations: HashSet<ObjectId>,
    /// Changed objects.
    pub(super) changed: BTreeSet<ObjectId>,
    pub(super) removed: RemovedParts,
    due: Vec<(ObjectId, &'static Place)>,
    seen: HashSet<(ObjectId, *const Place)>,
}

impl<'o> Walk<'o> {
    pub(super) fn new(
        document: Document,
        options: &'o SanitizeOptions,
        (layers, visible): (Layers, Option<VisibleContent>),
    ) -> Self {
        Self {
            pages: document.get_pages().into_values().collect(),
            document,
            options,
            layers,
            visible,
            annotations: HashSet::new(),
            changed: BTreeSet::new(),
            removed: RemovedParts::default(),
            due: Vec::new(),
            seen: HashSet::new(),
        }
    }

    pub(super) fn removes(&self, part: SanitizedPart) -> bool {
        self.options.removes(part)
    }

    /// Cleans everything below the pages, then below the catalog.
    pub(super) fn run(&mut self, catalog: ObjectId) {
        let pages: Vec<ObjectId> = self.pages.iter().copied().collect();
        self.due.extend(pages.into_iter().map(|page| (page, &PAGE)));
        self.finish();
        self.prune_fields();
        self.prune_structure();
        self.due.push((catalog, &CATALOG));
        self.finish();
    }

    /// Cleans an object and everything below it.
    pub(super) fn clean_below(&mut self, object: &Object) {
        self.clean(object.clone(), &ANY, 0);
        self.finish();
    }

    fn finish(&mut self) {
        while let Some((id, place)) = self.due.pop() {
            let Ok(before) = self.document.get_object(id).cloned() else {
                continue;
            };
            let after = self.clean(before.clone(), place, 0);
            if after != before {
                self.set(id, after);
            }
        }
    }

    /// Replaces an object.
    pub(super) fn set(&mut self, id: ObjectId, object: Object) {
        self.document.objects.insert(id, object);
        self.changed.insert(id);
    }

    /// Counts a removed part.
    pub(super) fn count(&mut self, part: Option<SanitizedPart>, number: usize) {
        let count = match part {
            Some(SanitizedPart::JavaScript) => &mut self.removed.javascript,
            Some(SanitizedPart::Actions) => &mut self.removed.actions,
            Some(SanitizedPart::Attachments) => &mut self.removed.attachments,
            Some(SanitizedPart::HiddenLayers) => &mut self.removed.hidden_layers,
            Some(SanitizedPart::Metadata) => &mut self.removed.metadata,
            None => &mut self.removed.other,
        };
        *count = count.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
    }

    /// Returns what stays of an object at a place; null if nothing does.
    pub(super) fn clean(&mut self, object: Object, place: &'static Place, depth: u32) -> Object {
        if depth > MAX_DEPTH {
            return Object::Null;
        }
        match (object, place) {
            (object, Place::Action) => self.action(&object),
            (object, Place::Triggers) => self.triggers(&object),
            (object, Place::Opening) => self.opening(&object),
            (object, Place::Destination) => self.destination(&object),
            (Object::Array(items), Place::Annotations) => {
                let items = items.into_iter();
                let items = items.filter_map(|item| self.annotation(item, depth));
                Object::Array(items.collect())
            }
            (Object::Array(items), place) => {
                let items = items.into_iter();
                let items = items.map(|item| self.clean(item, place, depth + 1));
                // A field that was removed leaves no gap.
                let stays = |item: &Object| !matches!((place, item), (Place::Fields, Object::Null));
                Object::Array(items.filter(stays).collect())
            }
            (Object::Reference(id), Place::Drawn) => {
                let visible = self.visible.as_ref();
                let is_drawn = visible.is_none_or(|visible| visible.drawn.contains(&id));
                self.reference(id, &ANY, is_drawn)
            }
            (Object::Reference(id), Place::Tagged) => {
                let is_shown = self.is_shown(id);
                self.reference(id, &ANY, is_shown)
            }
            (Object::Reference(id), Place::Fields) => self.reference(id, &ANNOTATION, true),
            (Object::Reference(id), place) => self.reference(id, place, true),
            (Object::Dictionary(members), place) => self.dictionary(members, place, depth),
            (Object::Stream(stream), place) => {
                let place = match place {
                    Place::Map(_) => &ANY,
                    other => other,
                };
                let members = stream.dict.into_iter();
                let dict = members
                    .filter(|(key, _)| !is_listed(key, EXTERNAL))
                    .collect();
                let Object::Dictionary(dict) = self.dictionary(dict, place, depth) else {
                    return Object::Null;
                };
                Object::Stream(Stream { dict, ..stream })
            }
            (other, _) => other,
        }
    }

    /// Whether an object of the structure is an annotation that stays, or an image or a form that is drawn.
    pub(super) fn is_shown(&self, id: ObjectId) -> bool {
        let drawn = self.visible.as_ref().map(|visible| &visible.drawn);
        let is_drawn = matches!(self.document.get_object(id), Ok(Object::Stream(_)))
            && drawn.is_none_or(|drawn| drawn.contains(&id));
        is_drawn || self.annotations.contains(&id)
    }

    /// Follows a reference later; null if its object does not stay.
    fn reference(&mut self, id: ObjectId, place: &'static Place, is_kept: bool) -> Object {
        let Some(target) = self.document.objects.get(&id).filter(|_| is_kept) else {
            return Object::Null;
        };
        if self.pages.contains(&id) {
            return id.into();
        }
        let dictionary = match target {
            Object::Null => return Object::Null,
            Object::Dictionary(dictionary) => Some(dictionary),
            Object::Stream(stream) => Some(&stream.dict),
            _ => None,
        };
        let has_type = |kind: &[u8]| dictionary.is_some_and(|members| members.has_type(kind));
        let is_unread = self.visible.as_ref().is_some_and(|visible| {
            let is_form = dictionary.is_some_and(|members| is_a(members, b"Form"));
            is_form && !visible.read.contains(&id)
        });
        let is_removed = has_type(b"Page")
            || is_unread
            || self.layers.contain_hidden(id)
            || (has_type(b"EmbeddedFile") && self.removes(SanitizedPart::Attachments))
            || (has_type(b"Metadata") && self.removes(SanitizedPart::Metadata));
        if is_removed {
            return Object::Null;
        }
        let is_tree = has_type(b"Pages") && matches!(place, Place::Any);
        if !is_tree && self.seen.insert((id, std::ptr::from_ref(place))) {
            self.due.push((id, place));
        }
        id.into()
    }

    fn dictionary(&mut self, members: Dictionary, place: &'static Place, depth: u32) -> Object {
        if matches!(place, Place::Any) {
            if members.has_type(b"OCMD") && self.removes(SanitizedPart::HiddenLayers) {
                // Without groups, its content is visible.
                return dictionary! { "Type" => "OCMD" }.into();
            }
            if let Some(part) = self.part_of_action(&members) {
                self.count(Some(part), 1);
                return Object::Null;
            }
        }
        let mut kept = Dictionary::new();
        for (key, value) in members {
            if value.is_null() {
                continue;
            }
            let below = match place {
                Place::Members(known) => {
                    match known.iter().find(|member| is_listed(&key, member.keys)) {
                        Some(Member {
                            part: Some(part), ..
                        }) if self.removes(*part) => Err(Some(*part)),
                        Some(member) => Ok(member.place),
                        None => Err(None),
                    }
                }
                Place::Map(place) => Ok(*place),
                Place::Tree(below) => match key.as_slice() {
                    b"Kids" => Ok(place),
                    b"Names" | b"Nums" => Ok(*below),
                    b"Limits" => Ok(&ANY),
                    _ => Err(None),
                },
                _ => self.place_of(&key),
            };
            match below {
                Ok(below) => {
                    let value = match (place, value) {
                        (Place::Tree(_), Object::Array(items)) if key != b"Kids" => {
                            self.pairs(items, below, depth)
                        }
                        (_, value) => self.clean(value, below, depth + 1),
                    };
                    if !value.is_null() {
                        kept.set(key, value);
                    }
                }
                Err(part) => {
                    let number = self.number_of_entries(&key, &value);
                    self.count(part, number);
                }
            }
        }
        kept.into()
    }

    /// The place of a member of a dictionary without a place of its own, or the part that it belongs to.
    fn place_of(&self, key: &[u8]) -> Result<&'static Place, Option<SanitizedPart>> {
        let harmful = HARMFUL.iter().find(|(keys, _)| is_listed(key, keys));
        if let Some((_, part)) = harmful
            && self.removes(*part)
        {
            return Err(Some(*part));
        }
        match key {
            b"AA" => Ok(&Place::Triggers),
            b"XFA" => Err(None),
            b"Resources" => Ok(&RESOURCES),
            b"CharProcs" => Ok(&GLYPHS),
            _ => Ok(&ANY),
        }
    }

    /// The name and value pairs of a tree.
    fn pairs(&mut self, items: Vec<Object>, below: &'static Place, depth: u32) -> Object {
        let mut kept = Vec::new();
        for pair in items.chunks(2) {
            if let [name, value] = pair {
                let value = self.clean(value.clone(), below, depth + 1);
                if !value.is_null() {
                    kept.extend([name.clone(), value]);
                }
            }
        }
        Object::Array(kept)
    }

    /// Number of entries of a removed name tree; 1 for other members.
    fn number_of_entries(&self, key: &[u8], value: &Object) -> usize {
        if !matches!(key, b"EmbeddedFiles" | b"JavaScript") {
            return 1;
        }
        let holder = dictionary! { "Tree" => value.clone() };
        trees::names(&self.document, &holder, b"Tree").len().max(1)
    }

    /// Removes fields of which no widget stays.
    fn prune_fields(&mut self) {
        let Ok(catalog) = self.document.catalog() else {
            return;
        };
        let Some(form) = member(&self.document, catalog, b"AcroForm") else {
            return;
        };
        let fields = items(&self.document, form, b"Fields").to_vec();
        let mut seen = HashSet::new();
        for field in fields {
            self.has_no_widget(&field, &mut seen, 0);
        }
    }

    fn has_no_widget(&mut self, field: &Object, seen: &mut HashSet<ObjectId>, depth: u32) -> bool {
        let Ok(id) = field.as_reference() else {
            return false;
        };
        let field = match self.document.objects.get(&id) {
            None | Some(Object::Null) => return true,
            Some(Object::Dictionary(field)) => field,
            Some(_) => return false,
        };
        let kids = items(&self.document, field, b"Kids").to_vec();
        if kids.is_empty() || depth > MAX_DEPTH || !seen.insert(id) {
            return false;
        }
        let gone = kids
            .iter()
            .filter(|kid| self.has_no_widget(kid, seen, depth + 1));
        let is_gone = gone.count() == kids.len();
        if is_gone {
            self.set(id, Object::Null);
        }
        is_gone
    }
}

/// Whether a key is in a list that is separated by spaces.
pub(super) fn is_listed(key: &[u8], keys: &str) -> bool {
    keys.split(' ').any(|listed| listed.as_bytes() == key)
}
