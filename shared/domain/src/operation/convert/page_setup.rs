//! Paper size and margins of printed web pages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConvertOptions;
use crate::operation::decimal::{Margin, PaperSide};
use crate::operation::locale::Locale;

/// Regions whose paper is Letter instead of A4 [CLDR 45, `paperSize`].
const LETTER: &[&str] = &[
    "BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE",
];

/// A paper size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaperSize {
    /// 297 × 420 mm.
    A3,
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 148 × 210 mm.
    A5,
    /// 8.5 × 11 inches.
    Letter,
    /// 8.5 × 14 inches.
    Legal,
    /// 11 × 17 inches.
    Tabloid,
}

impl PaperSize {
    /// The paper size of documents in a locale that have none.
    #[must_use]
    pub fn of(locale: Locale) -> Self {
        let region = locale.tag().rsplit('-').next().unwrap_or_default();
        match LETTER.contains(&region) {
            true => Self::Letter,
            false => Self::A4,
        }
    }

    /// Returns width and height in millimeters, in portrait orientation [ISO 216, ANSI/ASME Y14.1].
    #[must_use]
    pub fn sides(self) -> (f64, f64) {
        match self {
            Self::A3 => (297.0, 420.0),
            Self::A4 => (210.0, 297.0),
            Self::A5 => (148.0, 210.0),
            Self::Letter => (215.9, 279.4),
            Self::Legal => (215.9, 355.6),
            Self::Tabloid => (279.4, 431.8),
        }
    }
}

/// Paper size and margins, in millimeters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageSetup {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Margins: top, right, bottom, left.
    pub margins: [f64; 4],
}

/// Default margin in millimeters.
const MARGIN: f64 = 10.0;
/// Minimum printable width and height between the margins, in millimeters.
const MIN_PRINTABLE: f64 = 10.0;
/// Minimum margin for a header or footer line, in millimeters.
const MIN_LINE_MARGIN: f64 = 8.0;

/// The options that name margins, in the order of [`PageSetup::margins`].
const MARGINS: [&str; 4] = ["marginTop", "marginRight", "marginBottom", "marginLeft"];

impl PageSetup {
    /// Returns the requested page setup. Default: the paper of the locale in portrait orientation.
    #[must_use]
    pub fn of(options: &ConvertOptions) -> Self {
        let (width, height) = match (options.paper_width, options.paper_height) {
            (Some(width), Some(height)) => (width.value(), height.value()),
            _ => options
                .paper
                .unwrap_or_else(|| PaperSize::of(options.locale()))
                .sides(),
        };
        let (width, height) = match options.landscape {
            Some(true) => (height, width),
            _ => (width, height),
        };
        Self {
            width,
            height,
            margins: margins(options).map(|margin| margin.map_or(MARGIN, Margin::value)),
        }
    }
}

/// Returns the requested margins, in the order of [`PageSetup::margins`].
#[must_use]
pub fn margins(options: &ConvertOptions) -> [Option<Margin>; 4] {
    [
        options.margin_top,
        options.margin_right,
        options.margin_bottom,
        options.margin_left,
    ]
}

/// Returns the option that makes the page setup invalid, with an error message.
pub(super) fn check(options: &ConvertOptions) -> Option<(&'static str, String)> {
    check_size(options)
        .or_else(|| check_printable_area(options))
        .or_else(|| check_line_margins(options))
}

fn check_size(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let own: (Option<PaperSide>, Option<PaperSide>) = (options.paper_width, options.paper_height);
    let error = |name, message: &str| Some((name, message.to_owned()));
    match own {
        (Some(_), None) => error("paperWidth", "requires `paperHeight`"),
        (None, Some(_)) => error("paperHeight", "requires `paperWidth`"),
        (Some(_), Some(_)) if options.paper.is_some() => error(
            "paper",
            "cannot be combined with `paperWidth` and `paperHeight`",
        ),
        _ => None,
    }
}

/// Checks that opposite margins leave a printable area.
fn check_printable_area(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let mut setup = PageSetup::of(options);
    if options.locale.is_none() && options.paper.is_none() && options.paper_width.is_none() {
        // The account's locale decides between A4, which is narrower, and Letter, which is shorter.
        let (width, height) = (PaperSize::A4.sides().0, PaperSize::Letter.sides().1);
        (setup.width, setup.height) = match options.landscape {
            Some(true) => (height, width),
            _ => (width, height),
        };
    }
    let [top, right, bottom, left] = setup.margins;
    let given = margins(options);
    for (side, free, pair) in [
        (setup.width, left + right, [3, 1]),
        (setup.height, top + bottom, [0, 2]),
    ] {
        if side - free < MIN_PRINTABLE {
            let is_given = |index: &&usize| given.get(**index).is_some_and(Option::is_some);
            let index = pair.iter().find(is_given).or(pair.first())?;
            let message = format!(
                "must leave a printable area of {MIN_PRINTABLE} mm; the paper has {side} mm"
            );
            return Some((MARGINS.get(*index)?, message));
        }
    }
    None
}

fn check_line_margins(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let [top, _, bottom, _] = PageSetup::of(options).margins;
    let lines = [
        ("header", options.header.is_some(), top, "marginTop"),
        ("footer", options.footer.is_some(), bottom, "marginBottom"),
    ];
    let too_small = lines
        .into_iter()
        .find(|(_, given, room, _)| *given && *room < MIN_LINE_MARGIN);
    too_small.map(|(name, _, _, margin)| {
        (
            name,
            format!("requires a `{margin}` of at least {MIN_LINE_MARGIN} mm"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paper_is_that_of_the_region() {
        for (tag, paper) in [
            ("en-US", PaperSize::Letter),
            ("es-MX", PaperSize::Letter),
            ("fr-CA", PaperSize::Letter),
            ("en-GB", PaperSize::A4),
            ("ja", PaperSize::A4),
            ("eo", PaperSize::A4),
        ] {
            assert_eq!(tag.parse().map(PaperSize::of), Ok(paper), "{tag}");
        }
    }
}
