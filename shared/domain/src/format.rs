//! The table of document formats.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// What kind of document a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Word-processor documents.
    Text,
    /// Tables.
    Spreadsheet,
    /// Slides.
    Presentation,
    /// Fixed pages.
    Pdf,
    /// Pixels.
    Image,
    /// Pages for browsers.
    Web,
    /// For programs.
    Data,
}

/// One row of the table of formats.
#[derive(Clone, Copy, Debug)]
pub struct FormatFacts {
    /// The name in the API.
    pub id: &'static str,
    /// The registered media type.
    pub mime_type: &'static str,
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Other names that clients use for it.
    pub aliases: &'static [&'static str],
    /// What kind of document it holds.
    pub category: Category,
}

macro_rules! formats {
    ($($variant:ident = $id:literal, $mime:literal, [$($extension:literal),+], [$($alias:literal),*], $category:ident;)*) => {
        /// A document format: a name or alias that `GET /formats` lists; requests may write it in any case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray)]
        #[serde(into = "&'static str", try_from = "String")]
        #[expect(missing_docs, reason = "the table below says what each is")]
        pub enum Format { $($variant,)* }

        impl Format {
            /// Every format, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// This format's row of the table.
            #[must_use]
            pub fn facts(self) -> &'static FormatFacts {
                match self {
                    $(Self::$variant => &FormatFacts {
                        id: $id,
                        mime_type: $mime,
                        extensions: &[$($extension),+],
                        aliases: &[$($alias),*],
                        category: Category::$category,
                    },)*
                }
            }
        }
    };
}

formats! {
    Docx = "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ["docx"], [], Text;
    Doc = "doc", "application/msword", ["doc"], [], Text;
    Odt = "odt", "application/vnd.oasis.opendocument.text", ["odt"], [], Text;
    Rtf = "rtf", "application/rtf", ["rtf"], [], Text;
    Txt = "txt", "text/plain", ["txt"], ["text"], Text;
    Xlsx = "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ["xlsx"], [], Spreadsheet;
    Xls = "xls", "application/vnd.ms-excel", ["xls"], [], Spreadsheet;
    Xlsb = "xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12", ["xlsb"], [], Spreadsheet;
    Ods = "ods", "application/vnd.oasis.opendocument.spreadsheet", ["ods"], [], Spreadsheet;
    Csv = "csv", "text/csv", ["csv"], [], Spreadsheet;
    Tsv = "tsv", "text/tab-separated-values", ["tsv", "tab"], [], Spreadsheet;
    Pptx = "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", ["pptx"], [], Presentation;
    Ppt = "ppt", "application/vnd.ms-powerpoint", ["ppt"], [], Presentation;
    Odp = "odp", "application/vnd.oasis.opendocument.presentation", ["odp"], [], Presentation;
    Pdf = "pdf", "application/pdf", ["pdf"], [], Pdf;
    Png = "png", "image/png", ["png"], [], Image;
    Jpeg = "jpeg", "image/jpeg", ["jpg", "jpeg", "jpe"], ["jpg"], Image;
    Webp = "webp", "image/webp", ["webp"], [], Image;
    Avif = "avif", "image/avif", ["avif"], [], Image;
    Tiff = "tiff", "image/tiff", ["tiff", "tif"], ["tif"], Image;
    Gif = "gif", "image/gif", ["gif"], [], Image;
    Bmp = "bmp", "image/bmp", ["bmp"], [], Image;
    Svg = "svg", "image/svg+xml", ["svg"], [], Image;
    Heic = "heic", "image/heic", ["heic", "heif", "hif"], ["heif"], Image;
    Html = "html", "text/html", ["html", "htm"], ["htm"], Web;
    Markdown = "md", "text/markdown", ["md", "markdown"], ["markdown"], Web;
    Hocr = "hocr", "text/vnd.hocr+html", ["hocr"], [], Data;
    Json = "json", "application/json", ["json"], [], Data;
}

impl Format {
    /// Whether it is a table in plain text.
    #[must_use]
    pub fn is_table_in_text(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Whether its files are nothing but characters, in an encoding that has to be found out.
    #[must_use]
    pub fn is_plain_text(self) -> bool {
        self.is_table_in_text() || matches!(self, Self::Txt | Self::Html | Self::Markdown)
    }

    /// The name in the API.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.facts().id
    }

    /// The registered media type.
    #[must_use]
    pub fn mime_type(self) -> &'static str {
        self.facts().mime_type
    }

    /// The usual file extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.facts()
            .extensions
            .first()
            .copied()
            .unwrap_or(self.id())
    }

    /// The format that usually has this extension.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_lowercase();
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.facts().extensions.contains(&extension.as_str()))
    }

    /// The format of a media type; parameters such as `charset` are ignored.
    #[must_use]
    pub fn from_mime_type(mime_type: &str) -> Option<Self> {
        let essence = mime_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_lowercase();
        let essence = match essence.as_str() {
            "text/rtf" => "application/rtf",
            "image/jpg" => "image/jpeg",
            "image/x-ms-bmp" => "image/bmp",
            "image/heif" => "image/heic",
            "text/x-markdown" => "text/markdown",
            other => other,
        };
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.mime_type().eq_ignore_ascii_case(essence))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl From<Format> for &'static str {
    fn from(format: Format) -> &'static str {
        format.id()
    }
}

impl FromStr for Format {
    type Err = String;

    /// Reads a name or an alias, in any case.
    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.to_lowercase();
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.id() == name || format.facts().aliases.contains(&name.as_str()))
            .ok_or_else(|| "is not a format that this service knows (see GET /formats)".to_owned())
    }
}

impl TryFrom<String> for Format {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_aliases_extensions_and_media_types_find_their_row() {
        for format in Format::ALL {
            assert_eq!(format.id().to_uppercase().parse(), Ok(*format));
            assert_eq!(Format::from_mime_type(format.mime_type()), Some(*format));
            for extension in format.facts().extensions {
                assert_eq!(Format::from_extension(extension), Some(*format));
            }
            assert_eq!(serde_json::to_value(format).unwrap(), format.id());
        }
        assert_eq!("JPG".parse(), Ok(Format::Jpeg));
        assert_eq!("text".parse(), Ok(Format::Txt));
        assert_eq!(
            Format::from_mime_type("Text/CSV; charset=utf-8"),
            Some(Format::Csv)
        );
        assert!("exe".parse::<Format>().is_err());
    }
}
