//! Gives headings the identifiers to which links such as `#first-steps` lead, as GitHub does.

use std::collections::{HashMap, VecDeque};

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

/// Events in which each heading has an identifier.
pub(super) struct HeadingIds<I> {
    events: I,
    /// Number of headings by identifier.
    seen: HashMap<String, u32>,
}

impl<'t, I: Iterator<Item = Event<'t>>> HeadingIds<I> {
    pub(super) fn new(events: I) -> Self {
        Self {
            events,
            seen: HashMap::new(),
        }
    }

    /// The rest of a heading, and its identifier.
    fn heading(&mut self) -> (VecDeque<Event<'t>>, String) {
        let (mut content, mut text) = (VecDeque::new(), String::new());
        for event in self.events.by_ref() {
            match &event {
                Event::Text(part) | Event::Code(part) => text.push_str(part),
                _ => {}
            }
            let ends = matches!(event, Event::End(TagEnd::Heading(_)));
            content.push_back(event);
            if ends {
                break;
            }
        }
        let name = name(&text);
        let count = self.seen.entry(name.clone()).or_default();
        *count += 1;
        let id = match *count {
            1 => name,
            count => format!("{name}-{}", count - 1),
        };
        (content, id)
    }

    /// The events, each heading at once.
    pub(super) fn events(mut self) -> impl Iterator<Item = Event<'t>> {
        let mut pending = VecDeque::new();
        std::iter::from_fn(move || {
            if let Some(event) = pending.pop_front() {
                return Some(event);
            }
            match self.events.next()? {
                Event::Start(Tag::Heading {
                    level,
                    id: None,
                    classes,
                    attrs,
                }) => {
                    let (content, id) = self.heading();
                    pending = content;
                    Some(Event::Start(Tag::Heading {
                        level,
                        id: Some(CowStr::from(id)),
                        classes,
                        attrs,
                    }))
                }
                event => Some(event),
            }
        })
    }
}

/// The heading in lower case, with hyphens instead of spaces and without punctuation.
fn name(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
    let lower: String = kept.flat_map(char::to_lowercase).collect();
    lower.replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::super::to_html;

    #[test]
    fn headings_have_the_names_that_links_use() {
        let page =
            to_html("# First *steps*, `now`!\n\n# Größe\n\ntext\n\n# Größe\n\n<h2 id=own>x</h2>\n");
        let ids: Vec<_> = page
            .split("id=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert_eq!(ids, ["first-steps-now", "größe", "größe-1"]);
        assert!(page.contains("<em>steps</em>") && page.contains("<h2 id=own>"));
    }
}
