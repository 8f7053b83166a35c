//! Coordinator of a processor: serves its queue with a worker. It holds rights and parses no documents; engine functions do,
//! without rights.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aws::{ResourceVariable, Services};
use domain::engine_function::EngineFunction;
use domain::processor::Processor;
use domain::ticket::Ticket;
use fetch::RemoteSources;
use runtime::clock;
use thiserror::Error;
use worker::Worker;

/// Environment variable with the name of the processor, such as `process-pdf`.
const PROCESSOR: &str = "PROCESSOR";

/// Timeout for fetching a remote source; a part of the time that a coordinator has in addition to that of the engine function.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

/// Error that prevents a coordinator from starting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The variable is not set.
    #[error("{PROCESSOR} is not set")]
    Missing,
    /// The variable names no processor.
    #[error("{PROCESSOR} is not the name of a processor: {0:?}")]
    Unknown(String),
}

/// Serves the queue until Lambda ends the process. A message that is not a ticket returns to its queue, which moves it to the
/// dead-letter queue.
///
/// # Errors
/// When the environment is invalid or the Lambda runtime API is unreachable.
pub async fn serve() -> Result<(), runtime::Error> {
    let processor = processor(std::env::var(PROCESSOR).ok())?;
    let services = Services::from_environment(&needs(processor)).await?;
    let client = fetch::Client::from_environment(runtime::config::own_hosts())?;
    let remote = RemoteSources::new(client, FETCH_TIMEOUT);
    let scratch_base = std::env::temp_dir();
    remove_stale_directories(&scratch_base);
    let worker = Worker::new(
        Arc::new(services),
        Arc::new(remote),
        scratch_base,
        clock::now,
        clock::jitter,
    );
    runtime::queue::serve(async |message| {
        let ticket = Ticket::read(&message.body)?;
        Ok(worker.handle(&ticket).await?)
    })
    .await
}

fn processor(name: Option<String>) -> Result<Processor, StartError> {
    let name = name.filter(|name| !name.is_empty());
    let name = name.ok_or(StartError::Missing)?;
    Processor::from_name(&name).ok_or(StartError::Unknown(name))
}

/// Returns the resources of a coordinator, with the engine functions that it may invoke.
fn needs(processor: Processor) -> Vec<ResourceVariable> {
    let functions = EngineFunction::invoked_by(processor).into_iter();
    let mut needs = vec![
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Library,
        ResourceVariable::Documents,
        ResourceVariable::Queue(processor),
        ResourceVariable::Bus,
    ];
    needs.extend(functions.map(ResourceVariable::EngineFunction));
    needs
}

/// Removes the temporary directories of killed processes.
fn remove_stale_directories(base: &Path) {
    match worker::remove_stale_directories(base) {
        Ok(0) => {}
        Ok(count) => tracing::warn!(count, "removed temporary directories of killed processes"),
        Err(error) => tracing::error!(%error, "stale temporary directories could not be removed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_read_from_its_name() {
        for expected in Processor::ALL.iter().copied() {
            let name = expected.name().to_owned();
            assert_eq!(processor(Some(name)), Ok(expected));
        }
        assert_eq!(processor(None), Err(StartError::Missing));
        assert_eq!(processor(Some(String::new())), Err(StartError::Missing));
        let error = processor(Some("engine-pdf".to_owned())).unwrap_err();
        assert_eq!(
            error.to_string(),
            "PROCESSOR is not the name of a processor: \"engine-pdf\""
        );
    }

    #[test]
    fn a_coordinator_names_the_engine_functions_that_it_invokes() {
        let functions = |processor| {
            let needs = needs(processor).into_iter();
            let functions = needs.filter_map(|need| match need {
                ResourceVariable::EngineFunction(function) => Some(function),
                _ => None,
            });
            functions.collect::<Vec<_>>()
        };
        assert_eq!(
            functions(Processor::ProcessPdf),
            [EngineFunction::EnginePdf]
        );
        assert_eq!(functions(Processor::ProcessPipeline), EngineFunction::ALL);
    }
}
