//! Serves the routes of the table: finds the handler, passes the gate, and answers in the contract's shapes.

mod address;
mod answer;
mod body;
mod call;
mod gate;
mod json;
mod matching;
mod own_host;
mod page;
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
use http::request::Parts;
use http::{Method, Request, Response};
use lambda_http::RequestExt as _;
use tracing::Instrument;

pub use address::SourceAddress;
pub use answer::Answer;
pub use call::Call;
pub use gate::Gate;
pub use page::Page;
pub use token::Issuer;

use crate::Error;
use crate::refusal::Refusal;
use matching::Match;

type Handling = Pin<Box<dyn Future<Output = Result<Answer, Refusal>> + Send>>;
type Handler<S> = Box<dyn Fn(Arc<S>, Call) -> Handling + Send + Sync>;

/// Most bytes of a body that goes as text.
const MOST_TEXT: usize = 900_000;

/// The routes that one function serves.
pub struct Api<S> {
    function: &'static str,
    state: Arc<S>,
    gate: Option<Gate>,
    handlers: HashMap<&'static str, Handler<S>>,
    pages: HashMap<&'static str, fn(&S) -> Page>,
}

impl<S: Send + Sync + 'static> Api<S> {
    /// The routes of `function`, whose handlers share `state`. Without a gate only open routes are served.
    #[must_use]
    pub fn new(function: &'static str, state: Arc<S>, gate: Option<Gate>) -> Self {
        Self {
            function,
            state,
            gate,
            handlers: HashMap::new(),
            pages: HashMap::new(),
        }
    }

    /// Serves the operation of this name with `handler`.
    #[must_use]
    pub fn route<H, F>(mut self, operation: &'static str, handler: H) -> Self
    where
        H: Fn(Arc<S>, Call) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Answer, Refusal>> + Send + 'static,
    {
        let handler = move |state, call| Box::pin(handler(state, call)) as Handling;
        self.handlers.insert(operation, Box::new(handler));
        self
    }

    /// Serves a page at `path`, which is no route of the API.
    #[must_use]
    pub fn page(mut self, path: &'static str, page: fn(&S) -> Page) -> Self {
        self.pages.insert(path, page);
        self
    }

    /// Operations that the table gives to this function and that have no handler, and handlers that it does not give.
    #[must_use]
    pub fn disagreements(&self) -> Vec<&'static str> {
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

    /// Answers one request; never fails, because every failure is an answer.
    pub async fn answer(&self, request: Request<Bytes>, request_id: &str) -> Response<Bytes> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let asked_for = path_asked_for(&parts).to_owned();
        if let Some(page) = self.page_at(&parts.method, &asked_for) {
            return page::into_response(page, &parts.method);
        }
        let traceparent = trace::continue_or_begin(&parts.headers);
        let span = tracing::info_span!(
            "request",
            request_id,
            traceparent,
            method = %parts.method,
            operation = tracing::field::Empty,
            account_id = tracing::field::Empty,
        );
        let work = async {
            let outcome = match matching::find(&parts.method, &asked_for) {
                Match::Route { route, parameters } => {
                    let call = Call::new(route, parameters, &parts, body, traceparent.clone());
                    self.serve(call).await
                }
                Match::OtherMethods(methods) => {
                    let refusal = Refusal::new(
                        ErrorCode::MethodNotAllowed,
                        format!("this path knows {methods}"),
                    );
                    Err(refusal.with(Header::Allow, methods))
                }
                Match::Nothing => Err(Refusal::new(
                    ErrorCode::RouteNotFound,
                    "there is no such route; see GET /openapi.json",
                )),
            };
            let response = answer::into_response(outcome, &path, request_id);
            tracing::info!(status = response.status().as_u16(), "answered");
            response
        };
        work.instrument(span).await
    }

    fn page_at(&self, method: &Method, path: &str) -> Option<Page> {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let page = self.pages.get(path).filter(|_| reads)?;
        Some(page(&self.state))
    }

    async fn serve(&self, mut call: Call) -> Result<Answer, Refusal> {
        tracing::Span::current().record("operation", call.route.operation);
        let Some(handler) = self.handlers.get(call.route.operation) else {
            return Err(Refusal::new(
                ErrorCode::RouteNotFound,
                "there is no such route; see GET /openapi.json",
            ));
        };
        let burst = gate::pass(self.gate.as_ref(), &mut call).await?;
        call.refuse_repeated_parameters()?;
        let route: &'static Route = call.route;
        let handling = AssertUnwindSafe(handler(Arc::clone(&self.state), call)).catch_unwind();
        let outcome = handling.await.unwrap_or_else(|_| {
            tracing::error!(operation = route.operation, "a handler panicked");
            Err(Refusal::new(
                ErrorCode::InternalError,
                "the service failed; name the request id if it stays so",
            ))
        });
        gate::with_burst(outcome, burst)
    }
}

/// Serves until the process ends.
///
/// # Errors
/// When a route of the table has no handler, or Lambda's runtime interface cannot be reached.
pub async fn serve<S: Send + Sync + 'static>(api: Api<S>) -> Result<(), Error> {
    let disagreements = api.disagreements();
    if !disagreements.is_empty() {
        return Err(format!(
            "the table of routes and the handlers disagree about {}",
            disagreements.join(", ")
        )
        .into());
    }
    let api = &api;
    lambda_http::run(lambda_http::service_fn(
        move |request: lambda_http::Request| async move {
            let request_id = lambda_http::RequestExt::lambda_context(&request).request_id;
            let request = request.map(into_bytes);
            let response = api.answer(request, &request_id).await;
            Ok::<_, Error>(response.map(into_body))
        },
    ))
    .await
}

/// The path as the gateway took it. What stands in the URI was parsed as a URL after the gateway had decoded it: white
/// space at its end is gone, and so is whatever a decoded `?`, `#` or `..` cuts off, so that it may name something else.
fn path_asked_for(parts: &Parts) -> &str {
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

/// Text stands in the function's answer with each quote and control character written out, up to six times as long;
/// base64 adds a third whatever it holds. So what is long goes as that, lest the answer pass Lambda's 6 MB.
fn into_body(bytes: Bytes) -> lambda_http::Body {
    if bytes.len() > MOST_TEXT {
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
