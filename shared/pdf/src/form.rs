//! Reads the fields of an interactive form [ISO 32000-1, 12.7].

mod describe;

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::objects::{inherited, is_a, items, member};

/// Maximum number of nodes of the field tree that are read.
const MAX_NODES: usize = 50_000;
/// Maximum depth of the field tree.
const MAX_DEPTH: u32 = 50;
/// Maximum length of a full name in bytes.
const MAX_NAME: usize = 4_000;

/// Flags of fields [ISO 32000-1, tables 221, 226, 228 and 230].
const READ_ONLY: i64 = 1;
const REQUIRED: i64 = 1 << 1;
const RADIO: i64 = 1 << 15;
const PUSH_BUTTON: i64 = 1 << 16;
const COMBO: i64 = 1 << 17;
const EDITABLE: i64 = 1 << 18;
const SEVERAL: i64 = 1 << 21;

/// The form of a document.
pub struct Form<'d> {
    /// The terminal fields, in the order of the tree.
    pub fields: Vec<FormField<'d>>,
    /// Whether it has an XFA form.
    pub has_xfa: bool,
    /// Whether the fields are not all of the form.
    pub is_truncated: bool,
    /// Whether the pages have to be made from the XFA form.
    needs_rendering: bool,
}

/// A terminal field, which has a value.
pub struct FormField<'d> {
    /// The object of the field.
    pub id: ObjectId,
    /// The full name.
    pub name: String,
    /// The type.
    pub kind: FieldKind,
    /// The widgets that show it: itself or its children.
    pub widgets: Vec<ObjectId>,
    document: &'d Document,
    dictionary: &'d Dictionary,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Text.
    Text,
    /// A check box.
    CheckBox,
    /// A group of radio buttons.
    Radio,
    /// A drop-down list.
    Dropdown {
        /// Whether it accepts other texts than its options.
        editable: bool,
    },
    /// A list.
    List {
        /// Whether several options can be selected.
        several: bool,
    },
    /// A push button.
    Button,
    /// A signature.
    Signature,
}

/// An option of a list, or a state of a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldOption {
    /// The value that the form exports.
    pub export: String,
    /// The text that is displayed.
    pub display: String,
}

/// The state that turns a widget of a check box or a radio button on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnState {
    /// The widget.
    pub widget: ObjectId,
    /// The name of its appearance; `None` if it has no appearance.
    pub state: Option<Vec<u8>>,
    /// The value that the form exports.
    pub export: String,
}

impl<'d> Form<'d> {
    /// Reads the form; `None` if the document has none.
    pub fn of(document: &'d Document) -> Option<Self> {
        let catalog = document.catalog().ok()?;
        let form = member(document, catalog, b"AcroForm")?;
        let needs_rendering = catalog.get_deref(b"NeedsRendering", document);
        let mut walk = Walk {
            document,
            seen: HashSet::new(),
            fields: Vec::new(),
            is_truncated: false,
        };
        for root in items(document, form, b"Fields") {
            walk.visit(root, "", 0);
        }
        Some(Self {
            fields: walk.fields,
            has_xfa: form.has(b"XFA"),
            is_truncated: walk.is_truncated,
            needs_rendering: matches!(needs_rendering, Ok(Object::Boolean(true))),
        })
    }

    /// Whether viewers show the XFA form instead of the pages and fields of the document.
    pub fn is_dynamic(&self) -> bool {
        self.has_xfa && (self.needs_rendering || self.fields.is_empty())
    }
}

/// A walk over the tree of fields.
struct Walk<'d> {
    document: &'d Document,
    seen: HashSet<ObjectId>,
    fields: Vec<FormField<'d>>,
    is_truncated: bool,
}

impl<'d> Walk<'d> {
    fn visit(&mut self, node: &'d Object, parent: &str, depth: u32) {
        let Ok(id) = node.as_reference() else { return };
        if depth > MAX_DEPTH || self.seen.len() >= MAX_NODES {
            self.is_truncated = true;
            return;
        }
        let Ok(dictionary) = self.document.get_dictionary(id) else {
            return;
        };
        if !self.seen.insert(id) {
            return;
        }
        let partial = dictionary.get_deref(b"T", self.document).ok();
        let name = match (parent, partial.and_then(text)) {
            (parent, None) => parent.to_owned(),
            ("", Some(own)) => own,
            (parent, Some(own)) => format!("{parent}.{own}"),
        };
        if name.len() > MAX_NAME {
            self.is_truncated = true;
            return;
        }
        let mut widgets = Vec::new();
        let mut has_fields = false;
        for kid in items(self.document, dictionary, b"Kids") {
            let Some((kid_id, found)) = self.dictionary(kid) else {
                continue;
            };
            let is_widget = is_a(found, b"Widget") && !found.has(b"T");
            if is_widget && self.seen.insert(kid_id) {
                widgets.push(kid_id);
            } else if !is_widget {
                has_fields = true;
                self.visit(kid, &name, depth + 1);
            }
        }
        if widgets.is_empty() && !has_fields && is_a(dictionary, b"Widget") {
            widgets.push(id);
        }
        if has_fields && widgets.is_empty() {
            return;
        }
        if let Some(kind) = kind(self.document, dictionary) {
            self.fields.push(FormField {
                id,
                name,
                kind,
                widgets,
                document: self.document,
                dictionary,
            });
        }
    }

