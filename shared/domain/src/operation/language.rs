//! The table of languages that text is recognised in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One row of the table of languages.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its name in Tesseract, which is that of its model.
    pub code: &'static str,
    /// Primary subtags [BCP 47] that mean it.
    pub tags: &'static [&'static str],
}

/// Every language, English first.
pub const LANGUAGES: &[Language] = &[
    language("eng", &["en"]),
    language("ara", &["ar"]),
    language("ces", &["cs"]),
    language("chi_sim", &["zh"]),
    language("chi_tra", &["zh-hant", "zh-tw", "zh-hk", "zh-mo"]),
    language("dan", &["da"]),
    language("deu", &["de"]),
    language("ell", &["el"]),
    language("fin", &["fi"]),
    language("fra", &["fr"]),
    language("ita", &["it"]),
    language("jpn", &["ja"]),
    language("kor", &["ko"]),
    language("nld", &["nl"]),
    language("nor", &["no", "nb", "nn"]),
    language("pol", &["pl"]),
    language("por", &["pt"]),
    language("rus", &["ru"]),
    language("spa", &["es"]),
    language("swe", &["sv"]),
    language("tur", &["tr"]),
    language("ukr", &["uk"]),
];

const fn language(code: &'static str, tags: &'static [&'static str]) -> Language {
    Language { code, tags }
}

/// Most languages of one document.
const MOST: usize = 5;

/// One to five languages, joined by `+`: Tesseract's codes, each once, in the order of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 100, "examples" = ["de", "eng+deu"]))]
pub struct Languages(String);

impl Languages {
    /// Tesseract's codes, joined by `+`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tesseract's codes.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.0.split('+')
    }
}

impl Default for Languages {
    fn default() -> Self {
        Self("eng".to_owned())
    }
}

impl TryFrom<String> for Languages {
    type Error = String;

    /// Reads BCP 47 tags and Tesseract's codes, in any case.
    fn try_from(text: String) -> Result<Self, String> {
        let mut codes: Vec<&str> = Vec::new();
        for name in text.split('+') {
            let code = code(name).ok_or_else(unsupported)?;
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        match codes.len() {
            1..=MOST => Ok(Self(codes.join("+"))),
            _ => Err(format!("names more than {MOST} languages")),
        }
    }
}

impl From<Languages> for String {
    fn from(languages: Languages) -> String {
        languages.0
    }
}

/// The code that a name stands for: a code itself, else the row with the longest beginning of a tag.
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
    format!("is not among the languages installed: {}", codes.join(", "))
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
    fn an_unknown_language_is_answered_with_the_known_ones() {
        for text in ["", "xx", "eng+", "klingon", "../eng", "eng,deu"] {
            assert!(read(text).unwrap_err().contains("eng, ara, ces"), "{text}");
        }
        assert!(read("eng+deu+fra+spa+ita+por").is_err());
    }
}
