//! Extracts the structure of a PDF and writes its pages as JSON, for tests and benchmarks: `layout-fixture LIBPDFIUM
//! DIRECTORY tagged|untagged|LANGUAGES@MODELS IN.pdf OUT.json`.
//!
//! Images are written to DIRECTORY. `untagged` ignores the structure tree. With Tesseract's languages and the directory of
//! its models, pages that are images are recognized. Runs without a sandbox: not for untrusted documents.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [library, directory, kind, source, output] = arguments.as_slice() else {
        return ExitCode::from(2);
    };
    let kind = kind.to_string_lossy();
    let json = match kind.split_once('@') {
        Some((languages, models)) => {
            engine::to_json_with_ocr(library, source, directory, (models.as_ref(), languages))
        }
        None => engine::content_json(library, source, directory, kind == "tagged"),
    };
    match json {
        Ok(json) if std::fs::write(output, &json).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
