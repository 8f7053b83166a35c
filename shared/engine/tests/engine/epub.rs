//! EPUB books: chapters in the order of the spine, without scripts and remote resources.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::CONVERSIONS;

use crate::office_content::content;
use crate::sample_documents::package;
use crate::{harness, poppler};

const CONTAINER: &str = r#"<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;
/// The first chapter of the spine. Its empty `title` and `a` are not closed in HTML.
const FIRST: &str = r##"<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/><script>document.body.textContent = "scripted"</script></head><body onload="run()"><h1>Ferry<a id="top"/> timetable</h1><p>The boat leaves at <em>noon</em>&#160;sharp, see <a href="two%20b.xhtml#end">departure</a>.</p><img src="../images/red.png" alt="pier"/><table><tr><td>Juist</td><td>1204</td></tr></table></body></html>"##;
/// The second one is HTML that is not well-formed.
const SECOND: &str = r##"<html><body><h1>Harbor</h1><ul><li>lighthouse<li>dunes</ul><p id="end">Back to <a href="one.xhtml#top">the start</a><p>Last words</body>"##;
const RED: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, b'I', b'D', b'A', b'T',
    0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I',
    b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// A book of these chapters, whose files are not in the order of the spine, with more parts.
fn book(chapters: [&str; 2], more: &[(&str, &str)]) -> Vec<u8> {
    let document = r#"<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Islands</dc:title><dc:language>en</dc:language></metadata><manifest><item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="i" href="images/red.png" media-type="image/png"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>"#;
    let [first, second] = chapters;
    let parts: [(&str, &[u8]); 6] = [
        ("mimetype", Format::Epub.mime_type().as_bytes()),
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("OPS/text/two b.xhtml", second.as_bytes()),
        ("OPS/text/one.xhtml", first.as_bytes()),
        ("OPS/images/red.png", RED),
        ("OPS/book.opf", document.as_bytes()),
    ];
    let more = more.iter().map(|(name, text)| (*name, text.as_bytes()));
    package(parts.into_iter().chain(more))
}

fn convert(book: &[u8], to: Format) -> harness::Converted {
    let result = harness::run_bytes(book, Format::Epub, &[harness::convert(to)]);
    result.unwrap_or_else(|error| panic!("{to}: {error:?}"))
}

#[test]
fn every_conversion_keeps_the_chapters_in_order() {
    let book = book([FIRST, SECOND], &[]);
    let rows = CONVERSIONS
        .iter()
        .filter(|row| row.from.contains(&Format::Epub));
    let targets: Vec<Format> = rows.map(|row| row.to).collect();
    assert_eq!(targets.len(), 6);
    harness::each(targets, |to| {
        let result = convert(&book, to);
        let text = match to {
            Format::Pdf => poppler::words(result.path()).join(" "),
            _ => content(result.path()),
        };
        let words = [
            "Ferry",
            "noon",
            "departure",
            "Juist",
            "Harbor",
            "dunes",
            "Last",
        ];
        let places = words.map(|word| text.find(word).unwrap_or_else(|| panic!("{to}: {word}")));
        assert!(places.is_sorted(), "{to}: {places:?}");
        for absent in ["scripted", "a.js", "run()"] {
            assert!(!text.contains(absent), "{to}: {absent}");
        }
        let missing = [
            "content_missing",
            "content_reordered",
            "content_not_verified",
        ];
        assert!(
            !result.warnings().iter().any(|code| missing.contains(code)),
            "{to}"
        );
        if to == Format::Pdf {
            assert_eq!(result.artifact.pages, 2);
        }
        if to == Format::Html {
            assert!(text.contains("<title>Islands</title>"), "{text}");
        }
        let drops_image = result.warnings().contains(&"picture_missing");
        assert_eq!(drops_image, to == Format::Markdown, "{to}");
    });
}

#[test]
fn remote_resources_are_not_fetched() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let remote = format!(
        "<html><head><link rel='stylesheet' href='http://{address}/a.css'/></head><body style='background: url(http://{address}/b.png)'><p>shown words</p><img src='http://{address}/c.png'/><img src='absent.png'/><iframe src='http://{address}/d'/></body></html>"
    );
    let book = book([&remote, SECOND], &[]);
    for to in [Format::Pdf, Format::Html] {
        let result = convert(&book, to);
        let warnings = result.warnings();
        for code in [
            "external_link_blocked",
            "picture_missing",
            "object_left_out",
        ] {
            assert!(warnings.contains(&code), "{to}: {warnings:?}");
        }
        assert!(
            !content(result.path()).contains(&address.to_string()),
            "{to}"
        );
    }
    assert!(listener.accept().is_err());
}

#[test]
fn encrypted_books_are_rejected_and_obfuscated_fonts_are_not_used() {
    let encrypted = |algorithm: &str| {
        let encryption = format!(
            "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><EncryptedData xmlns='http://www.w3.org/2001/04/xmlenc#'><EncryptionMethod Algorithm='{algorithm}'/></EncryptedData></encryption>"
        );
        let book = book([FIRST, SECOND], &[("META-INF/encryption.xml", &encryption)]);
        harness::rejection_code(&book, Format::Epub)
    };
    let encryption = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";
    assert_eq!(encrypted(encryption), Some(JobErrorCode::PermissionDenied));
    assert_eq!(encrypted("http://www.idpf.org/2008/embedding"), None);
}

#[test]
fn damaged_and_mislabeled_books_are_rejected() {
    let without_chapters = package([
        ("mimetype", Format::Epub.mime_type()),
        ("META-INF/container.xml", CONTAINER),
        (
            "OPS/book.opf",
            "<package xmlns=\"http://www.idpf.org/2007/opf\"/>",
        ),
    ]);
    let corrupt = Some(JobErrorCode::InputCorrupt);
    assert_eq!(
        harness::rejection_code(&without_chapters, Format::Epub),
        corrupt
    );
    let mismatch = Some(JobErrorCode::ContentMismatch);
    let book = book([FIRST, SECOND], &[]);
    assert_eq!(harness::rejection_code(&book, Format::Docx), mismatch);
    assert_eq!(harness::rejection_code(&book, Format::Odt), mismatch);
}
