//! Sources with every construct of their format, converted to every format of text: each visible word is in the result, or
//! a warning accounts for it. Visible words begin with `zz` or that of another script, hidden ones with `qq`.
//!
//! LibreOffice saved the sources of DOC, XLS and PPT from those of DOCX, XLSX and PPTX, without the hidden style of the DOC, which
//! verification does not read, the trend line of the XLS, whose chart has no data, and the preview image of the PPT.

mod sources;
pub(crate) mod xlsb;

use std::path::Path;

use domain::format::{Category, Format};
use domain::operation::CONVERSIONS;

use self::sources::{HIDDEN, Source, sources};
use crate::harness::{self, Converted};
use crate::office_content::content;
use crate::poppler;

/// Warnings, and the words that they account for: the beginning of a word, and the formats of the result.
const LEFT_OUT: [(&str, &str, &[Format]); 13] = [
    ("chart_left_out", "zzchart", STRUCTURED),
    ("object_left_out", "zzchunk", STRUCTURED),
    // Text boxes of XLS.
    ("object_left_out", "zztextbox", STRUCTURED),
    ("object_left_out", "zzgroup", STRUCTURED),
    ("text_outside_tables", "zz", &[Format::Xlsx, Format::Csv]),
    (
        "sheets_left_out",
        "zzsecondsheet",
        &[Format::Csv, Format::Tsv],
    ),
    ("headers_left_out", "zzpageheader", STRUCTURED),
    ("headers_left_out", "zzpagefooter", STRUCTURED),
    ("headers_left_out", "zzpage", &[Format::Tsv]),
    ("master_text_left_out", "zzpagemaster", STRUCTURED),
    ("master_text_left_out", "zzpagelayout", STRUCTURED),
    ("chart_left_out", "zzchart", &[Format::Tsv]),
    // Not lost: RTF has pictures of charts.
    ("", "zzchart", &[Format::Rtf]),
];
const STRUCTURED: &[Format] = &[
    Format::Txt,
    Format::Markdown,
    Format::Html,
    Format::Json,
    Format::Xlsx,
    Format::Csv,
];

/// The text of a file with and without its tags and white space, in lower case.
fn text(path: &Path, format: Format) -> String {
    let all = match format {
        Format::Pdf => poppler::texts(path).join(" "),
        // The text of a shape is repeated as a property that only shapes of another type display.
        Format::Rtf => unescaped(&content(path).replace("gtextUNICODE}{\\sv zz", "")),
        _ => content(path),
    };
    let mut depth = 0;
    let untagged = all.chars().filter(|character| {
        depth += i32::from(*character == '<');
        let is_text = depth == 0;
        depth -= i32::from(*character == '>' && depth > 0);
        is_text
    });
    let untagged: String = match format {
        Format::Rtf => without_controls(&all),
        _ => untagged.filter(|one| !"*\\".contains(*one)).collect(),
    };
    // Long words are divided into lines.
    let joined: String = untagged.split_whitespace().collect();
    (all + &untagged + &joined).to_lowercase()
}

/// RTF without braces and control words, which divide words of several formats.
fn without_controls(rtf: &str) -> String {
    let mut parts = rtf.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|one: char| !one.is_ascii_alphanumeric() && one != '-');
        let (_, rest) = part.split_at(end.unwrap_or(part.len()));
        text += rest.strip_prefix(' ').unwrap_or(rest);
    }
    text.replace(['{', '}', '\r', '\n'], "")
}

/// RTF without the escapes of characters, each with its replacement of one byte.
fn unescaped(rtf: &str) -> String {
    let mut parts = rtf.split("\\u");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|one: char| !one.is_ascii_digit() && one != '-');
        let (code, rest) = part.split_at(end.unwrap_or(part.len()));
        match code.parse::<i32>() {
            Ok(code) => {
                let unit = u32::try_from(code.rem_euclid(0x1_0000)).unwrap();
                text.extend(char::from_u32(unit));
                text += match rest.strip_prefix("\\'") {
                    Some(replacement) => replacement.get(2..).unwrap_or_default(),
                    None => rest.trim_start_matches('?'),
                };
            }
            Err(_) => text = text + "\\u" + part,
        }
    }
    text
}

/// Words of a conversion.
#[derive(Debug, Default)]
struct Words {
    kept: usize,
    /// Those that another warning than `content_missing` accounts for, or that are in a picture.
    warned: Vec<String>,
    lost: Vec<String>,
    hidden_shown: Vec<String>,
}

