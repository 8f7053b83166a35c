//! The routes of webhooks and hooks over ports in memory.

mod automation;
mod deliveries;
mod webhooks;

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use domain::account::Account;
use domain::plan::Plan;
use domain::scope::Scope;
use domain::submit::Retention;
use http::{HeaderValue, Request};
use runtime::api::Issuer;
use serde_json::{Value, json};
use testkit::{Fakes, sample};

/// An account with an API key, and the fakes it calls.
pub(super) struct Caller {
    pub(super) fakes: Arc<Fakes>,
    pub(super) account: Account,
    key: String,
}

/// A parsed response.
pub(super) struct TestResponse {
    pub(super) status: u16,
    pub(super) headers: HashMap<String, String>,
    pub(super) body: Value,
}

impl Caller {
    pub(super) async fn on(plan: Plan) -> Self {
        Self::another(&Arc::new(Fakes::new()), plan).await
    }

    /// Creates an account over the same fakes.
    pub(super) async fn another(fakes: &Arc<Fakes>, plan: Plan) -> Self {
        Self::with(fakes, plan, Scope::ALL).await
    }

    pub(super) async fn with(fakes: &Arc<Fakes>, plan: Plan, scopes: &[Scope]) -> Self {
        let (account, key) = sample::caller(fakes.as_ref(), plan, scopes).await;
        let fakes = Arc::clone(fakes);
        Self {
            fakes,
            account,
            key,
        }
    }

    pub(super) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("https://octavo.test/api/v1{path}"))
            .header("host", "octavo-tests.com")
            .header("authorization", format!("Bearer {}", self.key));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let bytes = body.map(Value::to_string).unwrap_or_default();
        let request = request.body(Bytes::from(bytes)).unwrap();
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
        let api = crate::api(ports, sample::pepper(), issuer, guard, retention);
        let (parts, bytes) = api.respond(request, "request").await.into_parts();
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        TestResponse {
            status: parts.status.as_u16(),
            headers: parts
                .headers
                .iter()
                .map(|(name, value)| (name.to_string(), text(value)))
                .collect(),
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
        }
    }

    pub(super) async fn get(&self, path: &str) -> TestResponse {
        self.send("GET", path, &[], None).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.send("POST", path, &[], Some(body)).await
    }

    /// POST without a body.
    pub(super) async fn post_empty(&self, path: &str) -> TestResponse {
        self.send("POST", path, &[], None).await
    }

    pub(super) async fn delete(&self, path: &str) -> TestResponse {
        self.send("DELETE", path, &[], None).await
    }

    /// Creates a webhook for all event types and returns its path.
    pub(super) async fn webhook(&self) -> String {
        let body = json!({"url": "https://receiver.octavo-users.com/a", "events": ["*"]});
        let created = self.post("/webhooks", &body).await;
        assert_eq!(created.status, 201, "{}", created.body);
        // IDs created within one millisecond have a random order.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        format!("/webhooks/{}", created.text("id"))
    }
}

impl TestResponse {
    pub(super) fn text(&self, member: &str) -> &str {
        self.body[member]
            .as_str()
            .unwrap_or_else(|| panic!("{}", self.body))
    }

    /// Returns status and error code.
    pub(super) fn error(&self) -> (u16, &str) {
        (self.status, self.text("code"))
    }

    /// Returns the problem details without the members that differ between requests.
    pub(super) fn problem(&self) -> Value {
        let mut body = self.body.clone();
        let members = body.as_object_mut().unwrap();
        members.remove("requestId");
        members.remove("instance");
        body
    }
}
