//! Allowed link targets of a converted document.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// A link target.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A page of the same document.
    Page(u32),
    /// An external URL, or a path that is relative to the document, of printable ASCII without spaces, quotes, angle brackets and
    /// backslashes.
    External(String),
}

/// Allowed schemes: no scripts and no local files.
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel", "ftp"];

/// Maximum length of a URL in bytes; spreadsheets and word processors reject longer ones.
const LONGEST: usize = 2_048;

/// Whether writers keep a link. Of another one they write only the text.
#[must_use]
pub fn keeps_link(link: &str) -> bool {
    target(link).is_some()
}

/// Returns the target of a link; `None` if it is not allowed, so that only its text is written.
pub(super) fn target(link: &str) -> Option<Target> {
    if let Some(page) = link.strip_prefix("#page=") {
        return page.parse().ok().map(Target::Page);
    }
    let allowed = is_relative(link)
        || link.split_once(':').is_some_and(|(scheme, rest)| {
            let mut schemes = SCHEMES.iter();
            schemes.any(|one| scheme.eq_ignore_ascii_case(one)) && has_required_host(scheme, rest)
        });
    let url = encoded(link);
    (allowed && url.len() <= LONGEST).then_some(Target::External(url))
}

/// Whether a link is a relative path, without scheme and host.
fn is_relative(link: &str) -> bool {
    let path = link.split(['?', '#']).next().unwrap_or_default();
    // A host without scheme is no path.
    let is_host = path
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("www."));
    !is_host
        && !path.to_ascii_lowercase().contains("%5c")
        && path.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '.' | '_'))
        && !path.contains([':', '\\'])
        && !link.contains(char::is_control)
}

/// Whether a URL has a host where its scheme requires one; word processors report a document without it as damaged.
fn has_required_host(scheme: &str, rest: &str) -> bool {
    let has_host = ["http", "https", "ftp"]
        .iter()
        .any(|one| scheme.eq_ignore_ascii_case(one));
    let named = match rest.strip_prefix("//") {
        Some(named) => named,
        None if has_host => return false,
        None => rest,
    };
    named.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '[' | '+' | '_'))
}

/// Characters that must be percent-encoded.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Percent-encodes a URL. A percent sign is kept only before two hexadecimal digits.
fn encoded(link: &str) -> String {
    let mut parts = link.trim().split('%');
    let first = parts.next().unwrap_or_default();
    let mut url = utf8_percent_encode(first, ENCODED).to_string();
    for part in parts {
        let digits = part.as_bytes().get(..2);
        let is_code = digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        url.push_str(if is_code { "%" } else { "%25" });
        url.extend(utf8_percent_encode(part, ENCODED));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::{Target, keeps_link, target};

    #[test]
    fn pages_and_external_urls_are_allowed_but_scripts_are_not() {
        assert_eq!(target("#page=7"), Some(Target::Page(7)));
        let outside = |url: &str| Some(Target::External(url.to_owned()));
        assert_eq!(
            target("HTTPS://a.b/c d\"é"),
            outside("HTTPS://a.b/c%20d%22%C3%A9")
        );
        assert_eq!(target("../a b/c.html#d"), outside("../a%20b/c.html#d"));
        assert_eq!(target("mailto:a@b.c"), outside("mailto:a@b.c"));
        assert_eq!(target("tel:+49 30"), outside("tel:+49%2030"));
        assert_eq!(target("http://a/%zz%41%"), outside("http://a/%25zz%41%25"));
        for refused in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "/etc/passwd",
            "www.example.com",
            "WWW.example.com",
            "a/%5C%5chost",
            "//host/a",
            "a\\b",
            "a\nb",
            "#page=x",
            "http:",
            "http://",
            "https:///a",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "vbscript:x",
            "\\\\host\\share",
            "",
        ] {
            assert_eq!(target(refused), None, "{refused}");
            assert!(!keeps_link(refused), "{refused}");
        }
        assert_eq!(target(&format!("http://{}", "a".repeat(2_048))), None);
    }
}
