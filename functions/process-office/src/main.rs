//! The function behind the queue of office documents.

use std::process::ExitCode;

use domain::operation::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOffice, Modules::OFFICE)
}
