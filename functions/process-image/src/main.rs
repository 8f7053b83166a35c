//! The function behind the queue of images.

use std::process::ExitCode;

use domain::processor::Processor;
use processor::Modules;

fn main() -> ExitCode {
    processor::main(Processor::ProcessImage, Modules::IMAGE)
}
