//! XMP metadata: identification, namespaces, and agreement with the information dictionary.

mod dates;
mod xmp;

use self::dates::is_same_date;
use self::xmp::Xmp;
use super::objects::Document;
use super::{Clauses, Report};

const STREAMS: Clauses = ["6.7.2", "6.6.2.1"];
const HEADER: Clauses = ["6.7.5", "6.6.2.1"];
const WELL_FORMED: Clauses = ["6.7.9", "6.6.2.1"];
const EXTENSIONS: Clauses = ["6.7.8", "6.6.2.3"];
const IDENTIFICATION: Clauses = ["6.7.11", "6.6.4"];
const INFORMATION: Clauses = ["6.7.3", ""];

const PDFA_ID: &str = "http://www.aiim.org/pdfa/ns/id/";
const DC: &str = "http://purl.org/dc/elements/1.1/";
const PDF: &str = "http://ns.adobe.com/pdf/1.3/";
const XMP: &str = "http://ns.adobe.com/xap/1.0/";

/// The namespaces whose properties need no extension schema; ISO 19005-1 does not have the last three.
const NAMESPACES: [&str; 15] = [
    PDFA_ID,
    DC,
    PDF,
    XMP,
    "http://www.aiim.org/pdfa/ns/extension/",
    "http://ns.adobe.com/xap/1.0/rights/",
    "http://ns.adobe.com/xap/1.0/mm/",
    "http://ns.adobe.com/xap/1.0/bj/",
    "http://ns.adobe.com/xap/1.0/t/pg/",
    "http://ns.adobe.com/photoshop/1.0/",
    "http://ns.adobe.com/tiff/1.0/",
    "http://ns.adobe.com/exif/1.0/",
    "http://ns.adobe.com/xmp/1.0/DynamicMedia/",
    "http://ns.adobe.com/camera-raw-settings/1.0/",
    "http://ns.adobe.com/exif/1.0/aux/",
];
const NAMESPACES_OF_PART_1: usize = 12;

/// The keys of the information dictionary and their XMP properties.
const INFORMATION_KEYS: [(&str, &str, &str); 8] = [
    ("/Title", DC, "title"),
    ("/Author", DC, "creator"),
    ("/Subject", DC, "description"),
    ("/Keywords", PDF, "Keywords"),
    ("/Creator", XMP, "CreatorTool"),
    ("/Producer", PDF, "Producer"),
    ("/CreationDate", XMP, "CreateDate"),
    ("/ModDate", XMP, "ModifyDate"),
];

/// Checks the metadata of a document.
pub(super) fn check(document: &Document<'_>, report: &mut Report) {
    let graph = document.graph;
    for (reference, dict) in graph.streams() {
        let is_filtered =
            graph.name(dict, "/Type") == Some("/Metadata") && dict.contains_key("/Filter");
        let reason = "a metadata stream has a filter";
        report.require(!is_filtered, reference, [STREAMS[0], ""], reason);
    }
    let metadata = graph.catalog().and_then(|catalog| catalog.get("/Metadata"));
    let Some(data) = metadata.and_then(|reference| document.data(reference)) else {
        return report.add("", STREAMS, "the document has no metadata");
    };
    let object = metadata
        .and_then(|reference| reference.as_str())
        .unwrap_or("");
    let text = String::from_utf8(data).ok();
    let Some(xmp) = text.and_then(|text| Xmp::read(&text)) else {
        return report.add(
            object,
            WELL_FORMED,
            "the metadata are not well-formed XMP in UTF-8",
        );
    };
    let reason = "the header of the metadata states a length or an encoding";
    report.require(!xmp.has_obsolete_header, object, HEADER, reason);
    check_namespaces(&xmp, object, report);
    let part = report.level.part().to_string();
    let is_identified = xmp.text(PDFA_ID, "part") == Some(&part)
        && xmp.text(PDFA_ID, "conformance") == Some(report.level.conformance());
    let reason = "the metadata do not identify the level";
    report.require(is_identified, object, IDENTIFICATION, reason);
    check_information(document, &xmp, report);
}

fn check_namespaces(xmp: &Xmp, object: &str, report: &mut Report) {
    let predefined = match report.is_part_1() {
        true => NAMESPACES.get(..NAMESPACES_OF_PART_1).unwrap_or(&[]),
        false => &NAMESPACES,
    };
    let is_known = xmp.properties.iter().all(|property| {
        predefined.contains(&property.namespace.as_str())
            || (xmp.declared_namespaces.contains(&property.namespace)
                && xmp.declared_names.contains(&property.name))
    });
    let reason = "a property is neither predefined nor in an extension schema";
    report.require(is_known, object, EXTENSIONS, reason);
}

/// Compares the information dictionary with the metadata.
fn check_information(document: &Document<'_>, xmp: &Xmp, report: &mut Report) {
    let trailer = document.graph.trailer();
    let Some(information) = trailer.and_then(|trailer| document.dict(trailer, "/Info")) else {
        return;
    };
    for (key, namespace, name) in INFORMATION_KEYS {
        let Some(value) = document.graph.member(information, key) else {
            continue;
        };
        let value = value.as_str().and_then(|value| value.strip_prefix("u:"));
        let found = xmp.text(namespace, name);
        let is_same = match (value, found) {
            (Some(value), Some(found)) if key.ends_with("Date") => is_same_date(value, found),
            (Some(value), found) => value == found.unwrap_or(""),
            (None, _) => false,
        };
        let reason = "the information dictionary differs from the metadata";
        report.require(is_same, "", INFORMATION, reason);
    }
}
