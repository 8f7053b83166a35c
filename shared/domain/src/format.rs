//! The table of document formats. A new format needs a row here, its detection in `library::media_type`, `task::magic` and
//! `inspect`, and rows in the table of conversions ([`crate::operation`]).

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The category of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Word-processing documents.
    Text,
    /// Spreadsheets.
    Spreadsheet,
    /// Presentations.
    Presentation,
    /// Fixed-layout pages.
    Pdf,
    /// Raster and vector images.
    Image,
    /// Web pages, books and mails.
    Web,
    /// Structured data.
    Data,
}

/// One row of the table of formats.
#[derive(Clone, Copy, Debug)]
pub struct FormatSpec {
    /// Name in the API.
    pub id: &'static str,
    /// Registered media type.
    pub mime_type: &'static str,
    /// File extensions without the dot; the usual one is first.
    pub extensions: &'static [&'static str],
    /// Aliases that requests may use.
    pub aliases: &'static [&'static str],
    /// Category.
    pub category: Category,
    /// File types that are read as this format, but never written.
    pub variants: &'static [Variant],
}

/// A file type of the same family as a format: with macros, a template, or a slide show.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// File extension, and name as the format of a source.
    pub extension: &'static str,
    /// Media type in its usual case.
    pub mime_type: &'static str,
}

macro_rules! formats {
    ($($variant:ident = $id:literal, $mime:literal, [$($extension:literal),+], [$($alias:literal),*], $category:ident
        $(, [$($extra:literal: $extra_mime:literal),+])?;)*) => {
        /// A document format: a name or alias listed by `GET /formats`. Case-insensitive.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray)]
        #[serde(into = "&'static str", try_from = "String")]
        #[expect(missing_docs, reason = "described by the table below")]
        pub enum Format { $($variant,)* }

        impl Format {
            /// Every format, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// Returns this format's row of the table.
            #[must_use]
            pub fn spec(self) -> &'static FormatSpec {
                match self {
                    $(Self::$variant => &FormatSpec {
                        id: $id,
                        mime_type: $mime,
                        extensions: &[$($extension),+],
                        aliases: &[$($alias),*],
                        category: Category::$category,
                        variants: &[$($(Variant { extension: $extra, mime_type: $extra_mime },)+)?],
                    },)*
                }
            }
        }
    };
}

formats! {
    Docx = "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ["docx"], [], Text, [
        "docm": "application/vnd.ms-word.document.macroEnabled.12",
        "dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "dotm": "application/vnd.ms-word.template.macroEnabled.12"
    ];
    Doc = "doc", "application/msword", ["doc"], [], Text;
    Odt = "odt", "application/vnd.oasis.opendocument.text", ["odt"], [], Text, [
        "ott": "application/vnd.oasis.opendocument.text-template",
        "oth": "application/vnd.oasis.opendocument.text-web"
    ];
    Rtf = "rtf", "application/rtf", ["rtf"], [], Text;
    Txt = "txt", "text/plain", ["txt"], ["text"], Text;
    Xlsx = "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ["xlsx"], [], Spreadsheet, [
        "xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
        "xltx": "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
        "xltm": "application/vnd.ms-excel.template.macroEnabled.12"
    ];
    Xls = "xls", "application/vnd.ms-excel", ["xls"], [], Spreadsheet;
    Xlsb = "xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12", ["xlsb"], [], Spreadsheet;
    Ods = "ods", "application/vnd.oasis.opendocument.spreadsheet", ["ods"], [], Spreadsheet, [
        "ots": "application/vnd.oasis.opendocument.spreadsheet-template"
    ];
    Csv = "csv", "text/csv", ["csv"], [], Spreadsheet;
    Tsv = "tsv", "text/tab-separated-values", ["tsv", "tab"], [], Spreadsheet;
    Pptx = "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", ["pptx"], [], Presentation, [
        "pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
        "ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
        "ppsm": "application/vnd.ms-powerpoint.slideshow.macroEnabled.12",
        "potx": "application/vnd.openxmlformats-officedocument.presentationml.template",
        "potm": "application/vnd.ms-powerpoint.template.macroEnabled.12"
    ];
    Ppt = "ppt", "application/vnd.ms-powerpoint", ["ppt"], [], Presentation;
    Odp = "odp", "application/vnd.oasis.opendocument.presentation", ["odp"], [], Presentation, [
        "otp": "application/vnd.oasis.opendocument.presentation-template"
    ];
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
    Epub = "epub", "application/epub+zip", ["epub"], [], Web;
    Eml = "eml", "message/rfc822", ["eml"], [], Web;
    Msg = "msg", "application/vnd.ms-outlook", ["msg"], [], Web;
    Hocr = "hocr", "text/vnd.hocr+html", ["hocr"], [], Data;
    Json = "json", "application/json", ["json"], [], Data;
}

