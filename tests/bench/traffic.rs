//! Concurrent clients, each with its own account.

use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::stack::{admin, new_account, stack};
use tokio::task::JoinSet;

/// Polling interval for a job's status.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A small document and its target format.
#[derive(Clone)]
pub(crate) struct SmallDocument {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// A client that has uploaded a document. It checks only statuses, so that its own work does not distort the measurement.
#[derive(Clone)]
pub(crate) struct LoadClient {
    http: reqwest::Client,
    pub(crate) account: String,
    key: String,
    body: Value,
    /// A job that it polls.
    pub(crate) job_id: String,
}

impl LoadClient {
    pub(crate) async fn new(document: &SmallDocument) -> Self {
        let (account, key) = new_account("business");
        Self::with_key(&account, &key, document).await
    }

    pub(crate) async fn with_key(account: &str, key: &str, document: &SmallDocument) -> Self {
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
    pub(crate) async fn get_job(&self, job_id: &str) -> Value {
        let response = self
            .request(Method::GET, &format!("/jobs/{job_id}"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
        response.json().await.unwrap()
    }

    /// Creates a job, polls it until it is completed, and returns its identifier.
    pub(crate) async fn complete(&self) -> String {
        let job_id = self.submit().await;
        loop {
            let job = self.get_job(&job_id).await;
            match job["status"].as_str() {
                Some("completed") => return job_id,
                Some("queued" | "processing") => tokio::time::sleep(POLL_INTERVAL).await,
                _ => panic!("{job}"),
            }
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", stack().base_url);
        self.http.request(method, url).bearer_auth(&self.key)
    }
}

/// `count` clients, each with its own account and document.
pub(crate) async fn load_clients(count: usize, document: &SmallDocument) -> Vec<LoadClient> {
    let mut load_clients = Vec::new();
    for _ in 0..count {
        load_clients.push(LoadClient::new(document).await);
    }
    load_clients
}

/// `count` clients of the same account and document, each with its own API key.
pub(crate) fn load_clients_of(owner: &LoadClient, count: usize) -> Vec<LoadClient> {
    let load_client = |_| {
        let key = admin(&["key", "create", "--account", &owner.account]);
        LoadClient {
            http: tests::client::http().build().unwrap(),
            key: key["key"].as_str().unwrap().to_owned(),
            ..owner.clone()
        }
    };
    (0..count).map(load_client).collect()
}

/// Runs `action` `times` times for each client, with all clients in parallel; returns durations and results.
pub(crate) async fn measure<T, F>(
    load_clients: &[LoadClient],
    times: usize,
    action: impl Fn(LoadClient, usize) -> F + Copy + Send + 'static,
) -> Vec<(Duration, T)>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    measure_within(Duration::MAX, load_clients, times, action).await
}

/// Like [`measure`], but starts no action after `longest`.
pub(crate) async fn measure_within<T, F>(
    longest: Duration,
    load_clients: &[LoadClient],
    times: usize,
    action: impl Fn(LoadClient, usize) -> F + Copy + Send + 'static,
) -> Vec<(Duration, T)>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    let started_all = Instant::now();
    let mut working = JoinSet::new();
    for load_client in load_clients {
        let load_client = load_client.clone();
        working.spawn(async move {
            let mut results = Vec::new();
            for time in 0..times {
                let started = Instant::now();
                let result = action(load_client.clone(), time).await;
                results.push((started.elapsed(), result));
                if started_all.elapsed() > longest {
                    break;
                }
            }
            results
        });
    }
    working.join_all().await.into_iter().flatten().collect()
}
