use serde_json::Value;
use standardwebhooks::Webhook;

/// The event that was sent; `None` unless it is from the service, unchanged, and fresh.
pub fn receive(secret: &str, headers: &http::HeaderMap, body: &[u8]) -> Option<Value> {
    Webhook::new(secret).ok()?.verify(body, headers).ok()?;
    serde_json::from_slice(body).ok()
}
