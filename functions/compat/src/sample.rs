//! Built-in sample document: generates a small DOCX.

use std::io::{Cursor, Write};

use domain::format::Format;
use domain::id::SourceKey;
use domain::ports::Uploads;
use domain::public::account;
use domain::timestamp::Timestamp;
use runtime::error::ApiError;
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

/// The format of the sample.
pub(crate) const FORMAT: Format = Format::Docx;

/// The filename of the sample.
pub(crate) const NAME: &str = "octavo-sample.docx";

/// Revision of the sample's content, from which its source key is derived. Change it with the content.
const REVISION: &str = "sandbox sample 2";

/// Returns the source key under which the sample is uploaded.
pub(crate) fn source() -> SourceKey {
    SourceKey::derive(Timestamp(0), REVISION)
}

/// Stores the sample as an upload.
pub(crate) async fn upload<P: Uploads>(ports: &P) -> Result<(), ApiError> {
    let bytes = docx().map_err(|error| {
        tracing::error!(%error, "sample document cannot be generated");
        ApiError::internal()
    })?;
    let (account, source) = (account(), source());
    ports
        .put_source(&account, &source, FORMAT.mime_type(), &bytes)
        .await?;
    Ok(())
}

/// Writes the package [ECMA-376, part 2] with deterministic bytes.
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

/// Paragraphs: whether each is a heading, and its text.
const PARAGRAPHS: [(bool, &str); 5] = [
    (true, "A sample from Octavo"),
    (
        false,
        "The service generated this document, so that you can try a conversion without uploading a file of your own.",
    ),
    (true, "About this document"),
    (
        false,
        "A DOCX with headings, paragraphs and a table. The button on the page submits a real job, which is processed and verified like the documents of customers.",
    ),
    (true, "Prices"),
];

/// Rows of the table.
const ROWS: [(&str, &str); 4] = [
    ("Operation", "Credits"),
    ("Convert", "2"),
    ("Merge", "1"),
    ("Recognize text", "3"),
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

/// Font sizes are in half-points [ECMA-376, part 1, `w:sz`].
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
    fn the_sample_is_deterministic() {
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
