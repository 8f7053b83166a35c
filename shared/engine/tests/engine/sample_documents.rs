//! Synthetic documents built from parts.

use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const SHEETS: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// A ZIP archive of parts.
pub(crate) fn package<N: AsRef<str>, B: AsRef<[u8]>>(
    parts: impl IntoIterator<Item = (N, B)>,
) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let method = match name.as_ref() {
            "mimetype" => CompressionMethod::Stored,
            _ => CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(name.as_ref(), options).unwrap();
        zip.write_all(bytes.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The names and contents of the parts of an archive.
pub(crate) fn parts(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    let parts = (0..archive.len()).map(|at| {
        let mut part = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        (part.name().unwrap().into_owned(), bytes)
    });
    parts.collect()
}

/// The archive with more parts.
pub(crate) fn with_parts(archive: &[u8], more: &[(&str, &[u8])]) -> Vec<u8> {
    let more = more.iter();
    let more = more.map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
    package(parts(archive).into_iter().chain(more))
}

/// The archive with one text part changed.
pub(crate) fn with_part(
    archive: &[u8],
    name: &str,
    change: impl FnOnce(&str) -> String,
) -> Vec<u8> {
    let mut parts = parts(archive);
    let part = parts.iter_mut().find(|part| part.0 == name).unwrap();
    let text = std::str::from_utf8(&part.1).unwrap();
    let changed = change(text);
    assert_ne!(changed, text);
    part.1 = changed.into_bytes();
    package(parts)
}

/// `[Content_Types].xml` of a package whose main part has this type.
pub(crate) fn content_types(part: &str, kind: &str) -> (String, String) {
    let text = format!(
        r#"<?xml version="1.0"?><Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/{part}" ContentType="application/vnd.openxmlformats-officedocument.{kind}.main+xml"/></Types>"#
    );
    ("[Content_Types].xml".to_owned(), text)
}

fn relationships(name: &str, entries: &str) -> (String, String) {
    let text = format!(
        r#"<?xml version="1.0"?><Relationships xmlns="{PACKAGE}/relationships">{entries}</Relationships>"#
    );
    (name.to_owned(), text)
}

/// A relationship to a part; external if `target` is a URL.
pub(crate) fn relationship(id: &str, kind: &str, target: &str) -> String {
    let mode = match target.contains(':') {
        true => r#" TargetMode="External""#,
        false => "",
    };
    format!(r#"<Relationship Id="{id}" Type="{OFFICE}/{kind}" Target="{target}"{mode}/>"#)
}

/// A DOCX with this body and relationships.
pub(crate) fn docx(body: &str, related: &str) -> Vec<u8> {
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{OFFICE}"><w:body>{body}</w:body></w:document>"#
    );
    let main = relationship("rId1", "officeDocument", "word/document.xml");
    package([
        content_types("word/document.xml", "wordprocessingml.document"),
        relationships("_rels/.rels", &main),
        relationships("word/_rels/document.xml.rels", related),
        ("word/document.xml".to_owned(), document),
    ])
}

/// An XLSX with one row of cells, and with relationships, elements and parts of the workbook part.
pub(crate) fn xlsx(cells: &str, related: &str, elements: &str, more: &[(&str, String)]) -> Vec<u8> {
    let workbook = format!(
        r#"<?xml version="1.0"?><workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>{elements}</workbook>"#
    );
    let sheet = format!(
        r#"<?xml version="1.0"?><worksheet xmlns="{SHEETS}"><sheetData><row r="1">{cells}</row></sheetData></worksheet>"#
    );
    let main = relationship("rId1", "officeDocument", "xl/workbook.xml");
    let related = relationship("rId1", "worksheet", "worksheets/sheet1.xml") + related;
    let parts = [
        content_types("xl/workbook.xml", "spreadsheetml.sheet"),
        relationships("_rels/.rels", &main),
        relationships("xl/_rels/workbook.xml.rels", &related),
        ("xl/workbook.xml".to_owned(), workbook),
        ("xl/worksheets/sheet1.xml".to_owned(), sheet),
    ];
    let more = more.iter();
    let more = more.map(|(name, text)| ((*name).to_owned(), text.clone()));
    package(parts.into_iter().chain(more))
}

/// An XLSX of sheets with one text each, each hidden or not; `in_front` is the active sheet.
pub(crate) fn sheets(sheets: &[(&str, bool)], in_front: usize) -> Vec<u8> {
    let (mut list, mut related) = (String::new(), String::new());
    let mut parts = Vec::new();
    for (at, (text, is_hidden)) in (1..).zip(sheets) {
        let state = if *is_hidden { "hidden" } else { "visible" };
        list += &format!(r#"<sheet name="S{at}" sheetId="{at}" state="{state}" r:id="rId{at}"/>"#);
        let path = format!("worksheets/sheet{at}.xml");
        related += &relationship(&format!("rId{at}"), "worksheet", &path);
        let sheet = format!(
            r#"<?xml version="1.0"?><worksheet xmlns="{SHEETS}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row></sheetData></worksheet>"#
        );
        parts.push((format!("xl/{path}"), sheet));
    }
    let workbook = format!(
        r#"<?xml version="1.0"?><workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><bookViews><workbookView activeTab="{in_front}"/></bookViews><sheets>{list}</sheets></workbook>"#
    );
    let main = relationship("rId1", "officeDocument", "xl/workbook.xml");
    let first = [
        content_types("xl/workbook.xml", "spreadsheetml.sheet"),
        relationships("_rels/.rels", &main),
        relationships("xl/_rels/workbook.xml.rels", &related),
        ("xl/workbook.xml".to_owned(), workbook),
    ];
    package(first.into_iter().chain(parts))
}

/// An `OpenDocument` file of a kind with this body.
pub(crate) fn open_document(kind: &str, body: &str) -> Vec<u8> {
    const NAMES: [(&str, &str); 8] = [
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("svg", "svg-compatible"),
        ("presentation", "presentation"),
        ("style", "style"),
        ("manifest", "manifest"),
    ];
    let media_type = format!("application/vnd.oasis.opendocument.{kind}");
    let namespaces: String = NAMES
        .iter()
        .map(|(prefix, name)| {
            format!(r#" xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0""#)
        })
        .collect();
    let content = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><office:document-content office:version="1.3"{namespaces} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"#
    );
    let manifest = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><manifest:manifest manifest:version="1.3"{namespaces}><manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"#
    );
    package([
        ("mimetype", media_type),
        ("content.xml", content),
        ("META-INF/manifest.xml", manifest),
    ])
}

/// A PDF of these objects; the first is the catalog [ISO 32000-1, 7.5].
pub(crate) fn pdf<B: AsRef<[u8]>>(objects: &[B]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (index, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", file.len());
        file.extend(format!("{} 0 obj\n", index + 1).bytes());
        file.extend(object.as_ref());
        file.extend(b"\nendobj\n");
    }
    let (at, size) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {size}\n{table}trailer\n<</Root 1 0 R/Size {size}>>\nstartxref\n{at}\n%%EOF\n"
    );
    file.extend(end.bytes());
    file
}

/// A PDF stream with these dictionary entries.
pub(crate) fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let mut object = format!("<<{entries}/Length {}>>stream\n", content.len()).into_bytes();
    object.extend(content);
    object.extend(b"\nendstream");
    object
}

