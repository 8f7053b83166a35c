//! The sandboxed child process as a separate executable, for tests. In production the processor's executable is its own child.

use std::process::ExitCode;

use engine::Modules;

fn main() -> ExitCode {
    engine::child(Modules::ALL).unwrap_or(ExitCode::FAILURE)
}
