//! Where a link may lead from a document that is made of another.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To a page of the same document.
    Page(u32),
    /// Elsewhere: a URL of printable ASCII without spaces, quotes, angle brackets and backslashes.
    Outside(String),
}

/// What leads out of a document: nothing that runs, and no file of the reader's machine.
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel", "ftp"];

/// Most bytes of a URL: spreadsheets and word processors refuse longer ones.
const LONGEST: usize = 2_048;

/// Where a link leads; `None` for one that must not be followed, whose text remains.
pub(super) fn target(link: &str) -> Option<Target> {
    if let Some(page) = link.strip_prefix("#page=") {
        return page.parse().ok().map(Target::Page);
    }
    let (scheme, rest) = link.split_once(':')?;
    let allowed = SCHEMES.iter().any(|one| scheme.eq_ignore_ascii_case(one));
    let url = encoded(link);
    (allowed && is_somewhere(scheme, rest) && url.len() <= LONGEST).then_some(Target::Outside(url))
}

/// Whether something is named behind the scheme: word processors take a URL without a host for damage.
fn is_somewhere(scheme: &str, rest: &str) -> bool {
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

/// What no URL holds as it is.
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

/// The percent-encoded URL. A percent sign is one only where two hexadecimal digits follow.
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
    use super::{Target, target};

    #[test]
    fn links_lead_to_pages_and_out_but_run_nothing() {
        assert_eq!(target("#page=7"), Some(Target::Page(7)));
        let outside = |url: &str| Some(Target::Outside(url.to_owned()));
        assert_eq!(
            target("HTTPS://a.b/c d\"é"),
            outside("HTTPS://a.b/c%20d%22%C3%A9")
        );
        assert_eq!(target("mailto:a@b.c"), outside("mailto:a@b.c"));
        assert_eq!(target("tel:+49 30"), outside("tel:+49%2030"));
        assert_eq!(target("http://a/%zz%41%"), outside("http://a/%25zz%41%25"));
        for refused in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "a/b",
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
        }
        assert_eq!(target(&format!("http://{}", "a".repeat(2_048))), None);
    }
}
