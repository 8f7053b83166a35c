//! Paragraphs, with properties in schema order.

use std::fmt::Write as _;

use super::slide::Slide;
use crate::writers::direction::{are_rtl, direction_runs};
use crate::writers::font::base_size;
use crate::writers::link::{Target, target};
use crate::writers::marker::{Counter, Numerals, is_bullet};
use crate::writers::ooxml::drawingml::{DEFAULT_SIZE, lines, run_properties};
use crate::writers::xml::Escaped;
use crate::{Alignment, Item, Run, Script};

/// Extension that gives a link the color of its text instead of the theme's hyperlink color.
const OWN_COLOR: &str = "<a:extLst><a:ext uri=\"{A12FA001-AC4F-418D-AE19-62706E023703}\">\
<ahyp:hlinkClr xmlns:ahyp=\"http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor\" val=\"tx\"/></a:ext></a:extLst>";

/// Paragraph properties.
#[derive(Default)]
pub(super) struct ParagraphStyle {
    pub(super) alignment: Alignment,
    pub(super) level: u8,
    /// Marker element; `None` without a marker.
    pub(super) marker: Option<String>,
}

/// Returns a paragraph of runs.
pub(super) fn paragraph(slide: &mut Slide<'_>, runs: &[Run], style: &ParagraphStyle) -> String {
    let mut xml = format!("<a:p>{}", properties(style, are_rtl(runs)));
    let base = base_size(runs);
    for run in runs.iter().filter(|run| !run.text.is_empty()) {
        let link = match run.link.as_deref().and_then(target) {
            Some(Target::External(url)) => {
                let relation = slide.relations.hyperlink(&url);
                format!("<a:hlinkClick r:id=\"{relation}\">{OWN_COLOR}</a:hlinkClick>")
            }
            Some(Target::Page(_)) | None => String::new(),
        };
        let is_small = run.style.script != Script::None && base > 0.0;
        let known = if is_small { base } else { run.style.size };
        let size = if known > 0.0 { known } else { DEFAULT_SIZE } * slide.frame.scale;
        let properties = run_properties(&run.style, size, slide.language, &link);
        for (_, piece) in direction_runs(&run.text) {
            lines(&piece, &properties, &mut xml);
        }
    }
    xml + "</a:p>"
}

/// Returns the items of a list, one paragraph each; an empty paragraph if there are none.
pub(super) fn list(slide: &mut Slide<'_>, items: &[Item]) -> String {
    let mut xml = String::new();
    let mut last = None;
    for item in items {
        let counter = Counter::read(&item.marker, last.as_ref()).filter(|_| item.ordered);
        let marker = match &counter {
            Some(counter) => counted(counter),
            None => (!item.ordered && is_bullet(&item.marker)).then(|| bullet(&item.marker)),
        };
        // A marker that no numbering scheme produces becomes text.
        let mut runs = item.runs.clone();
        if marker.is_none() && !item.marker.is_empty() {
            let style = runs
                .first()
                .map(|run| run.style.clone())
                .unwrap_or_default();
            runs.insert(
                0,
                Run {
                    text: format!("{} ", item.marker),
                    style,
                    link: None,
                },
            );
        }
        xml.push_str(&paragraph(
            slide,
            &runs,
            &ParagraphStyle {
                level: item.level.min(8),
                marker,
                ..ParagraphStyle::default()
            },
        ));
        last = counter;
    }
    if xml.is_empty() {
        "<a:p/>".to_owned()
    } else {
        xml
    }
}

fn properties(style: &ParagraphStyle, is_rtl: bool) -> String {
    let mut xml = String::from("<a:pPr");
    if let Some(marker) = &style.marker {
        let left = 228_600 * (i64::from(style.level) + 1);
        return format!(
            "{xml} marL=\"{left}\" lvl=\"{}\" indent=\"-228600\"{}>{marker}</a:pPr>",
            style.level,
            if is_rtl { " algn=\"r\" rtl=\"1\"" } else { "" }
        );
    }
    if style.level > 0 {
        write!(
            xml,
            " marL=\"{}\" lvl=\"{}\"",
            228_600 * i64::from(style.level),
            style.level
        )
        .ok();
    }
    let (start, end) = if is_rtl { ("r", "l") } else { ("l", "r") };
    let side = match style.alignment {
        Alignment::Start => start,
        Alignment::Center => "ctr",
        Alignment::End => end,
        Alignment::Justified => "just",
    };
    let way = if is_rtl { " rtl=\"1\"" } else { "" };
    write!(xml, " algn=\"{side}\"{way}><a:buNone/></a:pPr>").ok();
    xml
}

fn bullet(marker: &str) -> String {
    let sign = marker.trim();
    // Private use characters of symbol fonts have no meaning in other fonts.
    let is_plain = !sign.is_empty() && !sign.chars().any(|c| matches!(c, '\u{e000}'..='\u{f8ff}'));
    format!(
        "<a:buFont typeface=\"Arial\"/><a:buChar char=\"{}\"/>",
        Escaped(if is_plain { sign } else { "•" })
    )
}

/// Returns the numbering scheme of a number; `None` if there is none.
fn counted(counter: &Counter) -> Option<String> {
    let numerals = match counter.numerals {
        Numerals::Decimal => "arabic",
        Numerals::LowerLetter => "alphaLc",
        Numerals::UpperLetter => "alphaUc",
        Numerals::LowerRoman => "romanLc",
        Numerals::UpperRoman => "romanUc",
    };
    let signs = match (counter.before.as_str(), counter.behind.as_str()) {
        ("", ".") => "Period",
        ("", ")") => "ParenR",
        ("(", ")") => "ParenBoth",
        ("", "") if counter.numerals == Numerals::Decimal => "Plain",
        _ => return None,
    };
    let value = Some(counter.value).filter(|value| (1..=32_767).contains(value))?;
    Some(format!(
        "<a:buFont typeface=\"+mj-lt\"/><a:buAutoNum type=\"{numerals}{signs}\" startAt=\"{value}\"/>"
    ))
}
