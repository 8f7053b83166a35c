//! The sandboxed child on its own, for tests; a processor's executable becomes the same child.

use std::process::ExitCode;

use engine::Modules;

fn main() -> ExitCode {
    engine::child(Modules::ALL).unwrap_or(ExitCode::FAILURE)
}
