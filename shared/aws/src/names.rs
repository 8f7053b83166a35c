//! Names and URLs of the AWS resources, from the environment of a function.

use std::collections::BTreeMap;

use domain::engine_function::EngineFunction;
use domain::ports::PortError;
use domain::processor::Processor;
use thiserror::Error;

/// A function could not be initialized.
#[derive(Debug, Error)]
pub enum SetupError {
    /// Required environment variables are not set.
    #[error("missing environment variables: {}", .0.join(", "))]
    Missing(Vec<String>),
    /// A service failed.
    #[error(transparent)]
    Unavailable(#[from] PortError),
}

/// A resource that a function uses, with the environment variable that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceVariable {
    /// `ACCOUNTS_TABLE`.
    Accounts,
    /// `JOBS_TABLE`.
    Jobs,
    /// `DOCUMENTS_TABLE`.
    Library,
    /// `BUCKET`.
    Documents,
    /// The queue of every processor: `PROCESS_OFFICE_QUEUE_URL` and so on.
    Queues,
    /// The queue of one processor.
    Queue(Processor),
    /// An engine function: `ENGINE_OFFICE_FUNCTION` and so on. `TENANT_ISOLATION` is `true` if its execution environments are
    /// isolated by tenant.
    EngineFunction(EngineFunction),
    /// `BUS_NAME`.
    Bus,
    /// `SUBSCRIPTIONS_TABLE`.
    Subscriptions,
    /// `SUBSCRIPTIONS_KEY_ARN`.
    SubscriptionsKey,
    /// `FANOUT_QUEUE_URL`.
    FanoutQueue,
    /// `FANOUT_DEAD_LETTER_QUEUE_URL`.
    FanoutDeadLetterQueue,
    /// `DELIVER_QUEUE_URL`.
    DeliverQueue,
    /// `SLOW_DELIVER_QUEUE_URL`.
    SlowDeliverQueue,
}

/// Names of the AWS resources. A port whose resource has no name returns an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Table of accounts, keys and counters.
    pub accounts_table: Option<String>,
    /// Table of jobs, their ledger and their outbox.
    pub jobs_table: Option<String>,
    /// Table of documents, their versions and the search index.
    pub documents_table: Option<String>,
    /// Bucket of uploads, results and saved documents.
    pub bucket: Option<String>,
    /// Event bus.
    pub bus: Option<String>,
    /// Table of webhooks, automation hooks and deliveries.
    pub subscriptions_table: Option<String>,
    /// KMS key that encrypts the secrets of subscriptions.
    pub subscriptions_key: Option<String>,
    /// URL of the queue of events to fan out.
    pub fanout_queue: Option<String>,
    /// URL of the dead-letter queue of `fanout`.
    pub fanout_dead_letter_queue: Option<String>,
    /// URL of the queue of deliveries.
    pub deliver_queue: Option<String>,
    /// URL of the queue of deliveries to slow receivers.
    pub slow_deliver_queue: Option<String>,
    /// URL of each processor's queue.
    pub queues: BTreeMap<Processor, String>,
    /// Name of each engine function.
    pub engine_functions: BTreeMap<EngineFunction, String>,
    /// Whether the execution environments of engine functions are isolated by tenant.
    pub isolates_tenants: bool,
}

impl Names {
    /// Reads the variables of `needs` from the environment.
    pub(crate) fn from_environment(needs: &[ResourceVariable]) -> Result<Self, SetupError> {
        Self::read(needs, |name| std::env::var(name).ok())
    }

