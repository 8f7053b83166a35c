//! Inspects OOXML packages.

use std::io::{Cursor, Read as _};

use layout::Page;
use layout::writers::{Result, WriteReport, Writer};
use zip::ZipArchive;

use crate::golden::written;

/// Writes pages into an archive.
pub(crate) fn archive<'a>(
    pages: Vec<Page>,
    make: impl FnOnce(Cursor<&'a mut Vec<u8>>) -> Result<Box<dyn Writer + 'a>>,
    made: &'a mut Vec<u8>,
) -> WriteReport {
    written(pages, |output| make(Cursor::new(output)), made)
}

/// Returns the XML parts by name; each must be well-formed.
pub(crate) fn parts(made: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(made)).unwrap();
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().into_owned();
        if name.ends_with(".xml") || name.ends_with(".rels") {
            let mut text = String::new();
            part.read_to_string(&mut text).unwrap();
            roxmltree::Document::parse(&text)
                .unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
            parts.push((name, text));
        }
    }
    parts
}

/// Returns a part.
pub(crate) fn part(made: &[u8], name: &str) -> String {
    let found = parts(made).into_iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("no {name}")).1
}

/// Asserts that each relationship has an existing target, each part a content type, and each relationship id in a part is
/// defined.
pub(crate) fn assert_consistent(made: &[u8]) {
    let archive = ZipArchive::new(Cursor::new(made)).unwrap();
    let names: Vec<_> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    let content_types = part(made, "[Content_Types].xml");
    for (name, text) in parts(made) {
        let parsed = roxmltree::Document::parse(&text).unwrap();
        if let Some(owner) = name.strip_suffix(".rels") {
            let (folder, _) = owner.rsplit_once("_rels/").unwrap();
            for relation in parsed.root_element().children() {
                let target = relation.attribute("Target").unwrap();
                let is_external = relation.attribute("TargetMode") == Some("External");
                assert!(
                    is_external || names.contains(&resolved(folder, target)),
                    "{name} references the missing part {target}"
                );
            }
        } else if name != "[Content_Types].xml" {
            assert!(
                content_types.contains(&format!("\"/{name}\"")),
                "{name} has no content type"
            );
            assert_relations(made, &name, &parsed, &names);
        }
    }
}

fn assert_relations(made: &[u8], name: &str, parsed: &roxmltree::Document<'_>, names: &[String]) {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let own = format!("{folder}/_rels/{file}.rels");
    let relations = if names.contains(&own) {
        part(made, &own)
    } else {
        String::new()
    };
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    for attribute in parsed.descendants().flat_map(|node| node.attributes()) {
        if attribute.namespace() == Some(office) {
            assert!(
                relations.contains(&format!("Id=\"{}\"", attribute.value())),
                "{name}: {}",
                attribute.value()
            );
        }
    }
}

fn resolved(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            ".." => drop(path.pop()),
            step => path.push(step),
        }
    }
    path.join("/")
}

/// Asserts that child elements are in schema order [ECMA-376] and all listed in `orders`: an element and its children in order.
pub(crate) fn assert_order(made: &[u8], orders: &[(&str, &[&str])]) {
    for (name, text) in parts(made) {
        let parsed = roxmltree::Document::parse(&text).unwrap();
        for node in parsed.descendants().filter(roxmltree::Node::is_element) {
            let Some((_, order)) = orders
                .iter()
                .find(|(parent, _)| *parent == node.tag_name().name())
            else {
                continue;
            };
            let children: Vec<_> = node
                .children()
                .map(|child| child.tag_name().name().to_owned())
                .collect();
            let place = |child: &String| order.iter().position(|known| known == child);
            let places: Vec<_> = children.iter().map(place).collect();
            assert!(
                places.is_sorted() && !places.contains(&None),
                "{name}: {} holds {children:?}",
                node.tag_name().name()
            );
        }
    }
}
