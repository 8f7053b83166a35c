//! HTTP API middleware: routes each request, authenticates it, applies the rate limit, runs its handler and writes the
//! response.

mod authenticator;
mod body;
mod json;
mod own_host;
mod request;
mod response;
mod router;
mod source_address;
mod static_file;
mod token;
mod trace;

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use contract::code::ErrorCode;
use contract::route::{Header, ROUTES, Route};
use futures::FutureExt;
use http::Method;
use http::request::Parts;
use lambda_http::RequestExt as _;
use tracing::Instrument;

pub use authenticator::Authenticator;
pub use request::Request;
pub use response::Response;
pub use source_address::SourceAddress;
pub use static_file::StaticFile;
pub use token::Issuer;

use crate::Error;
use crate::error::ApiError;
use router::Match;

type HandlerFuture = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;
type Load<S> = Box<dyn Fn(&S) -> StaticFile + Send + Sync>;
type Handler<S> = Box<dyn Fn(Arc<S>, Request) -> HandlerFuture + Send + Sync>;

/// Longest body, in bytes, that is returned to Lambda as text and not as base64.
const MAX_TEXT_BYTES: usize = 900_000;

/// Routes, handlers and shared state of one function.
pub struct Api<S> {
    function: &'static str,
    state: Arc<S>,
    authenticator: Option<Authenticator>,
    handlers: HashMap<&'static str, Handler<S>>,
    static_files: HashMap<&'static str, Load<S>>,
}

impl<S: Send + Sync + 'static> Api<S> {
    /// Creates the API of `function`, whose handlers share `state`. Without an authenticator only open routes are served.
    #[must_use]
    pub fn new(
        function: &'static str,
        state: Arc<S>,
        authenticator: Option<Authenticator>,
    ) -> Self {
        Self {
            function,
            state,
            authenticator,
            handlers: HashMap::new(),
            static_files: HashMap::new(),
        }
    }

    /// Registers `handler` for the operation.
    #[must_use]
    pub fn route<H, F>(mut self, operation: &'static str, handler: H) -> Self
    where
        H: Fn(Arc<S>, Request) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Response, ApiError>> + Send + 'static,
    {
        let handler = move |state, request| Box::pin(handler(state, request)) as HandlerFuture;
        self.handlers.insert(operation, Box::new(handler));
        self
    }

    /// Registers a static file at `path`, outside the routes of the API.
    #[must_use]
    pub fn static_file<F>(mut self, path: &'static str, static_file: F) -> Self
    where
        F: Fn(&S) -> StaticFile + Send + Sync + 'static,
    {
        self.static_files.insert(path, Box::new(static_file));
        self
    }

    /// Returns the operations of this function in [`ROUTES`] that lack a handler, and the handlers that lack a route.
    #[must_use]
    pub fn mismatched_operations(&self) -> Vec<&'static str> {
        let declared: Vec<_> = ROUTES
            .iter()
            .filter(|r| r.function == self.function)
            .map(|r| r.operation)
            .collect();
        let missing = declared
            .iter()
            .copied()
            .filter(|operation| !self.handlers.contains_key(operation));
        let extra = self
            .handlers
            .keys()
            .copied()
            .filter(|operation| !declared.contains(operation));
        missing.chain(extra).collect()
    }

    /// Handles one request. Errors become problem details responses.
    pub async fn respond(
        &self,
        request: http::Request<Bytes>,
        request_id: &str,
    ) -> http::Response<Bytes> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let raw_path = raw_path(&parts).to_owned();
        if let Some(static_file) = self.static_file_at(&parts.method, &raw_path) {
            return static_file::into_response(static_file, &parts.method);
        }
        let traceparent = trace::continue_or_start(&parts.headers);
        let span = tracing::info_span!(
            "request",
            request_id,
            traceparent,
            method = %parts.method,
            operation = tracing::field::Empty,
            account_id = tracing::field::Empty,
        );
        let work = async {
            let outcome = match router::find(&parts.method, &raw_path) {
                Match::Route { route, parameters } => {
                    let request =
                        Request::new(route, parameters, &parts, body, traceparent.clone());
                    self.serve(request).await
                }
                Match::OtherMethods(methods) => {
                    let error = ApiError::new(
                        ErrorCode::MethodNotAllowed,
                        format!(
                            "This path does not support {}. Allowed methods: {methods}.",
                            parts.method
                        ),
                    );
                    Err(error.with_header(Header::Allow, methods))
                }
                Match::NotFound => Err(ApiError::new(
                    ErrorCode::RouteNotFound,
                    "No route has this path. GET /openapi.json lists the routes.",
                )),
            };
            let response = response::into_response(outcome, &path, request_id);
            tracing::info!(status = response.status().as_u16(), "request completed");
            response
        };
        work.instrument(span).await
    }

    fn static_file_at(&self, method: &Method, path: &str) -> Option<StaticFile> {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let static_file = self.static_files.get(path).filter(|_| reads)?;
        Some(static_file(&self.state))
    }

    async fn serve(&self, mut request: Request) -> Result<Response, ApiError> {
        tracing::Span::current().record("operation", request.route.operation);
        let Some(handler) = self.handlers.get(request.route.operation) else {
            return Err(ApiError::new(
                ErrorCode::RouteNotFound,
                "No route has this path. GET /openapi.json lists the routes.",
            ));
        };
        let burst = authenticator::authenticate(self.authenticator.as_ref(), &mut request).await?;
        request.reject_repeated_parameters()?;
        let route: &'static Route = request.route;
        let future = AssertUnwindSafe(handler(Arc::clone(&self.state), request)).catch_unwind();
        let outcome = future.await.unwrap_or_else(|_| {
            tracing::error!(operation = route.operation, "handler panicked");
            Err(ApiError::new(
                ErrorCode::InternalError,
                "An internal error occurred. If it persists, report the request id.",
            ))
        });
        authenticator::with_rate_limit(outcome, burst)
    }
}

