//! Reads Internet messages with mail-parser.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use encoding_rs::Encoding;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::parsers::MessageStream;
use mail_parser::{
    ContentType, Encoding as TransferEncoding, HeaderName, Message, MessageParser, MessagePart,
    MimeHeaders as _, PartType,
};
use memchr::memmem;

use super::attachment::{Attachment, image_format};
use super::{Body, Mail, plain_text, protection};
use crate::error::{MarkupError, Result};
use crate::text;

/// Maximum number of containers of parts. The parser keeps those within each other in memory, and drops them recursively.
const CONTAINERS: usize = 4_000;
/// Maximum number of lines that may be boundaries of parts.
const BOUNDARIES: usize = 200_000;

/// Maximum number of containers whose last boundary is added.
const COMPLETED: usize = 16;

/// Fields of the header that are shown.
const FIELDS: [(&str, HeaderName<'static>); 5] = [
    ("From", HeaderName::From),
    ("To", HeaderName::To),
    ("Cc", HeaderName::Cc),
    ("Bcc", HeaderName::Bcc),
    ("Date", HeaderName::Date),
];

/// Reads a mail.
pub(super) fn read(bytes: &[u8]) -> Result<Mail> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = without_mailbox_line(bytes);
    check_parts(bytes)?;
    let message = parse(bytes)?;
    let ends = missing_ends(&message, bytes);
    if ends.is_empty() {
        return read_parsed(&message, bytes);
    }
    let completed = [bytes, &ends].concat();
    read_parsed(&parse(&completed)?, &completed)
}

fn parse(bytes: &[u8]) -> Result<Message<'_>> {
    let parser = MessageParser::new()
        .with_mime_headers()
        .default_header_raw();
    // mail-parser indexes its lists of parts by positions in other lists.
    let message = catch_unwind(AssertUnwindSafe(|| parser.parse(bytes)));
    let damaged = |_| MarkupError::Corrupt("its parts cannot be read");
    message.map_err(damaged)?.ok_or(MarkupError::Mismatch)
}

fn read_parsed(message: &Message<'_>, bytes: &[u8]) -> Result<Mail> {
    check_protection(message, bytes)?;
    Ok(mail(message, bytes))
}

/// The last boundaries of containers without them, whose last part the parser reads as an attachment.
fn missing_ends(message: &Message<'_>, bytes: &[u8]) -> Vec<u8> {
    if !message.parts.iter().any(|part| part.is_encoding_problem) {
        return Vec::new();
    }
    let boundaries = message.parts.iter().filter_map(|part| {
        let content_type = part.content_type()?;
        let boundary = content_type.attribute("boundary")?;
        let line = format!("\n--{boundary}");
        let content = bytes.get(part.offset_body.saturating_sub(1) as usize..)?;
        let has_parts = memmem::find(content, line.as_bytes()).is_some();
        let has_end = memmem::find(content, format!("{line}--").as_bytes()).is_some();
        (has_parts && !has_end).then(|| format!("\r\n--{boundary}--"))
    });
    let boundaries: Vec<String> = boundaries.take(COMPLETED).collect();
    let mut ends: String = boundaries.into_iter().rev().collect();
    if !ends.is_empty() {
        ends.push_str("\r\n");
    }
    ends.into_bytes()
}

/// Removes the line before a message in a file of a mailbox [RFC 4155].
fn without_mailbox_line(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    match (bytes.starts_with(b"From "), end) {
        (true, Some(end)) => bytes.get(end + 1..).unwrap_or_default(),
        _ => bytes,
    }
}

/// Bounds the parts before they are parsed: by media types of containers, and by lines that may be boundaries.
fn check_parts(bytes: &[u8]) -> Result {
    let (mut containers, mut boundaries) = (0, 0);
    for (index, byte) in bytes.iter().enumerate() {
        let before = |word: &[u8]| {
            let start = index.checked_sub(word.len());
            let found = start.and_then(|start| bytes.get(start..index));
            found.is_some_and(|found| found.eq_ignore_ascii_case(word))
        };
        match byte {
            b'/' if before(b"message") || before(b"multipart") => containers += 1,
            b'-' if before(b"\n-") => boundaries += 1,
            _ => {}
        }
    }
    match containers > CONTAINERS || boundaries > BOUNDARIES {
        true => Err(MarkupError::TooLarge("it has too many parts")),
        false => Ok(()),
    }
}

