//! The service's own sample: a small docx, written here.

use std::io::{Cursor, Write};

use domain::format::Format;
use domain::id::SourceKey;
use domain::ports::Uploads;
use domain::public::account;
use domain::timestamp::Timestamp;
use runtime::refusal::Refusal;
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

/// What it is.
pub(crate) const FORMAT: Format = Format::Docx;

/// Its name.
pub(crate) const NAME: &str = "octavo-sample.docx";

/// Names this very sample; another one needs another name.
const EDITION: &str = "sandbox sample 1";

/// The upload that it lies as.
pub(crate) fn source() -> SourceKey {
    SourceKey::derive(Timestamp(0), EDITION)
}

/// Puts it where uploads lie.
pub(crate) async fn put<P: Uploads>(ports: &P) -> Result<(), Refusal> {
    let bytes = docx().map_err(|error| {
        tracing::error!(%error, "the sample could not be written");
        Refusal::internal()
    })?;
    let (account, source) = (account(), source());
    ports
        .put_source(&account, &source, FORMAT.mime_type(), &bytes)
        .await?;
    Ok(())
}

/// The parts of the package [ECMA-376, part 2], always the same bytes.
fn docx() -> ZipResult<Vec<u8>> {
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", CONTENT_TYPES.to_owned()),
        ("_rels/.rels", RELATIONSHIPS.to_owned()),
        ("word/document.xml", document()),
    ] {
        package.start_file(name, SimpleFileOptions::default())?;
        package.write_all(content.as_bytes())?;
    }
    Ok(package.finish()?.into_inner())
}

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;

const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;

/// The paragraphs: whether each is a heading, and its text.
const PARAGRAPHS: [(bool, &str); 5] = [
    (true, "A sample from Octavo"),
    (
        false,
        "This document was written by the service itself, so that you can see what a conversion looks like without sending anything of yours.",
    ),
    (true, "What you are looking at"),
    (
        false,
        "One docx with headings, paragraphs and a table. Behind the button on the page a real job is accepted, done and checked, as it is with every document of a customer.",
    ),
    (true, "What it costs"),
];

/// The rows of the table.
const ROWS: [(&str, &str); 4] = [
    ("Operation", "Credits"),
    ("Convert", "2"),
    ("Merge", "1"),
    ("Recognise text", "3"),
];

fn document() -> String {
    let paragraphs: String = PARAGRAPHS
        .iter()
        .map(|(head, text)| paragraph(*head, text))
        .collect();
    let rows: String = ROWS.iter().map(|(left, right)| row(left, right)).collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{paragraphs}<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>{BORDERS}</w:tblBorders></w:tblPr><w:tblGrid><w:gridCol w:w="4000"/><w:gridCol w:w="2000"/></w:tblGrid>{rows}</w:tbl><w:p/><w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr></w:body></w:document>"#
    )
}

const BORDERS: &str = concat!(
    r#"<w:top w:val="single" w:sz="4"/><w:left w:val="single" w:sz="4"/>"#,
    r#"<w:bottom w:val="single" w:sz="4"/><w:right w:val="single" w:sz="4"/>"#,
    r#"<w:insideH w:val="single" w:sz="4"/><w:insideV w:val="single" w:sz="4"/>"#,
);

/// Sizes are half points.
fn paragraph(heading: bool, text: &str) -> String {
    let (bold, size) = if heading { ("<w:b/>", 32) } else { ("", 22) };
    format!(
        r#"<w:p><w:pPr><w:spacing w:before="120" w:after="120"/></w:pPr><w:r><w:rPr>{bold}<w:sz w:val="{size}"/></w:rPr><w:t>{text}</w:t></w:r></w:p>"#
    )
}

fn row(left: &str, right: &str) -> String {
    let cell = |width: u32, text: &str| {
        format!(
            r#"<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"#
        )
    };
    format!("<w:tr>{}{}</w:tr>", cell(4_000, left), cell(2_000, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_always_the_same_package() {
        let bytes = docx().unwrap();
        assert_eq!(bytes, docx().unwrap());
        let mut package = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        let mut part = package.by_name("word/document.xml").unwrap();
        std::io::Read::read_to_string(&mut part, &mut text).unwrap();
        for (_, paragraph) in PARAGRAPHS {
            assert!(text.contains(paragraph));
        }
        assert_eq!(text.matches("<w:tr>").count(), ROWS.len());
    }
}
