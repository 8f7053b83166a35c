//! Test account with an API client and its credit usage.

use std::time::{Duration, Instant};

use serde_json::Value;
use tests::client::Client;
use tests::stack::new_account;

/// Credits of a conversion.
pub(crate) const PRICE: i64 = 2;

pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) client: Client,
}

impl Account {
    /// Creates an account on the Pro plan.
    pub(crate) fn new() -> Self {
        let (id, key) = new_account("pro");
        let client = Client::with_key(Some(&key));
        Self { id, client }
    }

    /// Creates a conversion job and returns its identifier.
    pub(crate) async fn submit(&self, bytes: Vec<u8>, from: &str, to: &str) -> String {
        let filename = format!("document.{from}");
        self.client.submit(&filename, bytes, from, to).await
    }

    /// Waits until the job has this status and returns it.
    pub(crate) async fn wait_for(&self, job_id: &str, status: &str, timeout: Duration) -> Value {
        let deadline = Instant::now() + timeout;
        loop {
            let job = self.job(job_id).await;
            if job["status"] == status {
                return job;
            }
            assert!(
                Instant::now() < deadline,
                "not {status} within {timeout:?}: {job}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Returns the job without `artifactUrl`, which differs in each response.
    pub(crate) async fn job(&self, job_id: &str) -> Value {
        let mut job = self.client.get(&format!("/jobs/{job_id}")).await.json();
        job.as_object_mut().unwrap().remove("artifactUrl");
        job
    }

    /// Returns the credits used so far.
    pub(crate) async fn credits_used(&self) -> i64 {
        let usage = self.client.get("/usage").await.json();
        usage["limits"]["per_month"].as_i64().unwrap()
            - usage["remaining"]["this_month"].as_i64().unwrap()
    }
}

/// Returns all statuses in the job's timeline.
pub(crate) fn statuses(job: &Value) -> Vec<&str> {
    let timeline = job["timeline"].as_array().unwrap();
    timeline
        .iter()
        .map(|entry| entry["status"].as_str().unwrap())
        .collect()
}
