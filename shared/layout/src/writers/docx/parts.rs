//! Parts with fixed content.

use std::io::{Seek, Write};

use super::story::Story;
use super::styles;
use crate::writers::ooxml::package::{Package, Relations};
use crate::writers::{Metadata, Result, picture};

pub(super) const NAMESPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" \
xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"";

pub(super) const SEPARATORS: &str = "<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>\
<w:footnote w:type=\"continuationSeparator\" w:id=\"0\"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>";

/// Returns the settings of a document; `alternates` is whether even and odd pages have different headers, `has_notes` whether
/// there are footnotes.
pub(super) fn settings(alternates: bool, has_notes: bool) -> String {
    let mut settings = String::from(
        "<w:settings xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">",
    );
    if alternates {
        settings += "<w:evenAndOddHeaders/>";
    }
    if has_notes {
        settings +=
            "<w:footnotePr><w:footnote w:id=\"-1\"/><w:footnote w:id=\"0\"/></w:footnotePr>";
    }
    settings
        + "<w:compat><w:compatSetting w:name=\"compatibilityMode\" w:uri=\"http://schemas.microsoft.com/office/word\" \
w:val=\"15\"/></w:compat></w:settings>"
}

/// Returns the content type of a part.
pub(super) fn content_type(part: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{part}+xml")
}

/// Adds relationships to parts of these types.
pub(super) fn relate(relations: &mut Relations, parts: &[&str]) {
    for part in parts {
        relations.part(part, &format!("{part}.xml"));
    }
}

/// Writes the final parts: styles, fonts, settings, relationships and pictures.
pub(super) fn last<W: Write + Seek>(
    package: &mut Package<W>,
    story: &mut Story<'_>,
    metadata: &Metadata,
    settings: &str,
) -> Result {
    let (font, halves) = story.fonts.most_frequent();
    let styles = styles::xml((&font, halves), metadata.language_tag());
    package.write_whole("word/styles.xml", &content_type("styles"), &styles)?;
    story.font_table.add_default(&font);
    let fonts = story.font_table.xml();
    package.write_whole("word/fontTable.xml", &content_type("fontTable"), &fonts)?;
    relate(&mut story.relations, &["fontTable"]);
    package.write_whole("word/settings.xml", &content_type("settings"), settings)?;
    package.relations("word/document.xml", &story.relations)?;
    for (image, info) in std::mem::take(&mut story.used) {
        let name = format!("word/{}", picture::part(image, info.format));
        package.picture(&name, story.pictures, image)?;
    }
    Ok(())
}
