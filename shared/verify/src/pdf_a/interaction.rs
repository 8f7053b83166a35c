//! Annotations, actions, forms, and the entries of the catalog that change what a viewer shows.

use serde_json::Value;

use super::color::OutputIntent;
use super::objects::{Dict, Document};
use super::{Clauses, Report};

const ANNOTATION_TYPES: Clauses = ["6.5.2", "6.3.1"];
const ANNOTATIONS: Clauses = ["6.5.3", "6.3.2"];
const APPEARANCES: Clauses = ["6.5.3", "6.3.3"];
const ACTIONS: Clauses = ["6.6.1", "6.5.1"];
const TRIGGERS: Clauses = ["6.6.2", "6.5.2"];
const FORMS: Clauses = ["6.9", "6.4.1"];

/// The types of annotations that both PDF 1.4 and ISO 32000-1 have, without those that are forbidden.
const TYPES: [&str; 15] = [
    "/Text",
    "/Link",
    "/FreeText",
    "/Line",
    "/Square",
    "/Circle",
    "/Highlight",
    "/Underline",
    "/Squiggly",
    "/StrikeOut",
    "/Stamp",
    "/Ink",
    "/Popup",
    "/Widget",
    "/PrinterMark",
];
/// More types that ISO 19005-2 and -3 allow.
const MORE_TYPES: [&str; 7] = [
    "/Polygon",
    "/PolyLine",
    "/Caret",
    "/FileAttachment",
    "/TrapNet",
    "/Watermark",
    "/Redact",
];

/// Flags of annotations [ISO 32000-1, table 165].
const PRINT: i64 = 1 << 2;
const INVISIBLE: i64 = 1 | 1 << 1 | 1 << 5;
const TOGGLE_NO_VIEW: i64 = 1 << 8;

/// Checks the catalog, but its metadata and output intents.
pub(super) fn check_catalog(
    document: &Document<'_>,
    object: &str,
    catalog: &Dict,
    report: &mut Report,
) {
    let has = |key: &str| catalog.contains_key(key);
    let reason = "the document has actions for events";
    report.require(!has("/AA"), object, TRIGGERS, reason);
    let renders = document.is_true(catalog, "/NeedsRendering");
    let reason = "the pages are to be made from a form";
    report.require(!renders, object, ["", "6.4.2"], reason);
    let reason = "the document has requirements on viewers";
    report.require(!has("/Requirements"), object, ["", "6.11"], reason);
    if let Some(names) = document.dict(catalog, "/Names") {
        let has_scripts = names.contains_key("/JavaScript");
        report.require(!has_scripts, object, ACTIONS, "the document has scripts");
        let has_presentations = names.contains_key("/AlternatePresentations");
        let reason = "the document has alternate presentations";
        report.require(!has_presentations, object, ["", "6.10"], reason);
    }
    if let Some(permissions) = document.dict(catalog, "/Perms") {
        let mut keys = permissions.keys();
        let is_known = keys.all(|key| matches!(key.as_str(), "/UR3" | "/DocMDP"));
        let reason = "a permission is unknown";
        report.require(is_known, object, ["", "6.1.12"], reason);
    }
}

/// Checks a page, but its content.
pub(super) fn check_page(object: &str, page: &Dict, report: &mut Report) {
    let has_actions = page.contains_key("/AA");
    let reason = "a page has actions for events";
    report.require(!has_actions, object, ["", TRIGGERS[1]], reason);
    let has_steps = page.contains_key("/PresSteps");
    report.require(
        !has_steps,
        object,
        ["", "6.10"],
        "a page has presentation steps",
    );
}

/// Checks the form of a document.
pub(super) fn check_form(document: &Document<'_>, object: &str, form: &Dict, report: &mut Report) {
    let needs = document.is_true(form, "/NeedAppearances");
    report.require(!needs, object, FORMS, "viewers draw the fields");
    let has_xfa = form.contains_key("/XFA");
    report.require(!has_xfa, object, ["6.9", "6.4.2"], "it has an XFA form");
}

/// Checks a field or a widget.
pub(super) fn check_field(object: &str, field: &Dict, report: &mut Report) {
    let acts = field.contains_key("/AA");
    report.require(!acts, object, TRIGGERS, "a field has actions for events");
    let acts = field.contains_key("/A");
    report.require(!acts, object, FORMS, "a field has an action");
}

