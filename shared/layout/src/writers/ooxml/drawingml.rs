//! Runs and lines of DrawingML, which text of slides and text of drawings are made of.

use std::fmt::Write as _;

use crate::writers::direction::pieces;
use crate::writers::xml::Escaped;
use crate::{Run, Script, Style};

/// The size of a text of which none is known, points.
pub(in crate::writers) const USUAL: f32 = 11.0;

/// A line by itself, of runs in the size that they have there; links are text.
pub(in crate::writers) fn line(runs: &[Run], is_leftward: bool) -> String {
    let mut xml = String::from("<a:p>");
    xml.push_str(match is_leftward {
        true => "<a:pPr algn=\"r\" rtl=\"1\"/>",
        false => "",
    });
    for run in runs.iter().filter(|run| !run.text.is_empty()) {
        let known = Some(run.style.size).filter(|size| *size > 0.0);
        let look = run_look(&run.style, known.unwrap_or(USUAL), None, "");
        for (_, piece) in pieces(&run.text) {
            lines(&piece, &look, &mut xml);
        }
    }
    xml + "</a:p>"
}

/// Runs of one look, with the ends of lines between them.
pub(in crate::writers) fn lines(text: &str, look: &str, xml: &mut String) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            xml.push_str("<a:br/>");
        }
        if !line.is_empty() {
            write!(xml, "<a:r>{look}<a:t>{}</a:t></a:r>", Escaped(line)).ok();
        }
    }
}

/// The properties of runs of a style, in a size in points, and where they lead as XML.
pub(in crate::writers) fn run_look(
    style: &Style,
    size: f32,
    language: Option<&str>,
    leads: &str,
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
        (style.struck, " strike=\"sngStrike\""),
        (style.script == Script::Super, " baseline=\"30000\""),
        (style.script == Script::Sub, " baseline=\"-25000\""),
    ] {
        xml.push_str(if is_set { attribute } else { "" });
    }
    xml.push_str(" dirty=\"0\">");
    if style.unseen {
        xml.push_str(
            "<a:solidFill><a:srgbClr val=\"000000\"><a:alpha val=\"0\"/></a:srgbClr></a:solidFill>",
        );
    } else if let Some([red, green, blue]) = style.colour {
        write!(
            xml,
            "<a:solidFill><a:srgbClr val=\"{red:02X}{green:02X}{blue:02X}\"/></a:solidFill>"
        )
        .ok();
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
    xml + leads + "</a:rPr>"
}
