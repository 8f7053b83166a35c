//! Documentation pages, rendered from the Markdown files in `docs/` with anchors, contents and links between the pages.

use std::collections::HashMap;

use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A Markdown file in `docs/` and the path that its page is served at.
pub(crate) struct Doc {
    pub path: &'static str,
    pub file: &'static str,
    pub title: &'static str,
    text: &'static str,
}

macro_rules! docs {
    ($($path:literal, $file:literal, $title:literal;)*) => {
        &[$(Doc {
            path: $path,
            file: $file,
            title: $title,
            text: include_str!(concat!("../../../docs/", $file)),
        }),*]
    };
}

/// Every documentation page, in the order of the navigation.
pub(crate) const DOCS: &[Doc] = docs! {
    "/guide", "api.md", "API guide";
    "/guide/recipes", "recipes.md", "Recipes";
    "/guide/conversions", "conversions.md", "Conversions";
    "/guide/layout", "layout.md", "PDF to documents";
    "/guide/benchmarks", "benchmarks.md", "Benchmarks";
    "/guide/operations", "operations.md", "Operations";
    "/guide/deploy", "deploy.md", "Deploy";
};

/// Pictures of the pages: path and PNG.
pub(crate) const PICTURES: &[(&str, &[u8])] = &[
    (
        "/guide/pictures/hebrew.png",
        include_bytes!("../../../docs/pictures/hebrew.png"),
    ),
    (
        "/guide/pictures/invoice.png",
        include_bytes!("../../../docs/pictures/invoice.png"),
    ),
    (
        "/guide/pictures/paper.png",
        include_bytes!("../../../docs/pictures/paper.png"),
    ),
];

const TEMPLATE: &str = include_str!("../page/guide.html");

/// Renders a page as HTML.
pub(crate) fn render(doc: &Doc) -> String {
    let mut events: Vec<Event> = Parser::new_ext(doc.text, Options::ENABLE_TABLES).collect();
    let headings = add_anchors(&mut events);
    let mut content = String::new();
    html::push_html(&mut content, events.into_iter().filter_map(on_site));
    // Regions that scroll must be reachable by keyboard.
    let content = content
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>");
    TEMPLATE
        .replace("{{title}}", doc.title)
        .replace("{{pages}}", &pages(doc))
        .replace("{{contents}}", &contents(&headings))
        .replace("{{content}}", &content)
}

struct Heading {
    level: HeadingLevel,
    id: String,
    text: String,
}

/// Gives each heading an `id` and returns the headings below the title.
fn add_anchors(events: &mut [Event]) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut seen = HashMap::new();
    let mut open: Option<(usize, HeadingLevel, String)> = None;
    let mut ids = Vec::new();
    for (index, event) in events.iter().enumerate() {
        match (event, &mut open) {
            (Event::Start(Tag::Heading { level, .. }), _) => {
                open = Some((index, *level, String::new()));
            }
            (Event::Text(part) | Event::Code(part), Some((.., text))) => text.push_str(part),
            (Event::End(TagEnd::Heading(_)), _) => {
                if let Some((start, level, text)) = open.take() {
                    let id = unique(&mut seen, slug(&text));
                    ids.push((start, id.clone()));
                    headings.push(Heading { level, id, text });
                }
            }
            _ => {}
        }
    }
    for (start, anchor) in ids {
        if let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(start) {
            *id = Some(CowStr::from(anchor));
        }
    }
    headings.retain(|heading| heading.level != HeadingLevel::H1);
    headings
}

/// The anchor that GitHub gives a heading: lower case, spaces as hyphens, without punctuation.
fn slug(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase)
        .collect::<String>()
        .replace(' ', "-")
}

/// Numbers repeated anchors as GitHub does: `name`, `name-1`, `name-2`.
fn unique(seen: &mut HashMap<String, u32>, id: String) -> String {
    let count = seen.entry(id.clone()).or_insert(0);
    *count += 1;
    match *count {
        1 => id,
        count => format!("{id}-{}", count - 1),
    }
}

/// Points links at the pages of this site and drops comments.
fn on_site(event: Event) -> Option<Event> {
    match event {
        Event::Html(text) if text.trim_start().starts_with("<!--") => None,
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => {
            let dest_url = site_path(&dest_url).into();
            Some(Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }))
        }
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => {
            let dest_url = format!("/guide/{dest_url}").into();
            Some(Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }))
        }
        // Aligned cells would have inline styles, which the Content Security Policy forbids.
        Event::Start(Tag::Table(columns)) => {
            let columns = vec![Alignment::None; columns.len()];
            Some(Event::Start(Tag::Table(columns)))
        }
        other => Some(other),
    }
}

