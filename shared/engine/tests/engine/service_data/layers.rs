//! Everything that a file contains, with compressed and encoded parts as plain bytes.

use std::io::{Cursor, Read as _};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lopdf::{Document, Object};
use zip::ZipArchive;

use crate::sample_documents::{package, pdf, stream};

/// Length from which hexadecimal digits or base64 may be a file.
const ENCODED: usize = 64;

/// Calls `take` with a file and with each of its parts: those of packages and archives, the streams, strings and page texts of
/// PDFs, and files in hexadecimal digits or base64.
pub(crate) fn for_each(file: &[u8], take: &mut dyn FnMut(&[u8])) {
    take(file);
    match file {
        [b'P', b'K', 3, 4, ..] => each_entry(file, take),
        [b'%', b'P', b'D', b'F', ..] => each_object(file, take),
        _ if std::str::from_utf8(file).is_ok() => each_encoded(file, take),
        _ => {}
    }
}

fn each_entry(file: &[u8], take: &mut dyn FnMut(&[u8])) {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(file)) else {
        return;
    };
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        take(entry.name().unwrap().as_bytes());
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        for_each(&bytes, take);
    }
}

fn each_object(file: &[u8], take: &mut dyn FnMut(&[u8])) {
    if let Ok(document) = Document::load_mem(file) {
        each_value(&Object::Dictionary(document.trailer.clone()), take);
        document
            .objects
            .values()
            .for_each(|object| each_value(object, take));
    }
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), file).unwrap();
    // Fonts may encode text in their own way.
    let text = Command::new("pdftotext").arg(path.path()).arg("-").output();
    take(&text.unwrap().stdout);
}

fn each_value(object: &Object, take: &mut dyn FnMut(&[u8])) {
    match object {
        Object::String(bytes, _) | Object::Name(bytes) => take(bytes),
        Object::Array(items) => items.iter().for_each(|item| each_value(item, take)),
        Object::Dictionary(entries) => entries
            .iter()
            .for_each(|(_, value)| each_value(value, take)),
        Object::Stream(stream) => {
            let entries = stream.dict.iter();
            entries.for_each(|(_, value)| each_value(value, take));
            match stream.decompressed_content() {
                Ok(content) => for_each(&content, take),
                Err(_) => for_each(&stream.content, take),
            }
        }
        _ => {}
    }
}

/// Calls `take` with each run of hexadecimal digits (RTF) or base64 (HTML, JSON) that may be a file.
fn each_encoded(text: &[u8], take: &mut dyn FnMut(&[u8])) {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    // A control word of RTF may end in a digit before the first one of a picture.
    for digits in runs(text, |byte| byte.is_ascii_hexdigit()) {
        take(&hexadecimal(&digits));
        take(&hexadecimal(&digits[1..]));
    }
    for digits in runs(text, is_base64) {
        if let Ok(file) = STANDARD.decode(&digits) {
            for_each(&file, take);
        }
    }
}

/// The long runs of some bytes, without the line ends in them.
fn runs(text: &[u8], is_digit: fn(u8) -> bool) -> impl Iterator<Item = Vec<u8>> {
    let is_line_end = |byte: u8| matches!(byte, b'\r' | b'\n');
    let runs = text.split(move |byte| !is_digit(*byte) && !is_line_end(*byte));
    runs.filter(|run| run.len() >= ENCODED)
        .map(move |run| {
            run.iter()
                .copied()
                .filter(|byte| is_digit(*byte))
                .collect::<Vec<u8>>()
        })
        .filter(|digits| digits.len() >= ENCODED)
}

fn hexadecimal(digits: &[u8]) -> Vec<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16).unwrap() as u8;
    let (pairs, _) = digits.as_chunks::<2>();
    pairs
        .iter()
        .map(|[high, low]| (value(*high) << 4) | value(*low))
        .collect()
}

/// Files that contain a text, each in another way.
pub(super) fn samples(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let padded = format!("{}{text}{}", " ".repeat(ENCODED), " ".repeat(ENCODED));
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let digits: String = padded.bytes().map(|byte| format!("{byte:02x}")).collect();
    let inner = package([("part.xml", &padded)]);
    let info = |entry: &[u8]| {
        let info = [b"<</Title ", entry, b">>"].concat();
        pdf(&[
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[]/Count 0>>".to_vec(),
            info,
        ])
    };
    let hexadecimal_title: String = utf16.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut compressed = lopdf::Stream::new(lopdf::Dictionary::new(), padded.clone().into_bytes());
    compressed.compress().unwrap();
    let content = stream("/Filter/FlateDecode", &compressed.content);
    vec![
        ("text", padded.clone().into_bytes()),
        ("name of a part", package([(text, "")])),
        ("package in a package", package([("inner.zip", inner)])),
        (
            "hexadecimal",
            format!("{{\\rtf1 {{\\pict\\picw100\n{digits}}}}}").into_bytes(),
        ),
        (
            "base64",
            format!(
                "<img src='data:image/png;base64,{}'>",
                STANDARD.encode(&padded)
            )
            .into_bytes(),
        ),
        (
            "string of a PDF",
            info(format!("<FEFF{hexadecimal_title}>").as_bytes()),
        ),
        (
            "stream of a PDF",
            pdf(&[
                b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
                b"<</Type/Pages/Kids[]/Count 0>>".to_vec(),
                content,
            ]),
        ),
    ]
}
