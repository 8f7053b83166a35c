//! The table of OCR languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::EnumString;

/// A writing system, named as by Tesseract's script detection.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, Serialize, Deserialize,
)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Script {
    Latin,
    Arabic,
    Armenian,
    Bengali,
    #[strum(serialize = "Canadian_Aboriginal")]
    CanadianAboriginal,
    Cherokee,
    Cyrillic,
    Devanagari,
    Ethiopic,
    Fraktur,
    Georgian,
    Greek,
    Gujarati,
    Gurmukhi,
    Han,
    Hebrew,
    #[strum(serialize = "Japanese", serialize = "Hiragana", serialize = "Katakana")]
    Japanese,
    Kannada,
    Khmer,
    #[strum(serialize = "Korean", serialize = "Hangul")]
    Korean,
    Lao,
    Malayalam,
    Myanmar,
    Oriya,
    Sinhala,
    Syriac,
    Tamil,
    Telugu,
    Thaana,
    Thai,
    Tibetan,
}

/// One row of the table of OCR languages.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// The Tesseract code, which is the name of the model.
    pub code: &'static str,
    /// BCP 47 language tags that select this row.
    pub tags: &'static [&'static str],
    /// Its writing system.
    pub script: Script,
}

/// Every language: the models of Debian's `tesseract-ocr-*` packages. English is first.
pub const LANGUAGES: &[Language] = &[
    language("eng", &["en"], Script::Latin),
    language("afr", &["af"], Script::Latin),
    language("amh", &["am"], Script::Ethiopic),
    language("ara", &["ar"], Script::Arabic),
    language("asm", &["as"], Script::Bengali),
    language("aze", &["az"], Script::Latin),
    language("aze_cyrl", &["az-cyrl"], Script::Cyrillic),
    language("bel", &["be"], Script::Cyrillic),
    language("ben", &["bn"], Script::Bengali),
    language("bod", &["bo"], Script::Tibetan),
    language("bos", &["bs"], Script::Latin),
    language("bre", &["br"], Script::Latin),
    language("bul", &["bg"], Script::Cyrillic),
    language("cat", &["ca"], Script::Latin),
    language("ceb", &["ceb"], Script::Latin),
    language("ces", &["cs"], Script::Latin),
    language("chi_sim", &["zh"], Script::Han),
    language(
        "chi_tra",
        &["zh-hant", "zh-tw", "zh-hk", "zh-mo"],
        Script::Han,
    ),
    language("chr", &["chr"], Script::Cherokee),
    language("cos", &["co"], Script::Latin),
    language("cym", &["cy"], Script::Latin),
    language("dan", &["da"], Script::Latin),
    language("deu", &["de"], Script::Latin),
    language("div", &["dv"], Script::Thaana),
    language("dzo", &["dz"], Script::Tibetan),
    language("ell", &["el"], Script::Greek),
    language("enm", &["enm"], Script::Latin),
    language("epo", &["eo"], Script::Latin),
    language("est", &["et"], Script::Latin),
    language("eus", &["eu"], Script::Latin),
    language("fao", &["fo"], Script::Latin),
    language("fas", &["fa"], Script::Arabic),
    language("fil", &["fil", "tl"], Script::Latin),
    language("fin", &["fi"], Script::Latin),
    language("fra", &["fr"], Script::Latin),
    language("frk", &["de-latf"], Script::Fraktur),
    language("frm", &["frm"], Script::Latin),
    language("fry", &["fy"], Script::Latin),
    language("gla", &["gd"], Script::Latin),
    language("gle", &["ga"], Script::Latin),
    language("glg", &["gl"], Script::Latin),
    language("grc", &["grc"], Script::Greek),
    language("guj", &["gu"], Script::Gujarati),
    language("hat", &["ht"], Script::Latin),
    language("heb", &["he"], Script::Hebrew),
    language("hin", &["hi"], Script::Devanagari),
    language("hrv", &["hr"], Script::Latin),
    language("hun", &["hu"], Script::Latin),
    language("hye", &["hy"], Script::Armenian),
    language("iku", &["iu"], Script::CanadianAboriginal),
    language("ind", &["id"], Script::Latin),
    language("isl", &["is"], Script::Latin),
    language("ita", &["it"], Script::Latin),
    language("ita_old", &[], Script::Latin),
    language("jav", &["jv"], Script::Latin),
    language("jpn", &["ja"], Script::Japanese),
    language("kan", &["kn"], Script::Kannada),
    language("kat", &["ka"], Script::Georgian),
    language("kat_old", &[], Script::Georgian),
    language("kaz", &["kk"], Script::Cyrillic),
    language("khm", &["km"], Script::Khmer),
    language("kir", &["ky"], Script::Cyrillic),
    language("kmr", &["ku", "kmr"], Script::Latin),
    language("kor", &["ko"], Script::Korean),
    language("lao", &["lo"], Script::Lao),
    language("lat", &["la"], Script::Latin),
    language("lav", &["lv"], Script::Latin),
    language("lit", &["lt"], Script::Latin),
    language("ltz", &["lb"], Script::Latin),
    language("mal", &["ml"], Script::Malayalam),
    language("mar", &["mr"], Script::Devanagari),
    language("mkd", &["mk"], Script::Cyrillic),
    language("mlt", &["mt"], Script::Latin),
    language("mon", &["mn"], Script::Cyrillic),
    language("mri", &["mi"], Script::Latin),
    language("msa", &["ms"], Script::Latin),
    language("mya", &["my"], Script::Myanmar),
    language("nep", &["ne"], Script::Devanagari),
    language("nld", &["nl"], Script::Latin),
    language("nor", &["no", "nb", "nn"], Script::Latin),
    language("oci", &["oc"], Script::Latin),
    language("ori", &["or"], Script::Oriya),
    language("pan", &["pa"], Script::Gurmukhi),
    language("pol", &["pl"], Script::Latin),
    language("por", &["pt"], Script::Latin),
    language("pus", &["ps"], Script::Arabic),
    language("que", &["qu"], Script::Latin),
    language("ron", &["ro"], Script::Latin),
    language("rus", &["ru"], Script::Cyrillic),
    language("san", &["sa"], Script::Devanagari),
    language("sin", &["si"], Script::Sinhala),
    language("slk", &["sk"], Script::Latin),
    language("slv", &["sl"], Script::Latin),
    language("snd", &["sd"], Script::Arabic),
    language("spa", &["es"], Script::Latin),
    language("spa_old", &[], Script::Latin),
    language("sqi", &["sq"], Script::Latin),
    language("srp", &["sr"], Script::Cyrillic),
    language("srp_latn", &["sr-latn"], Script::Latin),
    language("sun", &["su"], Script::Latin),
    language("swa", &["sw"], Script::Latin),
    language("swe", &["sv"], Script::Latin),
    language("syr", &["syr"], Script::Syriac),
    language("tam", &["ta"], Script::Tamil),
    language("tat", &["tt"], Script::Cyrillic),
    language("tel", &["te"], Script::Telugu),
    language("tgk", &["tg"], Script::Cyrillic),
    language("tha", &["th"], Script::Thai),
    language("tir", &["ti"], Script::Ethiopic),
    language("ton", &["to"], Script::Latin),
    language("tur", &["tr"], Script::Latin),
    language("uig", &["ug"], Script::Arabic),
    language("ukr", &["uk"], Script::Cyrillic),
    language("urd", &["ur"], Script::Arabic),
    language("uzb", &["uz"], Script::Latin),
    language("uzb_cyrl", &["uz-cyrl"], Script::Cyrillic),
    language("vie", &["vi"], Script::Latin),
    language("yid", &["yi"], Script::Hebrew),
    language("yor", &["yo"], Script::Latin),
];