/// Serves requests until the process ends.
///
/// # Errors
/// When routes and handlers do not match, or the Lambda runtime API is unreachable.
pub async fn serve<S: Send + Sync + 'static>(api: Api<S>) -> Result<(), Error> {
    let mismatched = api.mismatched_operations();
    if !mismatched.is_empty() {
        return Err(format!(
            "operations without a handler, or handlers without a route: {}",
            mismatched.join(", ")
        )
        .into());
    }
    let api = &api;
    lambda_http::run(lambda_http::service_fn(
        move |request: lambda_http::Request| async move {
            let request_id = lambda_http::RequestExt::lambda_context(&request).request_id;
            let request = request.map(into_bytes);
            let response = api.respond(request, &request_id).await;
            Ok::<_, Error>(response.map(into_body))
        },
    ))
    .await
}

/// Returns API Gateway's `rawPath`. `parts.uri` is unsuitable: it was parsed as a URL after the gateway had decoded the
/// path, so trailing white space is lost and a decoded `?`, `#` or `..` changes the path.
fn raw_path(parts: &Parts) -> &str {
    match parts.raw_http_path() {
        "" => parts.uri.path(),
        by_gateway => by_gateway,
    }
}

fn into_bytes(body: lambda_http::Body) -> Bytes {
    match body {
        lambda_http::Body::Text(text) => Bytes::from(text),
        lambda_http::Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    }
}

/// Converts a body for Lambda, whose JSON response is limited to 6 MB. JSON escapes can make text six times as long, while
/// base64 always adds a third, so bodies over [`MAX_TEXT_BYTES`] are sent as base64.
fn into_body(bytes: Bytes) -> lambda_http::Body {
    if bytes.len() > MAX_TEXT_BYTES {
        return lambda_http::Body::Binary(bytes.into());
    }
    match String::from_utf8(bytes.into()) {
        Ok(text) if text.is_empty() => lambda_http::Body::Empty,
        Ok(text) => lambda_http::Body::Text(text),
        Err(binary) => lambda_http::Body::Binary(binary.into_bytes()),
    }
}

#[cfg(test)]
#[path = "api/tests.rs"]
mod tests;
