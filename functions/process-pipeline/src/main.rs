//! The function behind the queue of pipelines.

use std::process::ExitCode;

use domain::operation::Processor;

fn main() -> ExitCode {
    processor::main(Processor::ProcessPipeline)
}
