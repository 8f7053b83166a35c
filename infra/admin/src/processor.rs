//! `processor on`, `processor off`: the kill switch of a processor.

use clap::Subcommand;
use domain::ports::Queues as _;
use domain::processor::Processor;
use serde_json::{Value, json};

use crate::error::AdminError;
use crate::stack::Stack;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Starts a processor.
    On {
        /// Processor: process-office, process-pdf, process-image, process-ocr, process-web or process-pipeline.
        #[arg(value_parser = read_processor)]
        name: Processor,
    },
    /// Stops a processor. Running jobs are completed.
    Off {
        /// Processor: process-office, process-pdf, process-image, process-ocr, process-web or process-pipeline.
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
    // The flag takes effect immediately, the event sources with a delay. The flag is set first, so that no jobs are accepted
    // for a processor that is about to stop.
    services.set_enabled(processor, on).await?;
    let sources = services.switch(function, on).await?;
    let states: Vec<&str> = sources.iter().map(|source| source.state.as_str()).collect();
    Ok(json!({"processor": processor, "on": on, "states": states}))
}

/// Parses the name of a processor.
pub(crate) fn read_processor(name: &str) -> Result<Processor, String> {
    Processor::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Processor::ALL.iter().map(|known| known.name()).collect();
        format!("unknown processor; expected one of {}", names.join(", "))
    })
}