/// Checks an annotation.
pub(super) fn check_annotation(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    intent: OutputIntent,
    report: &mut Report,
) {
    let graph = document.graph;
    let subtype = graph.name(dict, "/Subtype").unwrap_or("");
    let is_allowed = TYPES.contains(&subtype)
        || (!report.is_part_1() && MORE_TYPES.contains(&subtype))
        || (report.is_part_1() && subtype == "/TrapNet");
    let reason = "an annotation has a type that is not allowed";
    report.require(is_allowed, object, ANNOTATION_TYPES, reason);
    check_flags(document, object, dict, subtype, report);
    let alpha = graph.member(dict, "/CA").and_then(Value::as_f64);
    let reason = "an annotation is transparent";
    report.require(alpha.unwrap_or(1.0) == 1.0, object, ["6.5.3", ""], reason);
    let has_color = dict.contains_key("/C") || dict.contains_key("/IC");
    let reason = "an annotation has a color that the output intent does not define";
    let is_defined = !has_color || intent.0 == Some(*b"RGB ");
    report.require(is_defined, object, ["6.5.3", ""], reason);
    if subtype == "/Widget" {
        check_field(object, dict, report);
    }
    check_appearance(document, object, dict, subtype, report);
}

fn check_flags(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    subtype: &str,
    report: &mut Report,
) {
    let forbidden = match report.is_part_1() {
        true => INVISIBLE,
        false => INVISIBLE | TOGGLE_NO_VIEW,
    };
    let is_printed = match document.integer(dict, "/F") {
        Some(flags) => flags & PRINT != 0 && flags & forbidden == 0,
        None => subtype == "/Popup",
    };
    let reason = "an annotation is not printed or not visible";
    report.require(is_printed, object, ANNOTATIONS, reason);
}

fn check_appearance(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    subtype: &str,
    report: &mut Report,
) {
    let graph = document.graph;
    let Some(appearances) = document.dict(dict, "/AP") else {
        let sides = graph.items(dict, "/Rect");
        let is_empty = sides.len() == 4 && sides.get(..2) == sides.get(2..);
        let needs_none = is_empty || matches!(subtype, "/Popup" | "/Link");
        let clauses = match subtype {
            "/Widget" => ["6.9", "6.3.3"],
            _ => ["", "6.3.3"],
        };
        let reason = "an annotation has no appearance";
        report.require(needs_none, object, clauses, reason);
        return;
    };
    let has_only_normal = appearances.keys().all(|key| key == "/N");
    let reason = "an annotation has other appearances than the normal one";
    report.require(has_only_normal, object, APPEARANCES, reason);
    let kind = graph.name(dict, "/FT");
    let parent = document.dict(dict, "/Parent");
    let kind = kind.or_else(|| graph.name(parent?, "/FT"));
    let has_states = subtype == "/Widget" && kind == Some("/Btn");
    let is_valid = appearances.get("/N").is_some_and(|normal| {
        let is_stream = document.is_stream(normal);
        is_stream != has_states && graph.dictionary(normal).is_some()
    });
    let reason = "the normal appearance is missing or has a wrong type";
    report.require(is_valid, object, APPEARANCES, reason);
}

/// Checks an action. Other dictionaries that have the same place are ignored.
pub(super) fn check_action(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    report: &mut Report,
) {
    const ALLOWED: [&str; 6] = [
        "/GoTo",
        "/GoToR",
        "/Thread",
        "/URI",
        "/Named",
        "/SubmitForm",
    ];
    const NAMED: [&str; 4] = ["/NextPage", "/PrevPage", "/FirstPage", "/LastPage"];
    let graph = document.graph;
    // Attributes of structure elements have an owner.
    let Some(kind) = graph.name(dict, "/S").filter(|_| !dict.contains_key("/O")) else {
        return;
    };
    let is_allowed = ALLOWED.contains(&kind) || (!report.is_part_1() && kind == "/GoToE");
    report.require(is_allowed, object, ACTIONS, "an action is not allowed");
    let name = graph.name(dict, "/N").unwrap_or("");
    let is_allowed = kind != "/Named" || NAMED.contains(&name);
    report.require(is_allowed, object, ACTIONS, "a named action is not allowed");
}
