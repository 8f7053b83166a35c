//! Lambda function `process-ocr`: processes OCR jobs from its queue.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOcr, Modules::OCR)
}
