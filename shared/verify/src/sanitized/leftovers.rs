//! Finds what a sanitized document must not have, in all of its objects.

use std::collections::HashSet;

use domain::operation::{SanitizeOptions, SanitizedPart};
use serde_json::{Map, Value};
use task::TaskResult;

use super::invalid;
use crate::object_graph::ObjectGraph;

/// Maximum depth of an object.
const MAX_DEPTH: u32 = 500;
/// Members whose keys are names of the document.
const NAMED: [&str; 13] = [
    "/Font",
    "/XObject",
    "/ExtGState",
    "/ColorSpace",
    "/Pattern",
    "/Shading",
    "/Properties",
    "/CharProcs",
    "/RoleMap",
    "/ClassMap",
    "/N",
    "/Dests",
    "/Colorants",
];
/// Types of actions other than scripts and links.
const ACTIONS: [&str; 16] = [
    "/GoToR",
    "/GoToE",
    "/GoToDp",
    "/Launch",
    "/Thread",
    "/Sound",
    "/Movie",
    "/Hide",
    "/Named",
    "/SubmitForm",
    "/ResetForm",
    "/ImportData",
    "/SetOCGState",
    "/Rendition",
    "/GoTo3DView",
    "/RichMediaExecute",
];
/// Annotations that show media.
const MEDIA: [&str; 5] = ["/Movie", "/Sound", "/Screen", "/3D", "/RichMedia"];
/// Members with media, forms of another kind, or the origin of pages.
const ALWAYS: [&str; 5] = ["/XFA", "/RichMediaContent", "/SpiderInfo", "/IDS", "/URLS"];
const ATTACHED: [&str; 4] = ["/EF", "/AF", "/EmbeddedFiles", "/Collection"];
const METADATA: [&str; 3] = ["/Metadata", "/PieceInfo", "/LastModified"];

/// Checks all objects and the trailer.
pub(super) fn check_objects(graph: &ObjectGraph, options: &SanitizeOptions) -> TaskResult<()> {
    let check = Check { graph, options };
    let mut named = HashSet::new();
    for (_, members) in graph.dictionaries() {
        let references = NAMED.iter().filter_map(|key| members.get(*key)?.as_str());
        named.extend(references);
    }
    for (reference, members) in graph.dictionaries() {
        check.dictionary(members, named.contains(reference), 0)?;
    }
    for array in graph.arrays() {
        check.value(array, false, 0)?;
    }
    for (_, stream) in graph.streams() {
        if stream.contains_key("/F") {
            return Err(invalid("the data of a stream is outside of it"));
        }
    }
    let information = graph.trailer().is_some_and(|it| it.contains_key("/Info"));
    match information && options.removes(SanitizedPart::Metadata) {
        true => Err(invalid("it has metadata")),
        false => Ok(()),
    }
}

struct Check<'g> {
    graph: &'g ObjectGraph,
    options: &'g SanitizeOptions,
}

impl Check<'_> {
    fn value(&self, value: &Value, has_names: bool, depth: u32) -> TaskResult<()> {
        match value {
            _ if depth > MAX_DEPTH => Err(invalid("an object is nested too deeply")),
            Value::Object(members) => self.dictionary(members, has_names, depth),
            Value::Array(items) => items
                .iter()
                .try_for_each(|item| self.value(item, false, depth + 1)),
            _ => Ok(()),
        }
    }

    fn dictionary(
        &self,
        members: &Map<String, Value>,
        has_names: bool,
        depth: u32,
    ) -> TaskResult<()> {
        self.check_kind(members)?;
        for (key, value) in members {
            if !has_names {
                self.check_key(key)?;
            }
            self.value(value, NAMED.contains(&key.as_str()), depth + 1)?;
        }
        Ok(())
    }

    /// Checks the type of an action, an annotation or another dictionary.
    fn check_kind(&self, members: &Map<String, Value>) -> TaskResult<()> {
        let name = |key: &str| self.graph.name(members, key).unwrap_or_default();
        let is_element = members.contains_key("/P") || name("/Type") == "/StructElem";
        if !is_element {
            let action = name("/S");
            self.reject(action == "/JavaScript", SanitizedPart::JavaScript)?;
            self.reject(ACTIONS.contains(&action), SanitizedPart::Actions)?;
            if action == "/URI" && !self.is_allowed(members) {
                return Err(invalid(
                    "a link is neither to a web page nor to a mail address",
                ));
            }
        }
        if members.contains_key("/Rect") && MEDIA.contains(&name("/Subtype")) {
            return Err(invalid("it has media"));
        }
        let is_file = name("/Type") == "/EmbeddedFile" || name("/Subtype") == "/FileAttachment";
        self.reject(is_file, SanitizedPart::Attachments)?;
        self.reject(name("/Type") == "/Metadata", SanitizedPart::Metadata)?;
        let has_thumbnail = name("/Type") == "/Page" && members.contains_key("/Thumb");
        self.reject(has_thumbnail, SanitizedPart::Metadata)
    }

    fn check_key(&self, key: &str) -> TaskResult<()> {
        if ALWAYS.contains(&key) {
            return Err(invalid("it has media, an XFA form or the origin of pages"));
        }
        let starts = key == "/AA" && self.options.removes(SanitizedPart::JavaScript);
        self.reject(starts, SanitizedPart::Actions)?;
        self.reject(key == "/JS", SanitizedPart::JavaScript)?;
        self.reject(ATTACHED.contains(&key), SanitizedPart::Attachments)?;
        self.reject(METADATA.contains(&key), SanitizedPart::Metadata)
    }

    fn reject(&self, is_found: bool, part: SanitizedPart) -> TaskResult<()> {
        if !is_found || !self.options.removes(part) {
            return Ok(());
        }
        Err(invalid(match part {
            SanitizedPart::JavaScript => "it has scripts",
            SanitizedPart::Actions => "it has actions",
            SanitizedPart::Attachments => "it has embedded files",
            SanitizedPart::HiddenLayers => "it has hidden layers",
            SanitizedPart::Metadata => "it has metadata",
        }))
    }

    fn is_allowed(&self, action: &Map<String, Value>) -> bool {
        let address = self.graph.member(action, "/URI");
        let address = address
            .and_then(crate::field_tree::text)
            .unwrap_or_default();
        let address = address.to_ascii_lowercase();
        let schemes = ["http://", "https://", "mailto:"];
        schemes.iter().any(|scheme| address.starts_with(scheme))
    }
}
