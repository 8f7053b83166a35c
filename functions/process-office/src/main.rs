//! The function behind the queue of office documents.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOffice, Modules::OFFICE)
}
