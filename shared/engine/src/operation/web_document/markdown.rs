//! Markdown to a page for the browser. Embedded HTML is kept; scripts do not run.

use pulldown_cmark::{Event, Tag, TagEnd, html};

/// Start of the HTML page. Scripts are also disabled in the browser.
const HEAD: &str = "<!doctype html>
<html><head><meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'\">
<style>
body { font: 11pt/1.5 'Open Sans', 'Noto Sans', 'DejaVu Sans', sans-serif; color: #1a1a1a; margin: 0; overflow-wrap: break-word; }
@media screen { body { max-width: 60em; margin: 2em auto; padding: 0 2em; } }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.2em 0 0.5em; break-after: avoid; }
h1 { font-size: 22pt; margin-top: 0; } h2 { font-size: 17pt; } h3 { font-size: 14pt; } h4, h5, h6 { font-size: 11.5pt; }
p, ul, ol, table, pre, blockquote { margin: 0 0 0.8em; }
code, pre { font-family: 'DejaVu Sans Mono', 'Liberation Mono', monospace; font-size: 9.5pt; }
code { background: #f2f2f2; padding: 0.1em 0.3em; border-radius: 3px; }
pre { background: #f6f6f6; padding: 0.8em; border-radius: 4px; white-space: pre-wrap; }
pre code { background: none; padding: 0; }
blockquote { border-left: 3px solid #ccc; padding-left: 1em; color: #555; }
table { border-collapse: collapse; } thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: left; vertical-align: top; } th { background: #f2f2f2; }
img { max-width: 100%; } hr { border: 0; border-top: 1px solid #ccc; } a { color: #0b57d0; }
</style>
";

/// Returns the HTML page of a text. The title is the one in the front matter, or the first heading.
pub(super) fn page(text: &str) -> String {
    let (front_matter_title, text) = markup::without_front_matter(text);
    let mut page = HEAD.to_owned();
    if let Some(title) = front_matter_title.or_else(|| title(markup::markdown_events(text))) {
        page.push_str("<title>");
        html::push_html(&mut page, std::iter::once(Event::Text(title.into())));
        page.push_str("</title>");
    }
    page.push_str("</head><body>\n");
    page.push_str(&markup::markdown_to_html(text));
    page.push_str("</body></html>\n");
    page
}

/// The text of the first heading.
fn title<'a>(events: impl Iterator<Item = Event<'a>>) -> Option<String> {
    let heading = events.skip_while(|event| !matches!(event, Event::Start(Tag::Heading { .. })));
    let heading = heading.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let title: String = heading
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.into_string()),
            _ => None,
        })
        .collect();
    Some(title).filter(|title| !title.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::page;

    fn body(text: &str) -> String {
        let page = page(text);
        let (_, body) = page.split_once("<body>\n").unwrap();
        body.replace("</body></html>\n", "")
    }

    #[test]
    fn tables_task_lists_and_html_are_rendered() {
        assert_eq!(
            body("| a | b |\n|---|--:|\n| 1 | 2 |\n"),
            "<table><thead><tr><th>a</th><th style=\"text-align: right\">b</th></tr></thead><tbody>\n\
             <tr><td>1</td><td style=\"text-align: right\">2</td></tr>\n</tbody></table>\n"
        );
        assert!(body("- [x] done").contains("checked=\"\""));
        assert_eq!(
            body("~~gone~~ <u>kept</u>"),
            "<p><del>gone</del> <u>kept</u></p>\n"
        );
        assert_eq!(body("a < b & c"), "<p>a &lt; b &amp; c</p>\n");
    }

    #[test]
    fn front_matter_or_the_first_heading_is_the_title() {
        assert!(
            page("text\n\n# A *b* `c` & <d>\n\n# Second").contains("<title>A b c &amp; </title>")
        );
        assert!(!page("text").contains("<title>"));
        let titled = page("---\ntitle: Given\n---\n# Head");
        assert!(titled.contains("<title>Given</title>") && !titled.contains("<hr"));
    }
}
