//! Clients that work at the same time, each with an account of its own.

use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::stack::{admin, new_account, stack};
use tokio::task::JoinSet;

/// How often a client looks whether its job is done.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A small document and what is made of it.
#[derive(Clone)]
pub(crate) struct Trivial {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// A client that has uploaded a document. It checks nothing but statuses, so that its own work does not count.
#[derive(Clone)]
pub(crate) struct Visitor {
    http: reqwest::Client,
    pub(crate) account: String,
    key: String,
    body: Value,
    /// A job that it looks at again and again.
    pub(crate) job_id: String,
}

impl Visitor {
    pub(crate) async fn new(document: &Trivial) -> Self {
        let (account, key) = new_account("business");
        Self::with_key(&account, &key, document).await
    }

    pub(crate) async fn with_key(account: &str, key: &str, document: &Trivial) -> Self {
        let filename = format!("document.{}", document.from);
        let client = Client::with_key(Some(key));
        let source = client
            .upload(
                &filename,
                "application/octet-stream",
                document.bytes.clone(),
            )
            .await;
        let body = json!({
            "filename": filename, "inputFormat": document.from, "format": document.to, "sourceKey": source,
        });
        Self {
            http: tests::client::http().build().unwrap(),
            account: account.to_owned(),
            key: key.to_owned(),
            body,
            job_id: String::new(),
        }
    }

    /// Creates a job and returns its identifier.
    pub(crate) async fn submit(&self) -> String {
        let request = self
            .request(Method::POST, "/jobs")
            .header("idempotency-key", unique("key"));
        let created = request.json(&self.body).send().await.unwrap();
        assert_eq!(created.status(), 202);
        let created: Value = created.json().await.unwrap();
        created["jobId"].as_str().unwrap().to_owned()
    }

    /// Reads a job.
    pub(crate) async fn look(&self, job_id: &str) -> Value {
        let answer = self
            .request(Method::GET, &format!("/jobs/{job_id}"))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }

    /// Creates a job and returns its identifier when it is seen to be completed.
    pub(crate) async fn complete(&self) -> String {
        let job_id = self.submit().await;
        loop {
            let job = self.look(&job_id).await;
            match job["status"].as_str() {
                Some("completed") => return job_id,
                Some("queued" | "processing") => tokio::time::sleep(LOOK_EVERY).await,
                _ => panic!("{job}"),
            }
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", stack().base_url);
        self.http.request(method, url).bearer_auth(&self.key)
    }
}

/// As many visitors with a document of their own.
pub(crate) async fn visitors(count: usize, document: &Trivial) -> Vec<Visitor> {
    let mut visitors = Vec::new();
    for _ in 0..count {
        visitors.push(Visitor::new(document).await);
    }
    visitors
}

/// As many visitors to the same account with the same document, each with a key of its own.
pub(crate) fn visitors_of(owner: &Visitor, count: usize) -> Vec<Visitor> {
    let visitor = |_| {
        let key = admin(&["key", "create", "--account", &owner.account]);
        Visitor {
            http: tests::client::http().build().unwrap(),
            key: key["key"].as_str().unwrap().to_owned(),
            ..owner.clone()
        }
    };
    (0..count).map(visitor).collect()
}

/// Has all visitors do something so many times each, at the same time; how long each time took, and its result.
pub(crate) async fn measure<T, F>(
    visitors: &[Visitor],
    times: usize,
    action: impl Fn(Visitor, usize) -> F + Copy + Send + 'static,
) -> Vec<(Duration, T)>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    measure_within(Duration::MAX, visitors, times, action).await
}

/// The same, but nobody begins again after this long.
pub(crate) async fn measure_within<T, F>(
    longest: Duration,
    visitors: &[Visitor],
    times: usize,
    action: impl Fn(Visitor, usize) -> F + Copy + Send + 'static,
) -> Vec<(Duration, T)>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    let all_began = Instant::now();
    let mut working = JoinSet::new();
    for visitor in visitors {
        let visitor = visitor.clone();
        working.spawn(async move {
            let mut results = Vec::new();
            for time in 0..times {
                let began = Instant::now();
                let result = action(visitor.clone(), time).await;
                results.push((began.elapsed(), result));
                if all_began.elapsed() > longest {
                    break;
                }
            }
            results
        });
    }
    working.join_all().await.into_iter().flatten().collect()
}
