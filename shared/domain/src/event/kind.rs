//! The names of events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

macro_rules! event_types {
    ($($variant:ident = $name:literal, $doc:literal;)*) => {
        /// What happened. The name is the detail type on the bus.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, Display, EnumString, IntoStaticStr, VariantArray)]
        #[strum(parse_err_ty = String, parse_err_fn = unknown)]
        pub enum EventType {
            $(#[doc = $doc] #[serde(rename = $name)] #[strum(serialize = $name)] $variant,)*
        }

        impl EventType {
            /// Every event, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// The detail type on the bus.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.into()
            }

            /// What it tells.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

event_types! {
    JobCreated = "job.created", "A job was accepted.";
    JobProcessing = "job.processing", "A processor took it.";
    JobRetrying = "job.retrying", "Another attempt is due.";
    JobCompleted = "job.completed", "The result is there.";
    JobFailed = "job.failed", "The input or the request is at fault, or the job was cancelled.";
    JobDeadLetter = "job.dead_letter", "The service gave up.";
    DocumentImported = "document.imported", "A file was saved as a new document.";
    DocumentVersionCreated = "document.version.created", "A job made a version of a saved document.";
    DocumentDeleted = "document.deleted", "A saved document was deleted.";
    WebhookTest = "webhook.test", "Somebody tries a webhook out.";
}

fn unknown(name: &str) -> String {
    format!("unknown event {name:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_agree_with_their_json() {
        for event_type in EventType::ALL {
            assert_eq!(serde_json::to_value(event_type).unwrap(), event_type.name());
            assert_eq!(event_type.name().parse(), Ok(*event_type));
        }
    }
}
