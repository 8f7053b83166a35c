//! Attachments of a mail: the list of them, and images that the body shows.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::format::Format;
use domain::library::media_type;
use percent_encoding::percent_decode_str;

use crate::html_fragment::escaped;

/// Formats of images that every reader of a page shows.
const SHOWN: [Format; 5] = [
    Format::Png,
    Format::Jpeg,
    Format::Gif,
    Format::Webp,
    Format::Bmp,
];

/// An attachment.
#[derive(Debug, Default)]
pub(super) struct Attachment {
    /// File name, or the subject of a mail; may be empty.
    pub(super) name: String,
    /// Declared media type.
    pub(super) media_type: String,
    /// Size in bytes, decoded.
    pub(super) size: u64,
    /// `Content-ID` without angle brackets.
    pub(super) content_id: Option<String>,
    /// `Content-Location`.
    pub(super) location: Option<String>,
    /// The content, if it is an image that can be shown.
    pub(super) image: Option<(Format, Vec<u8>)>,
    /// Whether the body shows it.
    pub(super) is_shown: bool,
}

impl Attachment {
    /// Whether a URL in the body names this attachment [RFC 2392].
    pub(super) fn is_named(&self, url: &str) -> bool {
        let scheme = url.get(..4).unwrap_or_default();
        if !scheme.eq_ignore_ascii_case("cid:") {
            return self.location.as_deref() == Some(url);
        }
        let id = percent_decode_str(url.get(4..).unwrap_or_default()).decode_utf8_lossy();
        match &self.content_id {
            Some(own) => *own == id,
            // Outlook names images by their file without a Content-ID.
            None => id.split('@').next() == Some(&self.name),
        }
    }

    /// Returns the `data:` URL of the image and marks it as shown; `None` if it is none.
    pub(super) fn show(&mut self) -> Option<String> {
        let (format, bytes) = self.image.as_ref()?;
        self.is_shown = true;
        Some(format!(
            "data:{};base64,{}",
            format.mime_type(),
            STANDARD.encode(bytes)
        ))
    }
}

/// The format of an image that can be shown, by its first bytes.
pub(super) fn image_format(head: &[u8]) -> Option<Format> {
    let head = head.get(..64).unwrap_or(head);
    let format = Format::from_mime_type(&media_type(head, &[], &[]))?;
    SHOWN.contains(&format).then_some(format)
}

/// Returns the list of the attachments that the body does not show.
pub(super) fn list(attachments: &[Attachment]) -> String {
    let listed: Vec<&Attachment> = attachments
        .iter()
        .filter(|attachment| !attachment.is_shown)
        .collect();
    if listed.is_empty() {
        return String::new();
    }
    let mut html = format!("<hr>\n<h2>Attachments ({})</h2>\n<ul>\n", listed.len());
    for attachment in listed {
        let name = match attachment.name.as_str() {
            "" => "(no name)",
            name => name,
        };
        // Writing to a string cannot fail.
        writeln!(
            html,
            "<li>{} ({}, {})</li>",
            escaped(name),
            escaped(&attachment.media_type),
            size(attachment.size)
        )
        .ok();
    }
    html.push_str("</ul>\n");
    html
}

/// A size in decimal units.
fn size(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = (bytes + unit / 20) / (unit / 10);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..999_950 => format!("{} kB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded() {
        let sizes = [0, 999, 1_000, 1_049, 1_050, 999_949, 999_950, 12_345_678].map(size);
        let expected = [
            "0 bytes",
            "999 bytes",
            "1.0 kB",
            "1.0 kB",
            "1.1 kB",
            "999.9 kB",
            "1.0 MB",
            "12.3 MB",
        ];
        assert_eq!(sizes, expected);
    }

    #[test]
    fn content_ids_and_file_names_of_outlook_find_images() {
        let by_id = Attachment {
            content_id: Some("a b@c".to_owned()),
            ..Attachment::default()
        };
        assert!(by_id.is_named("CID:a%20b@c") && !by_id.is_named("cid:a"));
        let by_name = Attachment {
            name: "image001.png".to_owned(),
            ..Attachment::default()
        };
        assert!(by_name.is_named("cid:image001.png@01DA") && !by_name.is_named("image001.png"));
    }
}
