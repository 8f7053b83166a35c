//! Decompression bombs and exponentially expanding XML.

use std::io::Cursor;

use tests::documents::{archive, docx, noise, paragraph};
use zip::{ZipArchive, ZipWriter};

/// A DOCX with a part that inflates a thousandfold.
pub(crate) fn by_ratio() -> Vec<u8> {
    docx(
        &paragraph("bomb"),
        "",
        &[("word/media/zeros.bin", vec![0; 64 << 20])],
    )
}

/// A DOCX whose parts inflate to more than 512 MB in total, each with an unsuspicious ratio.
pub(crate) fn by_size() -> Vec<u8> {
    let mut part = Vec::new();
    while part.len() < 40 << 20 {
        part.extend(noise(1_024));
        part.resize(part.len() + 180_000, 0);
    }
    let first = docx(&paragraph("bomb"), "", &[("word/media/0.bin", part)]);
    let mut source = ZipArchive::new(Cursor::new(&first)).unwrap();
    let mut bomb = ZipWriter::new_append(Cursor::new(first.clone())).unwrap();
    for copy in 1..14 {
        let part = source.by_name("word/media/0.bin").unwrap();
        bomb.raw_copy_file_rename(part, format!("word/media/{copy}.bin"))
            .unwrap();
    }
    bomb.finish().unwrap().into_inner()
}

/// A DOCX of more than 10,000 parts.
pub(crate) fn by_count() -> Vec<u8> {
    let parts: Vec<(String, &[u8])> = (0..10_001)
        .map(|part| (format!("word/media/{part}.txt"), &b""[..]))
        .collect();
    archive(parts)
}

/// A DOCX whose text is an entity that expands to 10⁹ copies.
pub(crate) fn billion_laughs() -> Vec<u8> {
    let mut entities = "<!ENTITY l0 \"ha\">".to_owned();
    for level in 1..=9 {
        let ten: String = (0..10).map(|_| format!("&l{};", level - 1)).collect();
        entities += &format!("<!ENTITY l{level} \"{ten}\">");
    }
    with_declaration(&entities, "&l9;")
}

/// A DOCX whose text is an external entity for a local file.
pub(crate) fn external_entity() -> Vec<u8> {
    with_declaration("<!ENTITY file SYSTEM \"file:///etc/hostname\">", "&file;")
}

/// A DOCX of deeply nested elements.
pub(crate) fn deep() -> Vec<u8> {
    let (open, close) = (
        "<w:sdt><w:sdtContent>".repeat(5_000),
        "</w:sdtContent></w:sdt>".repeat(5_000),
    );
    docx(&format!("{open}{}{close}", paragraph("deep")), "", &[])
}

/// A workbook with a cell in the last corner of its sheet.
pub(crate) fn last_cell() -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let relationship = |kind: &str, target: &str| {
        format!(
            r#"<?xml version="1.0"?><Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>"#
        )
    };
    archive([
        (
            "[Content_Types].xml",
            format!(
                r#"<?xml version="1.0"?><Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="{SHEET}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{SHEET}.worksheet+xml"/></Types>"#
            ),
        ),
        (
            "_rels/.rels",
            relationship("officeDocument", "xl/workbook.xml"),
        ),
        (
            "xl/workbook.xml",
            format!(
                r#"<?xml version="1.0"?><workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            relationship("worksheet", "worksheets/sheet1.xml"),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                r#"<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>"#
            ),
        ),
    ])
}

/// A DOCX whose main part has these declarations and contains this entity.
fn with_declaration(entities: &str, text: &str) -> Vec<u8> {
    let sound = docx("BODY", "", &[]);
    let mut source = ZipArchive::new(Cursor::new(sound)).unwrap();
    let mut parts = Vec::new();
    for index in 0..source.len() {
        let mut part = source.by_index(index).unwrap();
        let mut content = std::io::read_to_string(&mut part).unwrap();
        let name = part.name().unwrap().into_owned();
        if name == "word/document.xml" {
            let declaration = format!("<?xml version=\"1.0\"?><!DOCTYPE w:document [{entities}]>");
            content = content.replace("<?xml version=\"1.0\"?>", &declaration);
            content = content.replace("BODY", &paragraph(text));
        }
        parts.push((name, content));
    }
    archive(parts)
}
