//! Lambda function `process-pdf`: processes PDF jobs from its queue.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessPdf, Modules::PDF)
}