impl Format {
    /// Whether the format is a delimited text table.
    #[must_use]
    pub fn is_delimited_text(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Whether files of the format are plain text, whose encoding must be detected.
    #[must_use]
    pub fn is_plain_text(self) -> bool {
        self.is_delimited_text() || matches!(self, Self::Txt | Self::Html | Self::Markdown)
    }

    /// Returns the name in the API.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.spec().id
    }

    /// Returns the registered media type.
    #[must_use]
    pub fn mime_type(self) -> &'static str {
        self.spec().mime_type
    }

    /// Returns the usual file extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.spec().extensions.first().copied().unwrap_or(self.id())
    }

    /// Returns the extensions of all files that are read as this format; the usual one is first.
    pub fn source_extensions(self) -> impl Iterator<Item = &'static str> {
        let spec = self.spec();
        let variants = spec.variants.iter().map(|variant| variant.extension);
        spec.extensions.iter().copied().chain(variants)
    }

    /// Returns the format as which files with this extension are read.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_lowercase();
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.source_extensions().any(|known| known == extension))
    }

    /// Parses the name of the format of a source: a name or an alias, or the extension of a variant. Case-insensitive.
    ///
    /// # Errors
    /// A message for the client, if there is no such format.
    pub fn from_source_name(name: &str) -> Result<Self, String> {
        name.parse().or_else(|message| {
            let name = name.to_lowercase();
            let is_variant = |format: &Self| {
                let mut variants = format.spec().variants.iter();
                variants.any(|variant| variant.extension == name)
            };
            Self::ALL.iter().copied().find(is_variant).ok_or(message)
        })
    }

    /// Returns the format as which files of a media type are read, ignoring parameters such as `charset`.
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
        Self::ALL.iter().copied().find(|format| {
            let variants = format.spec().variants.iter();
            let mut types = variants.map(|variant| variant.mime_type);
            format.mime_type().eq_ignore_ascii_case(essence)
                || types.any(|known| known.eq_ignore_ascii_case(essence))
        })
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

    /// Parses a name or an alias, ignoring case.
    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.to_lowercase();
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.id() == name || format.spec().aliases.contains(&name.as_str()))
            .ok_or_else(|| "is not a supported format; see GET /formats".to_owned())
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
            for extension in format.spec().extensions {
                assert_eq!(Format::from_extension(extension), Some(*format));
            }
            assert_eq!(serde_json::to_value(format).unwrap(), format.id());
            assert_eq!(Format::from_source_name(format.id()), Ok(*format));
            for variant in format.spec().variants {
                assert_eq!(Format::from_extension(variant.extension), Some(*format));
                assert_eq!(Format::from_mime_type(variant.mime_type), Some(*format));
                let name = variant.extension.to_uppercase();
                assert_eq!(Format::from_source_name(&name), Ok(*format));
                // No result is a variant.
                assert!(name.parse::<Format>().is_err());
            }
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
