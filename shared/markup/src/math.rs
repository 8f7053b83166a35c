//! Formulas (OMML) as text on one line.

use layout::{Script, Style};

use crate::line::Line;
use crate::xml::Element;

/// Appends a formula to a line.
pub(crate) fn read(element: &Element, style: &Style, line: &mut Line) {
    for inner in element.elements() {
        match inner.name() {
            "m:t" => line.push(&inner.text(), style, None),
            "m:f" => between(inner, ("m:num", "m:den"), "/", style, line),
            "m:rad" => root(inner, style, line),
            "m:sSup" | "m:sSub" | "m:sSubSup" | "m:sPre" | "m:nary" => raised(inner, style, line),
            "m:d" => enclosed(inner, style, line),
            "m:mr" | "m:eqArr" => rows(inner, style, line),
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

fn root(element: &Element, style: &Style, line: &mut Line) {
    part(element, "m:deg", &scripted(style, Script::Super), line);
    line.push("√", style, None);
    part(element, "m:e", style, line);
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

fn rows(element: &Element, style: &Style, line: &mut Line) {
    listed(element, " ", style, line);
    line.push(" ", style, None);
}

fn listed(element: &Element, sign: &str, style: &Style, line: &mut Line) {
    for (index, part) in element.all("m:e").enumerate() {
        line.push(if index > 0 { sign } else { "" }, style, None);
        read(part, style, line);
    }
}

fn scripted(style: &Style, script: Script) -> Style {
    Style {
        script,
        ..style.clone()
    }
}
