//! An account of its own for a test, whose credits are counted.

use std::time::{Duration, Instant};

use serde_json::Value;
use tests::client::Client;

/// The price of a conversion in credits.
pub(crate) const PRICE: i64 = 2;

pub(crate) struct Account {
    pub(crate) client: Client,
}

impl Account {
    /// A new account that has spent nothing.
    pub(crate) fn new() -> Self {
        Self {
            client: Client::of_new_account("pro"),
        }
    }

    /// Has a document converted and returns the job's identifier at once.
    pub(crate) async fn submit(&self, bytes: Vec<u8>, from: &str, to: &str) -> String {
        let filename = format!("document.{from}");
        self.client.submit(&filename, bytes, from, to).await
    }

    /// The job when it has this status.
    pub(crate) async fn wait_for(&self, job_id: &str, status: &str, patience: Duration) -> Value {
        let deadline = Instant::now() + patience;
        loop {
            let job = self.job(job_id).await;
            if job["status"] == status {
                return job;
            }
            assert!(
                Instant::now() < deadline,
                "not {status} within {patience:?}: {job}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The job as it is, without what differs from look to look.
    pub(crate) async fn job(&self, job_id: &str) -> Value {
        let mut job = self.client.get(&format!("/jobs/{job_id}")).await.json();
        job.as_object_mut().unwrap().remove("artifactUrl");
        job
    }

    /// Credits spent so far.
    pub(crate) async fn spent(&self) -> i64 {
        let usage = self.client.get("/usage").await.json();
        usage["limits"]["per_month"].as_i64().unwrap()
            - usage["remaining"]["this_month"].as_i64().unwrap()
    }
}

/// Every status that a job has had.
pub(crate) fn statuses(job: &Value) -> Vec<&str> {
    let timeline = job["timeline"].as_array().unwrap();
    timeline
        .iter()
        .map(|entry| entry["status"].as_str().unwrap())
        .collect()
}
