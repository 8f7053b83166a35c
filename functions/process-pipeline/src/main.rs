//! The function behind the queue of pipelines.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessPipeline, Modules::ALL)
}
