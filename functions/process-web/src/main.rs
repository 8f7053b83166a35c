//! The function behind the queue of web pages.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessWeb, Modules::WEB)
}
