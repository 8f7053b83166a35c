//! Optional content groups (layers) that are hidden in the default configuration [ISO 32000-1, 8.11].

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use crate::objects::{items, member};

/// Maximum depth of visibility expressions and of the list of layers.
const MAX_DEPTH: u32 = 50;

/// The layers of a document.
#[derive(Default)]
pub(super) struct Layers {
    /// All groups.
    groups: Vec<ObjectId>,
    /// Hidden groups, and membership dictionaries that hide their content.
    hidden: HashSet<ObjectId>,
}

impl Layers {
    /// Reads the layers.
    pub(super) fn of(document: &Document) -> Self {
        let mut layers = Self::default();
        let Some(properties) = properties(document) else {
            return layers;
        };
        layers.groups = references(items(document, properties, b"OCGs"));
        let none = Dictionary::new();
        let configuration = member(document, properties, b"D").unwrap_or(&none);
        let listed = |key: &[u8]| -> HashSet<ObjectId> {
            let listed = references(items(document, configuration, key));
            listed.into_iter().collect()
        };
        let (on, off) = (listed(b"ON"), listed(b"OFF"));
        let base = configuration
            .get_deref(b"BaseState", document)
            .and_then(Object::as_name);
        let is_off_at_first = base.is_ok_and(|base| base == b"OFF");
        let automatic = automatic(document, configuration);
        let intents = intents(document, configuration);
        for id in &layers.groups {
            let Ok(group) = document.get_dictionary(*id) else {
                continue;
            };
            let listed = off.contains(id) || (is_off_at_first && !on.contains(id));
            let by_usage = automatic.contains(id).then(|| view_state(document, group));
            let is_off = by_usage.flatten().unwrap_or(listed);
            let own = self::intents(document, group);
            let has_effect =
                intents.contains(b"All".as_slice()) || own.iter().any(|own| intents.contains(own));
            if is_off && has_effect {
                layers.hidden.insert(*id);
            }
        }
        let memberships = document.objects.iter().filter(|(_, object)| {
            let dictionary = object.as_dict();
            dictionary.is_ok_and(|dictionary| dictionary.has_type(b"OCMD"))
        });
        let memberships = memberships.filter(|(_, object)| layers.hides(document, object));
        let memberships: Vec<ObjectId> = memberships.map(|(id, _)| *id).collect();
        layers.hidden.extend(memberships);
        layers
    }

