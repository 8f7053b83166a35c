//! The function behind the queue of office documents.

use std::process::ExitCode;

use domain::operation::Processor;

fn main() -> ExitCode {
    processor::main(Processor::ProcessOffice)
}
