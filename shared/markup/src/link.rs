//! Allowed link targets: web, e-mail, relative ones, and places in the same document.

use layout::{Block, NOTE, Run, Script};

use crate::flow;
use crate::warning::{Loss, Losses};

/// URL schemes that run nothing.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];
/// Maximum length of a link in bytes; each run has a copy.
const LONGEST: usize = 2_048;

/// Returns a link if it is allowed; another one is counted as dropped content.
pub(crate) fn kept(link: &str, losses: &mut Losses) -> Option<String> {
    let kept = allowed(link);
    // Writers drop paths from the root: they would lead into the file system.
    let is_kept = kept.as_ref().is_some_and(|link| !link.starts_with('/'));
    if !is_kept && !link.trim().is_empty() {
        losses.add(Loss::Link);
    }
    kept
}

/// Returns a link with an allowed scheme, a relative link, or `#` and the name of a place in the document; `None` for any other.
fn allowed(link: &str) -> Option<String> {
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

/// Resolves links to places in the document to page numbers, and removes and counts dangling ones. References to notes stay.
pub(crate) fn resolve_anchors(
    blocks: &mut [Block],
    page: impl Fn(&str) -> Option<usize>,
    losses: &mut Losses,
) {
    let refers = |run: &Run| run.style.script == Script::Super && run.link.as_deref() == Some(NOTE);
    let mut removed = None;
    flow::each_run(blocks, &mut |run| {
        if refers(run) {
            return;
        }
        let anchor = run.link.take_if(|link| link.starts_with('#'));
        let name = anchor.as_deref().and_then(|link| link.strip_prefix('#'));
        let page = name.and_then(&page);
        if let Some(page) = page {
            run.link = Some(format!("#page={page}"));
        }
        // Runs of different styles may be one link. An anchor without a name leads nowhere.
        let dangling = anchor.filter(|link| page.is_none() && link != "#");
        if dangling.is_some() && dangling != removed {
            losses.add(Loss::Link);
        }
        removed = dangling;
    });
}

#[cfg(test)]
mod tests {
    use layout::{Alignment, Block, Content, Run, Style};

    use super::{allowed, kept, resolve_anchors};
    use crate::warning::{Loss, Losses};

    #[test]
    fn dropped_links_are_counted() {
        let mut losses = Losses::of_page(1);
        for link in ["https://a.example/", "b.html", "#place", " "] {
            kept(link, &mut losses);
        }
        assert!(losses.all().is_empty());
        for link in ["javascript:x()", "file:///a", r"\\host\share", "/root.html"] {
            kept(link, &mut losses);
        }
        // Two runs of one link, and the top of the document, which is no place.
        let run = |link: &str, bold| Run {
            text: "x".to_owned(),
            style: Style {
                bold,
                ..Style::default()
            },
            link: Some(link.to_owned()),
        };
        let mut blocks = [Block::from(Content::Paragraph {
            runs: vec![
                run("#gone", false),
                run("#gone", true),
                run("#", false),
                run("#here", false),
                run("https://a.example/", false),
            ],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        })];
        let page = |name: &str| (name == "here").then_some(3);
        resolve_anchors(&mut blocks, page, &mut losses);
        let Content::Paragraph { runs, .. } = &blocks[0].content else {
            panic!("no paragraph");
        };
        let links: Vec<_> = runs.iter().map(|run| run.link.as_deref()).collect();
        let expected = [
            None,
            None,
            None,
            Some("#page=3"),
            Some("https://a.example/"),
        ];
        assert_eq!(links, expected);
        let counts: Vec<_> = losses
            .all()
            .iter()
            .map(|one| (one.loss, one.count))
            .collect();
        assert_eq!(counts, [(Loss::Link, 5)]);
    }

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
