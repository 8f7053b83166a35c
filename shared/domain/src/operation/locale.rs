//! The table of locales, which decide how dates and numbers are displayed.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Every locale as a BCP 47 tag. The first row of a language is used for regions that have none.
pub const LOCALES: &[&str] = &[
    "af-ZA",
    "af-NA",
    "ak-GH",
    "am-ET",
    "an-ES",
    "ar-EG",
    "ar-AE",
    "ar-BH",
    "ar-DZ",
    "ar-IQ",
    "ar-JO",
    "ar-KW",
    "ar-LB",
    "ar-LY",
    "ar-MA",
    "ar-OM",
    "ar-QA",
    "ar-SA",
    "ar-SY",
    "ar-TN",
    "ar-YE",
    "ast-ES",
    "az-AZ",
    "be-BY",
    "bg-BG",
    "bm-ML",
    "bn-BD",
    "bn-IN",
    "bo-CN",
    "bo-IN",
    "br-FR",
    "bs-BA",
    "ca-ES",
    "cs-CZ",
    "cu-RU",
    "cv-RU",
    "cy-GB",
    "da-DK",
    "de-DE",
    "de-AT",
    "de-CH",
    "de-LI",
    "de-LU",
    "dsb-DE",
    "dv-MV",
    "dz-BT",
    "ee-GH",
    "el-GR",
    "en-US",
    "en-AU",
    "en-BW",
    "en-BZ",
    "en-CA",
    "en-DK",
    "en-GB",
    "en-GH",
    "en-GM",
    "en-GY",
    "en-HK",
    "en-IE",
    "en-IL",
    "en-IN",
    "en-JM",
    "en-KE",
    "en-LK",
    "en-MU",
    "en-MW",
    "en-MY",
    "en-NA",
    "en-NG",
    "en-NZ",
    "en-PH",
    "en-TT",
    "en-ZA",
    "en-ZM",
    "en-ZW",
    "eo",
    "es-ES",
    "es-AR",
    "es-BO",
    "es-CL",
    "es-CO",
    "es-CR",
    "es-DO",
    "es-EC",
    "es-GT",
    "es-HN",
    "es-MX",
    "es-NI",
    "es-PA",
    "es-PE",
    "es-PR",
    "es-PY",
    "es-SV",
    "es-UY",
    "es-VE",
    "et-EE",
    "eu-ES",
    "fi-FI",
    "fo-FO",
    "fr-FR",
    "fr-BE",
    "fr-BF",
    "fr-BJ",
    "fr-CA",
    "fr-CH",
    "fr-CI",
    "fr-GN",
    "fr-LU",
    "fr-MC",
    "fr-ML",
    "fr-NE",
    "fr-SN",
    "fr-TG",
    "fur-IT",
    "fy-NL",
    "ga-IE",
    "gd-GB",
    "gl-ES",
    "gos-NL",
    "gsc-FR",
    "gu-IN",
    "gug-PY",
    "ha-Latn-GH",
    "ha-Latn-NG",
    "haw-US",
    "he-IL",
    "hi-IN",
    "hil-PH",
    "hr-HR",
    "hsb-DE",
    "ht-HT",
    "hu-HU",
    "hy-AM",
    "ia",
    "id-ID",
    "ilo-PH",
    "is-IS",
    "it-IT",
    "it-CH",
    "ja-JP",
    "ka-GE",
    "kab-DZ",
    "kk-KZ",
    "kl-GL",
    "km-KH",
    "kmr-Latn-TR",
    "kn-IN",
    "ko-KR",
    "ky-KG",
    "la-VA",
    "lb-LU",
    "lg-UG",
    "lgr-SB",
    "lif-NP",
    "lij-IT",
    "lld-IT",
    "ln-CD",
    "lo-LA",
    "lt-LT",
    "ltg-LV",
    "lv-LV",
    "mai-IN",
    "mfe-MU",
    "min-ID",
    "mk-MK",
    "ml-IN",
    "mn-Cyrl-MN",
    "mos-BF",
    "mr-IN",
    "ms-MY",
    "mt-MT",
    "my-MM",
    "myv-RU",
    "nb-NO",
    "nds-DE",
    "ne-NP",
    "nl-NL",
    "nl-BE",
    "nn-NO",
    "nr-ZA",
    "nso-ZA",
    "ny-MW",
    "om-ET",
    "or-IN",
    "pa-IN",
    "pap-BQ",
    "pap-CW",
    "pdc-US",
    "pjt-AU",
    "pl-PL",
    "plt-MG",
    "pt-BR",
    "pt-AO",
    "pt-MZ",
    "pt-PT",
    "pui-CO",
    "ro-RO",
    "ru-RU",
    "rue-SK",
    "rw-RW",
    "sat-IN",
    "sat-Olck-IN",
    "sc-IT",
    "sg-CF",
    "shs-CA",
    "sid-ET",
    "sk-SK",
    "sl-SI",
    "so-SO",
    "sr-RS",
    "sr-Latn-ME",
    "sr-Latn-RS",
    "sr-ME",
    "ss-ZA",
    "st-ZA",
    "sun-ID",
    "sv-SE",
    "sv-FI",
    "sw-TZ",
    "szl-PL",
    "ta-IN",
    "te-IN",
    "tg-TJ",
    "th-TH",
    "ti-ET",
    "ti-ER",
    "tk-TM",
    "tn-ZA",
    "tpi-PG",
    "tr-TR",
    "ts-ZA",
    "tt-RU",
    "ug-CN",
    "uk-UA",
    "ur-PK",
    "uz-UZ",
    "ve-ZA",
    "vec-IT",
    "vi-VN",
    "vro-EE",
    "wa-BE",
    "xh-ZA",
    "yi-US",
    "zh-CN",
    "zh-HK",
    "zh-MO",
    "zh-SG",
    "zh-TW",
    "zu-ZA",
];

