//! Reads the structure of a PDF and writes its pages as JSON, for tests and measurements:
//! `layout-fixture LIBPDFIUM DIRECTORY tagged|untagged|LANGUAGES@MODELS IN.pdf OUT.json`. Its pictures go to the directory;
//! `untagged` leaves out of account what the document says of its structure, and with languages of Tesseract and the directory
//! of its models, pages that are pictures are read. It does so unconfined: not for documents of others.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [library, directory, kind, source, output] = arguments.as_slice() else {
        return ExitCode::from(2);
    };
    let kind = kind.to_string_lossy();
    let told = match kind.split_once('@') {
        Some((languages, models)) => {
            engine::told_by_ocr(library, source, directory, (models.as_ref(), languages))
        }
        None => engine::told(library, source, directory, kind == "tagged"),
    };
    match told {
        Ok(told) if std::fs::write(output, &told).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
