//! File structure: header, trailer, streams and implementation limits.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use memchr::memmem;
use pdf::qpdf::{Access, Integrity, access};
use serde_json::{Number, Value};
use task::TaskResult;

use super::objects::{Dict, Document, names};
use super::{Clauses, Report};

/// Longest end of a file that is searched for its last end-of-file marker, in bytes.
const TAIL: u64 = 2048;

const HEADER: Clauses = ["6.1.2", "6.1.2"];
const TRAILER: Clauses = ["6.1.3", "6.1.3"];
const CROSS_REFERENCES: Clauses = ["6.1.4", "6.1.4"];
const FILTERS: Clauses = ["6.1.10", "6.1.7.2"];
pub(super) const LIMITS: Clauses = ["6.1.12", "6.1.13"];

/// Filters of ISO 32000-1, table 6, without `LZWDecode`; the last two are not in PDF 1.4.
const ALLOWED_FILTERS: [&str; 9] = [
    "/ASCIIHexDecode",
    "/ASCII85Decode",
    "/RunLengthDecode",
    "/FlateDecode",
    "/CCITTFaxDecode",
    "/JBIG2Decode",
    "/DCTDecode",
    "/JPXDecode",
    "/Crypt",
];
const FILTERS_OF_PART_1: usize = 7;

/// Checks a file.
pub(super) fn check(path: &Path, document: &Document<'_>, report: &mut Report) -> TaskResult<()> {
    let mut file = File::open(path)?;
    check_header(&mut file, report)?;
    check_end(&mut file, report)?;
    let access = access(path, "")?;
    let is_encrypted = !matches!(access, Access::Open(_));
    let trailer = document.graph.trailer();
    let has_key = trailer.is_some_and(|trailer| trailer.contains_key("/Encrypt"));
    report.require(!is_encrypted && !has_key, "", TRAILER, "it is encrypted");
    let is_damaged = access.shape().map(|shape| shape.integrity) == Some(Integrity::Damaged);
    let reason = "the cross-reference table or the length of a stream is wrong";
    report.require(!is_damaged, "", CROSS_REFERENCES, reason);
    let id = trailer.map(|trailer| document.graph.items(trailer, "/ID"));
    let has_id = id.is_some_and(|id| id.len() == 2 && id.iter().all(is_filled));
    report.require(has_id, "", TRAILER, "the trailer has no identifier");
    for (reference, dict) in document.graph.streams() {
        check_stream(document, reference, dict, report);
    }
    let mut count = 0_usize;
    for (reference, object) in document.graph.objects() {
        check_limits(object, reference, report);
        count += 1;
    }
    report.require(count <= 8_388_607, "", LIMITS, "it has too many objects");
    Ok(())
}

fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() > 2)
}

fn check_header(file: &mut File, report: &mut Report) -> TaskResult<()> {
    let mut start = Vec::new();
    file.take(16).read_to_end(&mut start)?;
    let digit = start.strip_prefix(b"%PDF-1.").and_then(<[u8]>::split_first);
    let rest = digit.filter(|(digit, _)| matches!(digit, b'0'..=b'7'));
    let line = rest.and_then(|(_, rest)| {
        let unix = rest.strip_prefix(b"\n");
        unix.or_else(|| rest.strip_prefix(b"\r\n"))
            .or_else(|| rest.strip_prefix(b"\r"))
    });
    let reason = "the first line is not the version of PDF";
    report.require(line.is_some(), "", HEADER, reason);
    let comment = line.and_then(|line| line.strip_prefix(b"%")?.get(..4));
    let is_binary = comment.is_some_and(|bytes| bytes.iter().all(|byte| *byte > 127));
    let reason = "the second line is not a comment of four bytes above 127";
    report.require(is_binary || line.is_none(), "", HEADER, reason);
    Ok(())
}

