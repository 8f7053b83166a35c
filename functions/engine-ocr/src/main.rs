//! Lambda function `engine-ocr`: recognizes text with Tesseract for coordinators.

use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine_function::Modules;

fn main() -> ExitCode {
    engine_function::main(EngineFunction::EngineOcr, Modules::OCR)
}
