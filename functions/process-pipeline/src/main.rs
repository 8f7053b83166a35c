//! Lambda function `process-pipeline`: processes pipeline jobs from its queue.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessPipeline, Modules::ALL)
}
