//! Documents that ask for something outside themselves: they are converted without it, and say so.
//!
//! What is asked for lies where a child may read it: the list of users, and a picture beside its executable.

use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use tempfile::NamedTempFile;

use crate::documents::{docx, open_document, relationship, xlsx};
use crate::{poppler, rig};

/// A file of text that children may read.
const TEXT: &str = "file:///etc/passwd";
/// What every list of users holds.
pub(crate) const SECRET: &str = "root:";
/// What the documents say themselves.
const OWN: &str = "besides";

/// A red picture that children may read.
fn picture() -> NamedTempFile {
    let directory = Path::new(env!("CARGO_BIN_EXE_engine-child"))
        .parent()
        .unwrap();
    let file = tempfile::Builder::new()
        .suffix(".png")
        .tempfile_in(directory)
        .unwrap();
    let red = image::RgbImage::from_pixel(200, 200, image::Rgb([255, 0, 0]));
    red.save(file.path()).unwrap();
    file
}

fn url(file: &NamedTempFile) -> String {
    format!("file://{}", file.path().display())
}

fn is_red(pixel: &image::Rgb<u8>) -> bool {
    let [red, green, blue] = pixel.0;
    red > 200 && green < 60 && blue < 60
}

/// Converts a document, whose own text has to be there, and returns all text.
fn text_of(name: &str, document: &[u8], format: Format) -> String {
    let made = rig::run_bytes(document, format, &[rig::convert(Format::Pdf)]);
    let made = made.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let text = poppler::words(made.path()).join(" ");
    assert!(text.contains(OWN), "{name}: {text}");
    assert_eq!(made.warnings(), ["external_link_blocked"], "{name}");
    let page = poppler::picture(made.path(), 1, 50);
    assert!(!page.pixels().any(is_red), "{name} shows the picture");
    text
}

fn paragraph() -> String {
    format!("<w:p><w:r><w:t>{OWN}</w:t></w:r></w:p>")
}