    /// Whether any content is hidden.
    pub(super) fn hide_anything(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Number of hidden groups and membership dictionaries.
    pub(super) fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// Whether an object is a hidden group, or a membership dictionary that hides its content.
    pub(super) fn contain_hidden(&self, id: ObjectId) -> bool {
        self.hidden.contains(&id)
    }

    /// Whether content of this group or membership dictionary is hidden.
    pub(super) fn hides(&self, document: &Document, owner: &Object) -> bool {
        if let Object::Reference(id) = owner
            && self.hidden.contains(id)
        {
            return true;
        }
        let Ok((_, Object::Dictionary(owner))) = document.dereference(owner) else {
            return false;
        };
        if !owner.has_type(b"OCMD") {
            return false;
        }
        if let Ok(expression) = owner.get_deref(b"VE", document)
            && expression.as_array().is_ok()
        {
            return !self.is_true(document, expression, 0);
        }
        let groups = match owner.get(b"OCGs") {
            Ok(Object::Reference(id)) if document.get_dictionary(*id).is_ok() => vec![*id],
            _ => references(items(document, owner, b"OCGs")),
        };
        let mut off = groups
            .iter()
            .filter(|id| document.get_dictionary(**id).is_ok())
            .map(|id| self.hidden.contains(id))
            .peekable();
        if off.peek().is_none() {
            return false;
        }
        let policy = owner
            .get_deref(b"P", document)
            .and_then(Object::as_name)
            .unwrap_or(b"AnyOn");
        match policy {
            b"AllOn" => off.any(|off| off),
            b"AnyOff" => !off.any(|off| off),
            b"AllOff" => off.any(|off| !off),
            _ => off.all(|off| off),
        }
    }

    /// Evaluates a visibility expression.
    fn is_true(&self, document: &Document, expression: &Object, depth: u32) -> bool {
        if let Object::Reference(id) = expression
            && document.get_dictionary(*id).is_ok()
        {
            return !self.hidden.contains(id);
        }
        let Ok((_, Object::Array(items))) = document.dereference(expression) else {
            return true;
        };
        let [operator, operands @ ..] = items.as_slice() else {
            return true;
        };
        let mut operands = operands
            .iter()
            .map(|operand| depth >= MAX_DEPTH || self.is_true(document, operand, depth + 1));
        match operator.as_name() {
            Ok(b"Or") => operands.any(|operand| operand),
            Ok(b"Not") => !operands.next().unwrap_or(false),
            _ => operands.all(|operand| operand),
        }
    }

    /// The properties of the visible layers, all of which are on; `None` if there are none.
    pub(super) fn visible_properties(&self, document: &Document) -> Option<Object> {
        let visible = self.groups.iter().filter(|id| !self.hidden.contains(id));
        let visible: Vec<ObjectId> = visible.copied().collect();
        if visible.is_empty() {
            return None;
        }
        let configuration = member(document, properties(document)?, b"D");
        let order = configuration.and_then(|it| it.get_deref(b"Order", document).ok());
        let order = order.and_then(|order| visible_order(document, order, &visible, 0));
        let groups: Vec<Object> = visible.iter().map(|id| (*id).into()).collect();
        let order = order.unwrap_or_else(|| groups.clone().into());
        Some(dictionary! { "OCGs" => groups, "D" => dictionary! { "Order" => order } }.into())
    }
}

fn properties(document: &Document) -> Option<&Dictionary> {
    member(document, document.catalog().ok()?, b"OCProperties")
}

fn references(items: &[Object]) -> Vec<ObjectId> {
    let ids = items.iter().filter_map(|item| item.as_reference().ok());
    ids.collect()
}

/// The groups whose usage sets their state when the document is viewed.
fn automatic(document: &Document, configuration: &Dictionary) -> HashSet<ObjectId> {
    let applications = items(document, configuration, b"AS").iter();
    let applications =
        applications.filter_map(|it| document.dereference(it).ok()?.1.as_dict().ok());
    let groups = applications
        .filter(|application| {
            let event = application.get(b"Event").and_then(Object::as_name);
            let mut categories = items(document, application, b"Category").iter();
            event.is_ok_and(|event| event == b"View")
                && categories.any(|it| it.as_name().is_ok_and(|name| name == b"View"))
        })
        .flat_map(|application| references(items(document, application, b"OCGs")));
    groups.collect()
}

/// Whether the usage of a group turns it off when the document is viewed.
fn view_state(document: &Document, group: &Dictionary) -> Option<bool> {
    let usage = member(document, member(document, group, b"Usage")?, b"View")?;
    let state = usage.get_deref(b"ViewState", document).ok()?.as_name();
    Some(state.ok()? == b"OFF")
}

fn intents<'d>(document: &'d Document, of: &'d Dictionary) -> HashSet<&'d [u8]> {
    let intents = match of.get_deref(b"Intent", document) {
        Ok(Object::Name(intent)) => vec![intent.as_slice()],
        Ok(Object::Array(intents)) => {
            let names = intents.iter().filter_map(|intent| intent.as_name().ok());
            names.collect()
        }
        _ => vec![b"View".as_slice()],
    };
    intents.into_iter().collect()
}

/// The list of layers without hidden ones.
fn visible_order(
    document: &Document,
    order: &Object,
    visible: &[ObjectId],
    depth: u32,
) -> Option<Object> {
    match order {
        Object::Reference(id) if visible.contains(id) => Some(order.clone()),
        Object::String(..) if depth > 0 => Some(order.clone()),
        _ if depth > MAX_DEPTH => None,
        _ => {
            let (_, list) = document.dereference(order).ok()?;
            let list = list.as_array().ok()?.iter();
            let list = list.filter_map(|item| visible_order(document, item, visible, depth + 1));
            let list: Vec<Object> = list.collect();
            let has_layers = |item: &Object| !matches!(item, Object::String(..));
            list.iter().any(has_layers).then_some(Object::Array(list))
        }
    }
}
