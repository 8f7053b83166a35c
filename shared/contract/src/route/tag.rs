//! Tags of the OpenAPI description: the subjects of the routes.

use strum::{IntoStaticStr, VariantArray};

/// The subject of a route. The order of the variants is that of the tags in OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Tag {
    /// Jobs and pipelines.
    Jobs,
    /// Uploads.
    Files,
    /// Saved documents.
    Documents,
    /// Webhooks and their deliveries.
    Webhooks,
    /// Automation hooks.
    Hooks,
    /// Usage and API keys.
    Account,
    /// Compatibility routes of jobs.
    Conversions,
    /// Health, formats and this description.
    Service,
}

impl Tag {
    /// Returns the name in OpenAPI.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the description for API users.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Jobs => {
                "Asynchronous processing. A job converts one document or applies operations to it; a pipeline chains \
                 several steps. Poll the job, or register a webhook, then download the result."
            }
            Self::Documents => {
                "The library of saved documents. A document has versions, which have pages. Jobs on a document create \
                 new versions; versions are never overwritten."
            }
            Self::Files => "Uploads of source files with presigned URLs.",
            Self::Webhooks => {
                "Signed HTTP notifications of job and document events, as defined by Standard Webhooks 1.0, with a log \
                 of deliveries."
            }
            Self::Hooks => {
                "Automation hooks: subscriptions to a trigger of the mobile app, for automation platforms."
            }
            Self::Account => "Plan, usage, quota and API keys of the account.",
            Self::Conversions => {
                "Compatibility routes of jobs, which can return the result in the response. New clients should use the \
                 routes of the tag Jobs."
            }
            Self::Service => "Health, supported formats and operations, and this description.",
        }
    }
}
