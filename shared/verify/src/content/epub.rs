//! Reads the text of the chapters of an EPUB book in the order of its spine [EPUB 3.3, 5].

use std::collections::HashMap;
use std::path::Path;

use super::html;
use super::item::{Take, Unreadable};
use super::package::Package;
use super::scope::Scope;
use super::xml::{Node, walk};

/// Calls `take` with the items of a book.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let mut package = Package::open(path)?;
    let mut root = None;
    let container = package.required("META-INF/container.xml")?;
    walk(container.as_slice(), |node, _| {
        if let Node::Start(element) = node
            && element.name() == "rootfile"
            && element.has("media-type", "application/oebps-package+xml")
        {
            root = root.take().or_else(|| element.attribute("full-path"));
        }
    })?;
    let root = root.ok_or(Unreadable)?;
    let (mut parts, mut spine) = (HashMap::new(), Vec::new());
    let document = package.required(&root)?;
    walk(document.as_slice(), |node, _| {
        let Node::Start(element) = node else { return };
        match element.name() {
            "item" => {
                let entry = element.attribute("id").zip(element.attribute("href"));
                parts.extend(entry);
            }
            "itemref" => spine.extend(element.attribute("idref")),
            _ => {}
        }
    })?;
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    for reference in spine {
        // A part is read once.
        let Some(link) = parts.remove(&reference) else {
            continue;
        };
        let chapter = package.linked(folder, &link)?;
        let Some(chapter) = chapter else { continue };
        let text = String::from_utf8(chapter).map_err(|_| Unreadable)?;
        html::read_chapter(&text, scope, take);
    }
    Ok(())
}
