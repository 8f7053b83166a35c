//! The forms over ports in memory, with a worker that ends jobs as a test says.

mod forms;
mod open;
mod refusals;
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
use testkit::{Fakes, World as _, sample};

use crate::{Budget, Settings};

const HOST: &str = "octavo.test";

/// A caller of the forms.
struct Caller {
    fakes: Arc<Fakes>,
    account: Account,
    key: String,
    address: &'static str,
}

/// An answer.
#[derive(Debug)]
struct Answered {
    status: u16,
    headers: HashMap<String, String>,
    bytes: Vec<u8>,
}

impl Answered {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Status, code, and the path of the first member at fault.
    fn refusal(&self) -> (u16, String, String) {
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

    /// Has an upload of the account, and tells its `sourceKey`.
    fn upload(&self, content_type: &str) -> String {
        let source = SourceKey::mint(self.fakes.now(), self.fakes.random());
        let object = upload_object(&self.account.id, &source);
        self.fakes.put_object(&object, content_type, b"an upload");
        source.to_string()
    }

    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answered {
        let authorization = format!("Bearer {}", self.key);
        let headers = [&[("authorization", authorization.as_str())], headers].concat();
        self.open(path, &headers, body).await
    }

    /// Without the key.
    async fn open(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answered {
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
        let (parts, body) = api.answer(request, "request").await.into_parts();
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        Answered {
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

    /// Every job whose ticket was sent, in order.
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
        budget: Budget {
            per_address: 3,
            in_all: 5,
        },
        own_scheme: "https",
    }
}

/// The body of a conversion whose result is waited for.
fn by_url() -> Value {
    json!({"url": "https://files.octavo-tests.com/Bericht.docx?secret", "format": "pdf"})
}

/// The job that a body names.
fn job_id(answer: &Answered) -> JobId {
    answer.json()["jobId"].as_str().unwrap().parse().unwrap()
}
