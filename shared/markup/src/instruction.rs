//! Field instructions of word processors: hyperlinks, page numbers and external content.

use crate::link;
use crate::warning::Losses;

/// Whether a field loads external content.
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

/// Whether a field displays the page number. Pages are not preserved: one header represents those of all pages of its section.
pub(crate) fn numbers_page(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next();
    name.is_some_and(|name| name.eq_ignore_ascii_case("PAGE"))
}

/// Returns the target of a `HYPERLINK` field: a URL, or `#` and the name of a bookmark. Another target is counted as dropped content.
pub(crate) fn link(instruction: &str, losses: &mut Losses) -> Option<String> {
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
    link::kept(&link?, losses)
}

/// Splits an instruction into words; a quoted string is one word.
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
    fn hyperlinks_and_page_numbers_are_recognized() {
        let some = |text: &str| Some(text.to_owned());
        let mut losses = Losses::default();
        let mut link = |instruction| link(instruction, &mut losses);
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
        assert_eq!(link("HYPERLINK file:///a.docx"), None);
        assert_eq!(losses.all().len(), 1);
        assert!(fetches(" includepicture \"http://a\"") && !fetches("PAGEREF a"));
        assert!(numbers_page(" page \\* ROMAN") && !numbers_page("PAGEREF a"));
    }
}
