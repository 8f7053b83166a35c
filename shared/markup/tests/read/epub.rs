//! EPUB by feature.

use domain::format::Format;
use markup::{Document, MarkupError, Options, read_as_html};

use crate::made::{archive, lines, opened, warnings};

/// A book of chapters `a.xhtml`, `b.xhtml` … with more parts.
fn book(chapters: &[&str], more: &[(&str, &str)]) -> Vec<u8> {
    let names = ["a.xhtml", "b.xhtml", "c.xhtml"].into_iter().zip(chapters);
    let names: Vec<(&str, &str)> = names.map(|(name, text)| (name, *text)).collect();
    let items = names.iter().map(|(name, _)| {
        format!("<item id='{name}' href='{name}' media-type='application/xhtml+xml'/>")
    });
    let references = names.iter();
    let references = references.map(|(name, _)| format!("<itemref idref='{name}'/>"));
    let document = format!(
        "<package xmlns='http://www.idpf.org/2007/opf' xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title> A\n book</dc:title>\
         <dc:language>fr</dc:language></metadata><manifest>{}</manifest><spine>{}</spine></package>",
        items.collect::<String>(),
        references.collect::<String>()
    );
    let container = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>\
        <rootfile full-path='book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>";
    let parts = [
        ("mimetype", Format::Epub.mime_type()),
        ("META-INF/container.xml", container),
        ("book.opf", &document),
    ];
    archive(&[&parts, &names[..], more].concat())
}

fn read(chapters: &[&str], more: &[(&str, &str)]) -> Document {
    opened(&book(chapters, more), Format::Epub).unwrap()
}

#[test]
fn chapters_are_read_in_order_with_links_between_them() {
    let document = read(
        &[
            "<html><head><title/><style/></head><body><h1>One<a id='x'/></h1><p>to <a href='b.xhtml#y'>two</a></p></body></html>",
            "<html><body><p id='y'>back <a href='a.xhtml#x'>one</a> <a href='gone.xhtml'>gone</a> <a href='javascript:a()'>no</a></p></body></html>",
        ],
        &[],
    );
    assert_eq!(
        lines(&document),
        [
            "h1: One",
            "p: to ⟨two|→#page=1⟩",
            "p: back ⟨one|→#page=1⟩ gone no"
        ]
    );
    assert_eq!(document.metadata.title.as_deref(), Some("A book"));
    assert_eq!(document.metadata.language.as_deref(), Some("fr"));
    assert_eq!(warnings(&document), [("links_left_out", 2)]);
}

#[test]
fn scripts_hidden_text_and_remote_resources_are_left_out() {
    let document = read(
        &[
            "<body><script>a('</p>')</script><p onclick='b()'>shown</p><p style='display: none'>hidden</p>\
           <iframe src='https://a.example/'>framed</iframe><img src='https://a.example/a.png'/><img src='gone.png'/></body>",
        ],
        &[],
    );
    assert_eq!(lines(&document), ["p: shown"]);
    let found = warnings(&document);
    for code in [
        "external_link_blocked",
        "hidden_left_out",
        "object_left_out",
        "picture_missing",
    ] {
        assert!(found.iter().any(|(found, _)| *found == code), "{found:?}");
    }
}

#[test]
fn images_are_embedded_also_those_of_a_drawing_around_them() {
    let chapter = "<svg><image xlink:href='i.png'/></svg><img src='./i.png' alt='b'/>";
    let document = read(&[chapter], &[("i.png", "picture")]);
    assert_eq!(document.pictures.count(), 2);
}

#[test]
fn unclosed_elements_end_with_their_chapter() {
    let document = read(&["<p><b>bold", "<p>plain</p>"], &[]);
    assert_eq!(lines(&document), ["p: ⟨bold|b⟩", "p: plain"]);
}

#[test]
fn books_without_chapters_and_large_books_are_rejected() {
    let empty = opened(&book(&[], &[]), Format::Epub);
    assert!(matches!(empty, Err(MarkupError::Corrupt(_))));
    let other = archive(&[("mimetype", Format::Epub.mime_type())]);
    assert!(matches!(
        opened(&other, Format::Epub),
        Err(MarkupError::Mismatch)
    ));
    let images = "<img src='i.png'/>".repeat(40);
    let noise: String = (0..1_000_000_u32)
        .map(|i| char::from(33 + (i.wrapping_mul(2_654_435_761) >> 25) as u8 % 90))
        .collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), book(&[&images], &[("i.png", &noise)])).unwrap();
    let large = read_as_html(file.path(), Format::Epub, &Options::default());
    assert!(matches!(large, Err(MarkupError::TooLarge(_))));
}
