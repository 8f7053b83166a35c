//! Embedded files and optional content.

use std::collections::HashSet;

use domain::operation::PdfaLevel;
use serde_json::Value;

use super::objects::{Dict, Document};
use super::{Clauses, Report};

const EMBEDDED_FILES: Clauses = ["6.1.11", "6.8"];
const OPTIONAL_CONTENT: Clauses = ["6.1.13", "6.9"];

/// Checks all embedded files and the optional content.
pub(super) fn check(document: &Document<'_>, report: &mut Report) {
    let mut found = Found::default();
    for (object, value) in document.graph.objects() {
        found.visit(value, object);
    }
    for (object, dict) in &found.files {
        check_file(document, &found, object, dict, report);
    }
    let catalog = document.graph.catalog();
    let names = catalog.and_then(|catalog| document.dict(catalog, "/Names"));
    let has_names = names.is_some_and(|names| names.contains_key("/EmbeddedFiles"));
    let reason = "it has embedded files";
    report.require(!has_names, "", [EMBEDDED_FILES[0], ""], reason);
    let properties = catalog.and_then(|catalog| document.dict(catalog, "/OCProperties"));
    if let Some(properties) = properties {
        report.add("", [OPTIONAL_CONTENT[0], ""], "it has optional content");
        check_optional_content(document, properties, report);
    }
}

/// What all objects have of files.
#[derive(Default)]
struct Found<'a> {
    /// File specifications of embedded files, with the object that they are in.
    files: Vec<(&'a str, &'a Dict)>,
    /// References in arrays of associated files.
    associated: HashSet<&'a str>,
    /// Arrays of associated files that are objects themselves.
    arrays: Vec<&'a Value>,
}

impl<'a> Found<'a> {
    fn visit(&mut self, value: &'a Value, object: &'a str) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.visit(item, object)),
            Value::Object(members) => {
                if members.contains_key("/EF") {
                    self.files.push((object, members));
                }
                match members.get("/AF") {
                    Some(Value::Array(files)) => {
                        self.associated
                            .extend(files.iter().filter_map(Value::as_str));
                    }
                    Some(array) => self.arrays.push(array),
                    _ => {}
                }
                members
                    .values()
                    .for_each(|member| self.visit(member, object));
            }
            _ => {}
        }
    }
}

fn check_file(
    document: &Document<'_>,
    found: &Found<'_>,
    object: &str,
    file: &Dict,
    report: &mut Report,
) {
    if report.level != PdfaLevel::A3b {
        return report.add(object, EMBEDDED_FILES, "it has embedded files");
    }
    let graph = document.graph;
    let mut rule = |holds, reason| report.require(holds, object, EMBEDDED_FILES, reason);
    let has = |key: &str| graph.member(file, key).is_some_and(Value::is_string);
    rule(has("/F") && has("/UF"), "an embedded file has no name");
    let has_relationship = graph.name(file, "/AFRelationship").is_some();
    rule(has_relationship, "an embedded file has no relationship");
    let is_associated = found.associated.contains(object)
        || found.arrays.iter().any(|array| {
            let files = graph.resolve(array).as_array();
            files.is_some_and(|files| files.iter().any(|file| file.as_str() == Some(object)))
        });
    rule(is_associated, "an embedded file is not associated");
    let streams = document.dict(file, "/EF");
    let stream = streams.and_then(|streams| streams.get("/F").or_else(|| streams.get("/UF")));
    let stream = stream.filter(|stream| document.is_stream(stream));
    let Some(dict) = stream.and_then(|stream| graph.dictionary(stream)) else {
        return rule(false, "an embedded file has no data");
    };
    let kind = graph.name(dict, "/Subtype").unwrap_or("");
    let is_media_type = kind.get(1..).is_some_and(|kind| {
        let halves = kind.split_once('/');
        halves.is_some_and(|(first, second)| !first.is_empty() && !second.is_empty())
    });
    rule(is_media_type, "an embedded file has no media type");
    let parameters = document.dict(dict, "/Params");
    let date = parameters.and_then(|parameters| graph.member(parameters, "/ModDate"));
    let has_date = date.is_some_and(Value::is_string);
    rule(has_date, "an embedded file has no date of modification");
}

fn check_optional_content(document: &Document<'_>, properties: &Dict, report: &mut Report) {
    let graph = document.graph;
    let groups = graph.items(properties, "/OCGs");
    let groups: HashSet<&str> = groups.iter().filter_map(Value::as_str).collect();
    let default = properties.get("/D").into_iter();
    let mut names = HashSet::new();
    for value in default.chain(graph.items(properties, "/Configs")) {
        let Some(configuration) = graph.dictionary(value) else {
            continue;
        };
        let mut rule = |holds, reason| report.require(holds, "", ["", OPTIONAL_CONTENT[1]], reason);
        let name = graph.member(configuration, "/Name").and_then(Value::as_str);
        let is_unique = name.is_some_and(|name| name.len() > 2 && names.insert(name));
        rule(
            is_unique,
            "a configuration of optional content has no name of its own",
        );
        let is_automatic = configuration.contains_key("/AS");
        rule(
            !is_automatic,
            "the state of optional content depends on its use",
        );
        if let Some(order) = configuration.get("/Order") {
            let mut listed = HashSet::new();
            list_groups(document, order, 0, &mut listed);
            let is_complete = groups.is_subset(&listed);
            rule(
                is_complete,
                "optional content is missing in the list of a configuration",
            );
        }
    }
}

/// Lists the references in an array and the arrays in it.
fn list_groups<'a>(
    document: &'a Document<'_>,
    value: &'a Value,
    depth: u32,
    listed: &mut HashSet<&'a str>,
) {
    const MAX_DEPTH: u32 = 30;
    if let Value::Array(items) = document.graph.resolve(value)
        && depth < MAX_DEPTH
    {
        for item in items {
            let is_new = item
                .as_str()
                .is_none_or(|reference| listed.insert(reference));
            if is_new {
                list_groups(document, item, depth + 1, listed);
            }
        }
    }
}
