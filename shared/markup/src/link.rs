//! Where text may lead to: onto the web, to somebody's mail, or to another place in the document.

use layout::{Block, NOTE, Run, Script};

use crate::flow;

/// What leads out of a document and runs nothing.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];
/// Most bytes of a link, as writers of documents allow it: each run repeats it.
const LONGEST: usize = 2_048;

/// A link that may be followed, or that is `#` and the name of a place in the document; `None` for any other.
pub(crate) fn allowed(link: &str) -> Option<String> {
    let link = link.trim();
    let leads_out = link
        .split_once(':')
        .is_some_and(|(scheme, _)| SCHEMES.iter().any(|one| scheme.eq_ignore_ascii_case(one)));
    let leads = leads_out || link.starts_with('#');
    (leads && link.len() <= LONGEST).then(|| link.to_owned())
}

/// Makes links to places in the document lead to their pages; those that lead nowhere are gone. What refers to notes stays.
pub(crate) fn lead(blocks: &mut [Block], page: impl Fn(&str) -> Option<usize>) {
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
    fn links_that_run_something_or_lead_to_files_are_none() {
        let some = |link: &str| Some(link.to_owned());
        assert_eq!(
            allowed(" HTTPS://a.example/b "),
            some("HTTPS://a.example/b")
        );
        assert_eq!(allowed("mailto:a@b.example"), some("mailto:a@b.example"));
        assert_eq!(allowed("#place"), some("#place"));
        for refused in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "\\\\host\\share",
            "page.html",
            "",
        ] {
            assert_eq!(allowed(refused), None, "{refused}");
        }
        assert_eq!(allowed(&format!("http://{}", "a".repeat(2_048))), None);
    }
}
