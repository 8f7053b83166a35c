//! Event types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

macro_rules! event_types {
    ($($variant:ident = $name:literal, $doc:literal;)*) => {
        /// The type of an event; also its detail type on the bus.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, Display, EnumString, IntoStaticStr, VariantArray)]
        #[strum(parse_err_ty = String, parse_err_fn = unknown)]
        pub enum EventType {
            $(#[doc = $doc] #[serde(rename = $name)] #[strum(serialize = $name)] $variant,)*
        }

        impl EventType {
            /// Every type, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// Returns the detail type on the bus.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.into()
            }

            /// Returns the description for the documentation.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

event_types! {
    JobCreated = "job.created", "A job was accepted.";
    JobProcessing = "job.processing", "A worker started processing a job.";
    JobRetrying = "job.retrying", "An attempt failed; another one is scheduled.";
    JobCompleted = "job.completed", "The result of a job is available.";
    JobFailed = "job.failed", "A job failed because of its input or request, or was cancelled.";
    JobDeadLetter = "job.dead_letter", "The service failed to process a job in every attempt.";
    DocumentImported = "document.imported", "A file was saved as a new document.";
    DocumentVersionCreated = "document.version.created", "A job created a version of a saved document.";
    DocumentDeleted = "document.deleted", "A saved document was deleted.";
    WebhookTest = "webhook.test", "A webhook is tested.";
}

fn unknown(name: &str) -> String {
    format!("unknown event {name:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_agree_with_json() {
        for event_type in EventType::ALL {
            assert_eq!(serde_json::to_value(event_type).unwrap(), event_type.name());
            assert_eq!(event_type.name().parse(), Ok(*event_type));
        }
    }
}
