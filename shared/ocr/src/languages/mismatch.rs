//! Decides whether the text of a page is in another language than those that OCR used.

use domain::operation::{Language, Languages, Script};

use super::super::ocr_page::Word;
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

/// Returns the language of a page, if it is certainly none of `used`. `confidence` is that of its words. Of an unreadable page,
/// only the script that Tesseract detected is known, and the language is a common one of that script.
pub(super) fn other_language(
    words: &[&Word],
    confidence: f64,
    script: Option<Script>,
    used: &Languages,
) -> Option<&'static str> {
    if confidence < CREDIBLE {
        let script = script?;
        let is_used = used.rows().any(|row| row.script == script);
        return first_models(script).first().copied().filter(|_| !is_used);
    }
    let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let text = text.join(" ");
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let row = identify(&text, None).filter(|row| letters >= MIN_LETTERS && !is_used(row, used));
    row.map(|row| row.code)
}

/// Returns whether text in a language is read well with these.
fn is_used(row: &Language, used: &Languages) -> bool {
    let alike = ALIKE.iter().find(|group| group.contains(&row.code));
    used.rows().any(|other| {
        other.code == row.code || alike.is_some_and(|group| group.contains(&other.code))
    })
}
