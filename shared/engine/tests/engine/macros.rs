//! No result contains macros, event listeners or links to macros of its source.

use std::collections::BTreeSet;
use std::sync::Mutex;

use domain::format::{Category, Format};
use domain::operation::CONVERSIONS;
use memchr::memmem;

use crate::office_content::content;
use crate::sample_documents::{docx, open_document, parts, relationship, with_part, with_parts};
use crate::service_data::layers;
use crate::{corpus, harness, office_suite};

/// Names of macros, their containers and what runs them. `qxmacro` is the macro of the sources.
const FORBIDDEN: [&str; 13] = [
    "qxmacro",
    "Basic/",
    "Scripts/",
    "vbaProject",
    "vbaData",
    "_VBA_PROJECT",
    "Attribute VB",
    "script:event-listener ",
    "vnd.sun.star.script",
    "vnd.libreoffice.command",
    "macro:",
    "Macro:",
    "ppaction://macro",
];
/// Word that every generated source shows.
const SHOWN: &str = "shown";

const LISTENER: &str = r#"<office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:click" xlink:href="vnd.sun.star.script:Standard.Module1.qxmacro?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners>"#;
const LINKS: &str = r#"<text:p><text:a xlink:href="vnd.libreoffice.command:qxmacro" xlink:type="simple">zero</text:a> <text:a xlink:href="Macro:///Standard.Module1.qxmacro()" xlink:type="simple">one</text:a> <text:a xlink:href="vnd.sun.star.script:Standard.Module1.qxmacro?language=Basic&amp;location=document" xlink:type="simple">two</text:a></text:p>"#;

/// An `OpenDocument` file with a library of Basic, a script and listeners.
fn open_document_with_macro(kind: &str, body: &str) -> Vec<u8> {
    const LIBRARY: &str = r#"xmlns:library="http://openoffice.org/2000/library""#;
    const PUBLIC: &str = "PUBLIC \"-//OpenOffice.org//DTD OfficeDocument 1.0//EN\"";
    let parts = [
        (
            "Basic/script-lc.xml",
            format!(
                r#"<!DOCTYPE library:libraries {PUBLIC} "libraries.dtd"><library:libraries {LIBRARY}><library:library library:name="Standard" library:link="false"/></library:libraries>"#
            ),
        ),
        (
            "Basic/Standard/script-lb.xml",
            format!(
                r#"<!DOCTYPE library:library {PUBLIC} "library.dtd"><library:library {LIBRARY} library:name="Standard" library:readonly="false"><library:element library:name="Module1"/></library:library>"#
            ),
        ),
        (
            "Basic/Standard/Module1.xml",
            format!(
                r#"<!DOCTYPE script:module {PUBLIC} "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub qxmacro
End Sub</script:module>"#
            ),
        ),
        ("Scripts/python/macro.py", "def qxmacro(): pass".to_owned()),
    ];
    let document = open_document(kind, body);
    let document = with_part(&document, "META-INF/manifest.xml", |manifest| {
        let entry = |(path, _): &(&str, String)| {
            format!(
                r#"<manifest:file-entry manifest:full-path="{path}" manifest:media-type="text/xml"/>"#
            )
        };
        let entries: String = parts.iter().map(entry).collect();
        manifest.replace("</manifest:manifest>", &(entries + "</manifest:manifest>"))
    });
    let document = with_part(&document, "content.xml", |content| {
        let scripts = format!(
            r#"<office:scripts><office:script script:language="ooo:Basic"/>{}</office:scripts><office:body>"#,
            LISTENER.replace("dom:click", "dom:load")
        );
        let namespaces = r#" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0" xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:ooo="http://openoffice.org/2004/office"><office:body>"#;
        let content = content.replacen("<office:body>", &scripts, 1);
        content.replacen(
            "><office:scripts>",
            &namespaces.replace("<office:body>", "<office:scripts>"),
            1,
        )
    });
    let more = parts.each_ref();
    with_parts(
        &document,
        &more.map(|(name, text)| (*name, text.as_bytes())),
    )
}

