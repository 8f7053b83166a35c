//! Reads the headers and footers of an ODF document [OpenDocument 1.3 part 3, 16.10].

use std::collections::BTreeSet;

use crate::content::item::Unreadable;
use crate::content::scope::Scope;
use crate::content::xml::{Element, Node, walk};

/// The page style of a text document without another one.
const STANDARD: &str = "Standard";

/// Names of the page styles that a document uses.
#[derive(Default)]
pub(super) struct PageStyles(BTreeSet<String>);

impl PageStyles {
    /// Adds the page style that a style begins.
    pub(super) fn add(&mut self, element: &Element<'_>) {
        if element.name() == "style" {
            let page = element.attribute("master-page-name");
            self.0.extend(page.filter(|page| !page.is_empty()));
        }
    }
}

/// Calls `take` with the nodes of the header and the footer, if all pages have the same, or with those of each different one.
/// `used` are the page styles of the content.
pub(super) fn read(
    mut used: PageStyles,
    styles: &[u8],
    scope: Scope,
    take: &mut dyn FnMut(&Node<'_>, usize),
) -> Result<(), Unreadable> {
    let of_content = used.0.clone();
    // A named style may be unused; automatic ones, which the content has, are not.
    if used.0.is_empty() {
        used.0.insert(STANDARD.to_owned());
    }
    walk(styles, |node, _| {
        if let Node::Start(element) = node {
            used.add(&element);
        }
    })?;
    if scope.running_text {
        let shown = match used.0.len() {
            1 => &used.0,
            _ => &of_content,
        };
        return shown.iter().try_for_each(|page| {
            walk_headers(styles, page, &mut |node, depth, name| {
                // There may be no even page.
                if !name.ends_with("-left") {
                    take(node, depth);
                }
            })
        });
    }
    let page = used.0.pop_first().unwrap_or_default();
    if used.0.is_empty() && !varies(styles, &page)? {
        walk_headers(styles, &page, &mut |node, depth, _| take(node, depth))?;
    }
    Ok(())
}

/// Whether some pages of a style have a header or footer of their own.
fn varies(styles: &[u8], page: &str) -> Result<bool, Unreadable> {
    let mut varies = false;
    walk_headers(styles, page, &mut |_, _, header| {
        varies |= !matches!(header, "header" | "footer");
    })?;
    Ok(varies)
}

/// Calls `take` with the nodes of each header and footer of a page style, and with the name of their element.
fn walk_headers(
    styles: &[u8],
    page: &str,
    take: &mut dyn FnMut(&Node<'_>, usize, &str),
) -> Result<(), Unreadable> {
    let (mut is_wanted, mut open) = (false, None::<(String, usize)>);
    walk(styles, |node, depth| {
        if let Node::Start(element) = &node {
            let name = element.name();
            match name {
                "master-page" => is_wanted = element.has("name", page),
                "header" | "footer" | "header-left" | "footer-left" | "header-first"
                | "footer-first"
                    if is_wanted && open.is_none() && !element.has("display", "false") =>
                {
                    open = Some((name.to_owned(), depth));
                }
                _ => {}
            }
        }
        if let Some((name, start)) = &open {
            take(&node, depth, name);
            if depth == *start && matches!(node, Node::End(_)) {
                open = None;
            }
        }
        if matches!(node, Node::End("master-page")) {
            is_wanted = false;
        }
    })
}

#[cfg(test)]
mod tests {
    use domain::format::Format;

    use crate::content::odf;
    use crate::content::scope::Scope;
    use crate::content::test_files::{items, package};

    const STYLES: &str = "<styles><master-page name='Standard'><header><p>Ferries <page-number>1</page-number></p></header>
        <header-left display='false'><p>left</p></header-left><footer><p>Pier</p></footer></master-page>
        <master-page name='Other'><header><p>Other</p></header></master-page></styles>";

    fn read_to(to: Format, content: &str, styles: &str) -> String {
        let file = package(&[
            ("content.xml", content.as_bytes()),
            ("styles.xml", styles.as_bytes()),
        ]);
        let scope = Scope::of(Format::Odt, to);
        items(&file, |path, take| odf::read(path, scope, take)).unwrap()
    }

    #[test]
    fn headers_that_every_page_has_are_read() {
        let content = "<body><text><p>text</p></text></body>";
        assert_eq!(read_to(Format::Pdf, content, STYLES), "text|Ferries |Pier|");
        let other = format!("<body><style master-page-name='Other'/>{content}</body>");
        assert_eq!(read_to(Format::Pdf, &other, STYLES), "text|Other|");
        let two = format!("<body><style master-page-name='Standard'/>{other}</body>");
        assert_eq!(read_to(Format::Pdf, &two, STYLES), "text|");
        let first = STYLES
            .replace("header-left display='false'", "header-first")
            .replace("/header-left", "/header-first");
        assert_eq!(read_to(Format::Pdf, content, &first), "text|");
    }

    #[test]
    fn different_headers_are_read() {
        let content = "<body><text><p>text</p></text></body>";
        let read = |content: &str, styles: &str| read_to(Format::Markdown, content, styles);
        assert_eq!(read(content, STYLES), "text|^Ferries |Pier|");
        let pages = ["Standard", "Other"].map(|page| format!("<style master-page-name='{page}'/>"));
        let two = format!("<body>{}{content}</body>", pages.concat());
        assert_eq!(read(&two, STYLES), "text|^Other|Ferries |Pier|");
        let first = STYLES
            .replace("header-left display='false'", "header-first")
            .replace("/header-left", "/header-first");
        assert_eq!(read(content, &first), "text|^Ferries |left|Pier|");
        let even = STYLES.replace(" display='false'", "");
        assert_eq!(read(content, &even), "text|^Ferries |Pier|");
    }

    #[test]
    fn titles_of_charts_are_read() {
        let content = "<body><spreadsheet><table name='a'><frame><object href='./Object 1'/></frame></table></spreadsheet></body>";
        let chart = "<chart><title><p>Sales</p></title><legend/><table><p>17</p></table></chart>";
        let file = package(&[
            ("content.xml", content.as_bytes()),
            ("Object 1/content.xml", chart.as_bytes()),
        ]);
        let read = |to| {
            let scope = Scope::of(Format::Ods, to);
            items(&file, |path, take| odf::read(path, scope, take).map(|_| ())).unwrap()
        };
        assert_eq!(read(Format::Pdf), "[1 0,0]~Sales||");
        assert_eq!(read(Format::Html), "[1 0,0]~||");
    }
}
