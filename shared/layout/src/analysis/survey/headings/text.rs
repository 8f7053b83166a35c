//! Features of the text of a heading candidate.

use crate::analysis::candidates::weights::{Feature, ratio};
use crate::analysis::lines::caption_words::caption_kind;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::write::is_ideographic;
use crate::model::roman;

use super::{count_of, flag};

/// Share of capitalized words that is assumed where letters have no case.
const CASELESS: f32 = 0.65;
/// Usual titles of parts of documents.
const TITLES: &[&str] = &[
    "abstract",
    "acknowledgements",
    "acknowledgments",
    "appendix",
    "background",
    "bibliography",
    "conclusion",
    "conclusions",
    "contents",
    "discussion",
    "executive summary",
    "foreword",
    "glossary",
    "index",
    "introduction",
    "keywords",
    "literature review",
    "method",
    "methodology",
    "methods",
    "objectives",
    "overview",
    "preface",
    "references",
    "results",
    "summary",
    "table of contents",
    "einleitung",
    "inhalt",
    "inhaltsverzeichnis",
    "literatur",
    "zusammenfassung",
    "anhang",
    "vorwort",
    "introducción",
    "conclusiones",
    "referencias",
    "resumen",
    "índice",
    "bibliografía",
    "résumé",
    "sommaire",
    "bibliographie",
    "références",
    "annexe",
    "introduzione",
    "conclusioni",
    "bibliografia",
    "riassunto",
    "indice",
    "introdução",
    "conclusão",
    "referências",
    "resumo",
    "sumário",
    "введение",
    "заключение",
    "литература",
    "содержание",
    "摘要",
    "引言",
    "结论",
    "参考文献",
    "目录",
    "目次",
    "はじめに",
    "結論",
    "المقدمة",
    "المراجع",
    "الخاتمة",
    "مقدمة",
    "خاتمة",
    "الملخص",
    "المحتويات",
    "الفهرس",
    "مقدمه",
    "چکیده",
    "نتیجه‌گیری",
    "منابع",
    "فهرست",
    "فهرست مطالب",
    "תקציר",
    "מבוא",
    "הקדמה",
    "סיכום",
    "מסקנות",
    "ביבליוגרפיה",
    "תוכן עניינים",
    "تعارف",
    "خلاصہ",
    "نتائج",
    "حوالہ جات",
    "فہرست",
];

/// Words before the number of a part of a document.
const PARTS: &[&str] = &[
    "chapter",
    "part",
    "section",
    "appendix",
    "annex",
    "article",
    "lesson",
    "unit",
    "kapitel",
    "teil",
    "abschnitt",
    "anhang",
    "artikel",
    "chapitre",
    "partie",
    "annexe",
    "capítulo",
    "parte",
    "sección",
    "anexo",
    "artículo",
    "capitolo",
    "sezione",
    "appendice",
    "articolo",
    "seção",
    "hoofdstuk",
    "deel",
    "bijlage",
    "глава",
    "часть",
    "раздел",
    "приложение",
    "статья",
];

/// The text of a candidate.
pub(super) struct Text {
    words: Vec<String>,
}

impl Text {
    pub(super) fn of(lines: &[&Line]) -> Option<Self> {
        let mut words: Vec<String> = Vec::new();
        for piece in lines.iter().flat_map(|line| &line.pieces) {
            match words.last_mut().filter(|_| piece.is_close) {
                Some(word) => word.push_str(&piece.text()),
                None => words.push(piece.text()),
            }
        }
        (!words.is_empty()).then_some(Self { words })
    }

    pub(super) fn features(&self) -> Vec<Feature> {
        let characters = || self.words.iter().flat_map(|word| word.chars());
        let count = |is: fn(char) -> bool| count_of(characters().filter(|text| is(*text)).count());
        let ends = |last| matches!(last, '.' | ';' | ',' | '。' | '…' | '،' | '؛' | '۔');
        let (first, last) = (characters().next(), characters().last());
        let depth = self.depth();
        let length = count_of(self.words.len().min(20)) / 20.0;
        vec![
            ("words", length),
            ("digits", count(char::is_numeric) / count(|_| true).max(1.0)),
            (
                "no_words",
                flag(!self.words.iter().any(|word| is_word(word))),
            ),
            ("capitalized", self.capitalized()),
            ("lower", flag(first.is_some_and(char::is_lowercase))),
            ("sentence", length * flag(last.is_some_and(ends))),
            ("numbered", flag(depth > 0)),
            ("dotted", flag(depth > 1)),
            ("caption", flag(self.is_caption())),
            ("known", flag(self.is_known())),
        ]
    }

    /// Whether it is an e-mail address or a URL, alone.
    pub(super) fn is_address(&self) -> bool {
        let is_email = |word: &str| {
            word.split_once('@')
                .and_then(|(name, host)| Some((name, host.split_once('.')?.0)))
                .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
        };
        let is_url = |word: &str| word.contains("://") || word.starts_with("www.");
        let is_one = |word: &String| is_email(word) || is_url(word);
        matches!(self.words.as_slice(), [only] if is_one(only))
    }

    /// Whether it is only the number of a part, such as `Chapter 3`.
    pub(super) fn is_label(&self) -> bool {
        match self.words.as_slice() {
            [word, _] => PARTS.contains(&word.to_lowercase().as_str()) && self.depth() > 0,
            _ => false,
        }
    }

