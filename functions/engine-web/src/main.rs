//! Lambda function `engine-web`: renders web pages and HTML with Chromium for coordinators.

use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine_function::Modules;

fn main() -> ExitCode {
    engine_function::main(EngineFunction::EngineWeb, Modules::WEB)
}