fn check_protection(message: &Message<'_>, bytes: &[u8]) -> Result {
    let parts = message.parts.iter();
    let protected = parts
        .filter(|part| !matches!(part.body, PartType::Message(_)))
        .find_map(|part| {
            let name = part.attachment_name().unwrap_or_default();
            protection::of_part(&media_type(part), name)
        });
    if let Some(protection) = protected {
        return Err(protection);
    }
    let mut texts = message.html_body.iter().filter_map(|id| message.part(*id));
    let first = texts.next().map(|part| text(part, bytes));
    if let Some(protection) = first.as_deref().and_then(protection::of_text) {
        return Err(protection);
    }
    let mut parts = message.parts.iter();
    let smime = parts.find(|part| protection::is_smime(&media_type(part)));
    match smime {
        Some(part) if message.html_body.is_empty() && message.text_body.is_empty() => {
            Err(protection::of_smime(part.contents()))
        }
        _ => Ok(()),
    }
}

fn mail(message: &Message<'_>, bytes: &[u8]) -> Mail {
    let fields = FIELDS.iter().filter_map(|(name, header)| {
        let value = field(message, header, bytes);
        (!value.is_empty()).then_some((*name, value))
    });
    let mut mail = Mail {
        subject: field(message, &HeaderName::Subject, bytes),
        fields: fields.collect(),
        ..Mail::default()
    };
    let mut indexes = Vec::new();
    for id in &message.attachments {
        let Some(part) = message.part(*id) else {
            continue;
        };
        // The parser lists texts without the wanted type as attachments, too.
        if message.html_body.contains(id) && part.is_text() {
            continue;
        }
        indexes.push((*id, mail.attachments.len()));
        mail.attachments.push(attachment(part, bytes));
    }
    let bodies = match message.html_body.is_empty() {
        true => &message.text_body,
        false => &message.html_body,
    };
    for id in bodies {
        let part = message.part(*id);
        let body = part.and_then(|part| match part.body {
            PartType::Html(_) => Some(Body::Html(text(part, bytes).into_owned())),
            PartType::Text(_) => {
                let flowed = part
                    .content_type()
                    .and_then(|found| found.attribute("format"));
                let is_flowed = flowed.is_some_and(|format| format.eq_ignore_ascii_case("flowed"));
                Some(Body::Text(plain_text::html(&text(part, bytes), is_flowed)))
            }
            PartType::InlineBinary(_) => {
                let index = indexes.iter().find(|(known, _)| known == id)?.1;
                // Images with an identifier are shown where the text refers to them, others where they are.
                let attachment = mail.attachments.get(index)?;
                let is_placed = attachment.content_id.is_some() || attachment.image.is_none();
                (!is_placed).then_some(Body::Image(index))
            }
            _ => None,
        });
        mail.bodies.extend(body);
    }
    if mail.bodies.is_empty() {
        mail.bodies.extend(unparsed(message, bytes));
    }
    let damaged = message.parts.iter().filter(|part| part.is_encoding_problem);
    mail.damaged = u32::try_from(damaged.count()).unwrap_or(u32::MAX);
    mail
}

/// The content of a message whose boundaries are missing or whose only part is damaged, as text.
fn unparsed(message: &Message<'_>, bytes: &[u8]) -> Option<Body> {
    let root = message.parts.first()?;
    let is_multipart = media_type(root).starts_with("multipart/");
    let is_parsed = match is_multipart {
        true => matches!(root.body, PartType::Multipart(_)),
        false => !root.is_encoding_problem || !root.is_text(),
    };
    let content = bytes.get(root.offset_body as usize..)?.to_vec();
    let text = text::decode(content, None).ok()?;
    (!is_parsed).then(|| Body::Text(plain_text::html(&text, false)))
}

