//! The routes of the library over ports in memory.

mod importing;
mod library;
mod processing;

use std::sync::Arc;

use bytes::Bytes;
use domain::account::Account;
use domain::id::DocumentId;
use domain::key::Pepper;
use domain::plan::Plan;
use domain::ports::{FetchRemote, Usage};
use domain::scope::Scope;
use domain::submit::Retention;
use http::{HeaderValue, Request};
use runtime::api::{Api, Issuer};
use serde_json::{Value, json};
use testkit::{Fakes, sample};

/// Content of a remote file.
const PDF: &[u8] = b"%PDF-1.7\n%%EOF\n";

/// An account with an API key, and the fakes it calls.
pub(super) struct Caller {
    pub(super) fakes: Arc<Fakes>,
    pub(super) account: Account,
    key: String,
}

/// A parsed response.
pub(super) struct TestResponse {
    pub(super) status: u16,
    pub(super) headers: std::collections::HashMap<String, String>,
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
        let sources = Arc::clone(&self.fakes) as Arc<dyn FetchRemote>;
        let pepper: Pepper = sample::pepper();
        let retention = Retention {
            job_days: 30,
            result_days: 7,
        };
        let ports = Arc::clone(&self.fakes);
        crate::api(ports, sources, pepper, issuer, guard, retention)
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
            .header("authorization", format!("Bearer {}", self.key));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let bytes = body.map(Value::to_string).unwrap_or_default();
        let request = request.body(Bytes::from(bytes)).unwrap();
        let response = self.api().respond(request, "request").await;
        let (parts, bytes) = response.into_parts();
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

    pub(super) async fn import(&self, body: &Value, key: Option<&str>) -> TestResponse {
        let headers: Vec<_> = key
            .map(|key| ("idempotency-key", key))
            .into_iter()
            .collect();
        let path = "/documents/import";
        self.send("POST", path, &headers, Some(body)).await
    }

    /// Imports a small PDF with this filename and returns the document's id.
    pub(super) async fn imported(&self, filename: &str) -> DocumentId {
        let url = "https://files.octavo-tests.com/small.pdf";
        self.fakes.put_remote(url, PDF);
        let body = json!({"url": url, "filename": filename});
        let response = self.import(&body, None).await;
        assert_eq!(response.status, 201, "{}", response.body);
        // IDs created within one millisecond have a random order.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        response.text("documentId").parse().unwrap()
    }

    /// Credits used this month.
    pub(super) async fn used(&self) -> u32 {
        let now = runtime::clock::now();
        let used = self.fakes.used(&self.account.id, now.period()).await;
        used.unwrap().this_month
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

    /// Returns the IDs of the documents.
    pub(super) fn ids(&self) -> Vec<&str> {
        let documents = self.body["documents"].as_array().unwrap();
        let ids = documents.iter().map(|document| document["id"].as_str());
        ids.map(Option::unwrap).collect()
    }
}
