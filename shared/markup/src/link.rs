//! Allowed link targets: web, e-mail, relative ones, and places in the same document.

use layout::{Block, NOTE, Run, Script};

use crate::flow;

/// URL schemes that run nothing.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];
/// Maximum length of a link in bytes; each run has a copy.
const LONGEST: usize = 2_048;

/// Returns a link with an allowed scheme, a relative link, or `#` and the name of a place in the document; `None` for any other.
pub(crate) fn allowed(link: &str) -> Option<String> {
    let link = link.trim();
    // Excel writes paths with the separators of Windows.
    let path = link.replace('\\', "/");
    if is_relative(&path) && path.len() <= LONGEST {
        return Some(path.replace(' ', "%20"));
    }
    let leads_out = link
        .split_once(':')
        .is_some_and(|(scheme, _)| SCHEMES.iter().any(|one| scheme.eq_ignore_ascii_case(one)));
    let leads = leads_out || link.starts_with('#');
    (leads && link.len() <= LONGEST).then(|| link.to_owned())
}

/// Whether a link is a path without scheme and host.
fn is_relative(link: &str) -> bool {
    let path = link.split(['?', '#']).next().unwrap_or_default();
    let is_path = !path.is_empty() && !path.starts_with("//") && !path.contains(':');
    is_path && !link.contains(char::is_control)
}

/// Resolves links to places in the document to page numbers and removes dangling ones. References to notes stay.
pub(crate) fn resolve_anchors(blocks: &mut [Block], page: impl Fn(&str) -> Option<usize>) {
    let refers = |run: &Run| run.style.script == Script::Super && run.link.as_deref() == Some(NOTE);
    flow::each_run(blocks, &mut |run| {
        if refers(run) {
            return;
        }
        if let Some(name) = run.link.as_deref().and_then(|link| link.strip_prefix('#')) {
            run.link = page(name).map(|page| format!("#page={page}"));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn links_with_scripts_or_files_are_rejected() {
        let some = |link: &str| Some(link.to_owned());
        assert_eq!(
            allowed(" HTTPS://a.example/b "),
            some("HTTPS://a.example/b")
        );
        assert_eq!(allowed("mailto:a@b.example"), some("mailto:a@b.example"));
        assert_eq!(allowed("#place"), some("#place"));
        assert_eq!(allowed("../a b.html?c=d:e"), some("../a%20b.html?c=d:e"));
        assert_eq!(allowed(r"..\side\b.docx"), some("../side/b.docx"));
        for refused in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "\\\\host\\share",
            "//host/share",
            "C:/file",
            "",
        ] {
            assert_eq!(allowed(refused), None, "{refused}");
        }
        assert_eq!(allowed(&format!("http://{}", "a".repeat(2_048))), None);
    }
}
