//! The fields of a form as libqpdf reports the objects [ISO 32000-1, 12.7.3].

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::object_graph::ObjectGraph;

/// Maximum depth and number of nodes of the trees of fields and pages.
const MAX_DEPTH: u32 = 60;
const MAX_NODES: usize = 100_000;
/// Annotation flags: invisible on screen [ISO 32000-1, 12.5.3, table 165].
const INVISIBLE: i64 = 1 << 1 | 1 << 5;

/// The fields of a document.
pub(super) struct FieldTree<'g> {
    /// The terminal fields in the order of the tree.
    pub(super) fields: Vec<FoundField<'g>>,
    /// The annotations of each page.
    pub(super) pages: Vec<&'g [Value]>,
    graph: &'g ObjectGraph,
}

/// A terminal field.
pub(super) struct FoundField<'g> {
    /// The full name.
    pub(super) name: String,
    /// The type, such as `/Tx`.
    pub(super) kind: &'g str,
    /// Its widgets.
    pub(super) widgets: Vec<FoundWidget<'g>>,
    value: Option<&'g Value>,
    options: Option<&'g Value>,
    graph: &'g ObjectGraph,
}

/// A widget of a field.
pub(super) struct FoundWidget<'g> {
    /// Its reference.
    pub(super) reference: &'g str,
    members: &'g Map<String, Value>,
    graph: &'g ObjectGraph,
}

/// What the ancestors of a field pass on.
#[derive(Clone, Default)]
struct Inherited<'g> {
    name: String,
    kind: Option<&'g str>,
    value: Option<&'g Value>,
    options: Option<&'g Value>,
}

impl<'g> FieldTree<'g> {
    /// Reads the fields.
    pub(super) fn of(graph: &'g ObjectGraph) -> Self {
        let mut tree = Self {
            fields: Vec::new(),
            pages: Vec::new(),
            graph,
        };
        if let Some(form) = tree.form() {
            let mut seen = HashSet::new();
            for field in graph.items(form, "/Fields") {
                tree.visit(field, &Inherited::default(), 0, &mut seen);
            }
        }
        let pages = graph.catalog().and_then(|catalog| catalog.get("/Pages"));
        if let Some(pages) = pages {
            tree.visit_pages(pages, 0, &mut HashSet::new());
        }
        tree
    }

    /// Whether viewers make the pages from an XFA form, or show its values.
    pub(super) fn needs_rendering(&self) -> bool {
        self.form().is_some_and(|form| form.contains_key("/XFA"))
    }

    /// Whether viewers draw the fields.
    pub(super) fn needs_appearances(&self) -> bool {
        let asks = self
            .form()
            .and_then(|form| self.graph.member(form, "/NeedAppearances"));
        asks == Some(&Value::Bool(true))
    }

    /// The page of each annotation, from 0.
    pub(super) fn page_of_annotation(&self) -> HashMap<&'g str, usize> {
        let pages = self.pages.iter().enumerate();
        let annotations = pages.flat_map(|(page, annotations)| {
            let references = annotations.iter().filter_map(Value::as_str);
            references.map(move |reference| (reference, page))
        });
        annotations.collect()
    }

    fn form(&self) -> Option<&'g Map<String, Value>> {
        self.graph
            .dictionary(self.graph.catalog()?.get("/AcroForm")?)
    }

    fn visit(
        &mut self,
        node: &'g Value,
        from: &Inherited<'g>,
        depth: u32,
        seen: &mut HashSet<&'g str>,
    ) {
        let Some(reference) = node.as_str() else {
            return;
        };
        let Some(members) = self.graph.dictionary(node) else {
            return;
        };
        if depth > MAX_DEPTH || seen.len() >= MAX_NODES || !seen.insert(reference) {
            return;
        }
        let own = |key: &str| self.graph.member(members, key);
        let partial = own("/T").and_then(text);
        let mut inherited = from.clone();
        match partial {
            Some(partial) if inherited.name.is_empty() => inherited.name = partial,
            Some(partial) => inherited.name = format!("{}.{partial}", inherited.name),
            None => {}
        }
        inherited.kind = self.graph.name(members, "/FT").or(inherited.kind);
        inherited.value = own("/V").or(inherited.value);
        inherited.options = own("/Opt").or(inherited.options);
        let mut widgets = Vec::new();
        let mut has_fields = false;
        for kid in self.graph.items(members, "/Kids") {
            let (Some(own), Some(id)) = (self.graph.dictionary(kid), kid.as_str()) else {
                continue;
            };
            let is_widget = self.graph.name(own, "/Subtype") == Some("/Widget");
            match is_widget && !own.contains_key("/T") {
                true if seen.insert(id) => widgets.push(self.widget(id, own)),
                true => {}
                false => {
                    has_fields = true;
                    self.visit(kid, &inherited, depth + 1, seen);
                }
            }
        }
        let is_widget = self.graph.name(members, "/Subtype") == Some("/Widget");
        if widgets.is_empty() && !has_fields && is_widget {
            widgets.push(self.widget(reference, members));
        }
        if has_fields && widgets.is_empty() {
            return;
        }
        if let Some(kind) = inherited.kind {
            self.fields.push(FoundField {
                name: inherited.name,
                kind,
                widgets,
                value: inherited.value,
                options: inherited.options,
                graph: self.graph,
            });
        }
    }

    fn widget(&self, reference: &'g str, members: &'g Map<String, Value>) -> FoundWidget<'g> {
        FoundWidget {
            reference,
            members,
            graph: self.graph,
        }
    }

    fn visit_pages(&mut self, node: &'g Value, depth: u32, seen: &mut HashSet<&'g str>) {
        let Some(reference) = node.as_str() else {
            return;
        };
        if depth > MAX_DEPTH || seen.len() >= MAX_NODES || !seen.insert(reference) {
            return;
        }
        let Some(members) = self.graph.dictionary(node) else {
            return;
        };
        if members.contains_key("/Kids") {
            for kid in self.graph.items(members, "/Kids") {
                self.visit_pages(kid, depth + 1, seen);
            }
        } else {
            self.pages.push(self.graph.items(members, "/Annots"));
        }
    }
}

