//! Responses of handlers and their conversion to HTTP responses.

use std::borrow::Cow;

use bytes::Bytes;
use contract::job::{POLL_AFTER, status_url};
use contract::problem::{MEDIA_TYPE, Problem};
use contract::route::Header;
use domain::filename::Filename;
use domain::job::Job;
use domain::submit::Submitted;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use serde::Serialize;

use crate::error::ApiError;

/// A handler's response.
#[derive(Clone, Debug)]
pub struct Response {
    status: u16,
    content_type: Option<Cow<'static, str>>,
    cache_control: &'static str,
    headers: Vec<(Header, String)>,
    body: Bytes,
}

impl Response {
    /// Creates a response with a JSON body.
    #[must_use]
    pub fn json<T: Serialize>(status: u16, body: &T) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => Self {
                content_type: Some("application/json".into()),
                body: bytes.into(),
                ..Self::empty(status)
            },
            Err(error) => {
                tracing::error!(%error, "response cannot be serialized as JSON");
                Self::empty(500)
            }
        }
    }

    /// Creates a file download: `Content-Disposition: attachment` with the filename.
    #[must_use]
    pub fn file(status: u16, content_type: &str, filename: &Filename, body: Bytes) -> Self {
        Self {
            content_type: Some(content_type.to_owned().into()),
            body,
            ..Self::empty(status)
        }
        .with_header(Header::ContentDisposition, filename.content_disposition())
    }

    /// Creates the response to a submission: 202 for a new job, 200 for the job of an earlier request with the same
    /// idempotency key. `body` gets the job and whether it is new.
    #[must_use]
    pub fn submitted<T: Serialize>(
        submitted: &Submitted,
        body: impl FnOnce(&Job, bool) -> T,
    ) -> Self {
        let (job, response) = match submitted {
            Submitted::New(job) => (job, Self::json(202, &body(job, true)).with_retry_after()),
            Submitted::Replayed(job) => {
                let response = Self::json(200, &body(job, false));
                (
                    job,
                    response.with_header(Header::IdempotencyReplayed, "true"),
                )
            }
        };
        response.with_header(Header::Location, status_url(&job.id))
    }

    /// Adds `Retry-After`: the polling interval for the job's status, in seconds.
    #[must_use]
    pub fn with_retry_after(self) -> Self {
        self.with_header(Header::RetryAfter, POLL_AFTER)
    }

    /// Creates a response without a body.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        Self {
            status,
            content_type: None,
            cache_control: "no-store",
            headers: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, header: Header, value: impl Into<String>) -> Self {
        self.headers.push((header, value.into()));
        self
    }

    /// Returns the size of the body in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.body.len()
    }

    /// Lets shared caches store the response for five minutes. Only for content that is the same for all callers.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.cache_control = "public, max-age=300";
        self
    }
}

/// Converts a handler's result to the HTTP response.
pub(super) fn into_response(
    outcome: Result<Response, ApiError>,
    path: &str,
    request_id: &str,
) -> http::Response<Bytes> {
    let response = outcome.unwrap_or_else(|error| problem(error, path, request_id));
    let mut http_response = http::Response::new(response.body);
    *http_response.status_mut() =
        StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = http_response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static(response.cache_control),
    );
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(content_type) = response.content_type {
        let value = HeaderValue::from_str(&content_type);
        let fallback = HeaderValue::from_static("application/octet-stream");
        headers.insert(CONTENT_TYPE, value.unwrap_or(fallback));
    }
    let request_id = (
        HeaderName::from_static("x-request-id"),
        request_id.to_owned(),
    );
    let added = response
        .headers
        .into_iter()
        .filter_map(|(header, value)| Some((header.name().parse().ok()?, value)));
    for (name, value) in added.chain([request_id]) {
        match HeaderValue::from_str(&value) {
            Ok(value) => drop(headers.insert(name, value)),
            Err(_) => {
                tracing::error!(header = %name, "invalid characters in a header value; header dropped")
            }
        }
    }
    http_response
}

fn problem(error: ApiError, path: &str, request_id: &str) -> Response {
    let status = error.status.unwrap_or(error.code.status());
    let mut problem = Problem::new(
        error.code,
        status,
        error.detail,
        path.to_owned(),
        request_id.to_owned(),
    );
    problem.errors = error.errors;
    problem.resets_at = error
        .resets_at
        .map(domain::timestamp::Timestamp::milliseconds);
    tracing::info!(code = error.code.name(), "request rejected");
    Response {
        headers: error.headers,
        content_type: Some(MEDIA_TYPE.into()),
        ..Response::json(status, &problem)
    }
}
