//! Reads an XML part defensively: no document type declaration but those of LibreOffice's macros, no deep nesting, no encoding that could hide one.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};

use domain::limits::XML_DEPTH;
use encoding_rs::{Decoder, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};
use task::{TaskError, TaskResult};

/// An XML event.
pub(super) enum XmlEvent<'a> {
    /// A start tag.
    Element(&'a BytesStart<'a>),
    /// Text, up to the next tag or character reference.
    Text(&'a str),
}

/// Parses a part and passes every start tag and text to `take`. Content that is not XML is left to the engine.
pub(super) fn read(
    part: &mut dyn Read,
    mut take: impl FnMut(XmlEvent<'_>) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut part = BufReader::new(part);
    let Some(encoding) = encoding(part.fill_buf().map_err(TaskError::from_read_error)?) else {
        return Ok(());
    };
    let decoded = Utf8::new(part, encoding);
    let mut reader = Reader::from_reader(BufReader::new(decoded));
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    let (mut depth, mut buffer) = (0_usize, Vec::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Decl(declaration)) => check_encoding(declaration.encoding())?,
            Ok(Event::DocType(declaration)) if is_harmless(&declaration) => {}
            Ok(Event::DocType(_)) => return Err(TaskError::input_corrupt()),
            Ok(Event::Start(element)) => {
                depth += 1;
                if depth > XML_DEPTH {
                    return Err(TaskError::too_large("The document is nested too deeply."));
                }
                take(XmlEvent::Element(&element))?;
            }
            Ok(Event::Empty(element)) => take(XmlEvent::Element(&element))?,
            Ok(Event::Text(text)) => take(XmlEvent::Text(&text))?,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            // Engines accept some syntax errors and reject others; none accepts a declaration after the root element.
            Err(_) if depth > 0 => return Ok(()),
            Err(_) => return Err(TaskError::input_corrupt()),
        }
    }
}

/// Whether a document type is one of those that LibreOffice writes into its libraries of macros, without declarations of its own.
fn is_harmless(declaration: &str) -> bool {
    let (root, system) = declaration
        .split_once(r#"PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN""#)
        .unwrap_or_default();
    let is_name = |text: &str| {
        text.chars()
            .all(|sign| sign.is_ascii_alphabetic() || sign == ':')
    };
    let names = ["libraries", "library", "module", "dialog", "window"];
    is_name(root.trim())
        && names
            .iter()
            .any(|name| system.trim() == format!("\"{name}.dtd\""))
}

/// Returns the value of an attribute with any prefix.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = element.attributes();
    let found = attributes
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    let value = unescape(&found.value).ok();
    Some(value.unwrap_or(found.value.clone()).into_owned())
}

/// Detects the encoding by byte order mark or by the first character, `<`; `None` if it is not XML.
fn encoding(head: &[u8]) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return Some(encoding);
    }
    match head.trim_ascii_start() {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        [b'<', ..] => Some(UTF_8),
        _ => None,
    }
}

/// Rejects encodings such as UTF-7, in which a document type declaration would not be recognized.
fn check_encoding(declared: Option<Result<Cow<'_, str>, AttrError>>) -> TaskResult<()> {
    let Some(Ok(label)) = declared else {
        return Ok(());
    };
    match Encoding::for_label(label.as_bytes()) {
        Some(known) if known != ISO_2022_JP && known != REPLACEMENT => Ok(()),
        _ => Err(TaskError::input_corrupt()),
    }
}

/// Converts a part to UTF-8. All accepted encodings other than UTF-16 are ASCII-compatible, so the markup is correct even if
/// other characters become U+FFFD.
struct Utf8<R> {
    inner: R,
    decoder: Decoder,
    ready: VecDeque<u8>,
}

impl<R: BufRead> Utf8<R> {
    fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self {
            inner,
            decoder: encoding.new_decoder_with_bom_removal(),
            ready: VecDeque::new(),
        }
    }
}

impl<R: BufRead> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.ready.is_empty() {
            let bytes = self.inner.fill_buf()?;
            if bytes.is_empty() {
                return Ok(0);
            }
            let mut text = String::with_capacity(bytes.len() * 3 + 16);
            let (_, read, _) = self.decoder.decode_to_string(bytes, &mut text, false);
            self.inner.consume(read);
            self.ready.extend(text.as_bytes());
        }
        self.ready.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use domain::job::JobErrorCode;

    use super::*;

    fn code(text: &[u8]) -> Option<JobErrorCode> {
        match read(&mut &*text, |_| Ok(())) {
            Ok(()) => None,
            Err(TaskError::Document(error)) => Some(error.code),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_document_type_is_detected_in_every_encoding() {
        let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>";
        let wide =
            |bytes: fn(u16) -> [u8; 2]| bomb.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let corrupt = Some(JobErrorCode::InputCorrupt);
        assert_eq!(code(bomb.as_bytes()), corrupt);
        assert_eq!(code(&wide(u16::to_le_bytes)), corrupt);
        assert_eq!(code(&wide(u16::to_be_bytes)), corrupt);
        assert_eq!(
            code(b"<?xml version=\"1.0\" encoding=\"UTF-7\"?><a/>"),
            corrupt
        );
        assert_eq!(
            code(b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>"),
            None
        );
        assert_eq!(code(b"<a><![CDATA[<!DOCTYPE html>]]></a>"), None);
        assert_eq!(code(b"no XML at all"), None);
    }

    #[test]
    fn document_types_of_macros_are_accepted_without_declarations() {
        let public = r#"PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd""#;
        let with = |before: &str, after: &str| {
            code(format!("<!DOCTYPE {before} {public}{after}><a/>").as_bytes())
        };
        assert_eq!(with("library:library", ""), None);
        let corrupt = Some(JobErrorCode::InputCorrupt);
        assert_eq!(with("a", " [<!ENTITY b \"c\">]"), corrupt);
        assert_eq!(with("a [<!ENTITY % x \"y\"> %x;]", ""), corrupt);
        assert_eq!(with("a SYSTEM \"b\"", ""), corrupt);
    }

    #[test]
    fn nesting_depth_is_limited() {
        assert_eq!(code("<a>".repeat(256).as_bytes()), None);
        assert_eq!(
            code("<a>".repeat(257).as_bytes()),
            Some(JobErrorCode::InputTooLarge)
        );
    }
}
