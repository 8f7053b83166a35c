//! Test account with an API client, and request bodies of the cheapest jobs.

use serde_json::{Value, json};
use tests::client::{Client, Response};
use tests::documents;
use tests::stack::{admin, new_account};

/// A new account that no other test uses.
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) key: String,
    /// Client with all scopes that retries after 429.
    pub(crate) client: Client,
}

impl Account {
    pub(crate) fn new(plan: &str) -> Self {
        let (id, key) = new_account(plan);
        let client = Client::with_key(Some(&key)).with_retries();
        Self { id, key, client }
    }

    /// Creates another key; returns `(key id, key)`.
    pub(crate) fn new_key(&self, more: &[&str]) -> (String, String) {
        let arguments = [&["key", "create", "--account", &self.id], more].concat();
        let created = admin(&arguments);
        let text = |member: &str| created[member].as_str().unwrap().to_owned();
        (text("keyId"), text("key"))
    }

    pub(crate) async fn usage(&self) -> Value {
        let usage = self.client.get("/usage").await;
        assert_eq!(usage.status, 200, "{}", usage.text());
        usage.json()
    }

    /// `(remaining today, remaining this month)`.
    pub(crate) async fn remaining(&self) -> (i64, i64) {
        let usage = self.usage().await;
        let of = |period: &str| usage["remaining"][period].as_i64().unwrap();
        (of("today"), of("this_month"))
    }

    /// Sets the usage of this day and month.
    pub(crate) fn set_used(&self, today: u32, this_month: u32) {
        let (today, this_month) = (today.to_string(), this_month.to_string());
        let options = ["--set-today", &today, "--set-month", &this_month];
        admin(&[&["account", "usage", &self.id], &options[..]].concat());
    }

    /// Returns the identifiers of all jobs, newest first.
    pub(crate) async fn jobs(&self) -> Vec<String> {
        let list = self.client.get("/jobs?limit=100").await;
        assert_eq!(list.status, 200, "{}", list.text());
        let list = list.json();
        assert_eq!(list["nextCursor"], Value::Null);
        list["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .map(job_id)
            .collect()
    }

    /// Body of a cheap conversion: one small PDF page to text, 2 credits.
    pub(crate) async fn conversion_body(&self) -> Value {
        let pdf = documents::pdf(1, 200, 100);
        let source = self.client.upload("page.pdf", "application/pdf", pdf).await;
        json!({"filename": "page.pdf", "format": "txt", "sourceKey": source})
    }

    /// Body of a compression of a small PNG, 1 credit.
    pub(crate) async fn compression_body(&self) -> Value {
        let source = self.client.upload("dot.png", "image/png", picture()).await;
        let operations = json!([{"operation": "compress"}]);
        json!({"filename": "dot.png", "format": "png", "sourceKey": source, "operations": operations})
    }

    /// Body of a job that fails: a PNG declared as DOCX.
    pub(crate) async fn failing_body(&self) -> Value {
        let source = self.client.upload("dot.png", "image/png", picture()).await;
        json!({"filename": "dot.docx", "inputFormat": "docx", "format": "pdf", "sourceKey": source})
    }

    /// Creates a job and returns its identifier.
    pub(crate) async fn submit_job(&self, body: &Value) -> String {
        accepted_job_id(&self.client.create_job(body, None).await)
    }

    /// Creates a job and waits until it has finished.
    pub(crate) async fn run_job(&self, body: &Value) -> Value {
        self.client.wait(&self.submit_job(body).await).await
    }
}

/// Returns the job identifier of a 202 response.
pub(crate) fn accepted_job_id(response: &Response) -> String {
    assert_eq!(response.status, 202, "{}", response.text());
    job_id(&response.json())
}

/// `jobId` of a body.
pub(crate) fn job_id(body: &Value) -> String {
    body["jobId"].as_str().unwrap().to_owned()
}

/// A PNG of 32 × 32 pixels.
fn picture() -> Vec<u8> {
    let pixels = image::RgbImage::from_fn(32, 32, |x, y| {
        let shade = |of: u32| u8::try_from(of * 8 % 256).unwrap();
        image::Rgb([shade(x), shade(y), shade(x + y)])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}
