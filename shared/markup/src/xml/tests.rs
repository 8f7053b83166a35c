//! XML that is parsed or rejected.

use super::*;
use crate::limits::Limits;

fn read(text: &str) -> Result<Element> {
    tree(text.as_bytes(), &Budget::new(Limits::default()))
}

const W: &str = "xmlns:q='http://purl.oclc.org/ooxml/wordprocessingml/main'";

#[test]
fn names_have_the_prefix_of_their_namespace() {
    let root = read(&format!(
        "<q:p {W} q:a='1' b='&lt;2'>x&amp;&#233;<![CDATA[<y>]]><r/></q:p>"
    ))
    .unwrap();
    assert_eq!(root.name(), "w:p");
    assert_eq!((root.get("w:a"), root.get("b")), (Some("1"), Some("<2")));
    assert_eq!(root.text(), "x&é<y>");
    assert!(root.find("r").is_some());
}

#[test]
fn the_innermost_prefix_declaration_applies() {
    let root =
        read("<a:x xmlns:a='urn:one'><a:y xmlns:a='urn:schemas-microsoft-com:vml'/><a:z/></a:x>")
            .unwrap();
    let names: Vec<&str> = root.elements().map(Element::name).collect();
    assert_eq!(names, ["v:y", "?:z"]);
}

#[test]
fn the_first_supported_alternative_is_read() {
    let body = "<m:AlternateContent><m:Choice Requires='u'><a/></m:Choice><m:Choice Requires='q'><b/></m:Choice>\
                <m:Fallback><c/></m:Fallback></m:AlternateContent>";
    let mc =
        "xmlns:m='http://schemas.openxmlformats.org/markup-compatibility/2006' xmlns:u='urn:u'";
    let root = read(&format!("<q:p {W} {mc}>{body}</q:p>")).unwrap();
    let names: Vec<&str> = root.elements().map(Element::name).collect();
    assert_eq!(names, ["b"]);
}

#[test]
fn declared_entities_are_rejected_or_dropped() {
    let bomb = "<!DOCTYPE a [<!ENTITY b \"cc\">]><a>&b;</a>";
    assert!(matches!(read(bomb), Err(MarkupError::Corrupt(_))));
    assert_eq!(read("<a>x&b;y</a>").unwrap().text(), "xy");
    let wide: Vec<u8> = bomb.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused = tree(&wide, &Budget::new(Limits::default()));
    assert!(matches!(refused, Err(MarkupError::Corrupt(_))));
}

#[test]
fn malformed_xml_is_rejected() {
    for text in [
        "",
        "<a>",
        "<a></b>",
        "</a>",
        "text",
        "<a b=c",
        "<a><b></a></b>",
    ] {
        assert!(matches!(read(text), Err(MarkupError::Corrupt(_))), "{text}");
    }
}

#[test]
fn depth_and_elements_are_limited() {
    let deep = |depth: usize| read(&("<a>".repeat(depth) + &"</a>".repeat(depth)));
    assert!(deep(256).is_ok());
    assert!(matches!(deep(257), Err(MarkupError::TooLarge(_))));
    let few = Limits {
        elements: 3,
        ..Limits::default()
    };
    let read = |text: &str| tree(text.as_bytes(), &Budget::new(few));
    assert!(read("<a><b/><b/></a>").is_ok());
    assert!(matches!(
        read("<a><b/><b c=''/></a>"),
        Err(MarkupError::TooLarge(_))
    ));
}

#[test]
fn other_encodings_are_decoded() {
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
    let root = tree(latin, &Budget::new(Limits::default())).unwrap();
    assert_eq!(root.text(), "é");
}
