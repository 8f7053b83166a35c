//! Graphics state parameters, images, forms and transparency groups.

use serde_json::Value;

use super::objects::{Dict, Document};
use super::{Clauses, Report};

const INTENTS: Clauses = ["6.2.9", "6.2.6"];
const STATE: Clauses = ["6.2.8", "6.2.5"];
const IMAGES: Clauses = ["6.2.4", "6.2.8"];
const FORMS: Clauses = ["6.2.5", "6.2.9"];
const REFERENCES: Clauses = ["6.2.6", "6.2.9"];
const POST_SCRIPT: Clauses = ["6.2.7", "6.2.9"];
/// The ban of transparency in ISO 19005-1.
const OPAQUE: Clauses = ["6.4", ""];

const BLEND_MODES: [&str; 17] = [
    "/Normal",
    "/Compatible",
    "/Multiply",
    "/Screen",
    "/Overlay",
    "/Darken",
    "/Lighten",
    "/ColorDodge",
    "/ColorBurn",
    "/HardLight",
    "/SoftLight",
    "/Difference",
    "/Exclusion",
    "/Hue",
    "/Saturation",
    "/Color",
    "/Luminosity",
];
/// The blend modes that paint as if there was no transparency.
const OPAQUE_MODES: usize = 2;

/// Checks the name of a rendering intent, if there is one.
pub(super) fn check_intent(name: Option<&str>, object: &str, report: &mut Report) {
    const KNOWN: [&str; 4] = [
        "/RelativeColorimetric",
        "/AbsoluteColorimetric",
        "/Perceptual",
        "/Saturation",
    ];
    let is_known = name.is_none_or(|name| KNOWN.contains(&name));
    let reason = "a rendering intent is unknown";
    report.require(is_known, object, INTENTS, reason);
}

/// Checks graphics state parameters. Returns whether they have transparency.
pub(super) fn check_state(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    report: &mut Report,
) -> bool {
    let graph = document.graph;
    let reason = "a graphics state has a transfer function";
    report.require(!dict.contains_key("/TR"), object, STATE, reason);
    let second = graph.member(dict, "/TR2");
    let is_default = second.is_none_or(|value| value == "/Default");
    report.require(is_default, object, STATE, reason);
    let reason = "a graphics state has a halftone origin";
    let has_origin = dict.contains_key("/HTP") || dict.contains_key("/HTO");
    report.require(!has_origin, object, ["", STATE[1]], reason);
    check_intent(graph.name(dict, "/RI"), object, report);
    if let Some(halftone) = document.dict(dict, "/HT") {
        check_halftone(document, object, halftone, report);
    }
    let is_opaque = |key| match graph.member(dict, key) {
        Some(Value::Number(alpha)) => alpha.as_f64() == Some(1.0),
        _ => true,
    };
    let has_alpha = !is_opaque("/CA") || !is_opaque("/ca");
    let has_mask = graph
        .member(dict, "/SMask")
        .is_some_and(|mask| mask != "/None");
    let modes = super::objects::names(graph, dict, "/BM");
    let known = modes.iter().all(|mode| BLEND_MODES.contains(mode));
    let reason = "a blend mode is unknown";
    report.require(known, object, ["", "6.2.10"], reason);
    let opaque = BLEND_MODES.get(..OPAQUE_MODES).unwrap_or(&[]);
    let blends = modes.iter().any(|mode| !opaque.contains(mode));
    let is_transparent = has_alpha || has_mask || blends;
    report.require(
        !is_transparent,
        object,
        OPAQUE,
        "a graphics state has transparency",
    );
    is_transparent
}

fn check_halftone(document: &Document<'_>, object: &str, dict: &Dict, report: &mut Report) {
    let kind = document.integer(dict, "/HalftoneType");
    let is_allowed = matches!(kind, Some(1 | 5)) && !dict.contains_key("/HalftoneName");
    let reason = "a halftone has another type than allowed, or a name";
    report.require(is_allowed, object, ["", STATE[1]], reason);
}

/// Checks the dictionary of an image or a form. Returns whether it has transparency.
pub(super) fn check_x_object(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    report: &mut Report,
) -> bool {
    let graph = document.graph;
    let has = |key: &str| dict.contains_key(key);
    match graph.name(dict, "/Subtype") {
        Some("/Image") => {
            report.require(
                !has("/Alternates"),
                object,
                IMAGES,
                "an image has alternates",
            );
            report.require(!has("/OPI"), object, IMAGES, "an image has another version");
            let is_interpolated = document.is_true(dict, "/Interpolate");
            report.require(!is_interpolated, object, IMAGES, "an image is interpolated");
            check_intent(graph.name(dict, "/Intent"), object, report);
            let mask = graph.member(dict, "/SMask");
            let has_mask = mask.is_some_and(|mask| mask != "/None")
                || document.integer(dict, "/SMaskInData").unwrap_or(0) != 0;
            report.require(!has_mask, object, OPAQUE, "an image has a soft mask");
            has_mask
        }
        Some("/PS") => {
            report.add(object, POST_SCRIPT, "it has PostScript");
            false
        }
        _ => {
            let is_script = has("/PS") || graph.name(dict, "/Subtype2") == Some("/PS");
            report.require(!is_script, object, FORMS, "a form has PostScript");
            report.require(!has("/OPI"), object, FORMS, "a form has another version");
            let reason = "a form refers to another file";
            report.require(!has("/Ref"), object, REFERENCES, reason);
            false
        }
    }
}

/// Checks a group. Returns whether it is a transparency group.
pub(super) fn check_group(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    report: &mut Report,
) -> bool {
    let is_transparent = document.graph.name(dict, "/S") == Some("/Transparency");
    report.require(
        !is_transparent,
        object,
        OPAQUE,
        "it has a transparency group",
    );
    is_transparent
}
