//! Lambda function `process-office`: processes office document jobs from its queue.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOffice, Modules::OFFICE)
}