fn odt() -> Vec<u8> {
    let macro_field = format!(
        r#"<text:p><text:a xlink:href="https://example.com/" xlink:type="simple">{LISTENER}three</text:a> <text:execute-macro text:name="qxmacro">{LISTENER}four</text:execute-macro></text:p>"#
    );
    let frame = format!(
        r#"<text:p><draw:frame text:anchor-type="paragraph" svg:width="4cm" svg:height="2cm">{LISTENER}<draw:text-box><text:p>five</text:p></draw:text-box></draw:frame></text:p>"#
    );
    let table = format!(
        r#"<table:table table:name="T"><table:table-column/><table:table-row><table:table-cell><text:p>{SHOWN}</text:p></table:table-cell></table:table-row></table:table>"#
    );
    let body = format!("<text:p>{SHOWN} words</text:p>{LINKS}{macro_field}{frame}{table}");
    open_document_with_macro("text", &body)
}

fn ods() -> Vec<u8> {
    let shapes = format!(
        r#"<table:shapes><draw:custom-shape draw:z-index="0" svg:x="5cm" svg:y="2cm" svg:width="4cm" svg:height="2cm">{LISTENER}<text:p>five</text:p></draw:custom-shape></table:shapes>"#
    );
    let validation = format!(
        r#"<table:content-validations><table:content-validation table:name="V" table:condition="of:cell-content()&gt;0"><table:error-macro table:execute="true"/>{}</table:content-validation></table:content-validations>"#,
        LISTENER.replace("dom:click", "dom:error")
    );
    let body = format!(
        r#"{validation}<table:table table:name="S">{shapes}<table:table-row><table:table-cell office:value-type="string" table:content-validation-name="V"><text:p>{SHOWN} words</text:p></table:table-cell><table:table-cell office:value-type="string">{LINKS}</table:table-cell></table:table-row></table:table>"#
    );
    open_document_with_macro("spreadsheet", &body)
}

fn odp() -> Vec<u8> {
    let body = format!(
        r#"<draw:page draw:name="P"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="9cm" svg:height="4cm">{LISTENER}<draw:text-box><text:p>{SHOWN} words</text:p>{LINKS}</draw:text-box></draw:frame></draw:page>"#
    );
    open_document_with_macro("presentation", &body)
}

/// The project of a workbook with macros.
fn vba_project() -> Vec<u8> {
    let workbook = std::fs::read(corpus::file("xlsx/testEXCEL_macro.xlsm")).unwrap();
    let mut parts = parts(&workbook).into_iter();
    let project = parts.find(|(name, _)| name == "xl/vbaProject.bin");
    project.unwrap().1
}

/// A package with the project, related to its main part.
pub(crate) fn with_project(package: &[u8], main: &str) -> Vec<u8> {
    let (folder, name) = main.split_once('/').unwrap();
    let related = format!("{folder}/_rels/{name}.rels");
    let package = with_part(package, &related, |related| {
        let project = relationship("rIdM", "vbaProject", "vbaProject.bin").replace(
            "http://schemas.openxmlformats.org/officeDocument/2006/",
            "http://schemas.microsoft.com/office/2006/",
        );
        related.replace("</Relationships>", &(project + "</Relationships>"))
    });
    let package = with_part(&package, "[Content_Types].xml", |types| {
        let project = format!(
            r#"<Override PartName="/{folder}/vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>"#
        );
        types.replace("</Types>", &project)
    });
    with_parts(
        &package,
        &[(&format!("{folder}/vbaProject.bin"), &vba_project())],
    )
}

fn docm() -> Vec<u8> {
    let link = relationship("rId8", "hyperlink", "macro:///Standard.Module1.qxmacro()");
    let body = format!(
        r#"<w:p><w:r><w:t>{SHOWN} words</w:t></w:r></w:p><w:p><w:fldSimple w:instr=" MACROBUTTON NoMacro button "><w:r><w:t>button</w:t></w:r></w:fldSimple></w:p><w:p><w:hyperlink r:id="rId8"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p><w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:p><w:r><w:t>{SHOWN}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"#
    );
    with_project(&docx(&body, &link), "word/document.xml")
}

