//! Runs and lines of DrawingML, used by slides and drawings.

use std::fmt::Write as _;

use crate::writers::direction::direction_runs;
use crate::writers::xml::Escaped;
use crate::{Run, Script, Style};

/// Default text size, points.
pub(in crate::writers) const DEFAULT_SIZE: f32 = 11.0;

/// Returns a paragraph with one line, with runs in their own size; links become text.
pub(in crate::writers) fn line(runs: &[Run], is_rtl: bool) -> String {
    let mut xml = String::from("<a:p>");
    xml.push_str(match is_rtl {
        true => "<a:pPr algn=\"r\" rtl=\"1\"/>",
        false => "",
    });
    for run in runs.iter().filter(|run| !run.text.is_empty()) {
        let known = Some(run.style.size).filter(|size| *size > 0.0);
        let properties = run_properties(&run.style, known.unwrap_or(DEFAULT_SIZE), None, "");
        for (_, piece) in direction_runs(&run.text) {
            lines(&piece, &properties, &mut xml);
        }
    }
    xml + "</a:p>"
}

/// Writes runs with the same properties, and the line breaks between them.
pub(in crate::writers) fn lines(text: &str, properties: &str, xml: &mut String) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            xml.push_str("<a:br/>");
        }
        if !line.is_empty() {
            write!(xml, "<a:r>{properties}<a:t>{}</a:t></a:r>", Escaped(line)).ok();
        }
    }
}

/// Returns the fill of one color.
pub(in crate::writers) fn solid_fill(color: [u8; 3]) -> String {
    format!("<a:solidFill>{}</a:solidFill>", rgb(color))
}

fn rgb([red, green, blue]: [u8; 3]) -> String {
    format!("<a:srgbClr val=\"{red:02X}{green:02X}{blue:02X}\"/>")
}

/// Returns the run properties of a style; `size` is in points, `link` is the hyperlink element.
pub(in crate::writers) fn run_properties(
    style: &Style,
    size: f32,
    language: Option<&str>,
    link: &str,
) -> String {
    let mut xml = String::from("<a:rPr");
    if let Some(language) = language {
        write!(xml, " lang=\"{}\"", Escaped(language)).ok();
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let size = (size * 100.0).round() as i32;
    write!(xml, " sz=\"{}\"", size.clamp(100, 400_000)).ok();
    for (is_set, attribute) in [
        (style.bold, " b=\"1\""),
        (style.italic, " i=\"1\""),
        (style.underlined, " u=\"sng\""),
        (style.strikethrough, " strike=\"sngStrike\""),
        (style.script == Script::Super, " baseline=\"30000\""),
        (style.script == Script::Sub, " baseline=\"-25000\""),
    ] {
        xml.push_str(if is_set { attribute } else { "" });
    }
    xml.push_str(" dirty=\"0\">");
    if style.invisible {
        xml.push_str(
            "<a:solidFill><a:srgbClr val=\"000000\"><a:alpha val=\"0\"/></a:srgbClr></a:solidFill>",
        );
    } else if let Some(color) = style.color {
        xml.push_str(&solid_fill(color));
    }
    if let Some(color) = style.highlight {
        write!(xml, "<a:highlight>{}</a:highlight>", rgb(color)).ok();
    }
    let font = match style.font.as_str() {
        "" if style.monospaced => "Courier New",
        font => font,
    };
    if !font.is_empty() {
        let font = Escaped(font);
        write!(
            xml,
            "<a:latin typeface=\"{font}\"/><a:ea typeface=\"{font}\"/><a:cs typeface=\"{font}\"/>"
        )
        .ok();
    }
    xml + link + "</a:rPr>"
}
