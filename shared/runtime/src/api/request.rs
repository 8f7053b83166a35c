//! API request as handlers receive it: route, parameters, headers, body and authenticated caller.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;

use bytes::Bytes;
use contract::code::ErrorCode;
use contract::route::{Route, STRICT};
use domain::account::Caller;
use domain::field::FieldError;
use domain::idempotency::IdempotencyKey;
use domain::timestamp::Timestamp;
use http::HeaderMap;
use http::request::Parts;
use serde_json::Value;

use super::{body, own_host, source_address};
use crate::clock;
use crate::error::ApiError;

/// A request that matched a route.
pub struct Request {
    /// The matched route.
    pub route: &'static Route,
    /// Time of arrival.
    pub now: Timestamp,
    /// W3C trace context for jobs and events that the request causes.
    pub traceparent: String,
    pub(super) caller: Option<Caller>,
    pub(super) headers: HeaderMap,
    source_address: Option<IpAddr>,
    own_hosts: Vec<String>,
    parameters: HashMap<&'static str, String>,
    query: HashMap<String, String>,
    repeated: Vec<String>,
    body: Bytes,
}

impl Request {
    pub(super) fn new(
        route: &'static Route,
        parameters: HashMap<&'static str, String>,
        parts: &Parts,
        body: Bytes,
        traceparent: String,
    ) -> Self {
        let (query, repeated) = query(parts);
        Self {
            route,
            now: clock::now(),
            traceparent,
            caller: None,
            headers: parts.headers.clone(),
            source_address: source_address::of(parts),
            own_hosts: own_host::all(parts),
            parameters,
            query,
            repeated,
            body,
        }
    }

    /// Returns the authenticated caller.
    ///
    /// # Errors
    /// On an open route, which authenticates no caller.
    pub fn caller(&self) -> Result<&Caller, ApiError> {
        self.caller.as_ref().ok_or_else(ApiError::unauthenticated)
    }

    /// Returns the value of a path parameter; empty if the route has no parameter `name`.
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    /// Returns the query parameters.
    #[must_use]
    pub fn query(&self) -> &HashMap<String, String> {
        &self.query
    }

    /// Returns whether the query parameter `strict` asks that the job fail if its result misses content.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidRequest`](contract::code::ErrorCode::InvalidRequest) if the value is neither `true` nor `false`.
    pub fn is_strict(&self) -> Result<bool, ApiError> {
        match self.query.get(STRICT.name).map(String::as_str) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => {
                let path = format!("$.{}", STRICT.name);
                let error = FieldError::invalid(path, "must be true or false");
                Err(ApiError::malformed(400, vec![error]))
            }
        }
    }

    /// Rejects repeated query parameters of the route, because it is ambiguous which value applies. Unknown parameters are
    /// ignored and may be repeated.
    pub(super) fn reject_repeated_parameters(&self) -> Result<(), ApiError> {
        let is_repeated = |name: &&str| self.repeated.iter().any(|repeated| repeated == name);
        let error = |name| FieldError::invalid(format!("$.{name}"), "must be given only once");
        let errors: Vec<_> = self.route.query().filter(is_repeated).map(error).collect();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(ApiError::malformed(400, errors)),
        }
    }

    /// Returns a header's value if it is present and consists of visible ASCII characters.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns the client's address as API Gateway observed it.
    #[must_use]
    pub fn source_address(&self) -> Option<IpAddr> {
        self.source_address
    }

    /// Returns the service's own host names: those that this request was or could have been sent to.
    #[must_use]
    pub fn own_hosts(&self) -> &[String] {
        &self.own_hosts
    }

    /// Parses the body as JSON.
    ///
    /// # Errors
    /// 415 for another media type, 413 over 1 MB, 400 for invalid JSON or nesting deeper than 64 levels.
    pub fn json(&self) -> Result<Value, ApiError> {
        body::json(&self.headers, &self.body)
    }

    /// Creates the error for a body with invalid members, with the route's status for it.
    #[must_use]
    pub fn malformed(&self, errors: Vec<FieldError>) -> ApiError {
        ApiError::malformed(
            self.route.body.map_or(400, |body| body.invalid_status),
            errors,
        )
    }

    /// Returns the idempotency key if the client sent one.
    ///
    /// # Errors
    /// 400 when it is malformed.
    pub fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, ApiError> {
        let Some(value) = self.headers.get("idempotency-key") else {
            return Ok(None);
        };
        let parsed = value
            .to_str()
            .ok()
            .and_then(|text| IdempotencyKey::parse(text).ok());
        let detail =
            "The Idempotency-Key header must consist of 8 to 200 visible ASCII characters.";
        parsed
            .map(Some)
            .ok_or_else(|| ApiError::new(ErrorCode::IdempotencyKeyInvalid, detail))
    }

    /// Returns the idempotency key on a route that requires one.
    ///
    /// # Errors
    /// 400 when it is missing or malformed.
    pub fn required_idempotency_key(&self) -> Result<IdempotencyKey, ApiError> {
        let detail = "The Idempotency-Key header is missing. Send a unique value of 8 to 200 visible ASCII characters.";
        self.idempotency_key()?
            .ok_or_else(|| ApiError::new(ErrorCode::IdempotencyKeyRequired, detail))
    }
}

/// Parses the query string into parameters and the names of repeated parameters.
fn query(parts: &Parts) -> (HashMap<String, String>, Vec<String>) {
    let (mut query, mut repeated) = (HashMap::new(), Vec::new());
    let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    for (name, value) in pairs {
        match query.entry(name.into_owned()) {
            Entry::Vacant(first) => drop(first.insert(value.into_owned())),
            Entry::Occupied(first) => repeated.push(first.key().clone()),
        }
    }
    (query, repeated)
}
