//! The sandboxed child as an executable for tests; deployed engine functions contain the same child. With a directory
//! as argument, it acts as an engine function that has prewarmed a browser there and waits for its first document.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use domain::engine_function::EngineFunction;
use engine::{EngineError, Engines, Modules};
use sandbox::Launcher;

/// Longer than any test.
const WAIT: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    engine::child(Modules::ALL).unwrap_or_else(|| match std::env::args_os().nth(1) {
        Some(base) if wait_in(Path::new(&base)).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn wait_in(base: &Path) -> Result<(), EngineError> {
    let functions = [EngineFunction::EngineWeb];
    let engines = Engines::discover(Launcher::current(), Modules::ALL, &functions)?;
    let _engines = engines.with_prewarmed_browser(base);
    std::thread::sleep(WAIT);
    Ok(())
}
