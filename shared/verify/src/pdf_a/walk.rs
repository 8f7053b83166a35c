//! Walks from the trailer over all dictionaries, and has each checked by what it is used for.

use std::collections::HashSet;

use serde_json::Value;

use super::color::OutputIntent;
use super::objects::{Dict, Document};
use super::{Report, file, graphics, interaction};

/// Keys whose values are checked by that use. The use of the items of an array is that of the array.
const USES: [&str; 22] = [
    "/A",
    "/AA",
    "/AP",
    "/AcroForm",
    "/Annots",
    "/CharProcs",
    "/Colorants",
    "/DR",
    "/Dests",
    "/ExtGState",
    "/Fields",
    "/G",
    "/Group",
    "/Kids",
    "/OpenAction",
    "/PieceInfo",
    "/Resources",
    "/Root",
    "/SMask",
    "/XObject",
    "/Next",
    "/PA",
];

/// Checks all dictionaries. Returns whether the document has transparency.
pub(super) fn check(document: &Document<'_>, intent: OutputIntent, report: &mut Report) -> bool {
    let mut walk = Walk {
        document,
        intent,
        report,
        seen: HashSet::new(),
        due: Vec::new(),
        has_transparency: false,
    };
    if let Some(root) = document
        .graph
        .trailer()
        .and_then(|trailer| trailer.get("/Root"))
    {
        walk.due.push((root, "/Root", ""));
    }
    while let Some((value, usage, object)) = walk.due.pop() {
        walk.visit(value, usage, object);
    }
    walk.has_transparency
}

struct Walk<'a, 'r> {
    document: &'a Document<'a>,
    intent: OutputIntent,
    report: &'r mut Report,
    /// Objects that were visited in a use.
    seen: HashSet<(&'a str, &'static str)>,
    /// Values to be visited, with their use and the object that they are in.
    due: Vec<(&'a Value, &'static str, &'a str)>,
    has_transparency: bool,
}

impl<'a> Walk<'a, '_> {
    fn visit(&mut self, value: &'a Value, usage: &'static str, object: &'a str) {
        let graph = self.document.graph;
        let resolved = graph.resolve(value);
        let object = match value.as_str() {
            Some(reference) if !std::ptr::eq(resolved, value) => {
                if !self.seen.insert((reference, usage)) {
                    return;
                }
                reference
            }
            _ => object,
        };
        if let Value::Array(items) = resolved {
            self.due
                .extend(items.iter().map(|item| (item, usage, object)));
            return;
        }
        let Some(dict) = graph.dictionary(resolved) else {
            return;
        };
        self.check(usage, object, dict, self.document.is_stream(resolved));
        self.push_members(usage, object, dict);
    }

    fn check(&mut self, usage: &str, object: &str, dict: &Dict, is_stream: bool) {
        let (document, report) = (self.document, &mut *self.report);
        self.has_transparency |= match usage {
            "/ExtGState" => graphics::check_state(document, object, dict, report),
            "/Group" => graphics::check_group(document, object, dict, report),
            "/XObject" | "/G" if is_stream => {
                graphics::check_x_object(document, object, dict, report)
            }
            "/SMask" if is_stream => graphics::check_x_object(document, object, dict, report),
            _ => false,
        };
        match usage {
            "/Root" => interaction::check_catalog(document, object, dict, report),
            "/AcroForm" => interaction::check_form(document, object, dict, report),
            "/Annots" => {
                interaction::check_annotation(document, object, dict, self.intent, report);
            }
            "/Fields" => interaction::check_field(object, dict, report),
            "/Kids" if document.graph.name(dict, "/Type") == Some("/Page") => {
                interaction::check_page(object, dict, report);
                check_boxes(document, object, dict, report);
            }
            "/Kids" => interaction::check_field(object, dict, report),
            "/A" | "/OpenAction" | "/Next" | "/PA" => {
                interaction::check_action(document, object, dict, report);
            }
            _ => {}
        }
    }

    fn push_members(&mut self, usage: &'static str, object: &'a str, dict: &'a Dict) {
        for (key, member) in dict {
            let known = USES.iter().find(|known| *known == key);
            let usage = match usage {
                // Members of these have names of their own.
                "/AA" => "/A",
                "/PieceInfo" => continue,
                "/CharProcs" | "/Colorants" | "/Dests" => "",
                "/Resources" | "/DR" if matches!(key.as_str(), "/ExtGState" | "/XObject") => {
                    self.push_named(member, known.copied().unwrap_or(""), object);
                    continue;
                }
                "/Resources" | "/DR" => {
                    self.push_named(member, "", object);
                    continue;
                }
                "/AP" if self.document.is_stream(member) => "/XObject",
                "/AP" => {
                    self.push_named(member, "/XObject", object);
                    continue;
                }
                _ => known.copied().unwrap_or(""),
            };
            self.due.push((member, usage, object));
        }
    }

    /// The members of a dictionary whose keys are names of the document.
    fn push_named(&mut self, map: &'a Value, usage: &'static str, object: &'a str) {
        let members = self.document.graph.resolve(map).as_object();
        let members = members.into_iter().flat_map(|members| members.values());
        self.due
            .extend(members.map(|member| (member, usage, object)));
    }
}

/// Checks the page boundaries.
fn check_boxes(document: &Document<'_>, object: &str, page: &Dict, report: &mut Report) {
    for key in ["/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox"] {
        let sides = document.graph.items(page, key).iter();
        let sides = sides.filter_map(|side| document.graph.resolve(side).as_f64());
        if let [left, bottom, right, top] = sides.collect::<Vec<_>>().as_slice() {
            let allowed = 3.0..=14_400.0;
            let is_allowed =
                allowed.contains(&(right - left).abs()) && allowed.contains(&(top - bottom).abs());
            let reason = "a page boundary is too small or too large";
            report.require(is_allowed, object, ["", file::LIMITS[1]], reason);
        }
    }
}
