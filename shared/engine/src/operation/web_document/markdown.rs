//! Markdown to a page for the browser. Embedded HTML is kept; scripts do not run.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::page_template;

/// Returns the HTML page of a text. The title is the one in the front matter, or the first heading.
pub(super) fn page(text: &str) -> String {
    let (front_matter_title, text) = markup::without_front_matter(text);
    let title = front_matter_title.or_else(|| title(markup::markdown_events(text)));
    page_template::page(title.as_deref(), &markup::markdown_to_html(text))
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
