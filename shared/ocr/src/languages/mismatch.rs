//! Finds pages whose text is in another language than those that OCR used.

use std::collections::BTreeMap;

use domain::operation::{Language, Languages, Script};
use task::Warning;

use super::super::ocr_page::{Word, confidence};
use super::first_models;
use super::identify::identify;

/// Minimum confidence of words whose language is identified, in percent.
const CREDIBLE: f64 = 70.0;
/// Minimum number of letters of a page whose language is identified.
const MIN_LETTERS: usize = 200;
/// Languages that are too similar to be told apart by a page.
const ALIKE: &[&[&str]] = &[
    &["nor", "dan", "swe"],
    &["hrv", "bos", "srp_latn", "slv"],
    &["srp", "mkd", "bul"],
    &["ces", "slk"],
    &["ind", "msa", "jav", "sun"],
    &["spa", "cat", "glg", "por", "spa_old"],
    &["ita", "ita_old", "cos"],
    &["fra", "frm", "oci"],
    &["eng", "enm"],
    &["nld", "afr", "fry"],
    &["deu", "frk", "ltz"],
    &["hin", "mar", "nep", "san"],
    &["ara", "fas", "urd", "pus", "snd", "uig"],
    &["ben", "asm"],
    &["heb", "yid"],
    &["amh", "tir"],
    &["chi_sim", "chi_tra", "jpn"],
    &["kat", "kat_old"],
    &["ell", "grc"],
];

/// A recognized page: its words, and the script that Tesseract detected because it could not read them.
pub(in super::super) struct PageText<'a> {
    pub(in super::super) number: u32,
    pub(in super::super) words: Vec<&'a Word>,
    pub(in super::super) script: Option<Script>,
}

/// Returns a warning for each language of pages that is none of `used`.
pub(in super::super) fn mismatches(pages: &[PageText<'_>], used: &Languages) -> Vec<Warning> {
    let mut found: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for page in pages {
        if let Some(code) = page.other_language(used) {
            found.entry(code).or_default().push(page.number);
        }
    }
    let used: Vec<String> = used.codes().map(str::to_owned).collect();
    let warning = |(code, pages): (&str, Vec<u32>)| Warning::LanguageMismatch {
        pages,
        detected: code.to_owned(),
        used: used.clone(),
    };
    found.into_iter().map(warning).collect()
}

impl PageText<'_> {
    /// Returns its language, if it is certainly none of `used`. Of an unreadable page, only the script is known, and the
    /// language is a common one of that script.
    fn other_language(&self, used: &Languages) -> Option<&'static str> {
        let mean = confidence(self.words.iter().copied())?;
        if mean < CREDIBLE {
            let script = self.script?;
            let is_used = used.rows().any(|row| row.script == script);
            return first_models(script).first().copied().filter(|_| !is_used);
        }
        let text: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let text = text.join(" ");
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let row = identify(&text, None).filter(|row| letters >= MIN_LETTERS && !is_used(row, used));
        row.map(|row| row.code)
    }
}

/// Returns whether text in a language is read well with these.
fn is_used(row: &Language, used: &Languages) -> bool {
    let alike = ALIKE.iter().find(|group| group.contains(&row.code));
    used.rows().any(|other| {
        other.code == row.code || alike.is_some_and(|group| group.contains(&other.code))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::ocr_page::Rectangle;
    use super::*;

    fn page(text: &str, confidence: f32) -> Vec<Word> {
        let words = text.split(' ');
        words
            .filter_map(|word| Word::new(word, Rectangle::default(), Some(confidence)))
            .collect()
    }

    #[test]
    fn pages_in_another_language_are_found() {
        let german = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen \
                      begabt und sollen einander im Geiste der Brüderlichkeit begegnen. Jeder hat Anspruch auf die in dieser \
                      Erklärung verkündeten Rechte und Freiheiten ohne irgendeinen Unterschied.";
        let (readable, garbage) = (page(german, 92.0), page("PAaK3 bl Bcex", 30.0));
        let pages = [
            (1, &readable, None),
            (2, &garbage, Some(Script::Cyrillic)),
            (3, &garbage, None),
        ];
        let pages: Vec<PageText> = pages
            .into_iter()
            .map(|(number, words, script)| PageText {
                number,
                words: words.iter().collect(),
                script,
            })
            .collect();
        let found = |used: &str| -> Vec<(String, Vec<u32>)> {
            let used = Languages::try_from(used.to_owned()).unwrap();
            let warnings = mismatches(&pages, &used).into_iter();
            warnings
                .map(|warning| match warning {
                    Warning::LanguageMismatch {
                        pages, detected, ..
                    } => (detected, pages),
                    other => panic!("{other:?}"),
                })
                .collect()
        };
        assert_eq!(found("deu+rus"), []);
        assert_eq!(found("eng+rus"), [("deu".to_owned(), vec![1])]);
        assert_eq!(found("deu"), [("rus".to_owned(), vec![2])]);
    }
}
