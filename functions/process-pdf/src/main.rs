//! The function behind the queue of PDF documents.

use std::process::ExitCode;

use domain::operation::Processor;

fn main() -> ExitCode {
    processor::main(Processor::ProcessPdf)
}