    /// Returns the depth of the number before the text, or of one after a word such as `Chapter`; 0 if there is none.
    fn depth(&self) -> usize {
        let is_part = |word: &&String| PARTS.contains(&word.to_lowercase().as_str());
        let begin = usize::from(self.words.first().is_some_and(|word| is_part(&word)));
        let Some(first) = self.words.get(begin).filter(|_| self.words.len() > 1) else {
            return 0;
        };
        let number = first
            .trim_start_matches('(')
            .trim_end_matches(['.', ')', ':']);
        let parts = || number.split('.');
        let is_marked = begin > 0 || number.len() < first.len() || parts().count() > 1;
        let is_number = |part: &str| {
            (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_capital = |part: &str| {
            let is_letter = part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
            let is_upper = || part.chars().all(char::is_uppercase);
            is_letter || is_upper() && roman::value(&part.to_lowercase()).is_some()
        };
        let mut all = parts();
        let is_first = |part: &str| is_number(part) || is_marked && is_capital(part);
        match all.next().is_some_and(is_first) && all.all(is_number) {
            true => parts().count(),
            false => 0,
        }
    }

    /// Returns the share of words that begin with a capital.
    fn capitalized(&self) -> f32 {
        let characters = || self.words.iter().flat_map(|word| word.chars());
        let has_case = characters().any(|text| text.is_lowercase() || text.is_uppercase());
        if !has_case && characters().any(char::is_alphabetic) {
            return CASELESS;
        }
        let begins = |word: &&String| word.chars().next().is_some_and(char::is_uppercase);
        ratio(self.words.iter().filter(begins).count(), self.words.len())
    }

    /// Whether it is a usual title, apart from its number.
    fn is_known(&self) -> bool {
        let text = self.words.join(" ").to_lowercase();
        let text = text.trim_matches(|end: char| !end.is_alphabetic());
        TITLES.contains(&text)
    }

    /// Whether it begins with a word such as `Figure` and a number, a letter or a colon.
    fn is_caption(&self) -> bool {
        let Some(first) = self.words.first() else {
            return false;
        };
        let lower = first.to_lowercase();
        let is_number = |word: &String| {
            let number = word.trim_end_matches(['.', ':']);
            let is_letter = number.chars().count() == 1 && number.chars().all(char::is_uppercase);
            is_letter
                || number.chars().any(char::is_numeric)
                || roman::value(&number.to_lowercase()).is_some()
        };
        caption_kind(&lower).is_some()
            && (lower.ends_with(':')
                || lower.chars().any(char::is_numeric)
                || self.words.get(1).is_some_and(is_number))
    }
}

/// Whether it is more than a symbol or a unit: three letters, or two ideographs.
fn is_word(text: &str) -> bool {
    let least = match text.chars().any(is_ideographic) {
        true => 2,
        false => 3,
    };
    text.chars().filter(|text| text.is_alphabetic()).count() >= least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Text {
        Text {
            words: words.split(' ').map(str::to_owned).collect(),
        }
    }

    #[test]
    fn numbers_before_titles_have_a_depth() {
        for (words, depth) in [
            ("1 Bridges", 1),
            ("2. Bridges", 1),
            ("2.1.3 Bridges", 3),
            ("A.2 Bridges", 2),
            ("IV. Bridges", 1),
            ("III.2. Bridges", 2),
            ("Chapter 3", 1),
            ("Anhang B", 1),
            ("Part II Bridges", 1),
            ("Part of it", 0),
            ("XIX bridges", 0),
            ("Bridges", 0),
            ("A bridge", 0),
            ("1998 was wet", 0),
            ("12", 0),
        ] {
            assert_eq!(text(words).depth(), depth, "{words}");
        }
    }

    #[test]
    fn labels_of_parts_have_nothing_but_their_number() {
        assert!(text("Chapter 3").is_label() && text("ANHANG B").is_label());
        assert!(!text("Chapter 3 Bridges").is_label() && !text("Bridges 3").is_label());
    }

    #[test]
    fn captions_have_a_number_or_a_colon() {
        for words in [
            "Figure 3 Bridges",
            "TABLE IV Bridges",
            "Abb. 2: Brücken",
            "Source: survey",
            "图1 桥",
        ] {
            assert!(text(words).is_caption(), "{words}");
        }
        for words in ["TABLE OF CONTENTS", "Figure skating", "Note that"] {
            assert!(!text(words).is_caption(), "{words}");
        }
    }

    #[test]
    fn addresses_are_alone() {
        for words in [
            "<ada@example.org>",
            "https://example.org/",
            "www.example.org",
        ] {
            assert!(text(words).is_address(), "{words}");
        }
        for words in ["Meet @ada", "About https://example.org/", "getty@.service"] {
            assert!(!text(words).is_address(), "{words}");
        }
    }

    #[test]
    fn usual_titles_are_known_with_their_number() {
        assert!(text("5. References").is_known());
        assert!(text("TABLE OF CONTENTS").is_known());
        assert!(!text("References of bridges").is_known());
    }

    #[test]
    fn symbols_and_units_are_no_words() {
        assert!(is_word("été") && is_word("概要"));
        assert!(!is_word("kg") && !is_word("x²") && !is_word("12.5"));
    }

    #[test]
    fn scripts_without_case_are_neutral() {
        assert_eq!(text("The Old Bridges of").capitalized(), 0.75);
        assert_eq!(text("1 2").capitalized(), 0.0);
        assert_eq!(text("古い 橋").capitalized(), CASELESS);
    }
}