/// Returns the path on this site of a link in a Markdown file in `docs/`.
fn site_path(target: &str) -> String {
    let (file, anchor) = target
        .split_once('#')
        .map_or((target, ""), |(file, id)| (file, id));
    let path = match DOCS.iter().find(|doc| doc.file == file) {
        Some(doc) => doc.path,
        None => file,
    };
    if anchor.is_empty() {
        path.to_owned()
    } else {
        format!("{path}#{anchor}")
    }
}

/// The navigation between the pages.
fn pages(current: &Doc) -> String {
    let link = |doc: &Doc| {
        let state = if doc.path == current.path {
            " aria-current=\"page\""
        } else {
            ""
        };
        format!("<a href=\"{}\"{state}>{}</a>\n", doc.path, doc.title)
    };
    DOCS.iter().map(link).collect()
}

/// The contents of a page: its sections as a list of links.
fn contents(headings: &[Heading]) -> String {
    let link = |heading: &Heading| {
        let class = match heading.level {
            HeadingLevel::H2 => "section",
            _ => "subsection",
        };
        let text = heading.text.replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<li class=\"{class}\"><a href=\"#{}\">{text}</a></li>\n",
            heading.id
        )
    };
    headings.iter().map(link).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    /// The links and the anchors of a Markdown text.
    fn links_and_anchors(text: &str) -> (Vec<String>, Vec<String>) {
        let mut events: Vec<Event> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
        let headings = add_anchors(&mut events);
        let links = events.iter().filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.to_string())
            }
            _ => None,
        });
        (
            links.collect(),
            headings.into_iter().map(|heading| heading.id).collect(),
        )
    }

    fn markdown_files() -> Vec<PathBuf> {
        let directories = ["", "docs", ".github", ".github/ISSUE_TEMPLATE"];
        let entries = directories
            .iter()
            .flat_map(|directory| std::fs::read_dir(Path::new(ROOT).join(directory)).unwrap());
        let files = entries.map(|entry| entry.unwrap().path());
        files
            .filter(|file| file.extension().is_some_and(|end| end == "md"))
            .collect()
    }

    #[test]
    fn every_link_between_files_leads_to_a_file_and_an_anchor() {
        let files = markdown_files();
        assert!(files.len() > 10);
        let mut anchors = BTreeMap::new();
        let mut links = Vec::new();
        for file in &files {
            let text = std::fs::read_to_string(file).unwrap();
            let (targets, ids) = links_and_anchors(&text);
            anchors.insert(file.canonicalize().unwrap(), ids);
            links.extend(targets.into_iter().map(|target| (file, target)));
        }
        let own = links.iter().filter(|(_, target)| !target.contains("://"));
        for (file, target) in own {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match path {
                "" => (*file).clone(),
                path => file.parent().unwrap().join(path),
            };
            let path = path
                .canonicalize()
                .unwrap_or_else(|_| panic!("{}: {target}", file.display()));
            let known = anchor.is_empty() || anchors[&path].iter().any(|id| id == anchor);
            assert!(known, "{}: {target}", file.display());
        }
    }

    #[test]
    fn every_link_of_the_site_leads_to_a_page_and_an_anchor() {
        let pages: BTreeMap<_, _> = DOCS.iter().map(|doc| (doc.path, render(doc))).collect();
        let pictures: Vec<_> = PICTURES.iter().map(|(path, _)| *path).collect();
        let mut count = 0;
        for (path, page) in &pages {
            for attribute in [" href=\"", " src=\""] {
                for part in page.split(attribute).skip(1) {
                    let target = part.split('"').next().unwrap();
                    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                    let file = if file.is_empty() { path } else { file };
                    count += 1;
                    match pages.get(file) {
                        Some(page) => assert!(
                            anchor.is_empty() || page.contains(&format!(" id=\"{anchor}\"")),
                            "{path}: {target}"
                        ),
                        None => assert!(
                            target.starts_with("https://")
                                || matches!(file, "/" | "/icon.svg" | "/site.css")
                                || pictures.contains(&file),
                            "{path}: {target}"
                        ),
                    }
                }
            }
        }
        assert!(count > 100);
    }

    #[test]
    fn anchors_are_those_of_github() {
        assert_eq!(
            slug("Plans in your own account"),
            "plans-in-your-own-account"
        );
        assert_eq!(slug("extract-pages"), "extract-pages");
        assert_eq!(
            slug("Delivery, retries, and order"),
            "delivery-retries-and-order"
        );
        assert_eq!(slug("`optimize`: what it does"), "optimize-what-it-does");
    }
}
