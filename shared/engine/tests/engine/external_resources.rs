//! Documents that reference external resources are converted without them, with a warning.
//!
//! The referenced files are readable by the child process: `/etc/passwd`, and an image next to its executable.

use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use tempfile::NamedTempFile;

use crate::sample_documents::{docx, open_document, relationship, xlsx};
use crate::{harness, poppler};

/// A text file that child processes can read.
const TEXT: &str = "file:///etc/passwd";
/// Text in every `/etc/passwd`.
pub(crate) const SECRET: &str = "root:";
/// The documents' own text.
const OWN: &str = "besides";

/// A red image that child processes can read.
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

/// Converts a document and returns all text, which must include its own.
fn text_of(name: &str, document: &[u8], format: Format) -> String {
    let output = harness::run_bytes(document, format, &[harness::convert(Format::Pdf)]);
    let output = output.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let text = poppler::words(output.path()).join(" ");
    assert!(text.contains(OWN), "{name}: {text}");
    assert_eq!(output.warnings(), ["external_link_blocked"], "{name}");
    let page = poppler::picture(output.path(), 1, 50);
    assert!(!page.pixels().any(is_red), "{name} shows the picture");
    text
}

fn paragraph() -> String {
    format!("<w:p><w:r><w:t>{OWN}</w:t></w:r></w:p>")
}

/// A DOCX field with its instruction in two runs, and without a cached result.
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

/// An RTF with a field of this instruction.
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

/// Text documents that reference the text file.
pub(crate) fn text_documents() -> Vec<(&'static str, Format, Vec<u8>)> {
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

/// Spreadsheets that reference the text file.
pub(crate) fn spreadsheets() -> Vec<(&'static str, Format, Vec<u8>)> {
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
fn no_result_contains_etc_passwd() {
    // The file is readable by child processes, so permissions are not the reason for its absence.
    assert!(
        std::fs::read_to_string("/etc/passwd")
            .unwrap()
            .contains(SECRET)
    );
    let documents = text_documents().into_iter().chain(spreadsheets()).collect();
    harness::each(documents, |(name, format, document)| {
        let text = text_of(&format!("{name} in {format}"), &document, format);
        assert!(!text.contains(SECRET), "{name} in {format}: {text}");
    });
}

#[test]
fn no_result_contains_a_local_image() {
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
    harness::each(documents, |(name, format, document)| {
        text_of(&format!("{name} in {format}"), &document, format);
    });
}

#[test]
fn text_around_fields_is_kept_and_hyperlinks_cause_no_warning() {
    let document = rtf("HYPERLINK \"https://example.com/INCLUDEPICTURE\"");
    let output =
        harness::run_bytes(&document, Format::Rtf, &[harness::convert(Format::Pdf)]).unwrap();
    assert_eq!(output.warnings(), Vec::<&str>::new());
    let result = rtf("INCLUDETEXT \"/etc/passwd\"");
    let result = String::from_utf8(result)
        .unwrap()
        .replace(r"{\fldrslt}", r"{\fldrslt stored}");
    let text = text_of("a field with its result", result.as_bytes(), Format::Rtf);
    assert_eq!(text, "besides stored after");
    let link = relationship("rId9", "hyperlink", "https://example.com/");
    let body =
        format!(r#"<w:p><w:hyperlink r:id="rId9"><w:r><w:t>{OWN}</w:t></w:r></w:hyperlink></w:p>"#);
    let output = harness::run_bytes(
        &docx(&body, &link),
        Format::Docx,
        &[harness::convert(Format::Pdf)],
    );
    assert_eq!(output.unwrap().warnings(), Vec::<&str>::new());
}

#[test]
fn csv_formulas_are_text() {
    let text = format!("{OWN},\"=WEBSERVICE(\"\"{TEXT}\"\")\"\n{OWN},='{TEXT}'#$passwd.A1\n");
    let output = harness::run_bytes(
        text.as_bytes(),
        Format::Csv,
        &[harness::convert(Format::Pdf)],
    )
    .unwrap();
    let text = poppler::words(output.path()).join(" ");
    assert!(
        text.contains("=WEBSERVICE(\"file:///etc/passwd\")"),
        "{text}"
    );
    assert!(!text.contains(SECRET), "{text}");
    assert_eq!(output.warnings(), Vec::<&str>::new());
}

#[test]
fn html_declared_as_an_office_document_is_rejected() {
    let page = format!("<html><body>{OWN}<iframe src=\"{TEXT}\"></iframe></body></html>");
    for format in [Format::Doc, Format::Docx, Format::Rtf, Format::Xls] {
        let rejected = harness::rejection_code(page.as_bytes(), format);
        assert_eq!(rejected, Some(JobErrorCode::InputCorrupt), "{format}");
    }
}
