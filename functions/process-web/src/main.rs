//! Lambda function `process-web`: renders web pages of jobs from its queue.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessWeb, Modules::WEB)
}
