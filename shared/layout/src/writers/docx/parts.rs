//! The parts that every document has.

use std::io::{Seek, Write};

use super::story::Story;
use super::styles;
use crate::writers::ooxml::package::{Package, Relations};
use crate::writers::{Metadata, Outcome, picture};

pub(super) const NAMESPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" \
xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"";

pub(super) const SEPARATORS: &str = "<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>\
<w:footnote w:type=\"continuationSeparator\" w:id=\"0\"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>";

pub(super) const SETTINGS: &str = "<w:settings xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
<w:footnotePr><w:footnote w:id=\"-1\"/><w:footnote w:id=\"0\"/></w:footnotePr>\
<w:compat><w:compatSetting w:name=\"compatibilityMode\" w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>\
</w:settings>";

/// The settings of a document without footnotes.
pub(super) const FIXED_SETTINGS: &str = "<w:settings xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
<w:compat><w:compatSetting w:name=\"compatibilityMode\" w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>\
</w:settings>";

/// What kind a part is.
pub(super) fn kind(part: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{part}+xml")
}

/// Relates the document to parts of these kinds.
pub(super) fn relate(relations: &mut Relations, parts: &[&str]) {
    for part in parts {
        relations.part(part, &format!("{part}.xml"));
    }
}

/// Writes what every document ends with: its styles, its settings, what its story relates to, and the pictures.
pub(super) fn last<W: Write + Seek>(
    package: &mut Package<W>,
    story: &mut Story<'_>,
    metadata: &Metadata,
    settings: &str,
) -> Outcome {
    let styles = styles::xml(&story.fonts, metadata.tongue());
    package.whole("word/styles.xml", &kind("styles"), &styles)?;
    package.whole("word/settings.xml", &kind("settings"), settings)?;
    package.relations("word/document.xml", &story.relations)?;
    for (image, info) in std::mem::take(&mut story.used) {
        let name = format!("word/{}", picture::part(image, info.format));
        package.picture(&name, story.pictures, image)?;
    }
    Ok(())
}