    fn read(
        needs: &[ResourceVariable],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, SetupError> {
        let mut names = Self::default();
        let mut missing = Vec::new();
        let mut take = |name: &str| {
            let value = variable(name).filter(|value| !value.is_empty());
            if value.is_none() && !missing.iter().any(|known| known == name) {
                missing.push(name.to_owned());
            }
            value
        };
        for need in needs {
            match need {
                ResourceVariable::Accounts => names.accounts_table = take("ACCOUNTS_TABLE"),
                ResourceVariable::Jobs => names.jobs_table = take("JOBS_TABLE"),
                ResourceVariable::Library => names.documents_table = take("DOCUMENTS_TABLE"),
                ResourceVariable::Documents => names.bucket = take("BUCKET"),
                ResourceVariable::Bus => names.bus = take("BUS_NAME"),
                ResourceVariable::Subscriptions => {
                    names.subscriptions_table = take("SUBSCRIPTIONS_TABLE")
                }
                ResourceVariable::SubscriptionsKey => {
                    names.subscriptions_key = take("SUBSCRIPTIONS_KEY_ARN")
                }
                ResourceVariable::FanoutQueue => names.fanout_queue = take("FANOUT_QUEUE_URL"),
                ResourceVariable::FanoutDeadLetterQueue => {
                    names.fanout_dead_letter_queue = take("FANOUT_DEAD_LETTER_QUEUE_URL");
                }
                ResourceVariable::DeliverQueue => names.deliver_queue = take("DELIVER_QUEUE_URL"),
                ResourceVariable::SlowDeliverQueue => {
                    names.slow_deliver_queue = take("SLOW_DELIVER_QUEUE_URL");
                }
                ResourceVariable::Queues => {
                    for processor in Processor::ALL {
                        let url = take(&queue_variable(*processor));
                        names.queues.extend(url.map(|url| (*processor, url)));
                    }
                }
                ResourceVariable::Queue(processor) => {
                    let url = take(&queue_variable(*processor));
                    names.queues.extend(url.map(|url| (*processor, url)));
                }
                ResourceVariable::EngineFunction(function) => {
                    let name = take(&function_variable(*function));
                    names
                        .engine_functions
                        .extend(name.map(|name| (*function, name)));
                    names.isolates_tenants =
                        variable("TENANT_ISOLATION").is_some_and(|value| value == "true");
                }
            }
        }
        if missing.is_empty() {
            Ok(names)
        } else {
            Err(SetupError::Missing(missing))
        }
    }
}

/// `process-office` is `PROCESS_OFFICE_QUEUE_URL`.
fn queue_variable(processor: Processor) -> String {
    let name = processor.name().replace('-', "_").to_uppercase();
    format!("{name}_QUEUE_URL")
}

/// `engine-office` is `ENGINE_OFFICE_FUNCTION`.
fn function_variable(function: EngineFunction) -> String {
    let name = function.name().replace('-', "_").to_uppercase();
    format!("{name}_FUNCTION")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_missing_variables_are_named_at_once() {
        let present = |name: &str| (name == "JOBS_TABLE").then(|| "jobs".to_owned());
        let needs = [
            ResourceVariable::Jobs,
            ResourceVariable::Queues,
            ResourceVariable::Queue(Processor::ProcessPdf),
            ResourceVariable::Bus,
        ];
        assert_eq!(
            Names::read(&needs, present).unwrap_err().to_string(),
            "missing environment variables: PROCESS_OFFICE_QUEUE_URL, PROCESS_PDF_QUEUE_URL, PROCESS_IMAGE_QUEUE_URL, PROCESS_OCR_QUEUE_URL, PROCESS_WEB_QUEUE_URL, PROCESS_PIPELINE_QUEUE_URL, BUS_NAME"
        );
    }

    #[test]
    fn only_what_is_needed_is_read() {
        let names = Names::read(&[ResourceVariable::Queue(Processor::ProcessPdf)], |name| {
            Some(name.to_lowercase())
        })
        .unwrap();
        assert_eq!(
            names,
            Names {
                queues: [(Processor::ProcessPdf, "process_pdf_queue_url".to_owned())].into(),
                ..Names::default()
            }
        );
    }

    #[test]
    fn engine_functions_are_named_one_by_one() {
        let needs = [ResourceVariable::EngineFunction(EngineFunction::EnginePdf)];
        for (isolation, isolates_tenants) in [("true", true), ("false", false), ("", false)] {
            let names = Names::read(&needs, |name| match name {
                "TENANT_ISOLATION" => Some(isolation.to_owned()),
                name => Some(name.to_lowercase()),
            });
            let expected = Names {
                engine_functions: [(EngineFunction::EnginePdf, "engine_pdf_function".to_owned())]
                    .into(),
                isolates_tenants,
                ..Names::default()
            };
            assert_eq!(names.unwrap(), expected, "{isolation}");
        }
    }

    #[test]
    fn an_empty_variable_is_missing() {
        let error = Names::read(&[ResourceVariable::Bus], |_| Some(String::new())).unwrap_err();
        assert!(matches!(error, SetupError::Missing(names) if names == ["BUS_NAME"]));
    }
}
