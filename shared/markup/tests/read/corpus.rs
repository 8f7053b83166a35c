//! Real documents, which lie beside the checkout or where `OCTAVO_CORPUS` says.

use std::path::{Path, PathBuf};

use domain::format::Format;

/// Where they lie.
pub(crate) fn root() -> PathBuf {
    let named = std::env::var_os("OCTAVO_CORPUS").map(PathBuf::from);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = || {
        here.ancestors()
            .map(|above| above.join("shared/corpus"))
            .find(|path| path.is_dir())
    };
    named.or_else(beside).expect("no corpus: set OCTAVO_CORPUS")
}

/// The documents in these folders by their place in the corpus, in order, each with its format.
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

/// The format that the ending of a name says, where it is one that is read here.
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

/// Folders of documents that are read here.
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