impl<'g> FoundField<'g> {
    /// The value with references followed; of dictionaries and streams only that there is one.
    pub(super) fn value(&self) -> Value {
        match self.value {
            None => Value::Null,
            Some(Value::Object(_)) => Value::Bool(true),
            Some(Value::Array(values)) => {
                let values = values.iter().map(|value| self.graph.resolve(value).clone());
                values.collect()
            }
            Some(value) => value.clone(),
        }
    }

    /// The state of a button, such as `/Off`.
    pub(super) fn state(&self) -> Option<&'g str> {
        self.value.and_then(Value::as_str)
    }

    /// The exported value of an option, which may be given by its text.
    pub(super) fn export(&self, given: &str) -> String {
        let options = self.options.and_then(Value::as_array);
        let options =
            options
                .into_iter()
                .flatten()
                .filter_map(|option| match self.graph.resolve(option) {
                    Value::Array(pair) => {
                        let mut pair = pair.iter().map(|item| text(self.graph.resolve(item)));
                        Some((pair.next()??, pair.next()??))
                    }
                    option => text(option).map(|text| (text.clone(), text)),
                });
        let options: Vec<(String, String)> = options.collect();
        let has = |text: &str| options.iter().any(|(export, _)| export == text);
        let displayed = options.iter().find(|(_, display)| display == given);
        match (has(given), displayed) {
            (false, Some((export, _))) => export.clone(),
            _ => given.to_owned(),
        }
    }

    /// The exported values of the widgets of a button with this state.
    pub(super) fn exports_of_state(&self, state: &str) -> Vec<String> {
        let options = self.options.and_then(Value::as_array);
        let options = options.into_iter().flatten();
        let widgets = self.widgets.iter().zip(options);
        let exports = widgets.filter_map(|(widget, option)| {
            let is_on = widget.state() == Some(state);
            is_on.then(|| text(self.graph.resolve(option)))?
        });
        exports.collect()
    }
}

impl<'g> FoundWidget<'g> {
    /// The appearance state.
    pub(super) fn state(&self) -> Option<&'g str> {
        self.graph.name(self.members, "/AS")
    }

    /// Whether it has an appearance stream, of this state or the only one. Without an area it needs none.
    pub(super) fn has_stream(&self, state: Option<&str>) -> bool {
        let Some([left, bottom, right, top]) = self.rectangle() else {
            return true;
        };
        let appearances = self
            .members
            .get("/AP")
            .and_then(|all| self.graph.dictionary(all));
        let normal = appearances.and_then(|all| self.graph.member(all, "/N"));
        let stream = match state {
            None => normal,
            Some(state) => normal
                .and_then(Value::as_object)
                .and_then(|states| self.graph.member(states, state)),
        };
        let is_stream = stream.is_some_and(|stream| stream.get("stream").is_some());
        is_stream || right <= left || top <= bottom
    }

    /// Left, bottom, right and top edge in points, in the coordinates of the page.
    pub(super) fn rectangle(&self) -> Option<[f32; 4]> {
        rectangle(self.graph, self.members)
    }

    /// Whether it is shown on the screen.
    pub(super) fn is_visible(&self) -> bool {
        let flags = self.members.get("/F").and_then(Value::as_i64);
        flags.unwrap_or(0) & INVISIBLE == 0 && !self.members.contains_key("/OC")
    }
}

/// Left, bottom, right and top edge of an annotation in points, in the coordinates of the page.
pub(super) fn rectangle(graph: &ObjectGraph, annotation: &Map<String, Value>) -> Option<[f32; 4]> {
    let numbers = graph.items(annotation, "/Rect").iter();
    let numbers: Vec<f32> = numbers.filter_map(number).collect();
    let [a, b, c, d] = numbers[..] else {
        return None;
    };
    Some([a.min(c), b.min(d), a.max(c), b.max(d)])
}

fn number(value: &Value) -> Option<f32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "coordinates of pages are small"
    )]
    value.as_f64().map(|number| number as f32)
}

/// Decodes a string of qpdf's JSON: text after `u:`, bytes in hexadecimal after `b:` [qpdf manual, qpdf JSON].
pub(super) fn text(value: &Value) -> Option<String> {
    let value = value.as_str()?;
    if let Some(text) = value.strip_prefix("u:") {
        return Some(text.to_owned());
    }
    let digits = value.strip_prefix("b:")?;
    let pairs = digits.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    match bytes.strip_prefix(&[0xfe, 0xff]) {
        Some(units) => {
            let units = units.chunks_exact(2).map(|pair| match pair {
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => 0,
            });
            String::from_utf16(&units.collect::<Vec<u16>>()).ok()
        }
        None => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}
