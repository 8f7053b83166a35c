//! The table of conversions: source and target formats, processor and fidelity.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PAGES;
use crate::format::{Category, Format};
use crate::processor::Processor;

/// How much of a document a conversion keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// Page layout.
    Layout,
    /// Text, headings, lists, tables and images in reading order.
    Structure,
    /// The pixels of each page.
    Picture,
    /// Text only.
    Text,
}

/// Conversions from several formats to one, by the same processor.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// Source formats.
    pub from: &'static [Format],
    /// Target format.
    pub to: Format,
    /// The processor.
    pub processor: Processor,
    /// How much of the document is kept.
    pub fidelity: Fidelity,
}

/// Every conversion.
pub const CONVERSIONS: &[Conversion] = &[
    Conversion {
        from: &[
            Format::Docx,
            Format::Doc,
            Format::Odt,
            Format::Rtf,
            Format::Txt,
            Format::Xlsx,
            Format::Xls,
            Format::Xlsb,
            Format::Ods,
            Format::Csv,
            Format::Tsv,
            Format::Pptx,
            Format::Ppt,
            Format::Odp,
        ],
        to: Format::Pdf,
        processor: Processor::ProcessOffice,
        fidelity: Fidelity::Layout,
    },
    office_to(
        Format::Docx,
        &[Format::Doc, Format::Odt, Format::Rtf, Format::Txt],
    ),
    office_to(
        Format::Odt,
        &[Format::Docx, Format::Doc, Format::Rtf, Format::Txt],
    ),
    office_to(
        Format::Rtf,
        &[Format::Docx, Format::Doc, Format::Odt, Format::Txt],
    ),
    office_to(
        Format::Txt,
        &[Format::Docx, Format::Doc, Format::Odt, Format::Rtf],
    ),
    office_to(
        Format::Xlsx,
        &[
            Format::Xls,
            Format::Xlsb,
            Format::Ods,
            Format::Csv,
            Format::Tsv,
        ],
    ),
    office_to(
        Format::Ods,
        &[
            Format::Xlsx,
            Format::Xls,
            Format::Xlsb,
            Format::Csv,
            Format::Tsv,
        ],
    ),
    office_to(
        Format::Csv,
        &[
            Format::Xlsx,
            Format::Xls,
            Format::Xlsb,
            Format::Ods,
            Format::Tsv,
        ],
    ),
    office_to(
        Format::Tsv,
        &[
            Format::Xlsx,
            Format::Xls,
            Format::Xlsb,
            Format::Ods,
            Format::Csv,
        ],
    ),
    office_to(Format::Pptx, &[Format::Ppt, Format::Odp]),
    office_to(Format::Odp, &[Format::Pptx, Format::Ppt]),
    Conversion {
        from: &[Format::Pdf],
        to: Format::Png,
        processor: Processor::ProcessPdf,
        fidelity: Fidelity::Picture,
    },
    Conversion {
        from: &[Format::Pdf],
        to: Format::Jpeg,
        processor: Processor::ProcessPdf,
        fidelity: Fidelity::Picture,
    },
    Conversion {
        from: &[Format::Pdf],
        to: Format::Webp,
        processor: Processor::ProcessPdf,
        fidelity: Fidelity::Picture,
    },
    pages_to(Format::Docx),
    pages_to(Format::Xlsx),
    pages_to(Format::Pptx),
    pages_to(Format::Html),
    pages_to(Format::Markdown),
    pages_to(Format::Csv),
    pages_to(Format::Json),
    pages_to(Format::Txt),
    structured_to(Format::Markdown, STRUCTURED_OFFICE),
    structured_to(
        Format::Markdown,
        &[Format::Html, Format::Epub, Format::Eml, Format::Msg],
    ),
    structured_to(Format::Html, STRUCTURED_OFFICE),
    structured_to(
        Format::Html,
        &[Format::Markdown, Format::Epub, Format::Eml, Format::Msg],
    ),
    structured_to(Format::Json, STRUCTURED_OFFICE),
    structured_to(
        Format::Json,
        &[
            Format::Html,
            Format::Markdown,
            Format::Epub,
            Format::Eml,
            Format::Msg,
        ],
    ),
    structured_to(
        Format::Docx,
        &[
            Format::Html,
            Format::Markdown,
            Format::Epub,
            Format::Eml,
            Format::Msg,
        ],
    ),
    structured_to(Format::Xlsx, WITH_TABLES),
    structured_to(Format::Csv, WITH_TABLES),
    structured_to(
        Format::Txt,
        &[
            Format::Pptx,
            Format::Ppt,
            Format::Odp,
            Format::Html,
            Format::Markdown,
            Format::Epub,
            Format::Eml,
            Format::Msg,
        ],
    ),
    Conversion {
        from: &[
            Format::Png,
            Format::Jpeg,
            Format::Webp,
            Format::Avif,
            Format::Tiff,
            Format::Gif,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
        to: Format::Pdf,
        processor: Processor::ProcessImage,
        fidelity: Fidelity::Picture,
    },
    image_to(
        Format::Png,
        &[
            Format::Jpeg,
            Format::Webp,
            Format::Avif,
            Format::Tiff,
            Format::Gif,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
    ),
    image_to(
        Format::Jpeg,
        &[
            Format::Png,
            Format::Webp,
            Format::Avif,
            Format::Tiff,
            Format::Gif,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
    ),
    image_to(
        Format::Webp,
        &[
            Format::Png,
            Format::Jpeg,
            Format::Avif,
            Format::Tiff,
            Format::Gif,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
    ),
    image_to(
        Format::Avif,
        &[
            Format::Png,
            Format::Jpeg,
            Format::Webp,
            Format::Tiff,
            Format::Gif,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
    ),
    image_to(
        Format::Tiff,
        &[
            Format::Png,
            Format::Jpeg,
            Format::Webp,
            Format::Avif,
            Format::Gif,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
    ),
    image_to(
        Format::Gif,
        &[
            Format::Png,
            Format::Jpeg,
            Format::Webp,
            Format::Avif,
            Format::Tiff,
            Format::Bmp,
            Format::Svg,
            Format::Heic,
        ],
    ),
    image_to(
        Format::Bmp,
        &[
            Format::Png,
            Format::Jpeg,
            Format::Webp,
            Format::Avif,
            Format::Tiff,
            Format::Gif,
            Format::Svg,
            Format::Heic,
        ],
    ),
    Conversion {
        from: &[
            Format::Html,
            Format::Markdown,
            Format::Epub,
            Format::Eml,
            Format::Msg,
        ],
        to: Format::Pdf,
        processor: Processor::ProcessWeb,
        fidelity: Fidelity::Layout,
    },
    Conversion {
        from: &[Format::Html, Format::Markdown],
        to: Format::Png,
        processor: Processor::ProcessWeb,
        fidelity: Fidelity::Picture,
    },
];

/// Office formats whose structure is read: without an office suite, except for those that [`needs_office_suite`] names.
const STRUCTURED_OFFICE: &[Format] = &[
    Format::Docx,
    Format::Doc,
    Format::Odt,
    Format::Rtf,
    Format::Xlsx,
    Format::Xls,
    Format::Xlsb,
    Format::Ods,
    Format::Csv,
    Format::Tsv,
    Format::Pptx,
    Format::Ppt,
    Format::Odp,
];

/// Text document formats whose structure is read and can contain tables.
const WITH_TABLES: &[Format] = &[
    Format::Docx,
    Format::Doc,
    Format::Odt,
    Format::Rtf,
    Format::Html,
    Format::Markdown,
];

const fn office_to(to: Format, from: &'static [Format]) -> Conversion {
    Conversion {
        from,
        to,
        processor: Processor::ProcessOffice,
        fidelity: match to {
            Format::Txt | Format::Csv | Format::Tsv => Fidelity::Text,
            _ => Fidelity::Layout,
        },
    }
}

/// A conversion from pages that may need OCR; [`super::Operation::resolve`] selects another processor when OCR is off.
const fn pages_to(to: Format) -> Conversion {
    Conversion {
        from: PAGES,
        to,
        processor: Processor::ProcessOcr,
        fidelity: of_structure(to),
    }
}

const fn structured_to(to: Format, from: &'static [Format]) -> Conversion {
    Conversion {
        from,
        to,
        processor: Processor::ProcessOffice,
        fidelity: of_structure(to),
    }
}

const fn of_structure(to: Format) -> Fidelity {
    match to {
        Format::Txt => Fidelity::Text,
        _ => Fidelity::Structure,
    }
}

const fn image_to(to: Format, from: &'static [Format]) -> Conversion {
    Conversion {
        from,
        to,
        processor: Processor::ProcessImage,
        fidelity: Fidelity::Picture,
    }
}

/// Returns the conversion between two formats, if supported.
#[must_use]
pub fn conversion(from: Format, to: Format) -> Option<&'static Conversion> {
    CONVERSIONS
        .iter()
        .find(|conversion| conversion.to == to && conversion.from.contains(&from))
}

/// Whether only the office suite (LibreOffice) opens a format. Its structure is read in OpenDocument, as which the suite saves
/// the document.
#[must_use]
pub fn needs_office_suite(from: Format) -> bool {
    matches!(from, Format::Doc | Format::Ppt)
}

/// Whether a conversion reads the structure of an office document or web page instead of rendering it. The office suite
/// is used for PDF, for formats of the same category, and for plain text of DOC.
#[must_use]
pub fn converts_by_structure(from: Format, to: Format) -> bool {
    let (kind, becomes) = (from.spec().category, to.spec().category);
    let is_plain = to == Format::Txt && from != Format::Doc;
    let is_crossed = kind != becomes || kind == Category::Web || is_plain;
    let row = conversion(from, to).filter(|row| row.processor == Processor::ProcessOffice);
    row.is_some() && is_crossed && to != Format::Pdf
}
