//! The function behind the queue of text recognition.

use std::process::ExitCode;

use domain::operation::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOcr, Modules::OCR)
}
