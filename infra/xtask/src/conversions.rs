//! Generates `docs/conversions.md` from the tables of conversions, notes and limits.

use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::{DOCUMENT_LIMITS, DocumentLimit, MEBIBYTE, WEB_PAGE, WORK_LIMITS, WorkLimit};
use domain::operation::{CONVERSIONS, Conversion, Fidelity, NOTES, Note};
use serde_json::Value;

use crate::text::grouped;
use crate::{Outcome, generated};

const HEAD: &str = "# Conversions

What each conversion preserves and what it loses. `GET /formats` returns the same pairs as JSON. This page is generated from
the service's own table by `cargo xtask conversions`.

Fidelity: *layout* preserves the appearance of pages, *structure* the content and its structure, *picture* the pixels of each
page, *text* only the words.
";

const FILE: &str = "docs/conversions.md";

pub(crate) fn write(root: &Path) -> Outcome {
    generated::write(root, FILE, &page())
}

pub(crate) fn check(root: &Path) -> Outcome {
    generated::check(root, FILE, &page(), "conversions")
}

fn page() -> String {
    let pairs: usize = CONVERSIONS.iter().map(|row| row.from.len()).sum();
    let variants: String = Format::ALL
        .iter()
        .filter_map(|format| variants(*format))
        .collect();
    let sections: String = NOTES.iter().map(section).collect();
    let documents: String = DOCUMENT_LIMITS.iter().map(document).collect();
    let work: String = WORK_LIMITS.iter().map(work).collect();
    let web_page = WEB_PAGE.as_secs();
    format!(
        "{HEAD}\nThere are {pairs} conversions.\n{VARIANTS}{variants}{sections}{LIMITS}{documents}{WORK}{work}\n\
         Of this time, loading and rendering a web page may take {web_page} s of wall-clock time, counted from the start of the \
         browser.\n"
    )
}

const VARIANTS: &str = "
Files with macros, templates, slide shows and web pages of the office formats are read as their format, by extension, media
type, or as `inputFormat`. Their macros never run and are not in the result, which is never of these types.

| format | also reads |
|---|---|
";

const LIMITS: &str = "
## Limits of documents

These limits apply to every plan. `GET /formats` returns the limits of each plan in `limits`.

| limit | maximum | if exceeded |
|---|---:|---|
";

const WORK: &str = "
## Limits of work

Limits of each process of a job: the one that executes the operation, and the one that verifies its result. The time limit
applies to wall-clock time and to CPU time. A job that exceeds it fails with `engine_timeout`, a job that writes too much with
`output_too_large`, a job that needs more than 1,640 MiB of memory with `engine_out_of_memory`.

| processor | operations | time | additional time per page that the plan allows | output |
|---|---|---:|---:|---:|
";

/// The row of a format with variants.
fn variants(format: Format) -> Option<String> {
    let variants = format.spec().variants.iter();
    let extensions: Vec<&str> = variants.map(|variant| variant.extension).collect();
    let row = format!("| {format} | {} |\n", extensions.join(", "));
    (!extensions.is_empty()).then_some(row)
}

fn end(limit: &DocumentLimit) -> String {
    if !limit.is_rejected {
        return "accepted; the result is degraded".to_owned();
    }
    let code = serde_json::to_value(JobErrorCode::InputTooLarge).ok();
    let name = code.as_ref().and_then(Value::as_str).unwrap_or_default();
    format!("`{name}`")
}

fn document(limit: &DocumentLimit) -> String {
    let (most, end) = (grouped(limit.max), end(limit));
    format!("| {} | {most} | {end} |\n", limit.counted)
}

fn work(limit: &WorkLimit) -> String {
    let names = limit.operations.iter().map(|name| format!("`{name}`"));
    format!(
        "| {} | {} | {} s | {} s | {} MiB |\n",
        limit.processor.name(),
        names.collect::<Vec<_>>().join(", "),
        limit.time.as_secs(),
        limit.per_page.as_secs_f32(),
        limit.written / MEBIBYTE
    )
}

fn section(about: &Note) -> String {
    let rows: Vec<(Format, &Conversion)> = rows()
        .filter(|(from, row)| about.applies_to(*from, row.to))
        .collect();
    let mut kept: Vec<&str> = rows.iter().map(|(_, row)| word(row.fidelity)).collect();
    kept.dedup();
    let from = about.from.iter().copied();
    let from = names(from.filter(|from| rows.iter().any(|(read, _)| read == from)));
    let to = about.to.iter().copied();
    let to = names(to.filter(|to| rows.iter().any(|(_, row)| row.to == *to)));
    format!(
        "\n## {from} to {to}\n\n- **Keeps** ({}): {}\n- **Loses:** {}\n",
        kept.join(", "),
        about.keeps,
        about.loses
    )
}

fn rows() -> impl Iterator<Item = (Format, &'static Conversion)> {
    CONVERSIONS
        .iter()
        .flat_map(|row| row.from.iter().map(move |from| (*from, row)))
}

fn names(formats: impl Iterator<Item = Format>) -> String {
    formats.map(Format::id).collect::<Vec<_>>().join(", ")
}

fn word(fidelity: Fidelity) -> &'static str {
    match fidelity {
        Fidelity::Layout => "layout",
        Fidelity::Structure => "structure",
        Fidelity::Picture => "picture",
        Fidelity::Text => "text",
    }
}
