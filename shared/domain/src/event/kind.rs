//! The names of events.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! event_types {
    ($($variant:ident = $name:literal, $doc:literal;)*) => {
        /// What happened. The name is the detail type on the bus.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum EventType {
            $(#[doc = $doc] #[serde(rename = $name)] $variant,)*
        }

        impl EventType {
            /// Every event, in the order of the table.
            pub const ALL: &'static [EventType] = &[$(EventType::$variant,)*];

            /// The detail type on the bus.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
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

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EventType {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut all = Self::ALL.iter().copied();
        all.find(|event| event.name() == name)
            .ok_or_else(|| format!("unknown event {name:?}"))
    }
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
