//! Compatibility routes over in-memory ports, with a fake worker.

mod anonymous;
mod errors;
mod jobs;
mod waiting;
mod worker;

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use domain::account::Account;
use domain::id::{JobId, SourceKey};
use domain::job::Job;
use domain::plan::Plan;
use domain::ports::{Jobs, Usage};
use domain::scope::Scope;
use domain::source::upload_object;
use domain::submit::Retention;
use http::{HeaderValue, Request};
use runtime::api::{Issuer, SourceAddress};
use serde_json::{Value, json};
use testkit::{Environment as _, Fakes, sample};

use crate::{AnonymousRateLimit, Settings};

const HOST: &str = "octavo.test";

/// An account with an API key, and the fakes it calls.
struct Caller {
    fakes: Arc<Fakes>,
    account: Account,
    key: String,
    address: &'static str,
}

/// A parsed response.
#[derive(Debug)]
struct TestResponse {
    status: u16,
    headers: HashMap<String, String>,
    bytes: Vec<u8>,
}

impl TestResponse {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Returns status, code, and the path of the first field error.
    fn error(&self) -> (u16, String, String) {
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let path = text(&problem["errors"][0]["path"]);
        (self.status, text(&problem["code"]), path)
    }
}

impl Caller {
    async fn on(plan: Plan) -> Self {
        let fakes = Arc::new(Fakes::new());
        let (account, key) = sample::caller(fakes.as_ref(), plan, Scope::ALL).await;
        Self {
            fakes,
            account,
            key,
            address: "203.0.113.7",
        }
    }

    /// Stores an upload of the account and returns its `sourceKey`.
    fn upload(&self, content_type: &str) -> String {
        let source = SourceKey::mint(self.fakes.now(), self.fakes.random());
        let object = upload_object(&self.account.id, &source);
        self.fakes.put_object(&object, content_type, b"an upload");
        source.to_string()
    }

    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> TestResponse {
        let authorization = format!("Bearer {}", self.key);
        let headers = [&[("authorization", authorization.as_str())], headers].concat();
        self.post_anonymous(path, &headers, body).await
    }

    /// Sends the request without an API key.
    async fn post_anonymous(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method("POST")
            .uri(format!("https://{HOST}/api/v1{path}"))
            .extension(SourceAddress(self.address.parse().unwrap()))
            .header("host", HOST)
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Bytes::from(body.to_string())).unwrap();
        let issuer = Issuer {
            url: "https://issuer.example".to_owned(),
            client_id: "client".to_owned(),
        };
        let ports = Arc::clone(&self.fakes);
        let api = crate::api(ports, sample::pepper(), issuer, settings());
        let (parts, body) = api.respond(request, "request").await.into_parts();
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        TestResponse {
            status: parts.status.as_u16(),
            headers: parts
                .headers
                .iter()
                .map(|(name, value)| (name.to_string(), text(value)))
                .collect(),
            bytes: body.to_vec(),
        }
    }

    async fn used_today(&self) -> u32 {
        let now = runtime::clock::now();
        let used = self.fakes.used(&self.account.id, now.period()).await;
        used.unwrap().today
    }

    /// Returns the jobs whose tickets were sent, in order.
    async fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for sent in self.fakes.sent() {
            jobs.push(self.fakes.job(&sent.ticket.job_id).await.unwrap().unwrap());
        }
        jobs
    }

    async fn only_job(&self) -> Job {
        let mut jobs = self.jobs().await;
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        jobs.remove(0)
    }
}

fn settings() -> Settings {
    Settings {
        guard: fetch::Policy::https(Vec::new(), "".parse().unwrap()),
        retention: Retention {
            job_days: 30,
            result_days: 7,
        },
        rate_limit: AnonymousRateLimit {
            per_address: 3,
            total: 5,
        },
        own_scheme: "https",
    }
}

/// A conversion by URL, whose response is the result.
fn by_url() -> Value {
    json!({"url": "https://files.octavo-tests.com/Bericht.docx?secret", "format": "pdf"})
}

/// Returns the job id in the response.
fn job_id(response: &TestResponse) -> JobId {
    response.json()["jobId"].as_str().unwrap().parse().unwrap()
}
