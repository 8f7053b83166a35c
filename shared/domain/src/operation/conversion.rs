//! The table of conversions: which format becomes which, by whom, and how much of it is kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PAGES;
use crate::format::{Category, Format};
use crate::processor::Processor;

/// How much of a document a conversion keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// Pages look as in the source.
    Layout,
    /// Text, headings, lists, tables and pictures in reading order.
    Structure,
    /// Pixels of each page.
    Picture,
    /// Words only.
    Text,
}

/// One group of conversions that one engine does.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The formats read.
    pub from: &'static [Format],
    /// The format written.
    pub to: Format,
    /// Who does it.
    pub processor: Processor,
    /// How much of the document it keeps.
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
    read_to(Format::Markdown, READ),
    read_to(Format::Markdown, &[Format::Html]),
    read_to(Format::Html, READ),
    read_to(Format::Html, &[Format::Markdown]),
    read_to(Format::Json, READ),
    read_to(Format::Json, &[Format::Html, Format::Markdown]),
    read_to(Format::Docx, &[Format::Html, Format::Markdown]),
    read_to(Format::Xlsx, WITH_TABLES),
    read_to(Format::Csv, WITH_TABLES),
    read_to(
        Format::Txt,
        &[Format::Pptx, Format::Odp, Format::Html, Format::Markdown],
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
        from: &[Format::Html, Format::Markdown],
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

/// Office documents that say how they are built, in formats that are read without an office suite.
const READ: &[Format] = &[
    Format::Docx,
    Format::Odt,
    Format::Rtf,
    Format::Xlsx,
    Format::Xls,
    Format::Xlsb,
    Format::Ods,
    Format::Csv,
    Format::Tsv,
    Format::Pptx,
    Format::Odp,
];

/// Texts that are read so and may have tables.
const WITH_TABLES: &[Format] = &[
    Format::Docx,
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

/// Pages may have to be read by OCR; [`super::Operation::resolve`] tells who does it where they need not.
const fn pages_to(to: Format) -> Conversion {
    Conversion {
        from: PAGES,
        to,
        processor: Processor::ProcessOcr,
        fidelity: of_structure(to),
    }
}

const fn read_to(to: Format, from: &'static [Format]) -> Conversion {
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

/// The conversion from one format to another, when there is one.
#[must_use]
pub fn conversion(from: Format, to: Format) -> Option<&'static Conversion> {
    CONVERSIONS
        .iter()
        .find(|conversion| conversion.to == to && conversion.from.contains(&from))
}

/// Whether a conversion reads what a document says and how it is built. An office suite, which lays documents out, makes of
/// them nothing but PDF and documents of the same kind; plain text it makes of what is read by nothing else.
#[must_use]
pub fn is_read(from: Format, to: Format) -> bool {
    let (kind, becomes) = (from.facts().category, to.facts().category);
    let is_plain = to == Format::Txt && from != Format::Doc;
    let is_crossed = kind != becomes || kind == Category::Web || is_plain;
    let row = conversion(from, to).filter(|row| row.processor == Processor::ProcessOffice);
    row.is_some() && is_crossed && to != Format::Pdf
}
