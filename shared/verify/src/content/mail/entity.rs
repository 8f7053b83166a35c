//! A message or a part of one: its header and its content [RFC 2045, RFC 2046].

use std::borrow::Cow;

use memchr::memmem;

use super::encodings::{base64, header_text, parameter, quoted_printable};

/// Maximum number of parts of a container.
const MAX_PARTS: usize = 100_000;

/// A message or a part.
pub(super) struct Entity<'b> {
    /// Names in lower case, and unfolded values.
    fields: Vec<(String, Vec<u8>)>,
    body: &'b [u8],
}

impl<'b> Entity<'b> {
    pub(super) fn parse(bytes: &'b [u8]) -> Self {
        let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
        let mut rest = bytes;
        loop {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (whole, behind) = rest.split_at(end);
            let line = whole.trim_ascii_end();
            if line.is_empty() {
                return Self {
                    fields,
                    body: behind,
                };
            }
            rest = behind;
            match (whole.first(), fields.last_mut()) {
                (Some(b' ' | b'\t'), Some((_, value))) => {
                    value.push(b' ');
                    value.extend_from_slice(line.trim_ascii());
                }
                _ => {
                    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
                    let value = line.get(name.len() + 1..).unwrap_or_default();
                    let name = String::from_utf8_lossy(name.trim_ascii());
                    fields.push((name.to_ascii_lowercase(), value.trim_ascii().to_vec()));
                }
            }
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<&[u8]> {
        let mut fields = self.fields.iter();
        fields
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.as_slice())
    }

    /// The media type in lower case.
    pub(super) fn media_type(&self) -> String {
        let value = self.field("content-type").unwrap_or(b"text/plain");
        let essence = value.split(|byte| *byte == b';').next().unwrap_or_default();
        let essence = String::from_utf8_lossy(essence.trim_ascii());
        essence.to_ascii_lowercase()
    }

    /// A parameter of a field.
    pub(super) fn parameter(&self, field: &str, name: &str) -> Option<String> {
        parameter(&header_text(self.field(field)?), name)
    }

    pub(super) fn is_attachment(&self) -> bool {
        let disposition = self.field("content-disposition").unwrap_or_default();
        let start = disposition.get(..10).unwrap_or_default();
        start.eq_ignore_ascii_case(b"attachment")
    }

    /// Whether this is text or a container of it.
    pub(super) fn is_text(&self) -> bool {
        let media_type = self.media_type();
        media_type == "text/plain" || media_type.starts_with("multipart/")
    }

    /// The parts between the boundaries; none if there are no boundaries.
    pub(super) fn parts(&self) -> Vec<Entity<'b>> {
        let Some(boundary) = self.parameter("content-type", "boundary") else {
            return Vec::new();
        };
        let boundary = [b"--", boundary.as_bytes()].concat();
        let mut parts = Vec::new();
        let mut start = None;
        let found = memmem::find_iter(self.body, &boundary);
        for place in found {
            let is_line = place == 0 || self.body.get(place - 1) == Some(&b'\n');
            let after = self.body.get(place + boundary.len()..).unwrap_or_default();
            let is_last = after.starts_with(b"--");
            let tail = after
                .split(|byte| *byte == b'\n')
                .next()
                .unwrap_or_default();
            let is_whole = is_last || tail.trim_ascii().is_empty();
            if !is_line || !is_whole {
                continue;
            }
            if let Some(start) = start {
                parts.push(Entity::parse(
                    self.body.get(start..place).unwrap_or_default(),
                ));
            }
            start = Some(place + boundary.len() + tail.len() + 1);
            if is_last || parts.len() >= MAX_PARTS {
                return parts;
            }
        }
        // The last boundary may be missing.
        let rest = start.and_then(|start| self.body.get(start..));
        parts.extend(rest.map(Entity::parse));
        parts
    }

    /// The decoded content.
    pub(super) fn content(&self) -> Cow<'b, [u8]> {
        let encoding = self.field("content-transfer-encoding").unwrap_or_default();
        match encoding.to_ascii_lowercase().as_slice() {
            b"base64" => Cow::Owned(base64(self.body)),
            b"quoted-printable" => Cow::Owned(quoted_printable(self.body, false)),
            _ => Cow::Borrowed(self.body),
        }
    }
}
