//! Lambda function `engine-office`: converts office documents with LibreOffice for coordinators.

use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine_function::Modules;

fn main() -> ExitCode {
    engine_function::main(EngineFunction::EngineOffice, Modules::OFFICE)
}