fn pptm() -> Vec<u8> {
    let page = format!("<p>{SHOWN} words");
    let steps = [
        harness::convert(Format::Pdf),
        harness::convert(Format::Pptx),
    ];
    let slides = harness::run_bytes(page.as_bytes(), Format::Html, &steps).unwrap();
    let slides = with_part(&slides.bytes(), "ppt/slides/slide1.xml", |slide| {
        let action = r#"<a:hlinkClick xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="" action="ppaction://macro?name=qxmacro"/></p:cNvPr>"#;
        let (before, after) = slide.split_once("<p:sp>").unwrap();
        let (start, rest) = after.split_once("<p:cNvPr ").unwrap();
        let (attributes, rest) = rest.split_once("/>").unwrap();
        format!("{before}<p:sp>{start}<p:cNvPr {attributes}>{action}{rest}")
    });
    with_project(&slides, "ppt/presentation.xml")
}

fn rtf() -> Vec<u8> {
    format!(
        r#"{{\rtf1 {SHOWN} words {{\field{{\*\fldinst MACROBUTTON NoMacro button}}{{\fldrslt button}}}}\par {{\field{{\*\fldinst HYPERLINK "macro:///Standard.Module1.qxmacro()"}}{{\fldrslt link}}}}\par\trowd\cellx3000\intbl {SHOWN}\cell\row}}"#
    )
    .into_bytes()
}

/// Sources that contain macros and what runs them, with those that LibreOffice saves in binary formats.
fn sources() -> Vec<(Format, Vec<u8>)> {
    let workbook = std::fs::read(corpus::file("xlsx/testEXCEL_macro.xlsm")).unwrap();
    let mut sources = vec![
        (Format::Odt, odt()),
        (Format::Ods, ods()),
        (Format::Odp, odp()),
        (Format::Docx, docm()),
        (Format::Xlsx, workbook),
        (Format::Pptx, pptm()),
        (Format::Rtf, rtf()),
    ];
    let directory = tempfile::tempdir().unwrap();
    for (from, binary) in [
        (Format::Docx, Format::Doc),
        (Format::Xlsx, Format::Xls),
        (Format::Pptx, Format::Ppt),
    ] {
        let (_, bytes) = sources.iter().find(|(format, _)| *format == from).unwrap();
        let path = directory
            .path()
            .join("source")
            .with_extension(from.extension());
        std::fs::write(&path, bytes).unwrap();
        let saved = std::fs::read(&office_suite::save(&[&path], binary)[0]).unwrap();
        sources.push((binary, saved));
    }
    sources
}

/// What a file contains of the names of macros.
pub(crate) fn found(file: &[u8]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    layers::for_each(file, &mut |layer| {
        let is_in = |name: &str| {
            let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            memmem::find(layer, name.as_bytes()).is_some() || memmem::find(layer, &wide).is_some()
        };
        found.extend(FORBIDDEN.into_iter().filter(|name| is_in(name)));
    });
    found
}

#[test]
fn no_result_contains_macros_of_its_source() {
    let mut sources = sources();
    // LibreOffice saves no macros in PPT.
    sources.retain(|(_, bytes)| !found(bytes).is_empty());
    assert_eq!(sources.len(), 9);
    let cases = sources.iter().flat_map(|(from, bytes)| {
        let rows = CONVERSIONS.iter().filter(|row| row.from.contains(from));
        // PDF readers follow no links to macros.
        let rows = rows.filter(|row| row.to != Format::Pdf);
        let rows = rows.filter(|row| row.to.spec().category != Category::Image);
        rows.map(move |row| (*from, bytes, row.to))
    });
    let kept = Mutex::new(Vec::new());
    let kinds =
        |(from, _, to): &(Format, &Vec<u8>, Format)| harness::formats_and_engines((*from, *to));
    harness::sample(cases.collect(), 0, kinds, |(from, bytes, to)| {
        let result = harness::run_bytes(bytes, from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"));
        let names = found(&result.bytes());
        // The workbook is from the corpus and has no `SHOWN`.
        let is_own = !matches!(from, Format::Xlsx | Format::Xls);
        let is_lost = is_own && !content(result.path()).contains(SHOWN);
        if is_lost || !names.is_empty() {
            kept.lock()
                .unwrap()
                .push(format!("{from} to {to}: {names:?}, lost text: {is_lost}"));
        }
    });
    let kept = kept.into_inner().unwrap();
    assert!(kept.is_empty(), "{}", kept.join("\n"));
}
