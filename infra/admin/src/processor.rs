//! `processor on`, `processor off`.

use clap::Subcommand;
use domain::ports::Queues as _;
use domain::processor::Processor;
use serde_json::{Value, json};

use crate::error::AdminError;
use crate::stack::Stack;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Lets a processor take tickets.
    On {
        /// process-office, process-pdf, process-image, process-ocr, process-web or process-pipeline.
        #[arg(value_parser = read_processor)]
        name: Processor,
    },
    /// Stops a processor; what it works on is finished.
    Off {
        /// process-office, process-pdf, process-image, process-ocr, process-web or process-pipeline.
        #[arg(value_parser = read_processor)]
        name: Processor,
    },
}

pub(crate) async fn run(stack: &Stack, command: Command) -> Result<Value, AdminError> {
    let (processor, on) = match command {
        Command::On { name } => (name, true),
        Command::Off { name } => (name, false),
    };
    let function = stack.function(processor.name())?;
    let services = stack.services().await;
    // What is told at once is turned before what takes its time, so that nothing is accepted for a processor that stops.
    services.turn(processor, on).await?;
    let sources = services.switch(function, on).await?;
    let states: Vec<&str> = sources.iter().map(|source| source.state.as_str()).collect();
    Ok(json!({"processor": processor, "on": on, "states": states}))
}

/// Reads the name of a processor.
pub(crate) fn read_processor(name: &str) -> Result<Processor, String> {
    Processor::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Processor::ALL.iter().map(|known| known.name()).collect();
        format!("no such processor: one of {}", names.join(", "))
    })
}
