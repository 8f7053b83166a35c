//! Lambda function `process-image`: processes image jobs from its queue.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessImage, Modules::IMAGE)
}