/// A field of a word-processor document with its instruction in two runs, and without a result.
fn field(instruction: &str) -> String {
    let run = |inner: &str| format!("<w:r>{inner}</w:r>");
    let character = |kind: &str| run(&format!(r#"<w:fldChar w:fldCharType="{kind}"/>"#));
    let (head, tail) = instruction.split_at(4);
    let text = |text: &str| {
        run(&format!(
            r#"<w:instrText xml:space="preserve">{text}</w:instrText>"#
        ))
    };
    let (begin, separate, end) = (character("begin"), character("separate"), character("end"));
    format!(
        "{}<w:p>{begin}{}{}{separate}{end}</w:p>",
        paragraph(),
        text(head),
        text(tail)
    )
}

/// Rich text with a field of this instruction.
fn rtf(instruction: &str) -> Vec<u8> {
    format!(r"{{\rtf1 {OWN} {{\field{{\*\fldinst {instruction}}}{{\fldrslt}}}} after}}")
        .into_bytes()
}

fn odt(body: &str) -> Vec<u8> {
    open_document("text", &format!("<text:p>{OWN}</text:p>{body}"))
}

fn ods(cell: &str, source: &str) -> Vec<u8> {
    let own = format!(
        r#"<table:table-cell office:value-type="string"><text:p>{OWN}</text:p></table:table-cell>"#
    );
    open_document(
        "spreadsheet",
        &format!(
            r#"<table:table table:name="S">{source}<table:table-row>{own}{cell}</table:table-row></table:table>"#
        ),
    )
}

fn framed(element: &str, target: &str) -> String {
    format!(
        r#"<text:p><draw:frame svg:width="8cm" svg:height="8cm" text:anchor-type="as-char"><draw:{element} xlink:href="{target}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>"#
    )
}

/// Documents of word processors that ask for the text.
pub(crate) fn written() -> Vec<(&'static str, Format, Vec<u8>)> {
    let chunk = relationship("rId9", "aFChunk", TEXT);
    let part = relationship("rId9", "subDocument", TEXT);
    vec![
        (
            "text",
            Format::Docx,
            docx(&field(&format!("INCLUDETEXT \"{TEXT}\"")), ""),
        ),
        (
            "exchange",
            Format::Docx,
            docx(&field("DDEAUTO soffice \"/etc/passwd\" 1"), ""),
        ),
        (
            "chunk",
            Format::Docx,
            docx(
                &format!("{}<w:altChunk r:id=\"rId9\"/>", paragraph()),
                &chunk,
            ),
        ),
        (
            "part",
            Format::Docx,
            docx(
                &format!("{}<w:p><w:subDoc r:id=\"rId9\"/></w:p>", paragraph()),
                &part,
            ),
        ),
        ("text", Format::Rtf, rtf(&format!("INCLUDETEXT \"{TEXT}\""))),
        (
            "exchange",
            Format::Rtf,
            rtf("DDEAUTO soffice \"/etc/passwd\" 1"),
        ),
        (
            "link",
            Format::Rtf,
            rtf("LINK soffice \"/etc/passwd\" \"\" \\\\a \\\\t"),
        ),
        (
            "section",
            Format::Odt,
            odt(&format!(
                r#"<text:section text:name="A"><text:section-source xlink:href="{TEXT}" xlink:type="simple" text:filter-name="Text"/></text:section>"#
            )),
        ),
        (
            "exchange",
            Format::Odt,
            odt(
                r#"<text:section text:name="A"><office:dde-source office:dde-application="soffice" office:dde-topic="/etc/passwd" office:dde-item="1" office:automatic-update="true"/></text:section>"#,
            ),
        ),
        ("object", Format::Odt, odt(&framed("object", TEXT))),
        ("frame", Format::Odt, odt(&framed("floating-frame", TEXT))),
    ]
}

/// Spreadsheets that ask for the text.
pub(crate) fn calculated() -> Vec<(&'static str, Format, Vec<u8>)> {
    let own = format!(r#"<c r="A1" t="inlineStr"><is><t>{OWN}</t></is></c>"#);
    let formula = |formula: &str| {
        format!(r#"<table:table-cell table:formula="of:={formula}" office:value-type="string"/>"#)
    };
    let book = r#"<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><externalBook r:id="rId1"><sheetNames><sheetName val="passwd"/></sheetNames></externalBook></externalLink>"#;
    let path = relationship("rId1", "externalLinkPath", TEXT);
    let paths = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{path}</Relationships>"#
    );
    let parts = [
        ("xl/externalLinks/externalLink1.xml", book.to_owned()),
        ("xl/externalLinks/_rels/externalLink1.xml.rels", paths),
    ];
    let external = relationship("rId2", "externalLink", "externalLinks/externalLink1.xml");
    let references = r#"<externalReferences><externalReference r:id="rId2"/></externalReferences>"#;
    vec![
        (
            "service",
            Format::Xlsx,
            xlsx(
                &format!(r#"{own}<c r="B1"><f>_xlfn.WEBSERVICE("{TEXT}")</f></c>"#),
                "",
                "",
                &[],
            ),
        ),
        (
            "book",
            Format::Xlsx,
            xlsx(
                &format!(r#"{own}<c r="B1"><f>[1]passwd!A1</f></c>"#),
                &external,
                references,
                &parts,
            ),
        ),
        (
            "service",
            Format::Ods,
            ods(&formula(&format!("WEBSERVICE(&quot;{TEXT}&quot;)")), ""),
        ),
        (
            "book",
            Format::Ods,
            ods(&formula(&format!("'{TEXT}'#$passwd.A1")), ""),
        ),
        (
            "source",
            Format::Ods,
            ods(
                "",
                &format!(
                    r#"<table:table-source xlink:href="{TEXT}" xlink:type="simple" table:filter-name="Text - txt - csv (StarCalc)" table:filter-options="44,34,76,1" table:table-name="passwd" table:mode="copy-all"/>"#
                ),
            ),
        ),
    ]
}

#[test]
fn the_list_of_users_is_in_no_result() {
    // Children may read it, so it is not for that reason that it is missing.
    assert!(
        std::fs::read_to_string("/etc/passwd")
            .unwrap()
            .contains(SECRET)
    );
    let documents = written().into_iter().chain(calculated()).collect();
    rig::each(documents, |(name, format, document)| {
        let text = text_of(&format!("{name} in {format}"), &document, format);
        assert!(!text.contains(SECRET), "{name} in {format}: {text}");
    });
}

#[test]
fn a_picture_of_the_machine_is_in_no_result() {
    let picture = picture();
    let (target, path) = (url(&picture), picture.path().display());
    let instruction = format!("INCLUDEPICTURE \"{target}\" \\\\d");
    let linked = relationship("rId9", "image", &target);
    let drawing = r#"<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:200pt;height:200pt"><v:imagedata r:id="rId9"/></v:shape></w:pict></w:r></w:p>"#;
    let documents = vec![
        ("field", Format::Rtf, rtf(&instruction)),
        (
            "path",
            Format::Rtf,
            rtf(&format!("INCLUDEPICTURE \"{path}\" \\\\d")),
        ),
        (
            "group",
            Format::Rtf,
            rtf(&format!("{{ {instruction} MERGEFORMATINET}}")),
        ),
        (
            "field",
            Format::Docx,
            docx(&field(&instruction.replace("\\\\", "\\")), ""),
        ),
        (
            "shape",
            Format::Docx,
            docx(&format!("{}{drawing}", paragraph()), &linked),
        ),
        ("frame", Format::Odt, odt(&framed("image", &target))),
    ];
    rig::each(documents, |(name, format, document)| {
        text_of(&format!("{name} in {format}"), &document, format);
    });
}

#[test]
fn what_surrounds_a_field_stays_and_links_to_follow_are_no_matter() {
    let document = rtf("HYPERLINK \"https://example.com/INCLUDEPICTURE\"");
    let made = rig::run_bytes(&document, Format::Rtf, &[rig::convert(Format::Pdf)]).unwrap();
    assert_eq!(made.warnings(), Vec::<&str>::new());
    let result = rtf("INCLUDETEXT \"/etc/passwd\"");
    let result = String::from_utf8(result)
        .unwrap()
        .replace(r"{\fldrslt}", r"{\fldrslt stored}");
    let text = text_of("a stored result", result.as_bytes(), Format::Rtf);
    assert_eq!(text, "besides stored after");
    let link = relationship("rId9", "hyperlink", "https://example.com/");
    let body =
        format!(r#"<w:p><w:hyperlink r:id="rId9"><w:r><w:t>{OWN}</w:t></w:r></w:hyperlink></w:p>"#);
    let made = rig::run_bytes(
        &docx(&body, &link),
        Format::Docx,
        &[rig::convert(Format::Pdf)],
    );
    assert_eq!(made.unwrap().warnings(), Vec::<&str>::new());
}

#[test]
fn a_formula_of_a_text_file_is_text() {
    let text = format!("{OWN},\"=WEBSERVICE(\"\"{TEXT}\"\")\"\n{OWN},='{TEXT}'#$passwd.A1\n");
    let made = rig::run_bytes(text.as_bytes(), Format::Csv, &[rig::convert(Format::Pdf)]).unwrap();
    let text = poppler::words(made.path()).join(" ");
    assert!(
        text.contains("=WEBSERVICE(\"file:///etc/passwd\")"),
        "{text}"
    );
    assert!(!text.contains(SECRET), "{text}");
    assert_eq!(made.warnings(), Vec::<&str>::new());
}

#[test]
fn a_page_of_the_web_that_claims_to_be_a_document_is_none() {
    let page = format!("<html><body>{OWN}<iframe src=\"{TEXT}\"></iframe></body></html>");
    for format in [Format::Doc, Format::Docx, Format::Rtf, Format::Xls] {
        let refused = rig::refused(page.as_bytes(), format);
        assert_eq!(refused, Some(JobErrorCode::InputCorrupt), "{format}");
    }
}
