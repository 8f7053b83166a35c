//! Sources with every construct of their format, converted to every format of text: each visible word is in the result, or
//! a warning accounts for it. Visible words begin with `zz`, hidden ones with `qq`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use domain::format::{Category, Format};
use domain::operation::CONVERSIONS;

use crate::harness::{self, Converted};
use crate::office_content::content;
use crate::poppler;
use crate::sample_documents::package;

const SOURCES: [Format; 10] = [
    Format::Docx,
    Format::Odt,
    Format::Rtf,
    Format::Xlsx,
    Format::Ods,
    Format::Pptx,
    Format::Odp,
    Format::Html,
    Format::Markdown,
    Format::Pdf,
];

/// Warnings, and the words that they account for: the beginning of a word, and the formats of the result.
const LEFT_OUT: [(&str, &str, &[Format]); 8] = [
    ("chart_left_out", "zzchart", STRUCTURED),
    ("object_left_out", "zzchunk", STRUCTURED),
    ("text_outside_tables", "zz", &[Format::Xlsx, Format::Csv]),
    (
        "sheets_left_out",
        "zzsecondsheet",
        &[Format::Csv, Format::Tsv],
    ),
    // Headers and footers of sheets, and texts of masters, are documented as dropped.
    ("", "zzpage", STRUCTURED),
    ("", "zzpage", &[Format::Tsv]),
    ("chart_left_out", "zzchart", &[Format::Tsv]),
    // RTF has pictures of charts.
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

fn folder() -> PathBuf {
    harness::checkout().join("shared/engine/tests/engine/constructs")
}

/// The source of a format: a file, or a folder of the parts of a package.
fn source(format: Format) -> Vec<u8> {
    let file = folder().join("source").with_extension(format.extension());
    let folder = folder().join(format.extension());
    if !folder.exists() {
        return fs::read(file).unwrap();
    }
    let mut parts = parts(&folder);
    parts.sort_by_key(|path| (!path.ends_with("mimetype"), path.clone()));
    package(parts.iter().map(|path| {
        let name = path.strip_prefix(&folder).unwrap();
        (name.to_str().unwrap().to_owned(), fs::read(path).unwrap())
    }))
}

fn parts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => parts(&path),
            false => vec![path],
        })
        .collect()
}

/// The marked words of a text.
fn marked(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_lowercase());
    let marked =
        words.filter(|word| word.len() > 2 && (word.starts_with("zz") || word.starts_with("qq")));
    marked.map(str::to_owned).collect()
}

/// The text of a file with and without its tags, in lower case.
fn text(path: &Path, format: Format) -> String {
    if format == Format::Pdf {
        return poppler::texts(path).join(" ").to_lowercase();
    }
    // The text of a shape is repeated as a property that only shapes of another type display.
    let all = content(path).replace("gtextUNICODE}{\\sv zz", "");
    let mut depth = 0;
    let untagged = all.chars().filter(|character| {
        depth += i32::from(*character == '<');
        let is_text = depth == 0;
        depth -= i32::from(*character == '>' && depth > 0);
        is_text
    });
    let untagged: String = untagged.filter(|one| !"*\\".contains(*one)).collect();
    (all + &untagged).to_lowercase()
}

/// Words of a conversion.
#[derive(Debug, Default)]
struct Words {
    kept: usize,
    /// Those that another warning than `content_missing` accounts for, or the documentation.
    warned: Vec<String>,
    lost: Vec<String>,
    hidden_shown: Vec<String>,
}

fn compare(wanted: &BTreeSet<String>, result: &Converted, to: Format) -> Words {
    let (text, warnings) = (text(result.path(), to), result.warnings());
    let mut words = Words::default();
    for word in wanted {
        let is_cell = (word.contains("cell") && word != "zzheadercell") || word == "zzspan";
        let mut rows = LEFT_OUT.iter().filter(|(code, start, formats)| {
            let is_outside = *code == "text_outside_tables" && is_cell;
            word.starts_with(start) && formats.contains(&to) && !is_outside
        });
        let is_warned = rows.any(|(code, ..)| code.is_empty() || warnings.contains(code));
        match (text.contains(word), word.starts_with("qq")) {
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
    let pairs = SOURCES.iter().flat_map(|from| {
        let rows = CONVERSIONS.iter().filter(|row| row.from.contains(from));
        rows.map(|row| (*from, row.to))
    });
    let pairs = pairs.filter(|(_, to)| to.spec().category != Category::Image);
    let pairs = pairs.collect();
    harness::sample(pairs, 0, harness::formats, |(from, to)| {
        let source = source(from);
        let result = harness::run_bytes(&source, from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"));
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &source).unwrap();
        let wanted = marked(&match from {
            Format::Pdf => String::from_utf8_lossy(&source).into_owned(),
            _ => content(file.path()),
        });
        let words = compare(&wanted, &result, to);
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