/// A locale of [`LOCALES`], given as a BCP 47 tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(with = "String", extend("minLength" = 2, "maxLength" = 35, "examples" = ["de-DE", "en-GB", "pt-BR"]))]
pub struct Locale(&'static str);

impl Locale {
    /// The BCP 47 tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.0
    }
}

impl Default for Locale {
    fn default() -> Self {
        Self("en-US")
    }
}

impl TryFrom<String> for Locale {
    type Error = String;

    /// Parses a BCP 47 tag, ignoring case. Of language, script and region, those are left out for which there is no locale,
    /// in the manner of lookup [RFC 4647, section 3.4].
    fn try_from(text: String) -> Result<Self, String> {
        let mut subtags = text.trim().split(['-', '_']);
        let language = match subtags.next().unwrap_or_default() {
            "no" | "NO" => "nb",
            language => language,
        };
        let mut subtags = subtags.peekable();
        let script = subtags.next_if(|subtag| subtag.len() == 4);
        let region = subtags.next_if(|subtag| matches!(subtag.len(), 2 | 3));
        let mut tags = Vec::new();
        for script in [script, None] {
            for region in [region, None] {
                let parts = [Some(language), script, region];
                tags.push(parts.into_iter().flatten().collect::<Vec<_>>().join("-"));
            }
        }
        let is_traditional = |tag: &String| tag.eq_ignore_ascii_case("zh-Hant");
        if let (Some(place), true) = (tags.iter().position(is_traditional), region.is_none()) {
            tags.insert(place, "zh-TW".to_owned());
        }
        let locale = tags.iter().find_map(|tag| matching(tag));
        locale.map(Self).ok_or_else(unsupported)
    }
}

/// The locale with this tag, or the first one that begins with it.
fn matching(tag: &str) -> Option<&'static str> {
    let begins = |locale: &&&str| {
        let parts = locale.split_at_checked(tag.len());
        parts.is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(tag) && (rest.is_empty() || rest.starts_with('-'))
        })
    };
    LOCALES.iter().find(begins).copied()
}

impl<'de> Deserialize<'de> for Locale {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        let text = String::deserialize(text)?;
        Self::try_from(text).map_err(serde::de::Error::custom)
    }
}

impl std::str::FromStr for Locale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::try_from(text.to_owned())
    }
}

impl From<Locale> for String {
    fn from(locale: Locale) -> String {
        locale.0.to_owned()
    }
}

fn unsupported() -> String {
    "is not a supported locale; examples: en-US, de-DE, pt-BR".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<&'static str, String> {
        text.parse().map(Locale::tag)
    }

    #[test]
    fn tags_select_the_locale_of_their_region_or_language() {
        for (text, tag) in [
            ("de-DE", "de-DE"),
            ("de_at", "de-AT"),
            ("DE", "de-DE"),
            ("en", "en-US"),
            ("en-XX", "en-US"),
            ("pt", "pt-BR"),
            ("zh-Hant-TW", "zh-TW"),
            ("zh-Hant", "zh-TW"),
            ("zh-Hant-HK", "zh-HK"),
            ("zh-Hans-SG", "zh-SG"),
            ("de-AT-u-co-phonebk", "de-AT"),
            ("sr-Latn-RS", "sr-Latn-RS"),
            ("no-NO", "nb-NO"),
            ("sr-Latn", "sr-Latn-ME"),
            ("no", "nb-NO"),
        ] {
            assert_eq!(read(text), Ok(tag), "{text}");
        }
        for text in ["", "x", "xx", "xx-DE", "d", "-", "../de", "de,fr"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
