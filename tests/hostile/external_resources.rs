//! Documents that reference external resources.

use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tempfile::NamedTempFile;
use tests::client::Client;
use tests::documents::{archive, docx, paragraph};
use tests::stack::stack;

/// The own text of every document.
const TEXT: &str = "besides";

/// References to an image on a local listening socket, one for each format: no conversion connects.
pub(crate) async fn no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/picture.png", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    let client = Client::with_key(Some(&stack().keys["business"]));
    for (name, format, bytes) in linked_pictures(&url) {
        let job = client
            .convert(&format!("linked.{format}"), bytes, format, "pdf")
            .await;
        assert_clear_outcome(name, &job);
        assert_eq!(connections.load(Ordering::SeqCst), 0, "{name} was fetched");
    }
}

/// References to local text files, one for each format: no result contains their text. The engines cannot read the first
/// file and can read the second.
pub(crate) async fn no_local_file() {
    let secret = NamedTempFile::with_suffix(".txt").unwrap();
    std::fs::write(secret.path(), "confidential").unwrap();
    let hidden = format!("file://{}", secret.path().display());
    let client = Client::with_key(Some(&stack().keys["business"]));
    for (url, content) in [
        (hidden.as_str(), "confidential"),
        ("file:///etc/passwd", "root:"),
    ] {
        for (name, format, bytes) in linked_texts(url) {
            let job = client
                .convert(&format!("linked.{format}"), bytes, format, "pdf")
                .await;
            let name = format!("{name} in {format} to {url}");
            assert_eq!(job["status"], "completed", "{name}: {job}");
            let text = text_of(&client.result(&job).await);
            assert!(text.contains(TEXT), "{name}: {text}");
            assert!(!text.contains(content), "{name}: {text}");
            assert_warned(&name, format, &job);
        }
    }
}

/// Expects a warning for blocked external resources, except for CSV, which cannot reference any.
fn assert_warned(name: &str, format: &str, job: &Value) {
    let warnings = job["warnings"].as_array().unwrap();
    let codes: Vec<_> = warnings.iter().map(|warning| &warning["code"]).collect();
    match format {
        "csv" => assert!(codes.is_empty(), "{name}: {job}"),
        _ => assert_eq!(codes, ["external_link_blocked"], "{name}: {job}"),
    }
}

fn assert_clear_outcome(name: &str, job: &Value) {
    let is_rejected = job["status"] == "failed" && job["error"]["code"] == "input_corrupt";
    assert!(is_rejected || job["status"] == "completed", "{name}: {job}");
}

fn text_of(pdf: &[u8]) -> String {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let output = Command::new("pdftotext")
        .arg(file.path())
        .arg("-")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

type Document = (&'static str, &'static str, Vec<u8>);

fn linked_pictures(url: &str) -> Vec<Document> {
    vec![
        ("a relationship", "docx", docx_with_picture(url)),
        ("a frame", "odt", odt(&format!(
            r#"<text:p>{TEXT}<draw:frame svg:width="2cm" svg:height="2cm" text:anchor-type="as-char"><draw:image xlink:href="{url}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>"#
        ))),
        ("a field", "rtf", format!(
            r#"{{\rtf1 {TEXT} {{\field{{\*\fldinst INCLUDEPICTURE "{url}" \\d}}{{\fldrslt}}}}}}"#
        ).into_bytes()),
        ("a formula", "ods", ods(&format!(
            r#"<table:table-cell table:formula="of:=WEBSERVICE(&quot;{url}&quot;)" office:value-type="string"/>"#
        ))),
        ("a formula", "csv", format!("{TEXT},\"=WEBSERVICE(\"\"{url}\"\")\"\n").into_bytes()),
    ]
}

fn linked_texts(url: &str) -> Vec<Document> {
    vec![
        (
            "a section",
            "odt",
            odt(&format!(
                r#"<text:p>{TEXT}</text:p><text:section text:name="S"><text:section-source xlink:href="{url}" xlink:type="simple" text:filter-name="Text"/></text:section>"#
            )),
        ),
        (
            "a field",
            "rtf",
            format!(r#"{{\rtf1 {TEXT} {{\field{{\*\fldinst INCLUDETEXT "{url}"}}{{\fldrslt}}}}}}"#)
                .into_bytes(),
        ),
        (
            "a field",
            "docx",
            docx(
                &format!(
                    "{}<w:p><w:fldSimple w:instr=\"INCLUDETEXT &quot;{url}&quot;\"/></w:p>",
                    paragraph(TEXT)
                ),
                "",
                &[],
            ),
        ),
        (
            "a formula",
            "csv",
            format!("{TEXT},\"=WEBSERVICE(\"\"{url}\"\")\"\n").into_bytes(),
        ),
        (
            "a formula",
            "ods",
            ods(&format!(
                r#"<table:table-cell office:value-type="string"><text:p>{TEXT}</text:p></table:table-cell><table:table-cell table:formula="of:='{url}'#$Sheet1.A1" office:value-type="string"/>"#
            )),
        ),
    ]
}

fn docx_with_picture(url: &str) -> Vec<u8> {
    const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006";
    let picture = format!(
        r#"<pic:pic xmlns:pic="{DRAWING}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic>"#
    );
    let body = format!(
        r#"{}<w:p><w:r><w:drawing><wp:inline xmlns:wp="{DRAWING}/wordprocessingDrawing" xmlns:a="{DRAWING}/main"><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="{DRAWING}/picture">{picture}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"#,
        paragraph(TEXT)
    );
    let relationship = format!(
        r#"<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="{url}" TargetMode="External"/>"#
    );
    docx(&body, &relationship, &[])
}

fn odt(body: &str) -> Vec<u8> {
    open_document("text", body)
}

fn ods(cells: &str) -> Vec<u8> {
    open_document(
        "spreadsheet",
        &format!(
            r#"<table:table table:name="Sheet1"><table:table-row>{cells}</table:table-row></table:table>"#
        ),
    )
}

fn open_document(kind: &str, body: &str) -> Vec<u8> {
    let media_type = format!("application/vnd.oasis.opendocument.{kind}");
    let content = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><office:document-content office:version="1.3" xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"#
    );
    let manifest = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><manifest:manifest manifest:version="1.3" xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"#
    );
    archive([
        ("mimetype", media_type),
        ("content.xml", content),
        ("META-INF/manifest.xml", manifest),
    ])
}
