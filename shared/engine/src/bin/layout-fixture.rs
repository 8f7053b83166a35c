//! Reads the structure of a PDF from where its characters stand and writes its pages as JSON, for tests and measurements:
//! `layout-fixture LIBPDFIUM IN.pdf OUT.json`. It does so unconfined: not for documents of others.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [library, source, output] = arguments.as_slice() else {
        return ExitCode::from(2);
    };
    match engine::untagged_pages(library, source) {
        Ok(pages) if std::fs::write(output, &pages).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