/// The text of a field of the header, with words in other character sets decoded [RFC 2047].
fn field(message: &Message<'_>, name: &HeaderName<'_>, bytes: &[u8]) -> String {
    let headers = message.parts.first().map(|part| &part.headers);
    let mut headers = headers.into_iter().flatten();
    let Some(header) = headers.find(|header| header.name == *name) else {
        return String::new();
    };
    let range = header.offset_start as usize..header.offset_end as usize;
    let raw = bytes.get(range).unwrap_or_default().to_vec();
    // Without encoded words, fields may be in any character set.
    let mut raw = text::decode(raw, None).unwrap_or_default();
    raw.push('\n');
    let value = MessageStream::new(raw.as_bytes()).parse_unstructured();
    let value = value.as_text().unwrap_or_default();
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn attachment(part: &MessagePart<'_>, bytes: &[u8]) -> Attachment {
    let (content, size) = match &part.body {
        PartType::Binary(content) | PartType::InlineBinary(content) => {
            (Some(content.as_ref()), content.len())
        }
        PartType::Text(_) | PartType::Html(_) => (None, decoded(part, bytes).len()),
        PartType::Message(_) => (None, source(part, bytes).len()),
        PartType::Multipart(_) => (None, 0),
    };
    let image = content.and_then(|content| {
        let format = image_format(content)?;
        Some((format, content.to_vec()))
    });
    let subject = match &part.body {
        PartType::Message(nested) => {
            field(nested, &HeaderName::Subject, nested.raw_message.as_ref())
        }
        _ => String::new(),
    };
    let name = part.attachment_name().unwrap_or(&subject);
    let own = |text: Option<&str>| text.map(|text| text.trim_matches(['<', '>', ' ']).to_owned());
    Attachment {
        name: name.split_whitespace().collect::<Vec<_>>().join(" "),
        media_type: media_type(part),
        size: size as u64,
        content_id: own(part.content_id()),
        location: own(part.content_location()),
        image,
        is_shown: false,
    }
}

/// The declared or implied media type of a part.
fn media_type(part: &MessagePart<'_>) -> String {
    let declared = part.content_type().and_then(|found: &ContentType<'_>| {
        let subtype = found.subtype()?;
        Some(format!("{}/{subtype}", found.ctype()).to_ascii_lowercase())
    });
    declared.unwrap_or_else(|| match part.body {
        PartType::Message(_) => "message/rfc822".to_owned(),
        PartType::Text(_) => "text/plain".to_owned(),
        PartType::Html(_) => "text/html".to_owned(),
        _ => "application/octet-stream".to_owned(),
    })
}

/// The content of a part as the message has it.
fn source<'b>(part: &MessagePart<'_>, bytes: &'b [u8]) -> &'b [u8] {
    bytes
        .get(part.offset_body as usize..part.offset_end as usize)
        .unwrap_or_default()
}

/// The content of a part, as bytes.
fn decoded<'b>(part: &MessagePart<'_>, bytes: &'b [u8]) -> Cow<'b, [u8]> {
    let source = source(part, bytes);
    let decoded = match part.encoding {
        TransferEncoding::QuotedPrintable => quoted_printable_decode(source),
        TransferEncoding::Base64 => base64_decode(source),
        TransferEncoding::None => None,
    };
    decoded.map_or(Cow::Borrowed(source), Cow::Owned)
}

/// The text of a part. The parser replaces what is not of the declared or implied character set, which is detected instead.
fn text<'m>(part: &'m MessagePart<'_>, bytes: &[u8]) -> Cow<'m, str> {
    let parsed = part.text_contents().unwrap_or_default();
    if !parsed.contains('\u{fffd}') {
        return Cow::Borrowed(parsed);
    }
    let declared = part
        .content_type()
        .and_then(|found| found.attribute("charset"));
    let declared = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    match (
        declared,
        text::decode(decoded(part, bytes).into_owned(), declared),
    ) {
        (None, Ok(detected)) => Cow::Owned(detected),
        _ => Cow::Borrowed(parsed),
    }
}