const fn language(code: &'static str, tags: &'static [&'static str], script: Script) -> Language {
    Language { code, tags, script }
}

/// Maximum number of languages per document.
const MAX_LANGUAGES: usize = 5;

/// OCR languages: one to five, joined by `+`, as Tesseract codes such as `eng` or BCP 47 tags such as `de`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 100, "examples" = ["de", "eng+deu"]))]
pub struct Languages(String);

impl Languages {
    /// Returns the Tesseract codes, joined by `+`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the Tesseract codes.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.0.split('+')
    }

    /// Returns the rows of the table.
    pub fn rows(&self) -> impl Iterator<Item = &'static Language> {
        let row = |code| LANGUAGES.iter().find(|row| row.code == code);
        self.codes().filter_map(row)
    }
}

impl Default for Languages {
    fn default() -> Self {
        Self("eng".to_owned())
    }
}

impl TryFrom<String> for Languages {
    type Error = String;

    /// Parses BCP 47 tags and Tesseract codes, ignoring case.
    fn try_from(text: String) -> Result<Self, String> {
        let mut codes: Vec<&str> = Vec::new();
        for name in text.split('+') {
            let code = code(name).ok_or_else(unsupported)?;
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        match codes.len() {
            1..=MAX_LANGUAGES => Ok(Self(codes.join("+"))),
            _ => Err(format!("must name at most {MAX_LANGUAGES} languages")),
        }
    }
}

impl From<Languages> for String {
    fn from(languages: Languages) -> String {
        languages.0
    }
}

/// Returns the Tesseract code of `name`: a code itself, or a BCP 47 tag, from whose end subtags are removed until a row matches
/// [RFC 4647, section 3.4].
fn code(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let exact = |row: &&Language| row.code.replace('_', "-") == name.replace('_', "-");
    let row = LANGUAGES.iter().find(exact).or_else(|| {
        let mut tag = name.replace('_', "-");
        loop {
            if let Some(row) = LANGUAGES.iter().find(|row| row.tags.contains(&&*tag)) {
                return Some(row);
            }
            tag.truncate(tag.rfind('-')?);
        }
    });
    row.map(|row| row.code)
}

fn unsupported() -> String {
    let codes: Vec<_> = LANGUAGES.iter().map(|row| row.code).collect();
    format!(
        "is not an installed language; installed: {}",
        codes.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        Languages::try_from(text.to_owned()).map(String::from)
    }

    #[test]
    fn tags_and_codes_name_the_same_models() {
        for (text, codes) in [
            ("de", "deu"),
            ("pt-BR", "por"),
            ("ENG", "eng"),
            ("zh", "chi_sim"),
            ("zh-Hans-CN", "chi_sim"),
            ("zh-Hant-TW", "chi_tra"),
            ("zh_TW", "chi_tra"),
            ("chi-sim", "chi_sim"),
            ("eng+de+deu", "eng+deu"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(codes), "{text}");
        }
    }

    #[test]
    fn the_error_for_an_unknown_language_lists_the_installed_ones() {
        for text in ["", "xx", "eng+", "klingon", "../eng", "eng,deu"] {
            assert!(read(text).unwrap_err().contains("eng, afr, amh"), "{text}");
        }
        assert!(read("eng+deu+fra+spa+ita+por").is_err());
    }
}
