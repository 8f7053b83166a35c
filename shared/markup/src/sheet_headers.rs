//! Headers and footers of sheets, which no reader keeps.

/// Whether a header or footer of Excel, such as `&L&A&CDraft&RPage &P`, has text of its own: page numbers and names of sheets and
/// files are not.
pub(crate) fn has_text(code: &str) -> bool {
    let (mut text, mut is_numbered) = (String::new(), false);
    let mut rest = code.chars().peekable();
    while let Some(character) = rest.next() {
        match (character, rest.peek().copied()) {
            ('&', Some('L' | 'C' | 'R')) => {
                rest.next();
                if is_text(&text, is_numbered) {
                    return true;
                }
                (text, is_numbered) = (String::new(), false);
            }
            ('&', Some('"')) => {
                rest.next();
                rest.by_ref().take_while(|next| *next != '"').for_each(drop);
            }
            ('&', Some('K')) => rest.by_ref().take(7).for_each(drop),
            ('&', Some('&')) => text.extend(rest.next()),
            ('&', Some(next)) if next.is_ascii_digit() => {
                while rest.next_if(char::is_ascii_digit).is_some() {}
            }
            ('&', Some(code)) => {
                is_numbered |= matches!(code, 'P' | 'N');
                rest.next();
            }
            (character, _) => text.push(character),
        }
    }
    is_text(&text, is_numbered)
}

/// Whether words are there that only say what a page number is.
fn is_text(text: &str, is_numbered: bool) -> bool {
    !is_numbered && text.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_and_fields_are_no_text() {
        for code in [
            "",
            "&P",
            "&CPage &P of &N",
            "&L&A&R&D &T",
            "&\"Arial,Bold\"&12&KFF0000&F",
        ] {
            assert!(!has_text(code), "{code}");
        }
        for code in [
            "Draft",
            "&CPage &P&RDraft",
            "&\"Arial\"&10Draft",
            "&KFF0000Draft",
            "A && B",
        ] {
            assert!(has_text(code), "{code}");
        }
    }
}
