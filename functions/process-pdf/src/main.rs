//! The function behind the queue of PDF documents.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessPdf, Modules::PDF)
}
