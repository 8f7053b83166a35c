//! Reads the header, the body and the names of attachments of an Internet message [RFC 5322, RFC 2045, RFC 2046].

mod encodings;
mod entity;

use std::path::Path;

use self::encodings::{header_text, text};
use self::entity::Entity;
use super::html;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;
use super::text::lines;

/// Fields of the header that a result has, the title first.
const FIELDS: [&str; 6] = ["subject", "from", "to", "cc", "bcc", "date"];
/// Maximum nesting depth of parts.
const MAX_DEPTH: usize = 200;

/// Calls `take` with the items of a mail.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let bytes = std::fs::read(path)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let bytes = match bytes.strip_prefix(b"From ") {
        Some(_) => bytes.splitn(2, |byte| *byte == b'\n').nth(1),
        None => Some(bytes),
    };
    let message = Entity::parse(bytes.ok_or(Unreadable)?);
    for name in FIELDS {
        let value = header_text(message.field(name).unwrap_or_default());
        lines(&value, take);
    }
    let mut reader = Reader {
        scope,
        take,
        attachments: Vec::new(),
    };
    reader.part(&message, Parent::None, true, 0)?;
    let attachments = reader.attachments;
    for name in attachments {
        lines(&name, take);
    }
    Ok(())
}

/// The container of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    None,
    Related,
    Alternative,
    Other,
}

struct Reader<'t> {
    scope: Scope,
    take: Take<'t>,
    attachments: Vec<String>,
}

impl Reader<'_> {
    fn part(
        &mut self,
        part: &Entity<'_>,
        parent: Parent,
        is_first: bool,
        depth: usize,
    ) -> Result<(), Unreadable> {
        if depth > MAX_DEPTH {
            return Err(Unreadable);
        }
        let media_type = part.media_type();
        if let Some(kind) = media_type.strip_prefix("multipart/") {
            let parts = part.parts();
            if parts.is_empty() {
                self.text(part, "text/plain");
                return Ok(());
            }
            let is_markup = kind == "alternative" && parts.iter().any(has_markup);
            for (index, child) in parts.iter().enumerate() {
                // The mails of a digest are attachments [RFC 2046, 5.1.5].
                if kind == "digest" && child.field("content-type").is_none() {
                    continue;
                }
                let parent = match kind {
                    "alternative" => Parent::Alternative,
                    "related" => Parent::Related,
                    _ => Parent::Other,
                };
                let is_other = is_markup && !has_markup(child) && child.is_text();
                if !is_other {
                    self.part(child, parent, index == 0, depth + 1)?;
                }
            }
            return Ok(());
        }
        let is_named = part.parameter("content-type", "name").is_some();
        let is_alone = parent != Parent::Related && !is_named;
        let is_body = matches!(&*media_type, "text/plain" | "text/html")
            && (parent == Parent::Alternative || !part.is_attachment() && (is_first || is_alone));
        if is_body {
            self.text(part, &media_type);
        } else if !media_type.starts_with("image/") {
            let name = part.parameter("content-disposition", "filename");
            let name = name.or_else(|| part.parameter("content-type", "name"));
            self.attachments.extend(name);
        }
        Ok(())
    }

    fn text(&mut self, part: &Entity<'_>, media_type: &str) {
        let charset = part.parameter("content-type", "charset");
        let text = text(&part.content(), charset.as_deref());
        match media_type {
            "text/html" => html::read_framed(&text, self.scope, self.take),
            _ if !self.scope.tables_only => lines(&text, self.take),
            _ => {}
        }
        (self.take)(Item::Break, Place::default());
    }
}

/// Whether a part is HTML, or contains it where a mail program shows it.
fn has_markup(part: &Entity<'_>) -> bool {
    match part.media_type() {
        kind if kind == "text/html" => true,
        kind if kind.starts_with("multipart/") => part.parts().iter().any(|part| {
            // One level is enough for containers of pictures and attachments.
            part.media_type() == "text/html"
                || (part.media_type().starts_with("multipart/")
                    && part
                        .parts()
                        .iter()
                        .any(|part| part.media_type() == "text/html"))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(mail: &str) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), mail.replace('\n', "\r\n")).unwrap();
        let mut words = String::new();
        read(file.path(), Scope::default(), &mut |item, _| match item {
            Item::Text(text) => words.push_str(text),
            _ => words.push(' '),
        })
        .unwrap();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_best_alternative_and_names_of_attachments_are_read() {
        let mail = "From: =?utf-8?Q?J=C3=B6rg?= <a@b>\nSubject: =?utf-8?B?w6Q=?=\n =?iso-8859-1?q?_b?=\nTo: c\n\td\nContent-Type: multipart/mixed; boundary=\"x y\"\n\n--x y\nContent-Type: multipart/alternative; boundary=z\n\n--z\n\nplain\n--z\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<p>H=FC=\nte</p><iframe srcdoc=x></iframe>\n--z--\n--x y\nContent-Type: application/pdf; name=old.pdf\nContent-Disposition: attachment; filename*=utf-8''%C3%A4.pdf\n\nx\n--x y\nContent-Type: message/rfc822\n\nFrom: nested\n\n--x y--\n";
        assert_eq!(words(mail), "ä b Jörg <a@b> c d Hüte ä.pdf");
    }

    #[test]
    fn single_and_damaged_messages_are_read() {
        let body = "From: a\nContent-Transfer-Encoding: base64\n\naGVsbG8g\nd29ybGQ=\n";
        assert_eq!(words(body), "a hello world");
        assert_eq!(
            words("From: a\nContent-Type: multipart/mixed\n\n--b\n\ntext\n"),
            "a --b text"
        );
        let digest = "From: a\nContent-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: n\n\nnested\n--b--\n";
        assert_eq!(words(digest), "a");
        let shifted = "From: a\nContent-Type: text/plain; charset=UTF-7\n\nfr+APY-h one + two\n";
        assert_eq!(words(shifted), "a one two");
        let unclosed = "From: a\nContent-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\none\n--b\n\ntwo\n";
        assert_eq!(words(unclosed), "a one two");
    }
}
