//! Lambda function `engine-pdf`: renders and edits PDFs for coordinators.

use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine_function::Modules;

fn main() -> ExitCode {
    engine_function::main(EngineFunction::EnginePdf, Modules::PDF)
}
