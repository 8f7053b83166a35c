//! The engine function `engine-image`, with every engine in its sandboxed child, for tests.

use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine_function::Modules;

fn main() -> ExitCode {
    engine_function::main(EngineFunction::EngineImage, Modules::ALL)
}
