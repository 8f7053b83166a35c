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
                // A field is apart from the words around it.
                text.extend(matches!(code, 'P' | 'N' | 'D' | 'T' | 'A' | 'F' | 'Z').then_some(' '));
                rest.next();
                // The number of a page may be calculated, as by `&P+1`.
                if code == 'P' && rest.next_if(|next| matches!(next, '+' | '-')).is_some() {
                    while rest.next_if(char::is_ascii_digit).is_some() {}
                }
            }
            (character, _) => text.push(character),
        }
    }
    is_text(&text, is_numbered)
}

/// Labels of page numbers, in the languages of most documents.
const WORDS: [&str; 58] = [
    "page",
    "pag",
    "sid",
    "od",
    "iz",
    "ze",
    "stranica",
    "pages",
    "of",
    "p",
    "pp",
    "pg",
    "seite",
    "seiten",
    "von",
    "blatt",
    "s",
    "sur",
    "de",
    "página",
    "páginas",
    "pagina",
    "pagine",
    "pág",
    "di",
    "su",
    "van",
    "sida",
    "side",
    "av",
    "af",
    "sivu",
    "strona",
    "stron",
    "str",
    "z",
    "strana",
    "stránka",
    "oldal",
    "pagină",
    "din",
    "sayfa",
    "σελίδα",
    "από",
    "страница",
    "стр",
    "из",
    "сторінка",
    "з",
    "trang",
    "halaman",
    "dari",
    "第",
    "页",
    "頁",
    "共",
    "ページ",
    "페이지",
];

/// Whether the text outside fields has words other than labels of page numbers.
pub(crate) fn is_text(text: &str, is_numbered: bool) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty());
    match is_numbered {
        true => words.any(|word| !WORDS.contains(&word.to_lowercase().as_str())),
        false => words.next().is_some(),
    }
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
            "&RSeite &P/&N",
            "&C第&P页 共&N页",
            "&L&A&R&D &T",
            "&RStranica &P+1 od &N, &D",
            "&\"Arial,Bold\"&12&KFF0000&F",
        ] {
            assert!(!has_text(code), "{code}");
        }
        for code in [
            "Draft",
            "&CPage &P&RDraft",
            "&LConfidential&RPage &P of &N",
            "&CConfidential - page &P of &N",
            "&\"Arial\"&10Draft",
            "&KFF0000Draft",
            "A && B",
            "4711 · &P",
        ] {
            assert!(has_text(code), "{code}");
        }
    }
}
