//! The one table of routes: router, OpenAPI, template and access tests are made from it or compared with it.

mod table;

use domain::scope::Scope;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use strum::IntoStaticStr;

pub use table::ROUTES;

use crate::code::ErrorCode;

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Method {
    /// Removes.
    Delete,
    /// Reads.
    Get,
    /// Changes.
    Patch,
    /// Creates.
    Post,
}

impl Method {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Open,
    /// Any valid key or account token.
    AnyCaller,
    /// An account token; keys are refused.
    Account,
    /// A key with this scope.
    Scoped(Scope),
    /// A key with both scopes.
    Both(Scope, Scope),
}

/// Whether a route takes an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idempotency {
    /// It does not matter.
    None,
    /// It may be given.
    Optional,
    /// It must be given.
    Required,
}

/// A JSON Schema made by a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The body that a route takes.
#[derive(Clone, Copy)]
pub struct Body {
    /// Its schema.
    pub schema: SchemaOf,
    /// The status of a body whose members are wrong; JSON that does not parse is always 400.
    pub malformed: u16,
    /// An example.
    pub example: &'static str,
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Place {
    /// In the path.
    Path,
    /// Behind the path.
    Query,
    /// Among the request's headers.
    Header,
}

impl Place {
    /// The name in OpenAPI.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A parameter of the path, the query or the headers.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// Where it stands.
    pub place: Place,
    /// Whether a request without it is refused; what stands in the path always is.
    pub required: bool,
    /// What it means.
    pub description: &'static str,
    /// Its JSON Schema, as JSON.
    pub schema: &'static str,
}

/// What a route answers when all is well.
#[derive(Clone, Copy)]
pub struct Success {
    /// The status.
    pub status: u16,
    /// When it is given.
    pub description: &'static str,
    /// The schema of the body, when there is one.
    pub schema: Option<SchemaOf>,
    /// Headers besides those that every answer has.
    pub headers: &'static [Header],
}

/// A header of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "Train-Case")]
pub enum Header {
    /// Methods that the path knows.
    Allow,
    /// How the body is named when it is saved.
    ContentDisposition,
    /// Names this representation.
    #[strum(serialize = "ETag")]
    ETag,
    /// That an earlier request with the same key is answered.
    IdempotencyReplayed,
    /// Where to look next.
    Location,
    /// Which preference of the request was followed.
    PreferenceApplied,
    /// State of the burst limit.
    #[strum(serialize = "RateLimit")]
    RateLimit,
    /// The burst limit.
    #[strum(serialize = "RateLimit-Policy")]
    RateLimitPolicy,
    /// Seconds to wait.
    RetryAfter,
    /// What is wrong with the credential.
    #[strum(serialize = "WWW-Authenticate")]
    WwwAuthenticate,
}

impl Header {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it says.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Allow => "The methods that this path knows.",
            Self::ContentDisposition => "`attachment`, with the name of the file.",
            Self::ETag => {
                "Names this version of the answer; send it as If-None-Match to be told 304 when nothing changed."
            }
            Self::IdempotencyReplayed => {
                "`true` when an earlier request with the same Idempotency-Key is answered."
            }
            Self::Location => "Where to look next.",
            Self::PreferenceApplied => {
                "`respond-async` when the request preferred that, and a job is answered."
            }
            Self::RateLimit => "What is left of the burst limit and when it starts anew.",
            Self::RateLimitPolicy => "The burst limit: requests (q) a window of seconds (w).",
            Self::RetryAfter => "Seconds to wait before the next request.",
            Self::WwwAuthenticate => "What is wrong with the credential.",
        }
    }
}

/// One row of the table of routes.
#[derive(Clone, Copy)]
pub struct Route {
    /// The operation's name: verb and resource.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path below the base path.
    pub path: &'static str,
    /// The function that serves it.
    pub function: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Whether it takes an `Idempotency-Key`.
    pub idempotency: Idempotency,
    /// Whether what it does is charged.
    pub billable: bool,
    /// One line about it.
    pub summary: &'static str,
    /// Path and query parameters.
    pub parameters: &'static [Parameter],
    /// The body that it takes.
    pub body: Option<Body>,
    /// What it answers when all is well.
    pub successes: &'static [Success],
    /// The codes that it refuses with, besides those that follow from access, idempotency and body.
    pub errors: &'static [ErrorCode],
}

impl Body {
    /// A body that is a `T`.
    pub(crate) const fn of<T: JsonSchema>(malformed: u16, example: &'static str) -> Option<Self> {
        Some(Self {
            schema: |generator| generator.subschema_for::<T>(),
            malformed,
            example,
        })
    }
}

impl Parameter {
    /// A text in the path.
    pub(crate) const fn path(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            place: Place::Path,
            required: true,
            description,
            schema: r#"{"type": "string"}"#,
        }
    }

    /// An optional parameter behind the path.
    pub(crate) const fn query(
        name: &'static str,
        description: &'static str,
        schema: &'static str,
    ) -> Self {
        Self {
            name,
            place: Place::Query,
            required: false,
            description,
            schema,
        }
    }
}

impl Success {
    /// An answer that is a `T`, without headers of its own.
    pub(crate) const fn of<T: JsonSchema>(status: u16, description: &'static str) -> Self {
        Self {
            status,
            description,
            schema: Some(|generator| generator.subschema_for::<T>()),
            headers: &[],
        }
    }
}

impl Route {
    /// A GET route without parameters, for anybody: what the rows of the table differ from.
    pub(crate) const READING: Self = Self {
        operation: "",
        method: Method::Get,
        path: "",
        function: "",
        access: Access::Open,
        idempotency: Idempotency::None,
        billable: false,
        summary: "",
        parameters: &[],
        body: None,
        successes: &[],
        errors: &[],
    };

