//! Type 1, TrueType and Type 3 fonts [ISO 32000-1, 9.6].

use serde_json::Value;

use super::{TYPES, UsedFont, embedded_program, is_subset};
use crate::pdf_a::font_program::FontProgram;
use crate::pdf_a::objects::{Dict, Document};
use crate::pdf_a::{Clauses, Report};

const SUBSETS: Clauses = ["6.3.5", ""];
const ENCODINGS: Clauses = ["6.3.7", "6.2.11.6"];

/// Flag of fonts whose characters are not all in the Latin set [ISO 32000-1, table 123].
const SYMBOLIC: i64 = 1 << 2;

/// Checks a simple font.
pub(super) fn check(
    font: &UsedFont<'_>,
    document: &Document<'_>,
    subtype: &str,
    report: &mut Report,
) {
    let (object, dict) = (font.object, font.dict);
    let descriptor = document.dict(dict, "/FontDescriptor");
    if font.is_visible || descriptor.is_some() || subtype == "/Type3" {
        check_widths(document, object, dict, report);
    }
    if subtype == "/Type3" {
        return;
    }
    let data = match font.is_visible {
        true => embedded_program(document, dict, object, report),
        false => None,
    };
    if subtype == "/TrueType" && font.is_visible {
        let data = data.unwrap_or_default();
        check_true_type(document, object, dict, FontProgram::read(&data), report);
    } else if is_subset(document, dict) {
        let has_list = descriptor.is_some_and(|dict| dict.contains_key("/CharSet"));
        let reason = "a subset of a font does not list its characters";
        report.require(has_list || subtype == "/TrueType", object, SUBSETS, reason);
    }
}

fn check_widths(document: &Document<'_>, object: &str, dict: &Dict, report: &mut Report) {
    let first = document.integer(dict, "/FirstChar");
    let last = document.integer(dict, "/LastChar");
    let count = document.graph.items(dict, "/Widths").len();
    let wanted = first
        .zip(last)
        .and_then(|(first, last)| last.checked_sub(first)?.checked_add(1));
    let has_widths = wanted.is_some_and(|wanted| usize::try_from(wanted) == Ok(count));
    let reason = "a font has not a width for each of its codes";
    report.require(has_widths, object, TYPES, reason);
}

fn check_true_type(
    document: &Document<'_>,
    object: &str,
    dict: &Dict,
    program: Option<FontProgram<'_>>,
    report: &mut Report,
) {
    let descriptor = document.dict(dict, "/FontDescriptor");
    let flags = descriptor.and_then(|dict| document.integer(dict, "/Flags"));
    let is_symbolic = flags.unwrap_or(0) & SYMBOLIC != 0;
    let maps = match &program {
        Some(FontProgram::TrueType(program)) => Some(program.maps.as_slice()),
        _ => None,
    };
    let encoding = document.graph.member(dict, "/Encoding");
    if is_symbolic {
        let reason = "a symbolic TrueType font has an encoding";
        report.require(encoding.is_none(), object, ENCODINGS, reason);
        let is_clear = maps.is_none_or(|maps| maps.len() == 1 || maps.contains(&(3, 0)));
        let reason = "a symbolic TrueType font has not one character map";
        report.require(is_clear, object, ENCODINGS, reason);
        return;
    }
    let base = match encoding {
        Some(Value::Object(encoding)) => document.graph.name(encoding, "/BaseEncoding"),
        Some(encoding) => encoding.as_str(),
        None => None,
    };
    let is_standard = matches!(base, Some("/WinAnsiEncoding" | "/MacRomanEncoding"));
    let reason = "a nonsymbolic TrueType font has neither WinAnsiEncoding nor MacRomanEncoding";
    report.require(is_standard, object, ENCODINGS, reason);
    let differs = encoding.is_some_and(|encoding| encoding.get("/Differences").is_some());
    let has_map = maps.is_none_or(|maps| match differs {
        true => maps.contains(&(3, 1)) && !report.is_part_1(),
        false => !maps.is_empty(),
    });
    let reason = "a nonsymbolic TrueType font has no character map for its encoding";
    report.require(has_map, object, ENCODINGS, reason);
}

/// Whether the encoding of a font defines Unicode values.
pub(super) fn has_standard_encoding(document: &Document<'_>, font: &Dict) -> bool {
    const ENCODINGS: [&str; 3] = [
        "/WinAnsiEncoding",
        "/MacRomanEncoding",
        "/MacExpertEncoding",
    ];
    let encoding = document.graph.name(font, "/Encoding");
    encoding.is_some_and(|name| ENCODINGS.contains(&name))
}
