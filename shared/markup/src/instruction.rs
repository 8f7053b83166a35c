//! The instructions of fields of word processors: where they lead, and whether they fetch.

use crate::link;

/// Whether an instruction fetches something.
pub(crate) fn fetches(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next().unwrap_or_default();
    [
        "INCLUDEPICTURE",
        "INCLUDETEXT",
        "DDE",
        "DDEAUTO",
        "LINK",
        "IMPORT",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether an instruction shows the number of the page that it is on: pages are not kept, and a header stands for all of its own.
pub(crate) fn numbers_page(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next();
    name.is_some_and(|name| name.eq_ignore_ascii_case("PAGE"))
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
    let link = match (url, anchor) {
        (Some(url), Some(anchor)) => Some(format!("{url}#{anchor}")),
        (Some(url), None) => Some(url),
        (None, anchor) => anchor.map(|anchor| format!("#{anchor}")),
    };
    link::allowed(&link?)
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
        assert_eq!(
            link(" HYPERLINK \"https://a.example/b c\" \\o \"tip\" "),
            some("https://a.example/b c")
        );
        assert_eq!(link("hyperlink \\l \"_Toc1\" \\h"), some("#_Toc1"));
        assert_eq!(
            link("HYPERLINK https://a.example \\l b"),
            some("https://a.example#b")
        );
        assert_eq!(link("PAGE \\* MERGEFORMAT"), None);
        assert!(fetches(" includepicture \"http://a\"") && !fetches("PAGEREF a"));
        assert!(numbers_page(" page \\* ROMAN") && !numbers_page("PAGEREF a"));
    }
}
