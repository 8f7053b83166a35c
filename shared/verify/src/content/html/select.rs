//! Options of a list, of which a page shows those that are selected, or the first.

use html5ever::tokenizer::{Tag, TagKind};

use super::attribute;

/// Elements whose start tag ends a list, because it cannot contain them.
const ENDS: [&str; 12] = [
    "select", "input", "textarea", "keygen", "table", "caption", "tbody", "tfoot", "thead", "tr",
    "td", "th",
];

/// An open list.
#[derive(Default)]
pub(super) struct Select {
    /// Whether each option is selected, and its text.
    options: Vec<(bool, String)>,
    is_in_option: bool,
    /// Whether the text is that of a script or a style.
    is_raw: bool,
}

impl Select {
    /// Adds text, which is shown in options only.
    pub(super) fn text(&mut self, text: &str) {
        let is_shown = self.is_in_option && !self.is_raw;
        let last = self.options.last_mut().filter(|_| is_shown);
        if let Some((_, option)) = last {
            option.push_str(text);
        }
    }

    /// Handles a tag within the list; returns whether it ends the list.
    pub(super) fn tag(&mut self, tag: &Tag) -> bool {
        match (tag.kind, &*tag.name) {
            (TagKind::StartTag, "option") => {
                let is_selected = attribute(tag, "selected").is_some();
                self.options.push((is_selected, String::new()));
                self.is_in_option = true;
            }
            (TagKind::EndTag, "option") | (_, "optgroup") => self.is_in_option = false,
            (kind, "script" | "style") => self.is_raw = kind == TagKind::StartTag,
            (TagKind::EndTag, name) => return name == "select",
            (TagKind::StartTag, name) => return ENDS.contains(&name),
        }
        false
    }

    /// The texts that are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = &str> {
        let has_selected = self.options.iter().any(|(is_selected, _)| *is_selected);
        let shown = self.options.iter().enumerate();
        let shown = shown.filter(move |(index, (is_selected, _))| match has_selected {
            true => *is_selected,
            false => *index == 0,
        });
        shown.map(|(_, (_, text))| text.as_str())
    }
}
