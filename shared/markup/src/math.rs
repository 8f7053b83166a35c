//! Formulas (OMML) as text on one line: fractions with a slash, superscripts and subscripts as such.

use layout::{Script, Style};

use crate::line::Line;
use crate::xml::Element;

/// Appends a formula to a line.
pub(crate) fn read(element: &Element, style: &Style, line: &mut Line) {
    for inner in element.elements() {
        match inner.name() {
            "m:t" => line.push(&inner.text(), style, None),
            "m:f" => fraction(inner, style, line),
            "m:rad" => root(inner, style, line),
            "m:sSup" | "m:sSub" | "m:sSubSup" | "m:sPre" | "m:nary" => raised(inner, style, line),
            "m:limLow" => limited(inner, Script::Sub, style, line),
            "m:limUpp" => limited(inner, Script::Super, style, line),
            "m:d" => enclosed(inner, style, line),
            "m:m" => matrix(inner, style, line),
            "m:eqArr" => listed(inner, " ", style, line),
            "m:acc" => marked(inner, ("m:accPr", "\u{302}"), style, line),
            "m:bar" => marked(inner, ("m:barPr", "\u{305}"), style, line),
            "m:func" => between(inner, ("m:fName", "m:e"), " ", style, line),
            "m:oMath" => {
                if !line.is_blank() {
                    line.push(" ", style, None);
                }
                read(inner, style, line);
            }
            name if name.ends_with("Pr") => {}
            _ => read(inner, style, line),
        }
    }
}

fn between(element: &Element, parts: (&str, &str), sign: &str, style: &Style, line: &mut Line) {
    part(element, parts.0, style, line);
    line.push(sign, style, None);
    part(element, parts.1, style, line);
}

fn part(element: &Element, name: &str, style: &Style, line: &mut Line) {
    for part in element.all(name) {
        read(part, style, line);
    }
}

fn fraction(element: &Element, style: &Style, line: &mut Line) {
    for (name, sign) in [("m:num", "/"), ("m:den", "")] {
        let mut operand = Line::default();
        part(element, name, style, &mut operand);
        push_operand(operand, style, line);
        line.push(sign, style, None);
    }
}

fn root(element: &Element, style: &Style, line: &mut Line) {
    part(element, "m:deg", &scripted(style, Script::Super), line);
    let mut operand = Line::default();
    part(element, "m:e", style, &mut operand);
    push_root(operand, style, line);
}

/// Appends the operand of a fraction, in parentheses unless it is one number or sign. Scripts belong to what they follow.
pub(crate) fn push_operand(operand: Line, style: &Style, line: &mut Line) {
    let text = on_baseline(&operand, style);
    let is_number = text
        .chars()
        .all(|c| c.is_numeric() || matches!(c, '.' | ','));
    match is_number || text.chars().count() == 1 {
        true => line.extend(operand.trimmed()),
        false => push_enclosed(operand, style, line),
    }
}

/// Appends a root.
pub(crate) fn push_root(operand: Line, style: &Style, line: &mut Line) {
    line.push("√", style, None);
    push_enclosed(operand, style, line);
}

/// Appends a part in parentheses, unless it has its own.
fn push_enclosed(part: Line, style: &Style, line: &mut Line) {
    let text = on_baseline(&part, style);
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let is_enclosed = inner.is_some_and(|inner| !inner.contains(['(', ')']));
    let (open, close) = if is_enclosed { ("", "") } else { ("(", ")") };
    line.push(open, style, None);
    line.extend(part.trimmed());
    line.push(close, style, None);
}

fn on_baseline(part: &Line, style: &Style) -> String {
    let runs = part.runs().iter();
    let runs = runs.filter(|run| run.style.script == style.script);
    let text: String = runs.map(|run| run.text.as_str()).collect();
    text.trim().to_owned()
}

fn limited(element: &Element, script: Script, style: &Style, line: &mut Line) {
    part(element, "m:e", style, line);
    part(element, "m:lim", &scripted(style, script), line);
}

/// Reads n-ary operators, superscripts and subscripts.
fn raised(element: &Element, style: &Style, line: &mut Line) {
    if element.is("m:nary") {
        let sign = element
            .at(&["m:naryPr", "m:chr"])
            .and_then(|sign| sign.get("m:val"));
        line.push(sign.unwrap_or("∫"), style, None);
        limits(element, style, line);
        return part(element, "m:e", style, line);
    }
    part(element, "m:e", style, line);
    limits(element, style, line);
}

fn limits(element: &Element, style: &Style, line: &mut Line) {
    part(element, "m:sub", &scripted(style, Script::Sub), line);
    part(element, "m:sup", &scripted(style, Script::Super), line);
}

fn enclosed(element: &Element, style: &Style, line: &mut Line) {
    let delimiter = |name| {
        element
            .at(&["m:dPr", name])
            .and_then(|sign| sign.get("m:val"))
    };
    line.push(delimiter("m:begChr").unwrap_or("("), style, None);
    listed(element, delimiter("m:sepChr").unwrap_or("|"), style, line);
    line.push(delimiter("m:endChr").unwrap_or(")"), style, None);
}

/// Reads a matrix: its rows with semicolons between them.
fn matrix(element: &Element, style: &Style, line: &mut Line) {
    for (index, row) in element.all("m:mr").enumerate() {
        line.push(if index > 0 { "; " } else { "" }, style, None);
        listed(row, " ", style, line);
    }
}

/// Reads a part with an accent, by its properties and the usual one.
fn marked(element: &Element, (properties, usual): (&str, &str), style: &Style, line: &mut Line) {
    part(element, "m:e", style, line);
    let accent = element.at(&[properties, "m:chr"]);
    let accent = accent.map(|accent| accent.get("m:val").unwrap_or_default());
    line.push(accent.unwrap_or(usual), style, None);
}

fn listed(element: &Element, sign: &str, style: &Style, line: &mut Line) {
    for (index, part) in element.all("m:e").enumerate() {
        line.push(if index > 0 { sign } else { "" }, style, None);
        read(part, style, line);
    }
}

pub(crate) fn scripted(style: &Style, script: Script) -> Style {
    Style {
        script,
        ..style.clone()
    }
}
