//! Lambda function `engine-image`: decodes and encodes images for coordinators.

use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine_function::Modules;

fn main() -> ExitCode {
    engine_function::main(EngineFunction::EngineImage, Modules::IMAGE)
}
