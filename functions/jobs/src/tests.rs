//! Job routes over in-memory ports.

mod cancel;
mod create;
mod pipeline;

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use domain::account::Account;
use domain::id::SourceKey;
use domain::plan::Plan;
use domain::ports::Usage as _;
use domain::scope::Scope;
use domain::source::upload_object;
use domain::submit::Retention;
use http::request::Builder;
use http::{HeaderValue, Request};
use runtime::api::{Api, Issuer};
use serde_json::Value;
use testkit::{Environment as _, Fakes, sample};

/// An account with an API key, and the fakes it calls.
struct Caller {
    fakes: Arc<Fakes>,
    account: Account,
    key: String,
}

/// A parsed response.
#[derive(Clone, Debug)]
struct TestResponse {
    status: u16,
    headers: HashMap<String, String>,
    body: Value,
}

impl Caller {
    async fn on(plan: Plan) -> Self {
        Self::with(&Arc::new(Fakes::new()), plan, Scope::ALL).await
    }

    async fn with(fakes: &Arc<Fakes>, plan: Plan, scopes: &[Scope]) -> Self {
        let (account, key) = sample::caller(fakes.as_ref(), plan, scopes).await;
        Self {
            fakes: Arc::clone(fakes),
            account,
            key,
        }
    }

    fn api(&self) -> Api<impl Send + Sync + 'static> {
        let issuer = Issuer {
            url: "https://issuer.example".to_owned(),
            client_id: "client".to_owned(),
        };
        let guard = fetch::Policy::https(Vec::new(), "".parse().unwrap());
        let retention = Retention {
            job_days: 30,
            result_days: 7,
        };
        let ports = Arc::clone(&self.fakes);
        crate::api(ports, sample::pepper(), issuer, guard, retention)
    }

    /// Stores an upload of this content type and returns its `sourceKey`.
    fn upload(&self, content_type: &str) -> SourceKey {
        let key = SourceKey::mint(self.fakes.now(), self.fakes.random());
        let name = upload_object(&self.account.id, &key);
        self.fakes.put_object(&name, content_type, b"bytes");
        key
    }

    async fn post(&self, path: &str, key: Option<&str>, body: &Value) -> TestResponse {
        let mut request = self.request("POST", path);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        self.send(request, body.to_string()).await
    }

    async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request("DELETE", path), String::new()).await
    }

    fn request(&self, method: &str, path: &str) -> Builder {
        Request::builder()
            .method(method)
            .uri(format!("https://octavo.test/api/v1{path}"))
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
    }

    async fn send(&self, request: Builder, body: String) -> TestResponse {
        let request = request.body(Bytes::from(body)).unwrap();
        let response = self.api().respond(request, "request").await;
        let (parts, bytes) = response.into_parts();
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        let headers = parts.headers.iter();
        TestResponse {
            status: parts.status.as_u16(),
            headers: headers
                .map(|(name, value)| (name.to_string(), text(value)))
                .collect(),
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
        }
    }

    /// Credits used this month.
    async fn used(&self) -> u32 {
        let now = runtime::clock::now();
        let used = self.fakes.used(&self.account.id, now.period()).await;
        used.unwrap().this_month
    }
}

impl TestResponse {
    fn text(&self, member: &str) -> &str {
        let text = self.body[member].as_str();
        text.unwrap_or_else(|| panic!("{}", self.body))
    }

    /// Returns status and error code.
    fn error(&self) -> (u16, &str) {
        (self.status, self.text("code"))
    }

    /// Returns the paths and codes of the field errors.
    fn errors(&self) -> Vec<(&str, &str)> {
        let Some(errors) = self.body["errors"].as_array() else {
            return Vec::new();
        };
        errors
            .iter()
            .map(|error| (text(error, "path"), text(error, "code")))
            .collect()
    }
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap()
}
