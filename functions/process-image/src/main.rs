//! The function behind the queue of images.

use std::process::ExitCode;

use domain::operation::Processor;

fn main() -> ExitCode {
    processor::main(Processor::ProcessImage)
}
