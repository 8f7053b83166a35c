//! The function behind the queue of text recognition.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOcr, Modules::OCR)
}