/// A binary workbook (XLS) of these records, each a type and its bytes [MS-XLS, 2.1.4].
pub(crate) fn binary_workbook(records: &[(u16, &[u8])]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    let mut stream = file.create_stream("/Workbook").unwrap();
    for (kind, bytes) in records {
        stream.write_all(&kind.to_le_bytes()).unwrap();
        stream
            .write_all(&u16::try_from(bytes.len()).unwrap().to_le_bytes())
            .unwrap();
        stream.write_all(bytes).unwrap();
    }
    stream.flush().unwrap();
    drop(stream);
    file.into_inner().into_inner()
}

/// A PDF of `count` pages of 300 × 200 pt, with a word and the page number on each: `one 1`.
pub(crate) fn numbered(word: &str, count: u32) -> Vec<u8> {
    let kids: String = (0..count)
        .map(|page| format!("{} 0 R ", 3 + 2 * page))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 300 200]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>").into_bytes(),
    ];
    for page in 0..count {
        let content = 4 + 2 * page;
        objects.push(format!("<</Type/Page/Parent 2 0 R/Contents {content} 0 R>>").into_bytes());
        let text = format!("BT /F 24 Tf 20 100 Td ({word} {}) Tj ET", page + 1);
        objects.push(stream("", text.as_bytes()));
    }
    pdf(&objects)
}
