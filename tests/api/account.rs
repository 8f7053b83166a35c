//! An account of a test's own, and the cheapest jobs that it can have done.

use serde_json::{Value, json};
use tests::client::{Answer, Client};
use tests::documents;
use tests::stack::{admin, new_account};

/// An account that no other test uses.
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) key: String,
    /// Has all scopes, and waits when it is told to.
    pub(crate) client: Client,
}

impl Account {
    pub(crate) fn new(plan: &str) -> Self {
        let (id, key) = new_account(plan);
        let client = Client::with_key(Some(&key)).patient();
        Self { id, key, client }
    }

    /// Another key: `(its identifier, itself)`.
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

    /// Sets what has been used of the day and the month.
    pub(crate) fn set_used(&self, today: u32, this_month: u32) {
        let (today, this_month) = (today.to_string(), this_month.to_string());
        let options = ["--set-today", &today, "--set-month", &this_month];
        admin(&[&["account", "usage", &self.id], &options[..]].concat());
    }

    /// The identifiers of all its jobs, newest first.
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

    /// The body of a job that does next to nothing: one small page to text. Two credits.
    pub(crate) async fn conversion(&self) -> Value {
        let pdf = documents::pdf(1, 200, 100);
        let source = self.client.upload("page.pdf", "application/pdf", pdf).await;
        json!({"filename": "page.pdf", "format": "txt", "sourceKey": source})
    }

    /// The body of a job that makes a small picture smaller. One credit.
    pub(crate) async fn compression(&self) -> Value {
        let source = self.client.upload("dot.png", "image/png", picture()).await;
        let operations = json!([{"operation": "compress"}]);
        json!({"filename": "dot.png", "format": "png", "sourceKey": source, "operations": operations})
    }

    /// The body of a job that fails: a picture that claims to be a word-processor document.
    pub(crate) async fn failure(&self) -> Value {
        let source = self.client.upload("dot.png", "image/png", picture()).await;
        json!({"filename": "dot.docx", "inputFormat": "docx", "format": "pdf", "sourceKey": source})
    }

    /// Has a new job accepted.
    pub(crate) async fn accept(&self, body: &Value) -> String {
        accepted(&self.client.create_job(body, None).await)
    }

    /// Has a new job accepted and waits for its end.
    pub(crate) async fn ended(&self, body: &Value) -> Value {
        self.client.wait(&self.accept(body).await).await
    }
}

/// The job that this answer accepts.
pub(crate) fn accepted(answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{}", answer.text());
    job_id(&answer.json())
}

/// `jobId` of a body.
pub(crate) fn job_id(body: &Value) -> String {
    body["jobId"].as_str().unwrap().to_owned()
}

/// A picture of 32 × 32 pixels.
fn picture() -> Vec<u8> {
    let pixels = image::RgbImage::from_fn(32, 32, |x, y| {
        let shade = |of: u32| u8::try_from(of * 8 % 256).unwrap();
        image::Rgb([shade(x), shade(y), shade(x + y)])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}
