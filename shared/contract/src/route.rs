//! The table of routes: the source of the router, the OpenAPI description, the template and the access tests.

mod header;
mod table;
mod tag;

use domain::scope::Scope;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use strum::IntoStaticStr;

pub use header::Header;
pub use table::ROUTES;
pub use tag::Tag;

use crate::code::ErrorCode;

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Method {
    /// Deletes a resource.
    Delete,
    /// Reads a resource.
    Get,
    /// Updates a resource.
    Patch,
    /// Creates a resource.
    Post,
}

impl Method {
    /// Returns the name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone, without a credential.
    Open,
    /// Any valid API key or account token.
    AnyCaller,
    /// An account token; API keys are rejected.
    Account,
    /// An API key with this scope, or an account token.
    Scoped(Scope),
    /// An API key with both scopes, or an account token.
    Both(Scope, Scope),
}

/// Whether a route accepts an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idempotency {
    /// The header is ignored.
    None,
    /// The header is optional.
    Optional,
    /// The header is required.
    Required,
}

/// A function that generates the JSON Schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The request body of a route.
#[derive(Clone, Copy)]
pub struct Body {
    /// JSON Schema of the body.
    pub schema: SchemaOf,
    /// Status of the error response to a body with invalid members. Invalid JSON is always 400.
    pub invalid_status: u16,
    /// An example.
    pub example: &'static str,
}

/// The location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ParameterLocation {
    /// In the path.
    Path,
    /// In the query string.
    Query,
    /// In a request header.
    Header,
}

impl ParameterLocation {
    /// Returns the name in OpenAPI.
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
    /// Location.
    pub location: ParameterLocation,
    /// Whether the parameter is required; always true in the path.
    pub required: bool,
    /// Description for API users.
    pub description: &'static str,
    /// JSON Schema, as JSON.
    pub schema: &'static str,
}

/// A successful response.
#[derive(Clone, Copy)]
pub struct Success {
    /// The status.
    pub status: u16,
    /// Description for API users.
    pub description: &'static str,
    /// JSON Schema of the body, if there is one.
    pub schema: Option<SchemaOf>,
    /// Response headers, in addition to those of every response.
    pub headers: &'static [Header],
}

/// One row of the table of routes.
#[derive(Clone, Copy)]
pub struct Route {
    /// The `operationId` in OpenAPI: verb and resource.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path below the base path, with parameters in braces.
    pub path: &'static str,
    /// The Lambda function that serves the route.
    pub function: &'static str,
    /// The tag in OpenAPI: the subject of the route.
    pub tag: Tag,
    /// Who may call the route.
    pub access: Access,
    /// Whether the route accepts an `Idempotency-Key`.
    pub idempotency: Idempotency,
    /// Whether a request is charged.
    pub billable: bool,
    /// Short imperative summary.
    pub summary: &'static str,
    /// Description for API users.
    pub description: &'static str,
    /// Path and query parameters.
    pub parameters: &'static [Parameter],
    /// The request body.
    pub body: Option<Body>,
    /// Successful responses.
    pub successes: &'static [Success],
    /// Error codes of the route, in addition to those that follow from access, idempotency and body.
    pub errors: &'static [ErrorCode],
}

impl Body {
    /// Creates a body of type `T`.
    pub(crate) const fn of<T: JsonSchema>(
        invalid_status: u16,
        example: &'static str,
    ) -> Option<Self> {
        Some(Self {
            schema: |generator| generator.subschema_for::<T>(),
            invalid_status,
            example,
        })
    }
}

impl Parameter {
    /// Creates a string parameter in the path.
    pub(crate) const fn path(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            location: ParameterLocation::Path,
            required: true,
            description,
            schema: r#"{"type": "string"}"#,
        }
    }

    /// Creates an optional query parameter.
    pub(crate) const fn query(
        name: &'static str,
        description: &'static str,
        schema: &'static str,
    ) -> Self {
        Self {
            name,
            location: ParameterLocation::Query,
            required: false,
            description,
            schema,
        }
    }
}

/// The query parameter of routes that create jobs.
pub const STRICT: Parameter = Parameter::query(
    "strict",
    "If `true`, the job fails with `output_incomplete` (and is refunded) if its result misses content of the source, shows boxes instead \
     of characters or its pages smaller than requested, instead of completing with the warning `content_missing`, `glyphs_missing`, `pages_failed` or \
     `limited_by_size`.",
    r#"{"type": "boolean", "default": false}"#,
);

impl Success {
    /// Creates a response of type `T` without additional headers.
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
    /// The defaults of the table: a public GET route without parameters.
    pub(crate) const DEFAULTS: Self = Self {
        operation: "",
        method: Method::Get,
        path: "",
        function: "",
        tag: Tag::Service,
        access: Access::Open,
        idempotency: Idempotency::None,
        billable: false,
        summary: "",
        description: "",
        parameters: &[],
        body: None,
        successes: &[],
        errors: &[],
    };

    /// Returns the HTTP status of an error code on this route.
    #[must_use]
    pub fn status_of(&self, code: ErrorCode) -> u16 {
        match (self.path, code) {
            ("/webpage-to-pdf", ErrorCode::UrlBlocked) => 400,
            _ => code.status(),
        }
    }

    /// Returns the names of the query parameters.
    pub fn query(&self) -> impl Iterator<Item = &'static str> {
        let in_query = |parameter: &&Parameter| parameter.location == ParameterLocation::Query;
        let parameters = self.parameters.iter().filter(in_query);
        parameters.map(|parameter| parameter.name)
    }

    /// Whether the route is deprecated in favor of another one.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        DEPRECATED.contains(&self.path)
    }

    /// Returns every error code of the route with its HTTP status.
    #[must_use]
    pub fn error_codes(&self) -> Vec<(u16, ErrorCode)> {
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
            all.push((body.invalid_status, ErrorCode::InvalidRequest));
        }
        all.push((500, ErrorCode::InternalError));
        all.sort_unstable_by_key(|(status, code)| (*status, code.name()));
        all.dedup();
        all
    }
}

/// Deprecated compatibility routes of `/jobs` and `/pipeline`.
const DEPRECATED: [&str; 6] = [
    "/compress",
    "/convert",
    "/merge",
    "/ocr",
    "/pdf",
    "/webpage-to-pdf",
];

/// Returns the route with this operation identifier.
#[must_use]
pub fn route(operation: &str) -> Option<&'static Route> {
    ROUTES.iter().find(|route| route.operation == operation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::{
        CompressDocument, ConvertDocument, ConvertSample, MergeFiles, ProcessPdf, RecognizeText,
        RenderWebPage,
    };
    use crate::document::{ChangeDocument, ImportDocument, ProcessDocument};
    use crate::hook::{SubscribeHook, UnsubscribeHook};
    use crate::job::{CreateJob, CreatePipeline};
    use crate::key::CreateKey;
    use crate::upload::AuthorizeUpload;
    use crate::webhook::CreateWebhook;

    #[test]
    fn operation_identifiers_and_pairs_of_method_and_path_are_unique() {
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
    fn every_route_has_a_summary_and_a_description() {
        for route in ROUTES {
            assert!(!route.summary.is_empty(), "{}", route.operation);
            assert!(!route.description.is_empty(), "{}", route.operation);
        }
    }

    #[test]
    fn path_parameters_are_declared() {
        for route in ROUTES {
            let declared = route
                .parameters
                .iter()
                .filter(|parameter| {
                    parameter.location == ParameterLocation::Path && parameter.required
                })
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
    fn example_bodies_are_valid() {
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
        assert!(RecognizeText::read(&example("recognizeText")).is_ok());
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