    fn dictionary(&self, object: &Object) -> Option<(ObjectId, &'d Dictionary)> {
        let id = object.as_reference().ok()?;
        Some((id, self.document.get_dictionary(id).ok()?))
    }
}

fn kind(document: &Document, dictionary: &Dictionary) -> Option<FieldKind> {
    let flags = inherited(document, dictionary, b"Ff").and_then(|flags| flags.as_i64().ok());
    let has = |flag: i64| flags.unwrap_or(0) & flag != 0;
    match inherited(document, dictionary, b"FT")?.as_name().ok()? {
        b"Tx" => Some(FieldKind::Text),
        b"Btn" if has(PUSH_BUTTON) => Some(FieldKind::Button),
        b"Btn" if has(RADIO) => Some(FieldKind::Radio),
        b"Btn" => Some(FieldKind::CheckBox),
        b"Ch" if has(COMBO) => Some(FieldKind::Dropdown {
            editable: has(EDITABLE),
        }),
        b"Ch" => Some(FieldKind::List {
            several: has(SEVERAL),
        }),
        b"Sig" => Some(FieldKind::Signature),
        _ => None,
    }
}

impl FormField<'_> {
    /// Whether users cannot change it.
    pub fn is_read_only(&self) -> bool {
        self.has(READ_ONLY)
    }

    /// Whether it must have a value.
    pub fn is_required(&self) -> bool {
        self.has(REQUIRED)
    }

    /// The maximum number of characters of a text.
    pub fn max_length(&self) -> Option<u32> {
        let length = self.own(b"MaxLen").filter(|_| self.kind == FieldKind::Text);
        u32::try_from(length?.as_i64().ok()?).ok()
    }

    /// The options of a list.
    pub fn options(&self) -> Vec<FieldOption> {
        let options = self.own(b"Opt").and_then(|options| options.as_array().ok());
        let options = options.into_iter().flatten().filter_map(|option| {
            let (_, option) = self.document.dereference(option).ok()?;
            let (export, display) = match option {
                Object::Array(pair) => match pair.as_slice() {
                    [export, display] => (self.text(export)?, self.text(display)?),
                    _ => return None,
                },
                option => (text(option)?, text(option)?),
            };
            Some(FieldOption { export, display })
        });
        options.collect()
    }

    /// The states that turn the widgets of a check box or a radio button on, in the order of the widgets.
    pub fn on_states(&self) -> Vec<OnState> {
        let exports = self.own(b"Opt").and_then(|options| options.as_array().ok());
        let states = self.widgets.iter().enumerate().map(|(place, widget)| {
            let state = self.state_of(*widget);
            let export = exports.and_then(|exports| self.text(exports.get(place)?));
            let of_state = || match &state {
                Some(state) => String::from_utf8_lossy(state).into_owned(),
                None => "Yes".to_owned(),
            };
            let export = export.unwrap_or_else(of_state);
            OnState {
                widget: *widget,
                state: state.clone(),
                export,
            }
        });
        states.collect()
    }

    /// The name of the appearance other than `Off`.
    fn state_of(&self, widget: ObjectId) -> Option<Vec<u8>> {
        let widget = self.document.get_dictionary(widget).ok()?;
        let appearances = member(self.document, widget, b"AP")?;
        let normal = member(self.document, appearances, b"N")?;
        let mut states = normal.iter().map(|(name, _)| name.clone());
        states.find(|name| name != b"Off")
    }

    fn has(&self, flag: i64) -> bool {
        let flags = self.own(b"Ff").and_then(|flags| flags.as_i64().ok());
        flags.unwrap_or(0) & flag != 0
    }

    fn own(&self, key: &[u8]) -> Option<&Object> {
        inherited(self.document, self.dictionary, key)
    }

    fn text(&self, object: &Object) -> Option<String> {
        text(self.document.dereference(object).ok()?.1)
    }
}

/// Returns the number of the page of each annotation.
pub fn pages_of_annotations(document: &Document) -> HashMap<ObjectId, u32> {
    let pages = document.get_pages().into_iter();
    let annotations = pages.flat_map(|(number, page)| {
        let page = document.get_dictionary(page).ok();
        let annotations = page.map_or(&[][..], |page| items(document, page, b"Annots"));
        let ids = annotations.iter().filter_map(|id| id.as_reference().ok());
        ids.map(move |id| (id, number))
    });
    annotations.collect()
}

/// Decodes a text string; streams, which rich forms use for long texts, have no text here.
fn text(value: &Object) -> Option<String> {
    match value {
        Object::String(..) => lopdf::decode_text_string(value).ok(),
        _ => None,
    }
}
