//! Reads the structure of a PDF and writes its pages as JSON, for tests and measurements:
//! `layout-fixture LIBPDFIUM DIRECTORY tagged|untagged IN.pdf OUT.json`. Its pictures go to the directory; `untagged` leaves
//! out of account what the document says of its structure. It does so unconfined: not for documents of others.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [library, directory, kind, source, output] = arguments.as_slice() else {
        return ExitCode::from(2);
    };
    match engine::told(library, source, directory, kind.as_os_str() == "tagged") {
        Ok(told) if std::fs::write(output, &told).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