/// Checks the last end-of-file marker and the cross-references it ends.
fn check_end(file: &mut File, report: &mut Report) -> TaskResult<()> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let marker = memmem::rfind(&tail, b"%%EOF");
    let after = marker.and_then(|at| tail.get(at + 5..));
    let is_last = matches!(after, Some(b"" | b"\n" | b"\r" | b"\r\n"));
    let reason = "data follow the last end-of-file marker";
    report.require(is_last, "", TRAILER, reason);
    if !report.is_part_1() {
        return Ok(());
    }
    let start = memmem::rfind(&tail, b"startxref").and_then(|at| tail.get(at + 9..));
    let digits = start.unwrap_or(b"").trim_ascii_start();
    let digits: Vec<u8> = digits
        .iter()
        .copied()
        .take_while(u8::is_ascii_digit)
        .collect();
    let position = String::from_utf8(digits).unwrap_or_default().parse();
    file.seek(SeekFrom::Start(position.unwrap_or(length)))?;
    let mut keyword = Vec::new();
    file.take(4).read_to_end(&mut keyword)?;
    let reason = "the cross-references are not a table";
    report.require(keyword == b"xref", "", CROSS_REFERENCES, reason);
    Ok(())
}

fn check_stream(document: &Document<'_>, reference: &str, dict: &Dict, report: &mut Report) {
    let is_external = dict.keys().any(|key| {
        let key = key.strip_prefix("/F");
        key.is_some_and(|rest| matches!(rest, "" | "Filter" | "DecodeParms"))
    });
    let reason = "the data of a stream is in another file";
    report.require(!is_external, reference, ["6.1.7", "6.1.7.1"], reason);
    let allowed = match report.is_part_1() {
        true => ALLOWED_FILTERS.get(..FILTERS_OF_PART_1).unwrap_or(&[]),
        false => &ALLOWED_FILTERS,
    };
    for filter in names(document.graph, dict, "/Filter") {
        let is_allowed = allowed.contains(&filter);
        report.require(is_allowed, reference, FILTERS, "a filter is not allowed");
    }
    let parameters = document.graph.member(dict, "/DecodeParms");
    let parameters = parameters.into_iter().flat_map(|value| match value {
        Value::Array(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    });
    for parameters in parameters.filter_map(|value| document.graph.dictionary(value)) {
        let name = document.graph.name(parameters, "/Name");
        let is_identity = name.is_none_or(|name| name == "/Identity");
        report.require(is_identity, reference, FILTERS, "a stream is encrypted");
    }
}

fn check_limits(value: &Value, object: &str, report: &mut Report) {
    let is_part_1 = report.is_part_1();
    let mut limit = |holds: bool, reason| report.require(holds, object, LIMITS, reason);
    match value {
        Value::Number(number) => limit(is_in_range(number, is_part_1), "a number is too large"),
        Value::String(text) if text.starts_with('/') || text.starts_with("n:/") => {
            let length = text.trim_start_matches("n:").len();
            limit(length <= 128, "a name is too long");
        }
        Value::String(text) => {
            let length = match text.strip_prefix("b:") {
                Some(digits) => digits.len() / 2,
                // How the characters are encoded is unknown: at least one byte each.
                None => text.chars().count().saturating_sub(2),
            };
            limit(length <= longest_string(is_part_1), "a string is too long");
        }
        Value::Array(items) => {
            limit(!is_part_1 || items.len() <= 8191, "an array is too long");
            for item in items {
                check_limits(item, object, report);
            }
        }
        Value::Object(members) => {
            let is_small = !is_part_1 || members.len() <= 4095;
            limit(is_small, "a dictionary has too many members");
            for (key, member) in members {
                report.require(key.len() <= 128, object, LIMITS, "a name is too long");
                check_limits(member, object, report);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Maximum length of a string in bytes.
pub(super) fn longest_string(is_part_1: bool) -> usize {
    if is_part_1 { 65_535 } else { 32_767 }
}

fn is_in_range(number: &Number, is_part_1: bool) -> bool {
    match (number.as_i64(), number.as_f64()) {
        (Some(integer), _) => i32::try_from(integer).is_ok(),
        (None, Some(real)) => is_real_in_range(real, is_part_1),
        (None, None) => false,
    }
}

/// Whether a number that is no integer is in range.
pub(super) fn is_real_in_range(real: f64, is_part_1: bool) -> bool {
    real.abs() <= if is_part_1 { 32_767.0 } else { 3.403e38 }
}
