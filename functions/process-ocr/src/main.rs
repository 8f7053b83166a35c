//! The function behind the queue of text recognition.

use std::process::ExitCode;

use domain::operation::Processor;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOcr)
}
