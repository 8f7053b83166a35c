//! Link targets: those that writers keep, and places in the same document.

use layout::writers::keeps_link;
use layout::{Block, NOTE, Run, Script};

use crate::flow;
use crate::warning::{Loss, Losses};

/// Maximum length of a link in bytes; each run has a copy.
pub(crate) const LONGEST: usize = 2_048;

/// Returns a link if it is allowed; another one is counted as dropped content.
pub(crate) fn kept(link: &str, losses: &mut Losses) -> Option<String> {
    let kept = allowed(link);
    if kept.is_none() && !link.trim().is_empty() {
        losses.add(Loss::Link);
    }
    kept
}

/// Returns a link that writers keep, or `#` and the name of a place in the document; `None` for any other.
pub(crate) fn allowed(link: &str) -> Option<String> {
    let link = link.trim();
    if link.starts_with('#') {
        return (link.len() <= LONGEST).then(|| link.to_owned());
    }
    let start = link.split(['/', '\\', '?', '#']).next();
    let link = match start.is_some_and(|start| start.contains(':')) {
        true => link.to_owned(),
        // Excel writes paths with the separators of Windows.
        false => link.replace('\\', "/").replace(' ', "%20"),
    };
    keeps_link(&link).then_some(link)
}

/// Whether a link has text or pictures. Pictures and shapes cannot have it, but text next to them can.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Linked {
    has_text: bool,
    has_picture: bool,
}

impl Linked {
    pub(crate) fn text(&mut self, text: &str) {
        self.has_text |= !text.trim().is_empty();
    }

    pub(crate) fn picture(&mut self) {
        self.has_picture = true;
    }

    /// Ends the link, which is dropped content if it is on pictures alone.
    pub(crate) fn end(self, losses: &mut Losses) {
        losses.add_many(Loss::Link, u32::from(self.has_picture && !self.has_text));
    }
}

/// Resolves links to places in the document to page numbers, and removes and counts dangling ones. References to notes stay.
pub(crate) fn resolve_anchors(
    blocks: &mut [Block],
    page: impl Fn(&str) -> Option<usize>,
    losses: &mut Losses,
) {
    let refers = |run: &Run| run.style.script == Script::Super && run.link.as_deref() == Some(NOTE);
    flow::each_line(blocks, &mut |line| {
        let mut removed = None;
        for run in line.iter_mut().filter(|run| !refers(run)) {
            let anchor = run.link.take_if(|link| link.starts_with('#'));
            let name = anchor.as_deref().and_then(|link| link.strip_prefix('#'));
            // Word's name of the beginning of a document.
            let top = || (name == Some("_top")).then_some(1);
            let page = name.and_then(&page).or_else(top);
            if let Some(page) = page {
                run.link = Some(format!("#page={page}"));
            }
            // Runs of different styles may be one link. An anchor without a name leads nowhere.
            let dangling = anchor.filter(|link| page.is_none() && link != "#");
            if dangling.is_some() && dangling != removed {
                losses.add(Loss::Link);
            }
            removed = dangling;
        }
    });
}

#[cfg(test)]
mod tests {
    use layout::{Alignment, Block, Content, Run, Style};

    use super::{Linked, allowed, kept, resolve_anchors};
    use crate::warning::{Loss, Losses};

    #[test]
    fn dropped_links_are_counted() {
        let mut losses = Losses::of_page(1);
        for link in ["https://a.example/", "b.html", "#place", "tel:1"] {
            assert!(kept(link, &mut losses).is_some(), "{link}");
        }
        assert_eq!(kept(" ", &mut losses), None);
        assert!(losses.all().is_empty());
        for link in [
            "javascript:x()",
            r"\\host\share",
            "/a.html",
            "www.a.example",
        ] {
            assert_eq!(kept(link, &mut losses), None, "{link}");
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
        let paragraph = |runs| {
            Block::from(Content::Paragraph {
                runs,
                alignment: Alignment::Start,
                continues: false,
                preformatted: false,
            })
        };
        let mut blocks = [
            paragraph(vec![
                run("#gone", false),
                run("#gone", true),
                run("#", false),
                run("#here", false),
                run("#_top", false),
                run("https://a.example/", false),
            ]),
            paragraph(vec![run("#gone", false)]),
            paragraph(vec![run("#gone", false)]),
        ];
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
            Some("#page=1"),
            Some("https://a.example/"),
        ];
        assert_eq!(links, expected);
        let counts: Vec<_> = losses
            .all()
            .iter()
            .map(|one| (one.loss, one.count))
            .collect();
        assert_eq!(counts, [(Loss::Link, 7)]);
    }

    #[test]
    fn links_on_pictures_alone_are_counted() {
        let mut losses = Losses::default();
        for texts in [&[""][..], &["", " "], &["", "Home"], &[]] {
            let mut linked = Linked::default();
            texts.iter().for_each(|text| {
                linked.picture();
                linked.text(text);
            });
            linked.end(&mut losses);
        }
        assert_eq!(losses.all().iter().map(|one| one.count).sum::<u32>(), 2);
    }

    #[test]
    fn links_with_scripts_or_files_are_rejected() {
        let some = |link: &str| Some(link.to_owned());
        assert_eq!(
            allowed(" HTTPS://a.example/b "),
            some("HTTPS://a.example/b")
        );
        assert_eq!(allowed("mailto:a@b.example"), some("mailto:a@b.example"));
        assert_eq!(allowed("tel:+49 30"), some("tel:+49 30"));
        assert_eq!(allowed("#my place"), some("#my place"));
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
            "~user/x",
            "[Book.xlsx]S!A1",
            "",
        ] {
            assert_eq!(allowed(refused), None, "{refused}");
        }
        assert_eq!(allowed(&format!("http://{}", "a".repeat(2_048))), None);
    }
}
