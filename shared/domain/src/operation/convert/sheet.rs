//! The paper that web pages are printed on: named sizes, own sizes and margins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConvertOptions;
use crate::operation::decimal::{Margin, PaperSide};

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
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

impl Paper {
    /// Width and height in millimetres, upright [ISO 216, ANSI/ASME Y14.1].
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

/// Paper as it is printed on, in millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
    /// What stays free at the top, right, bottom and left.
    pub margins: [f64; 4],
}

/// What stays free at each side unless the request says otherwise, in millimetres.
const MARGIN: f64 = 10.0;
/// What must be left between margins, in millimetres.
const LEFT: f64 = 10.0;
/// What a line in the margin needs, in millimetres.
const LINE: f64 = 8.0;

/// The options that name margins, in the order of [`Sheet::margins`].
const MARGINS: [&str; 4] = ["marginTop", "marginRight", "marginBottom", "marginLeft"];

impl Sheet {
    /// The sheet that is asked for: A4 upright unless something else is said.
    #[must_use]
    pub fn of(asked: &ConvertOptions) -> Self {
        let (width, height) = match (asked.paper_width, asked.paper_height) {
            (Some(width), Some(height)) => (width.value(), height.value()),
            _ => asked.paper.unwrap_or_default().sides(),
        };
        let (width, height) = match asked.landscape {
            Some(true) => (height, width),
            _ => (width, height),
        };
        Self {
            width,
            height,
            margins: margins(asked).map(|margin| margin.map_or(MARGIN, Margin::value)),
        }
    }
}

/// The margins that are asked for, in the order of [`Sheet::margins`].
#[must_use]
pub fn margins(asked: &ConvertOptions) -> [Option<Margin>; 4] {
    [
        asked.margin_top,
        asked.margin_right,
        asked.margin_bottom,
        asked.margin_left,
    ]
}

/// Why a sheet cannot be printed on: the option at fault, and what is wrong.
pub(super) fn fault(asked: &ConvertOptions) -> Option<(&'static str, String)> {
    contradiction(asked)
        .or_else(|| without_room(asked))
        .or_else(|| without_line(asked))
}

fn contradiction(asked: &ConvertOptions) -> Option<(&'static str, String)> {
    let own: (Option<PaperSide>, Option<PaperSide>) = (asked.paper_width, asked.paper_height);
    let fault = |name, message: &str| Some((name, message.to_owned()));
    match own {
        (Some(_), None) => fault("paperWidth", "needs `paperHeight` beside it"),
        (None, Some(_)) => fault("paperHeight", "needs `paperWidth` beside it"),
        (Some(_), Some(_)) if asked.paper.is_some() => fault(
            "paper",
            "is either a name or `paperWidth` and `paperHeight`",
        ),
        _ => None,
    }
}

/// Both margins across and both down have to leave something.
fn without_room(asked: &ConvertOptions) -> Option<(&'static str, String)> {
    let sheet = Sheet::of(asked);
    let [top, right, bottom, left] = sheet.margins;
    let given = margins(asked);
    for (side, free, pair) in [
        (sheet.width, left + right, [3, 1]),
        (sheet.height, top + bottom, [0, 2]),
    ] {
        if side - free < LEFT {
            let is_given = |index: &&usize| given.get(**index).is_some_and(Option::is_some);
            let index = pair.iter().find(is_given).or(pair.first())?;
            let message = format!("must leave {LEFT} mm of the paper, which has {side} mm there");
            return Some((MARGINS.get(*index)?, message));
        }
    }
    None
}

fn without_line(asked: &ConvertOptions) -> Option<(&'static str, String)> {
    let [top, _, bottom, _] = Sheet::of(asked).margins;
    let lines = [
        ("header", asked.header.is_some(), top, "marginTop"),
        ("footer", asked.footer.is_some(), bottom, "marginBottom"),
    ];
    let cramped = lines
        .into_iter()
        .find(|(_, given, room, _)| *given && *room < LINE);
    cramped.map(|(name, _, _, margin)| (name, format!("needs a `{margin}` of {LINE} mm or more")))
}
