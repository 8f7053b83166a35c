use serde_json::Value;
use standardwebhooks::Webhook;

/// Returns the event; `None` if the signature is invalid or the timestamp too old.
pub fn receive(secret: &str, headers: &http::HeaderMap, body: &[u8]) -> Option<Value> {
    Webhook::new(secret).ok()?.verify(body, headers).ok()?;
    serde_json::from_slice(body).ok()
}
