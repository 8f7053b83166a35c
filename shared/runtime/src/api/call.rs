//! One call of a route: everything a handler needs of the request.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;

use bytes::Bytes;
use contract::code::ErrorCode;
use contract::route::Route;
use domain::account::Caller;
use domain::field::FieldError;
use domain::idempotency::IdempotencyKey;
use domain::timestamp::Timestamp;
use http::HeaderMap;
use http::request::Parts;
use serde_json::Value;

use super::{address, body, own_host};
use crate::clock;
use crate::refusal::Refusal;

/// One call of a route.
pub struct Call {
    /// The row of the table.
    pub route: &'static Route,
    /// When it came in.
    pub now: Timestamp,
    /// W3C trace context for what it sets off.
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

impl Call {
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
            source_address: address::of(parts),
            own_hosts: own_host::all(parts),
            parameters,
            query,
            repeated,
            body,
        }
    }

    /// Who calls.
    ///
    /// # Errors
    /// On an open route, which has no caller.
    pub fn caller(&self) -> Result<&Caller, Refusal> {
        self.caller.as_ref().ok_or_else(Refusal::unauthenticated)
    }

    /// What stands in the path for a parameter; empty for one that the route does not have.
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    /// The query parameters.
    #[must_use]
    pub fn query(&self) -> &HashMap<String, String> {
        &self.query
    }

    /// Refuses a request that says a parameter of its route twice: which of the two is meant, only its sender knows. Of
    /// what the route does not know, nothing is meant.
    pub(super) fn refuse_repeated_parameters(&self) -> Result<(), Refusal> {
        let repeated = |name: &&str| self.repeated.iter().any(|twice| twice == name);
        let fault = |name| FieldError::invalid(format!("$.{name}"), "must be given once");
        let faults: Vec<_> = self.route.query().filter(repeated).map(fault).collect();
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Refusal::malformed(400, faults)),
        }
    }

    /// A header's text, when it is there and plain ASCII.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The address that the gateway took the request from.
    #[must_use]
    pub fn source_address(&self) -> Option<IpAddr> {
        self.source_address
    }

    /// The names that this request was or could have been sent to: they lead back to the service.
    #[must_use]
    pub fn own_hosts(&self) -> &[String] {
        &self.own_hosts
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// 415 for another media type, 413 over 1 MB, 400 when it does not parse or is nested too deeply.
    pub fn json(&self) -> Result<Value, Refusal> {
        body::json(&self.headers, &self.body)
    }

    /// The refusal of a body whose members are wrong, with the status that this route gives it.
    #[must_use]
    pub fn malformed(&self, faults: Vec<FieldError>) -> Refusal {
        Refusal::malformed(self.route.body.map_or(400, |body| body.malformed), faults)
    }

    /// The idempotency key, when the client sent one.
    ///
    /// # Errors
    /// 400 when it is malformed.
    pub fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, Refusal> {
        let Some(value) = self.headers.get("idempotency-key") else {
            return Ok(None);
        };
        let parsed = value
            .to_str()
            .ok()
            .and_then(|text| IdempotencyKey::parse(text).ok());
        let detail = "Idempotency-Key must be 8 to 200 visible ASCII characters";
        parsed
            .map(Some)
            .ok_or_else(|| Refusal::new(ErrorCode::IdempotencyKeyInvalid, detail))
    }

    /// The idempotency key of a route that does not work without one.
    ///
    /// # Errors
    /// 400 when it is missing or malformed.
    pub fn required_idempotency_key(&self) -> Result<IdempotencyKey, Refusal> {
        let detail = "send an Idempotency-Key header: your own name for this submission, 8 to 200 characters";
        self.idempotency_key()?
            .ok_or_else(|| Refusal::new(ErrorCode::IdempotencyKeyRequired, detail))
    }
}

/// The query parameters, and the names of those that come more than once.
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
