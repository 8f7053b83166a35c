//! Validates office documents and counts their sheets or slides.

use std::path::Path;

use domain::format::Format;
use quick_xml::events::BytesStart;
use task::TaskResult;

use super::archive::Archive;
use super::package;
use super::xml::{self, XmlEvent};

/// Whether a package is valid as a source of its format.
pub fn reads_as(path: &Path, format: Format) -> bool {
    package::check(path, format, false).is_ok_and(|(found, _)| found == format)
}

/// Returns the number of sheets or slides; 1 for text documents.
///
/// # Errors
/// [`TaskError`] if the package cannot be read.
pub fn count_parts(path: &Path, format: Format) -> TaskResult<u32> {
    match format {
        Format::Xlsx => count_named(path, "xl/worksheets/"),
        Format::Pptx => count_named(path, "ppt/slides/"),
        Format::Ods => count_elements(path, "table:table"),
        Format::Odp => count_elements(path, "draw:page"),
        _ => Ok(1),
    }
}

/// Counts the XML parts in a directory of a package.
fn count_named(path: &Path, directory: &str) -> TaskResult<u32> {
    let archive = Archive::open(path)?;
    let is_part = |index: &usize| {
        let name = archive.name(*index);
        let part = name.strip_prefix(directory);
        part.is_some_and(|part| !part.contains('/') && part.ends_with(".xml"))
    };
    let count = (0..archive.len()).filter(is_part).count();
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Counts the elements with this name in the content of an OpenDocument file.
fn count_elements(path: &Path, name: &str) -> TaskResult<u32> {
    let mut archive = Archive::open(path)?;
    let (mut count, mut index) = (0, 0);
    while index < archive.len() && archive.name(index) != "content.xml" {
        index += 1;
    }
    let is_counted = |element: &BytesStart<'_>| element.name().as_ref() == name;
    archive.read(index, |part| {
        xml::read(part, |event| {
            if let XmlEvent::Element(element) = event {
                count += u32::from(is_counted(element));
            }
            Ok(())
        })
    })?;
    Ok(count)
}
