//! Recognizes an Internet message by its header [RFC 5322, 2.2].

use std::collections::HashSet;

/// Fields that a message has, but other text with colons seldom has.
const FIELDS: [&str; 14] = [
    "bcc",
    "cc",
    "content-type",
    "date",
    "delivered-to",
    "from",
    "message-id",
    "mime-version",
    "received",
    "reply-to",
    "return-path",
    "sender",
    "subject",
    "to",
];

/// Whether bytes begin with the header of a message: only fields up to an empty line or the end, at least two of them usual ones.
#[must_use]
pub fn is_mail(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head.split(|byte| *byte == b'\n').peekable();
    // The line before a message in a file of a mailbox [RFC 4155].
    lines.next_if(|line| line.starts_with(b"From "));
    let mut known: HashSet<&str> = HashSet::new();
    let mut is_first = true;
    while let Some(line) = lines.next() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // The sample may end within a line.
        if line.is_empty() || lines.peek().is_none() {
            break;
        }
        let is_continued = matches!(line, [b' ' | b'\t', ..]) && !is_first;
        is_first = false;
        if is_continued {
            continue;
        }
        match name(line) {
            Some(name) => known.extend(FIELDS.iter().find(|field| **field == name)),
            None => return false,
        }
    }
    known.len() >= 2
}

/// The name of a field, in lower case.
fn name(line: &[u8]) -> Option<String> {
    let end = line.iter().position(|byte| *byte == b':')?;
    let name = line.get(..end)?.trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    is_name.then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::is_mail;

    #[test]
    fn headers_are_distinguished_from_other_text() {
        for mail in [
            &b"From: a@b\nTo: c@d\n\nbody"[..],
            b"From a@b Wed Dec  2\r\nReceived: from x\r\n\tby y\r\nX-A: \xe9\r\nDate: z\r\n\r\n",
            b"\xef\xbb\xbfSubject: x\r\nMIME-Version : 1.0\r\n\r\n",
        ] {
            assert!(is_mail(mail), "{}", mail.escape_ascii());
        }
        for other in [
            &b""[..],
            b"Dear Ann,\nFrom: here\nTo: there\n",
            b"title: x\ndate: y\nlayout: z\n\n",
            b"From: a@b\n\nTo: c@d\n",
            b"From: a\nFrom: b\n\n",
            b" From: a@b\nTo: c@d\n\n",
            b"---\nfrom: a\nto: b\n---\n",
        ] {
            assert!(!is_mail(other), "{}", other.escape_ascii());
        }
    }
}
