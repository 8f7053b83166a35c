//! Real documents, next to the checkout or at `OCTAVO_CORPUS`.

use std::path::{Path, PathBuf};

use domain::format::Format;

/// Returns the directory of the corpus.
pub(crate) fn root() -> PathBuf {
    let named = std::env::var_os("OCTAVO_CORPUS").map(PathBuf::from);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let next_to_checkout = || {
        here.ancestors()
            .map(|above| above.join("shared/corpus"))
            .find(|path| path.is_dir())
    };
    named
        .or_else(next_to_checkout)
        .expect("no corpus: set OCTAVO_CORPUS")
}

/// Returns the documents in these folders, sorted by path, with their formats.
pub(crate) fn documents(folders: &[&str]) -> Vec<(String, PathBuf, Format)> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if let Some(format) = format(&path) {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.push((format!("{folder}/{name}"), path, format));
            }
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Returns the format of a file name extension, if this crate reads it.
pub(crate) fn format(path: &Path) -> Option<Format> {
    Some(match path.extension()?.to_str()? {
        "docx" => Format::Docx,
        "odt" => Format::Odt,
        "rtf" => Format::Rtf,
        "xlsx" | "xlsm" => Format::Xlsx,
        "xls" => Format::Xls,
        "ods" => Format::Ods,
        "csv" => Format::Csv,
        "tsv" => Format::Tsv,
        "pptx" => Format::Pptx,
        "odp" => Format::Odp,
        "html" => Format::Html,
        "md" => Format::Markdown,
        _ => return None,
    })
}

/// Folders of the corpus with supported documents.
pub(crate) const FOLDERS: [&str; 13] = [
    "docx",
    "odt",
    "rtf",
    "xlsx",
    "xls",
    "ods",
    "csv",
    "pptx",
    "odp",
    "html",
    "md",
    "layout-truth",
    "hostile",
];