fn compare(source: &Source, result: &Converted, to: Format) -> Words {
    let (text, warnings) = (text(result.path(), to), result.warnings());
    let mut words = Words::default();
    for word in &source.words {
        let is_cell = (word.contains("cell") && word != "zzheadercell") || word == "zzspan";
        let mut rows = LEFT_OUT.iter().filter(|(code, start, formats)| {
            let is_outside = *code == "text_outside_tables" && is_cell;
            word.starts_with(start) && formats.contains(&to) && !is_outside
        });
        let is_warned = rows.any(|(code, ..)| code.is_empty() || warnings.contains(code));
        match (text.contains(word), word.starts_with(HIDDEN)) {
            (true, true) => words.hidden_shown.push(word.clone()),
            (false, true) => {}
            (true, false) => words.kept += 1,
            (false, false) if is_warned => words.warned.push(word.clone()),
            (false, false) => words.lost.push(word.clone()),
        }
    }
    words
}

/// The number of words that verification misses in the result.
fn missing(result: &Converted) -> u64 {
    let mut warnings = result.artifact.warnings.iter();
    let found = warnings.find(|warning| warning.code == "content_missing");
    found.map_or(0, |warning| warning.data["missing"].as_u64().unwrap_or(0))
}

#[test]
fn every_word_is_in_the_result_or_in_a_warning() {
    let sources = sources();
    let pairs = sources.iter().flat_map(|source| {
        let rows = CONVERSIONS.iter();
        let rows = rows.filter(|row| row.from.contains(&source.format));
        rows.map(move |row| (source, row.to))
    });
    let pairs = pairs.filter(|(_, to)| to.spec().category != Category::Image);
    let kinds =
        |(source, to): &(&Source, Format)| [("from", source.name.clone()), ("to", to.to_string())];
    harness::sample(pairs.collect(), 0, kinds, |(source, to)| {
        let from = &source.name;
        let result = harness::run_bytes(&source.bytes, source.format, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"));
        let words = compare(source, &result, to);
        println!(
            "{from} to {to}: {} kept, {} warned of, {} missing, {} hidden ones shown",
            words.kept,
            words.warned.len(),
            words.lost.len(),
            words.hidden_shown.len()
        );
        let lost = u64::try_from(words.lost.len()).unwrap();
        assert_eq!(
            missing(&result),
            lost,
            "{from} to {to}: {:?} {:?}",
            words.lost,
            result.warnings()
        );
    });
}

/// The number of a warning.
fn count(result: &Converted, code: &str) -> u64 {
    let mut warnings = result.artifact.warnings.iter();
    let found = warnings.find(|warning| warning.code == code);
    found.map_or(0, |warning| warning.data["count"].as_u64().unwrap_or(0))
}

/// The sources with a comment, and those with a hidden sheet or slide.
#[test]
fn comments_and_hidden_parts_are_warned_of() {
    use Format::{
        Csv, Doc, Docx, Markdown, Odp, Ods, Odt, Pdf, Ppt, Pptx, Rtf, Txt, Xls, Xlsb, Xlsx,
    };
    let commented = [Docx, Doc, Odt, Rtf, Xlsx, Xls, Xlsb, Ods, Odp];
    let hidden = [Xlsx, Xls, Xlsb, Ods, Pptx, Ppt, Odp];
    for source in sources() {
        let from = source.format;
        if !commented.contains(&from) && !hidden.contains(&from) {
            continue;
        }
        for to in [Pdf, Markdown, Txt, Csv] {
            if domain::operation::conversion(from, to).is_none() {
                continue;
            }
            let result = harness::run_bytes(&source.bytes, from, &[harness::convert(to)]).unwrap();
            let comments = count(&result, "comments_left_out");
            assert_eq!(
                comments,
                u64::from(commented.contains(&from)),
                "{from} to {to}"
            );
            let is_hidden = to == Pdf && hidden.contains(&from);
            let parts = count(&result, "hidden_left_out");
            assert!(
                to != Pdf || parts == u64::from(is_hidden),
                "{from} to {to}: {parts}"
            );
        }
    }
}

#[test]
fn comments_reach_no_pdf() {
    let sources = sources();
    let commented = sources
        .iter()
        .filter(|source| matches!(source.format, Format::Docx | Format::Xlsx));
    for source in commented {
        let result = harness::run_bytes(
            &source.bytes,
            source.format,
            &[harness::convert(Format::Pdf)],
        );
        let document = lopdf::Document::load(result.unwrap().path()).unwrap();
        for (number, page) in document.get_pages() {
            let annotations = document.get_page_annotations(page).unwrap();
            let types = annotations.iter().map(|one| {
                one.get(b"Subtype")
                    .and_then(lopdf::Object::as_name)
                    .unwrap()
            });
            let types: Vec<&[u8]> = types
                .filter(|name| !matches!(*name, b"Link" | b"Widget"))
                .collect();
            assert_eq!(types, [b""; 0], "{} page {number}", source.format);
        }
    }
}
