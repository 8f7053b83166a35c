//! Reads OpenDocument: texts by the pages that they ask for, workbooks by sheets and presentations by slides.

mod body;
mod lists;
mod pages;
mod sheet;
mod sheets;
mod slides;
mod styles;

use domain::format::Format;

use crate::error::{MarkupError, Outcome};
use crate::package::Package;
use crate::source::{Metadata, Source};
use crate::xml::Element;

/// Reads a document.
pub(crate) fn open(mut package: Package, format: Format) -> Outcome<Box<dyn Source>> {
    check(&package, format)?;
    let facts = facts(&mut package)?;
    let content = package
        .part("content.xml")?
        .ok_or(MarkupError::Corrupt("its content is missing"))?;
    let styles = package.spare_tree("styles.xml")?.unwrap_or_default();
    Ok(match format {
        Format::Odt => Box::new(pages::read(package, &content, &styles, facts)?),
        Format::Ods => Box::new(sheets::read(package, &content, &styles, facts)?),
        _ => Box::new(slides::read(package, &content, &styles, facts)?),
    })
}

/// What `mimetype` says of each format, and of its templates.
fn mime_type(format: Format) -> &'static str {
    match format {
        Format::Odt => "application/vnd.oasis.opendocument.text",
        Format::Ods => "application/vnd.oasis.opendocument.spreadsheet",
        _ => "application/vnd.oasis.opendocument.presentation",
    }
}

fn check(package: &Package, format: Format) -> Outcome {
    let manifest = package.tree("META-INF/manifest.xml")?;
    let entries = || {
        manifest
            .iter()
            .flat_map(|manifest| manifest.all("manifest:file-entry"))
    };
    if entries().any(|entry| entry.find("manifest:encryption-data").is_some()) {
        return Err(MarkupError::PasswordRequired);
    }
    let root = entries().find(|entry| entry.get("manifest:full-path") == Some("/"));
    let by_manifest = root
        .and_then(|root| root.get("manifest:media-type"))
        .map(str::to_owned);
    let said = package
        .part("mimetype")?
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let said = said.or(by_manifest).unwrap_or_default();
    match said.trim().trim_end_matches("-template") == mime_type(format) {
        true => Ok(()),
        false => Err(MarkupError::Mismatch),
    }
}

fn facts(package: &mut Package) -> Outcome<Metadata> {
    let root = package.spare_tree("meta.xml")?;
    let meta = root.as_ref().and_then(|root| root.find("office:meta"));
    let said = |name| {
        let text = meta?.find(name).map(Element::text)?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    Ok(Metadata {
        title: said("dc:title"),
        language: said("dc:language"),
    })
}
