//! The function behind the queue of web pages.

use std::process::ExitCode;

use domain::operation::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessWeb, Modules::WEB)
}
