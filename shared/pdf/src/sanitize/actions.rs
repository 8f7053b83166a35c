//! Keeps links to web pages, to mail addresses and within the document, and drops other actions [ISO 32000-2, 12.6].

use std::collections::HashSet;

use domain::operation::SanitizedPart;
use lopdf::{Dictionary, Object, ObjectId, dictionary};

use super::places::ANY;
use super::walk::Walk;

/// Maximum number of actions that follow one another.
const MAX_ACTIONS: usize = 1_000;

/// Types of actions other than links.
const TYPES: [&[u8]; 17] = [
    b"GoToR",
    b"GoToE",
    b"GoToDp",
    b"Launch",
    b"Thread",
    b"Sound",
    b"Movie",
    b"Hide",
    b"Named",
    b"SubmitForm",
    b"ResetForm",
    b"ImportData",
    b"JavaScript",
    b"SetOCGState",
    b"Rendition",
    b"GoTo3DView",
    b"RichMediaExecute",
];

impl Walk<'_> {
    /// The actions that stay, in order.
    pub(super) fn action(&mut self, object: &Object) -> Object {
        let actions = self.actions(object, false);
        chain(actions)
    }

    /// Actions that events start: only those of parts that stay.
    pub(super) fn triggers(&mut self, object: &Object) -> Object {
        let Ok((_, Object::Dictionary(triggers))) = self.document.dereference(object) else {
            return Object::Null;
        };
        let mut kept = Dictionary::new();
        for (event, action) in triggers.clone() {
            let actions = self.actions(&action, self.removes(SanitizedPart::Actions));
            if !actions.is_empty() {
                kept.set(event, chain(actions));
            }
        }
        match kept.is_empty() {
            true => Object::Null,
            false => kept.into(),
        }
    }

    /// What is done when the document is opened: showing a destination, unless actions stay.
    pub(super) fn opening(&mut self, object: &Object) -> Object {
        let Ok((_, Object::Dictionary(_))) = self.document.dereference(object) else {
            return self.destination(object);
        };
        let mut actions = self.actions(object, false);
        if self.removes(SanitizedPart::Actions) {
            let is_script = |action: &Dictionary| has_type(action, b"JavaScript");
            actions.retain(|action| has_type(action, b"GoTo") || is_script(action));
        }
        chain(actions)
    }

    /// The actions that stay, without their successors. With `without_links`, links are dropped, too.
    fn actions(&mut self, object: &Object, without_links: bool) -> Vec<Dictionary> {
        let mut kept = Vec::new();
        let mut due = vec![object.clone()];
        let mut seen: HashSet<ObjectId> = HashSet::new();
        for _ in 0..MAX_ACTIONS {
            let Some(next) = due.pop() else { break };
            if let Object::Reference(id) = next
                && !seen.insert(id)
            {
                continue;
            }
            match self.document.dereference(&next) {
                Ok((_, Object::Array(items))) => {
                    due.extend(items.iter().take(MAX_ACTIONS).rev().cloned());
                }
                Ok((_, Object::Dictionary(action))) => {
                    let mut action = action.clone();
                    due.extend(action.remove(b"Next"));
                    let is_link = has_type(&action, b"GoTo") || has_type(&action, b"URI");
                    let found = self.kept(action).filter(|_| !(is_link && without_links));
                    match found {
                        Some(action) => kept.push(action),
                        None if is_link => self.count(Some(SanitizedPart::Actions), 1),
                        None => {}
                    }
                }
                _ => {}
            }
        }
        kept
    }

    fn kept(&mut self, action: Dictionary) -> Option<Dictionary> {
        if has_type(&action, b"GoTo") {
            let place = self.destination(action.get(b"D").ok()?);
            return (!place.is_null()).then(|| dictionary! { "S" => "GoTo", "D" => place });
        }
        if has_type(&action, b"URI") {
            let address = action.get_deref(b"URI", &self.document).ok()?.clone();
            if !is_allowed(address.as_str().ok()?) {
                return None;
            }
            let mut link = dictionary! { "S" => "URI", "URI" => address };
            if let Ok(Object::Boolean(true)) = action.get(b"IsMap") {
                link.set("IsMap", true);
            }
            return Some(link);
        }
        // Actions of unknown types go with the others.
        let part = self.part_of_action(&action);
        let is_known = action
            .get(b"S")
            .and_then(Object::as_name)
            .is_ok_and(is_other);
        if part.is_some() || (!is_known && self.removes(SanitizedPart::Actions)) {
            self.count(part.or(Some(SanitizedPart::Actions)), 1);
            return None;
        }
        let mut kept = Dictionary::new();
        for (key, value) in action {
            if key != b"JS" || !self.removes(SanitizedPart::JavaScript) {
                kept.set(key, self.clean(value, &ANY, 1));
            }
        }
        Some(kept)
    }

    /// The removed part that an action other than a link belongs to; `None` if it stays, or is no action.
    pub(super) fn part_of_action(&self, members: &Dictionary) -> Option<SanitizedPart> {
        let kind = members.get(b"S").and_then(Object::as_name).ok()?;
        let part = match kind {
            b"JavaScript" => SanitizedPart::JavaScript,
            kind if is_other(kind) => SanitizedPart::Actions,
            _ => return None,
        };
        self.removes(part).then_some(part)
    }

    /// A place in the document; null if it has none.
    pub(super) fn destination(&self, object: &Object) -> Object {
        match self.document.dereference(object).map(|(_, place)| place) {
            Ok(Object::Dictionary(place)) => match place.get_deref(b"D", &self.document) {
                Ok(Object::Array(place)) => match self.explicit(place) {
                    Object::Null => Object::Null,
                    place => dictionary! { "D" => place }.into(),
                },
                _ => Object::Null,
            },
            Ok(Object::Array(place)) => self.explicit(place),
            Ok(name @ (Object::Name(_) | Object::String(..))) => name.clone(),
            _ => Object::Null,
        }
    }

    fn explicit(&self, place: &[Object]) -> Object {
        let is_kept = match place.first() {
            Some(Object::Reference(page)) => self.pages.contains(page),
            Some(Object::Integer(_)) => true,
            _ => false,
        };
        let is_plain = |item: &Object| {
            matches!(
                item,
                Object::Reference(_)
                    | Object::Name(_)
                    | Object::Integer(_)
                    | Object::Real(_)
                    | Object::Null
            )
        };
        let others_are_plain = place
            .iter()
            .skip(1)
            .all(|item| is_plain(item) && !matches!(item, Object::Reference(_)));
        match is_kept && others_are_plain {
            true => Object::Array(place.to_vec()),
            false => Object::Null,
        }
    }
}

/// Links each action to the next.
fn chain(actions: Vec<Dictionary>) -> Object {
    let chained = actions.into_iter().rev().reduce(|next, mut action| {
        action.set("Next", next);
        action
    });
    chained.map_or(Object::Null, Object::Dictionary)
}

fn has_type(action: &Dictionary, kind: &[u8]) -> bool {
    let own = action.get(b"S").and_then(Object::as_name);
    own.is_ok_and(|own| own == kind)
}

fn is_other(kind: &[u8]) -> bool {
    TYPES.contains(&kind)
}

/// Whether an address is of a web page or a mail.
fn is_allowed(address: &[u8]) -> bool {
    let schemes = [b"http://".as_slice(), b"https://", b"mailto:"];
    schemes.iter().any(|scheme| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}
