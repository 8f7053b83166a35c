//! Parses JSON request bodies with limits on size and depth.

use bytes::Bytes;
use contract::code::ErrorCode;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::error::ApiError;

/// Maximum size of a JSON body.
const MAX_BYTES: usize = 1_000_000;

/// Maximum nesting depth of a JSON body.
const MAX_DEPTH: usize = 64;

/// Parses the body; see [`super::Request::json`].
pub(super) fn json(headers: &HeaderMap, body: &Bytes) -> Result<Value, ApiError> {
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(ApiError::new(
            ErrorCode::UnsupportedMediaType,
            format!("The Content-Type is '{essence}'. Send the body as application/json."),
        ));
    }
    if body.len() > MAX_BYTES {
        return Err(ApiError::new(
            ErrorCode::PayloadTooLarge,
            format!(
                "The body has {} bytes. A JSON body has at most 1,000,000.",
                body.len()
            ),
        ));
    }
    let value = super::json::parse(body).map_err(|error| {
        let detail = format!("The body is not valid JSON: {error}.");
        ApiError::new(ErrorCode::InvalidRequest, detail)
    })?;
    if depth(&value) > MAX_DEPTH {
        return Err(ApiError::new(
            ErrorCode::InvalidRequest,
            "The JSON body is nested deeper than 64 levels.",
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
