//! Answers: what a handler gives back, and how it goes over the wire.

use std::borrow::Cow;

use bytes::Bytes;
use contract::job::{POLL_AFTER, status_url};
use contract::problem::{MEDIA_TYPE, Problem};
use contract::route::Header;
use domain::filename::Filename;
use domain::job::Job;
use domain::submit::Submitted;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use http::{Response, StatusCode};
use serde::Serialize;

use crate::refusal::Refusal;

/// What a handler answers.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    content_type: Option<Cow<'static, str>>,
    cache_control: &'static str,
    headers: Vec<(Header, String)>,
    body: Bytes,
}

impl Answer {
    /// A JSON body.
    #[must_use]
    pub fn json<T: Serialize>(status: u16, body: &T) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => Self {
                content_type: Some("application/json".into()),
                body: bytes.into(),
                ..Self::empty(status)
            },
            Err(error) => {
                tracing::error!(%error, "an answer could not be written as JSON");
                Self::empty(500)
            }
        }
    }

    /// A file, which is saved under its name and never shown in place.
    #[must_use]
    pub fn file(status: u16, content_type: &str, filename: &Filename, body: Bytes) -> Self {
        Self {
            content_type: Some(content_type.to_owned().into()),
            body,
            ..Self::empty(status)
        }
        .with(Header::ContentDisposition, filename.content_disposition())
    }

    /// The answer to a submission: a job that is new, or that an earlier request with the same idempotency key made. `body`
    /// shows the job and whether it is new.
    #[must_use]
    pub fn submitted<T: Serialize>(
        submitted: &Submitted,
        body: impl FnOnce(&Job, bool) -> T,
    ) -> Self {
        let (job, answer) = match submitted {
            Submitted::New(job) => (job, Self::json(202, &body(job, true)).with_retry_after()),
            Submitted::Replayed(job) => {
                let answer = Self::json(200, &body(job, false));
                (job, answer.with(Header::IdempotencyReplayed, "true"))
            }
        };
        answer.with(Header::Location, status_url(&job.id))
    }

    /// Adds `Retry-After`: the seconds after which the status of the job is worth another read.
    #[must_use]
    pub fn with_retry_after(self) -> Self {
        self.with(Header::RetryAfter, POLL_AFTER)
    }

    /// No body.
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
    pub fn with(mut self, header: Header, value: impl Into<String>) -> Self {
        self.headers.push((header, value.into()));
        self
    }

    /// Bytes of the body.
    #[must_use]
    pub fn size(&self) -> usize {
        self.body.len()
    }

    /// Lets anybody keep the answer for a while: only for what is the same for all.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.cache_control = "public, max-age=300";
        self
    }
}

/// The response on the wire.
pub(super) fn into_response(
    outcome: Result<Answer, Refusal>,
    path: &str,
    request_id: &str,
) -> Response<Bytes> {
    let answer = outcome.unwrap_or_else(|refusal| problem(refusal, path, request_id));
    let mut response = Response::new(answer.body);
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static(answer.cache_control),
    );
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(content_type) = answer.content_type {
        let value = HeaderValue::from_str(&content_type);
        let unnamed = HeaderValue::from_static("application/octet-stream");
        headers.insert(CONTENT_TYPE, value.unwrap_or(unnamed));
    }
    let request_id = (
        HeaderName::from_static("x-request-id"),
        request_id.to_owned(),
    );
    let named = answer
        .headers
        .into_iter()
        .filter_map(|(header, value)| Some((header.name().parse().ok()?, value)));
    for (name, value) in named.chain([request_id]) {
        match HeaderValue::from_str(&value) {
            Ok(value) => drop(headers.insert(name, value)),
            Err(_) => tracing::error!(header = %name, "a header's value cannot go over the wire"),
        }
    }
    response
}

fn problem(refusal: Refusal, path: &str, request_id: &str) -> Answer {
    let status = refusal.status.unwrap_or(refusal.code.status());
    let mut problem = Problem::new(
        refusal.code,
        status,
        refusal.detail,
        path.to_owned(),
        request_id.to_owned(),
    );
    problem.errors = refusal.errors;
    problem.resets_at = refusal
        .resets_at
        .map(domain::timestamp::Timestamp::milliseconds);
    tracing::info!(code = refusal.code.name(), "refused");
    Answer {
        headers: refusal.headers,
        content_type: Some(MEDIA_TYPE.into()),
        ..Answer::json(status, &problem)
    }
}
