//! Reads the package document of a book: its metadata and the order of its chapters [EPUB 3.3, 5].

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::error::{MarkupError, Result};
use crate::package::{Package, resolved};
use crate::source::Metadata;
use crate::xml::Element;

/// Media type of a package document.
const PACKAGE_DOCUMENT: &str = "application/oebps-package+xml";

/// What the package document declares.
pub(super) struct Publication {
    pub(super) metadata: Metadata,
    /// Part names of the chapters, in reading order.
    pub(super) chapters: Vec<String>,
}

impl Publication {
    pub(super) fn read(package: &mut Package) -> Result<Self> {
        let container = package.tree("META-INF/container.xml")?;
        let container = container.ok_or(MarkupError::Mismatch)?;
        let roots = container.find("container:rootfiles");
        let mut roots = roots
            .into_iter()
            .flat_map(|roots| roots.all("container:rootfile"));
        let root = roots.find(|root| root.get("media-type") == Some(PACKAGE_DOCUMENT));
        let root = root.and_then(|root| root.get("full-path"));
        let root = root.ok_or(MarkupError::Mismatch)?;
        let missing = MarkupError::Corrupt("its package document is missing");
        let document = package.tree(root)?.ok_or(missing)?;
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        let chapters = chapters(&document, folder);
        match chapters.is_empty() {
            true => Err(MarkupError::Corrupt("its spine has no chapters")),
            false => Ok(Self {
                metadata: metadata(&document),
                chapters,
            }),
        }
    }
}

/// The parts that the spine names, each once.
fn chapters(document: &Element, folder: &str) -> Vec<String> {
    let manifest = document.find("opf:manifest");
    let items = manifest
        .into_iter()
        .flat_map(|manifest| manifest.all("opf:item"));
    let parts: HashMap<&str, String> = items
        .filter_map(|item| Some((item.get("id")?, part(folder, item.get("href")?))))
        .collect();
    let spine = document.find("opf:spine");
    let references = spine.into_iter().flat_map(|spine| spine.all("opf:itemref"));
    let mut chapters: Vec<String> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for reference in references {
        let part = reference.get("idref").and_then(|id| parts.get(id));
        if let Some(part) = part.filter(|part| known.insert(part.as_str())) {
            chapters.push(part.clone());
        }
    }
    chapters
}

/// The name of the part at a relative URL without a fragment.
pub(super) fn part(folder: &str, url: &str) -> String {
    let path = url.split(['#', '?']).next().unwrap_or_default();
    resolved(folder, &percent_decode_str(path).decode_utf8_lossy())
}

fn metadata(document: &Element) -> Metadata {
    let metadata = document.find("opf:metadata");
    let property = |name| {
        let text = metadata?.descendant(name)?.text();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(text).filter(|text| !text.is_empty())
    };
    Metadata {
        title: property("dc:title"),
        language: property("dc:language"),
    }
}
