//! Fields: only their results are read.

use crate::xml::Element;

/// The fields that are open, the innermost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    open: Vec<Field>,
}

#[derive(Clone, Debug, Default)]
struct Field {
    instruction: String,
    /// Its result has begun.
    shows: bool,
    /// Where its result leads to.
    link: Option<String>,
}

/// Most fields within one another; what more there are shows its text.
const DEPTH: usize = 64;
/// Most characters of an instruction that are looked at.
const INSTRUCTION: usize = 8_192;

impl Fields {
    /// Takes the mark that begins a field, its result, or ends it.
    pub(super) fn mark(&mut self, mark: &Element) {
        match mark.get("w:fldCharType") {
            Some("begin") if self.open.len() < DEPTH => self.open.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.open.last_mut() {
                    field.shows = true;
                    field.link = link(&field.instruction);
                }
            }
            Some("end") => {
                self.open.pop();
            }
            _ => {}
        }
    }

    /// Takes a piece of an instruction.
    pub(super) fn instruct(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut().filter(|field| field.instruction.len() < INSTRUCTION) {
            field.instruction.push_str(text);
        }
    }

    /// Whether text is shown here.
    pub(super) fn shows(&self) -> bool {
        self.open.iter().all(|field| field.shows)
    }

    /// Where text leads to here.
    pub(super) fn link(&self) -> Option<&str> {
        self.open.iter().rev().find_map(|field| field.link.as_deref())
    }

    /// Whether a field fetches something.
    pub(super) fn fetches(&self) -> bool {
        self.open.last().is_some_and(|field| fetches(&field.instruction))
    }
}

/// Whether an instruction fetches something.
pub(crate) fn fetches(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next().unwrap_or_default();
    ["INCLUDEPICTURE", "INCLUDETEXT", "DDE", "DDEAUTO", "LINK", "IMPORT"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Where an instruction leads to: a URL, or `#` and the name of a bookmark.
pub(crate) fn link(instruction: &str) -> Option<String> {
    let mut words = words(instruction).into_iter();
    if !words.next()?.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let (mut url, mut anchor) = (None, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "\\l" => anchor = words.next(),
            "\\o" | "\\t" => {
                words.next();
            }
            switch if switch.starts_with('\\') => {}
            _ => url = url.or(Some(word)),
        }
    }
    match (url, anchor) {
        (Some(url), Some(anchor)) => Some(format!("{url}#{anchor}")),
        (Some(url), None) => Some(url),
        (None, anchor) => anchor.map(|anchor| format!("#{anchor}")),
    }
}

/// The words of an instruction; what stands between quotation marks is one.
fn words(instruction: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, piece) in instruction.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_lead_somewhere() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(link(" HYPERLINK \"https://a.example/b c\" \\o \"tip\" "), some("https://a.example/b c"));
        assert_eq!(link("hyperlink \\l \"_Toc1\" \\h"), some("#_Toc1"));
        assert_eq!(link("HYPERLINK https://a.example \\l b"), some("https://a.example#b"));
        assert_eq!(link("PAGE \\* MERGEFORMAT"), None);
        assert!(fetches(" includepicture \"http://a\"") && !fetches("PAGEREF a"));
    }
}
