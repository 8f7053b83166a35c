//! The sandboxed child on its own, for tests; a processor's executable becomes the same child.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::child().unwrap_or(ExitCode::FAILURE)
}
