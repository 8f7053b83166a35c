//! Builds small documents.

use std::io::{Cursor, Write as _};

use domain::format::Format;
use layout::Page;
use markup::{Document, MarkupError, Options, read};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::outline;

/// Creates an archive.
pub(crate) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    archive_of(&parts)
}

/// Creates an archive of binary parts.
pub(crate) fn archive_of(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Reads a document.
pub(crate) fn opened(bytes: &[u8], format: Format) -> Result<Document, MarkupError> {
    opened_with(bytes, format, &Options::default())
}

/// Reads a document with options.
pub(crate) fn opened_with(
    bytes: &[u8],
    format: Format,
    options: &Options,
) -> Result<Document, MarkupError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(file.path(), format, options)
}

/// Formats the blocks of all pages, one per line.
pub(crate) fn lines(document: &Document) -> Vec<String> {
    let of_page = |page: &Page| {
        outline::lines(&page.blocks)
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    document.pages.iter().flat_map(of_page).collect()
}

/// Returns the codes of the warnings with their counts.
pub(crate) fn warnings(document: &Document) -> Vec<(&'static str, u32)> {
    document
        .warnings
        .iter()
        .map(|warning| (warning.loss.code(), warning.count))
        .collect()
}

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Creates a relationships part from ids, last words of types, and targets; targets with a colon are external.
pub(crate) fn relations(all: &[(&str, &str, &str)]) -> String {
    let mut text = format!("<Relationships xmlns='{RELATIONSHIPS}'>");
    for (id, kind, target) in all {
        let mode = if target.contains(':') {
            " TargetMode='External'"
        } else {
            ""
        };
        text +=
            &format!("<Relationship Id='{id}' Type='{OFFICE}/{kind}' Target='{target}'{mode}/>");
    }
    text + "</Relationships>"
}

/// Creates a root element with the OOXML namespaces.
pub(crate) fn part(name: &str, inner: &str) -> String {
    let base = "http://schemas.openxmlformats.org";
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><{name} xmlns='{base}/spreadsheetml/2006/main' \
         xmlns:w='{base}/wordprocessingml/2006/main' xmlns:r='{OFFICE}' xmlns:a='{base}/drawingml/2006/main' \
         xmlns:p='{base}/presentationml/2006/main' xmlns:pic='{base}/drawingml/2006/picture' \
         xmlns:wp='{base}/drawingml/2006/wordprocessingDrawing' xmlns:m='{base}/officeDocument/2006/math' \
         xmlns:mc='{base}/markup-compatibility/2006' xmlns:v='urn:schemas-microsoft-com:vml' \
         xmlns:c='{base}/drawingml/2006/chart' \
         xmlns:wps='http://schemas.microsoft.com/office/word/2010/wordprocessingShape'>{inner}</{name}>"
    )
}

/// Creates a Word document from its body and other parts by relationship type.
pub(crate) fn docx(body: &str, others: &[(&str, &str)], links: &[(&str, &str, &str)]) -> Vec<u8> {
    let document = part("w:document", &format!("<w:body>{body}</w:body>"));
    let root = relations(&[("r", "officeDocument", "word/document.xml")]);
    let names: Vec<(String, String)> = others
        .iter()
        .map(|(kind, _)| (format!("o-{kind}"), format!("{kind}.xml")))
        .collect();
    let mut all: Vec<(&str, &str, &str)> = names
        .iter()
        .zip(others)
        .map(|((id, target), (kind, _))| (id.as_str(), *kind, target.as_str()))
        .collect();
    all.extend(links);
    let all = relations(&all);
    let paths: Vec<String> = names
        .iter()
        .map(|(_, target)| format!("word/{target}"))
        .collect();
    let mut parts = vec![
        ("_rels/.rels", root.as_str()),
        ("word/document.xml", document.as_str()),
        ("word/_rels/document.xml.rels", all.as_str()),
        ("word/media/a.png", "picture"),
    ];
    parts.extend(
        paths
            .iter()
            .map(String::as_str)
            .zip(others.iter().map(|(_, text)| *text)),
    );
    archive(&parts)
}

/// Creates a Word paragraph.
pub(crate) fn p(properties: &str, text: &str) -> String {
    format!(
        "<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
    )
}

/// Creates an OpenDocument of this kind, such as `text`, from automatic styles, body and the content of `styles.xml`.
pub(crate) fn odf(kind: &str, automatic: &str, body: &str, styles: &str) -> Vec<u8> {
    let names: String = [
        "office",
        "text",
        "table",
        "style",
        "drawing",
        "presentation",
        "datastyle",
        "svg-compatible",
        "xsl-fo-compatible",
    ]
    .iter()
    .map(|name| {
        let prefix = match *name {
            "drawing" => "draw",
            "datastyle" => "number",
            "svg-compatible" => "svg",
            "xsl-fo-compatible" => "fo",
            other => other,
        };
        format!(" xmlns:{prefix}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'")
    })
    .collect();
    let names = names + " xmlns:xlink='http://www.w3.org/1999/xlink'";
    let content = format!(
        "<office:document-content{names}><office:automatic-styles>{automatic}</office:automatic-styles>\
         <office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    );
    let styles = format!("<office:document-styles{names}>{styles}</office:document-styles>");
    archive(&[
        (
            "mimetype",
            &format!("application/vnd.oasis.opendocument.{kind}"),
        ),
        ("content.xml", &content),
        ("styles.xml", &styles),
        ("Pictures/a.png", "picture"),
    ])
}