    /// The status that a code has here.
    #[must_use]
    pub fn status_of(&self, code: ErrorCode) -> u16 {
        match (self.path, code) {
            ("/webpage-to-pdf", ErrorCode::UrlBlocked) => 400,
            _ => code.status(),
        }
    }

    /// The names of its query parameters.
    pub fn query(&self) -> impl Iterator<Item = &'static str> {
        let in_query = |parameter: &&Parameter| parameter.place == Place::Query;
        let parameters = self.parameters.iter().filter(in_query);
        parameters.map(|parameter| parameter.name)
    }

    /// Whether new clients should use another route.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        DEPRECATED.contains(&self.path)
    }

    /// Every code that the route may refuse with, and its status here.
    #[must_use]
    pub fn refusals(&self) -> Vec<(u16, ErrorCode)> {
        let mut all: Vec<(u16, ErrorCode)> = self
            .errors
            .iter()
            .map(|code| (self.status_of(*code), *code))
            .collect();
        let mut add =
            |codes: &[ErrorCode]| all.extend(codes.iter().map(|code| (code.status(), *code)));
        if self.access != Access::Open {
            add(&[
                ErrorCode::AuthenticationRequired,
                ErrorCode::InvalidApiKey,
                ErrorCode::RateLimited,
            ]);
        }
        match self.access {
            Access::Open | Access::AnyCaller => {}
            Access::Account => add(&[ErrorCode::AccountTokenRequired]),
            Access::Scoped(_) | Access::Both(..) => add(&[ErrorCode::InsufficientScope]),
        }
        match self.idempotency {
            Idempotency::None => {}
            Idempotency::Optional => add(&[
                ErrorCode::IdempotencyKeyInvalid,
                ErrorCode::IdempotencyKeyReused,
            ]),
            Idempotency::Required => add(&[
                ErrorCode::IdempotencyKeyRequired,
                ErrorCode::IdempotencyKeyInvalid,
                ErrorCode::IdempotencyKeyReused,
            ]),
        }
        if self.query().next().is_some() {
            add(&[ErrorCode::InvalidRequest]);
        }
        if let Some(body) = &self.body {
            add(&[
                ErrorCode::InvalidRequest,
                ErrorCode::UnsupportedMediaType,
                ErrorCode::PayloadTooLarge,
            ]);
            all.push((body.malformed, ErrorCode::InvalidRequest));
        }
        all.push((500, ErrorCode::InternalError));
        all.sort_unstable_by_key(|(status, code)| (*status, code.name()));
        all.dedup();
        all
    }
}

/// Compatibility forms of what `/jobs` and `/pipeline` do.
const DEPRECATED: [&str; 6] = [
    "/compress",
    "/convert",
    "/merge",
    "/ocr",
    "/pdf",
    "/webpage-to-pdf",
];

/// The route with this operation name.
#[must_use]
pub fn route(operation: &str) -> Option<&'static Route> {
    ROUTES.iter().find(|route| route.operation == operation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::{
        CompressDocument, ConvertDocument, ConvertSample, MergeFiles, ProcessPdf, RecogniseText,
        RenderWebPage,
    };
    use crate::document::{ChangeDocument, ImportDocument, ProcessDocument};
    use crate::hook::{SubscribeHook, UnsubscribeHook};
    use crate::job::{CreateJob, CreatePipeline};
    use crate::key::CreateKey;
    use crate::upload::AuthorizeUpload;
    use crate::webhook::CreateWebhook;

    #[test]
    fn operations_and_pairs_of_method_and_path_are_unique() {
        for (index, route) in ROUTES.iter().enumerate() {
            for other in &ROUTES[index + 1..] {
                assert_ne!(route.operation, other.operation);
                assert!(
                    (route.method, route.path) != (other.method, other.path),
                    "{}",
                    route.path
                );
            }
        }
    }

    #[test]
    fn path_parameters_are_declared() {
        for route in ROUTES {
            let declared = route
                .parameters
                .iter()
                .filter(|parameter| parameter.place == Place::Path && parameter.required)
                .count();
            assert_eq!(
                route.path.matches('{').count(),
                declared,
                "{}",
                route.operation
            );
        }
    }

    #[test]
    fn examples_are_bodies_that_the_route_reads() {
        let example = |operation: &str| {
            let route = route(operation).unwrap();
            serde_json::from_str(route.body.as_ref().unwrap().example).unwrap()
        };
        assert!(CreateJob::read(&example("createJob")).is_ok());
        assert!(CreatePipeline::read(&example("createPipeline")).is_ok());
        assert!(AuthorizeUpload::read(&example("authorizeUpload")).is_ok());
        assert!(CreateKey::read(&example("createKey")).is_ok());
        assert!(ImportDocument::read(&example("importDocument")).is_ok());
        assert!(ChangeDocument::read(&example("updateDocument")).is_ok());
        assert!(ProcessDocument::read(&example("processDocument")).is_ok());
        assert!(ProcessDocument::read(&example("processPage")).is_ok());
        assert!(ConvertDocument::read(&example("convertDocument")).is_ok());
        assert!(RecogniseText::read(&example("recogniseText")).is_ok());
        assert!(CompressDocument::read(&example("compressDocument")).is_ok());
        assert!(ProcessPdf::read(&example("processPdf")).is_ok());
        assert!(MergeFiles::read(&example("mergeFiles")).is_ok());
        assert!(RenderWebPage::read(&example("renderWebPage")).is_ok());
        assert!(ConvertSample::read(&example("convertSample")).is_ok());
        assert!(SubscribeHook::read(&example("subscribeHook")).is_ok());
        assert!(UnsubscribeHook::read(&example("unsubscribeHook")).is_ok());
        assert!(CreateWebhook::read(&example("createWebhook")).is_ok());
    }
}
