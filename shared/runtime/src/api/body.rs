//! Reads a request's body as JSON, within bounds.

use bytes::Bytes;
use contract::code::ErrorCode;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::refusal::Refusal;

/// Most bytes of a JSON body.
const MAX_BYTES: usize = 1_000_000;

/// Most levels of a JSON body.
const MAX_DEPTH: usize = 64;

/// The body as JSON; see [`super::Call::json`].
pub(super) fn json(headers: &HeaderMap, body: &Bytes) -> Result<Value, Refusal> {
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(
            ErrorCode::UnsupportedMediaType,
            "send the body as application/json",
        ));
    }
    if body.len() > MAX_BYTES {
        return Err(Refusal::new(
            ErrorCode::PayloadTooLarge,
            "a JSON body may hold at most 1,000,000 bytes",
        ));
    }
    let value = super::json::read(body).map_err(|fault| {
        let detail = format!("the body is not JSON: {fault}");
        Refusal::new(ErrorCode::InvalidRequest, detail)
    })?;
    if depth(&value) > MAX_DEPTH {
        return Err(Refusal::new(
            ErrorCode::InvalidRequest,
            "the body is nested deeper than 64 levels",
        ));
    }
    Ok(value)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
