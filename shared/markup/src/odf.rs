//! Reads OpenDocument: texts by explicit page breaks, spreadsheets by sheet and presentations by slide.

mod body;
mod cell_value;
mod lists;
mod number_styles;
mod pages;
mod sheet;
mod sheets;
mod slides;
mod styles;

use domain::format::Format;

use crate::error::{MarkupError, Result};
use crate::package::Package;
use crate::source::{Metadata, Source};
use crate::xml::Element;

/// Reads a document.
pub(crate) fn open(mut package: Package, format: Format) -> Result<Box<dyn Source>> {
    check(&package, format)?;
    let metadata = metadata(&mut package)?;
    let content = package
        .part("content.xml")?
        .ok_or(MarkupError::Corrupt("its content is missing"))?;
    let styles = package.optional_tree("styles.xml")?.unwrap_or_default();
    Ok(match format {
        Format::Odt => Box::new(pages::read(package, &content, &styles, metadata)?),
        Format::Ods => Box::new(sheets::read(package, &content, &styles, metadata)?),
        _ => Box::new(slides::read(package, &content, &styles, metadata)?),
    })
}

fn check(package: &Package, format: Format) -> Result {
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
    let declared = package
        .part("mimetype")?
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let declared = declared.or(by_manifest).unwrap_or_default();
    match Format::from_mime_type(&declared) == Some(format) {
        true => Ok(()),
        false => Err(MarkupError::Mismatch),
    }
}

fn metadata(package: &mut Package) -> Result<Metadata> {
    let root = package.optional_tree("meta.xml")?;
    let meta = root.as_ref().and_then(|root| root.find("office:meta"));
    let declared = |name| {
        let text = meta?.find(name).map(Element::text)?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    Ok(Metadata {
        title: declared("dc:title"),
        language: declared("dc:language"),
    })
}
