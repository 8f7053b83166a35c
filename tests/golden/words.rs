//! Extracts the words of a document without any engine.

use std::collections::BTreeSet;
use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use crate::samples::{BOOK, MAILS, WORKBOOK};

/// Words of documents in formats not parsed here, copied from an office suite.
const KNOWN_WORDS: &[(&str, &str)] = &[
    (
        "doc/Lists.doc",
        "Heading Level document different lists testing Unordered Next ordered bullet style Tick Multi",
    ),
    (
        "doc/greek_heading_styles.doc",
        "Überschriften nicht Sprache Problem lokalisierten Dokumenten Jedes Dokument keine",
    ),
    (
        "doc/testWORD_various.doc",
        "This header text Footnote appears Bold italic superscript subscript Bullet numbered hyperlink Suddenly Japanese",
    ),
    (
        BOOK,
        "Harbor report ferry leaves northern Juist Baltrum lighthouse dunes",
    ),
    (
        MAILS[0],
        "Harbor report ferry timetable Petersen crew Northern Juist Baltrum lighthouse dunes winmail",
    ),
    (
        MAILS[1],
        "Harbor report ferry timetable Petersen Northern Juist Baltrum lighthouse dunes plan notes",
    ),
    (
        "rtf/testRTFWord2010CzechCharacters.rtf",
        "Článek týdne Část svitku textem Knihy Izajáš Mrtvého moře starověké židovské Kumránu",
    ),
    (
        "rtf/testRTFVarious.rtf",
        "This header text Footnote appears Bold italic underline superscript subscript Bullet numbered hyperlink Keyword1",
    ),
    (WORKBOOK, "Größe inline words"),
    ("xls/merge_cells.xls", "Merge Merged Chunk Column"),
    (
        "xls/WithThreeCharts.xls",
        "Column Chart Title Thingy Sheet with Base Numbers Squares",
    ),
    (
        "ppt/bullets.ppt",
        "Title text placeholder follows design pattern Defined slide master bullets default user defined character",
    ),
    ("ppt/54880_chinese.ppt", "Single byte 複数の文字 カタカナ"),
];

/// The words of a source; empty if unknown.
pub(crate) fn of_source(format: &str, file: &str, bytes: &[u8]) -> BTreeSet<String> {
    let text = match format {
        "docx" => part_texts(bytes, |name| name == "word/document.xml", Some("w:t")),
        "pptx" => part_texts(
            bytes,
            |name| name.starts_with("ppt/slides/slide"),
            Some("a:t"),
        ),
        "xlsx" => part_texts(bytes, |name| name == "xl/sharedStrings.xml", Some("t")),
        "odt" | "ods" | "odp" => part_texts(bytes, |name| name == "content.xml", None),
        "txt" | "csv" | "tsv" => plain_text(bytes),
        "html" => between_tags(&plain_text(bytes)),
        "md" => without_addresses(&plain_text(bytes)),
        _ => known_words(file),
    };
    of_text(&text)
}

/// The words of a text: runs of at least four letters, and every character of scripts without spaces. Right-to-left scripts
/// are excluded: programs output their letters in different orders.
pub(crate) fn of_text(text: &str) -> BTreeSet<String> {
    let (mut words, mut word) = (BTreeSet::new(), String::new());
    for character in text.chars().chain([' ']) {
        match character {
            'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{52f}' => word.push(character),
            '\u{3041}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => {
                words.insert(character.to_string());
            }
            _ if word.chars().count() >= 4 => {
                words.insert(std::mem::take(&mut word));
            }
            _ => word.clear(),
        }
    }
    words
}

/// The words missing from a text, ignoring line breaks.
pub(crate) fn missing<'a>(words: &'a BTreeSet<String>, text: &str) -> Vec<&'a str> {
    let ligatures = [
        ("ﬁ", "fi"),
        ("ﬂ", "fl"),
        ("ﬀ", "ff"),
        ("ﬃ", "ffi"),
        ("ﬄ", "ffl"),
    ];
    let mut text: String = text.split_whitespace().collect();
    for (ligature, letters) in ligatures {
        text = text.replace(ligature, letters);
    }
    let words = words.iter().map(String::as_str);
    words.filter(|word| !text.contains(word)).collect()
}

fn known_words(file: &str) -> String {
    let found = KNOWN_WORDS.iter().find(|(name, _)| *name == file);
    found.map_or_else(String::new, |(_, words)| (*words).to_owned())
}

/// The text between the tags of a page's body.
fn between_tags(page: &str) -> String {
    let body = page.split_once("<body").map_or(page, |(_, body)| body);
    let mut text = String::new();
    for part in body.split('<').skip(1) {
        text += part.split_once('>').map_or("", |(_, text)| text);
        text.push(' ');
    }
    text
}

/// Markdown without link targets.
fn without_addresses(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push(' ');
        text += part.split_once(')').map_or("", |(_, text)| text);
    }
    text
}

/// Decodes UTF-8 or UTF-16 with a byte order mark; empty for other encodings.
fn plain_text(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => String::from_utf16_lossy(&pairs(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => String::from_utf16_lossy(&pairs(rest, u16::from_be_bytes)),
        _ => String::from_utf8(bytes.to_vec()).unwrap_or_default(),
    }
}

fn pairs(bytes: &[u8], read: fn([u8; 2]) -> u16) -> Vec<u16> {
    bytes
        .chunks_exact(2)
        .map(|pair| read([pair[0], pair[1]]))
        .collect()
}

/// The text of some parts of an archive.
fn part_texts(bytes: &[u8], wanted: impl Fn(&str) -> bool, element: Option<&str>) -> String {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().into_owned();
        if wanted(&name) && name.ends_with(".xml") {
            let mut xml = String::new();
            part.read_to_string(&mut xml).unwrap();
            text.push_str(&xml_text(&xml, element));
        }
    }
    text
}

/// A body without speaker notes and comments, which are not printed.
fn printed(body: &str) -> String {
    let mut printed = body.to_owned();
    for element in ["presentation:notes", "office:annotation"] {
        let (open, close) = (format!("<{element} "), format!("</{element}>"));
        while let Some(start) = printed.find(&open)
            && let Some(length) = printed.split_at(start).1.find(&close)
        {
            printed.replace_range(start..start + length + close.len(), "");
        }
    }
    printed
}

/// The text inside elements of a name, or all text of an OpenDocument body. Paragraph ends separate words.
fn xml_text(xml: &str, element: Option<&str>) -> String {
    const ENDS: [&str; 12] = [
        "/w:p",
        "w:tab/",
        "w:br/",
        "/a:p",
        "a:br/",
        "/si",
        "/text:p",
        "/text:h",
        "text:tab/",
        "text:s/",
        "text:line-break/",
        "/rPh",
    ];
    let xml = match element {
        Some(_) => xml,
        None => &printed(xml.split_once("<office:body").map_or("", |(_, body)| body)),
    };
    let (mut text, mut inside) = (String::new(), element.is_none());
    for piece in xml.split('<').skip(1) {
        let (tag, content) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag.split_whitespace().next().unwrap_or_default();
        if element.is_some() {
            inside = Some(name) == element;
        }
        if ENDS.contains(&name) {
            text.push(' ');
        }
        if inside {
            text.push_str(content);
        }
    }
    text.replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
}
