//! Client of the public API, written from the specification alone.

use std::time::{Duration, Instant};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, redirect};
use serde_json::{Value, json};
use tokio_rustls::rustls::crypto::ring;

use crate::conformance;
pub use crate::response::Response;
use crate::stack::{new_account, stack};

/// API client with one key that validates every response against OpenAPI.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base_url: String,
    key: Option<String>,
    retries: bool,
}

impl Client {
    /// Client with this key, or anonymous.
    pub fn with_key(key: Option<&str>) -> Self {
        let http = http().redirect(redirect::Policy::none()).build().unwrap();
        Self {
            http,
            base_url: stack().base_url.clone(),
            key: key.map(str::to_owned),
            retries: false,
        }
    }

    /// Retries after 429 with `Retry-After`.
    #[must_use]
    pub fn with_retries(mut self) -> Self {
        self.retries = true;
        self
    }

    /// Client with the key of a new account on `plan`.
    pub fn of_new_account(plan: &str) -> Self {
        Self::with_key(Some(&new_account(plan).1))
    }

    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Response {
        loop {
            let response = self.send_once(method, path, headers, body.clone()).await;
            if !path.starts_with("http") {
                conformance::check(method, path, &response);
            }
            if !self.retries || response.status != 429 {
                return response;
            }
            let seconds = response.header("retry-after").parse().unwrap();
            tokio::time::sleep(Duration::from_secs(seconds)).await;
        }
    }

    async fn send_once(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Response {
        let url = if path.starts_with("http") {
            path.to_owned()
        } else {
            format!("{}{path}", self.base_url)
        };
        let mut request = self
            .http
            .request(Method::from_bytes(method.as_bytes()).unwrap(), url);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(
                name.parse::<HeaderName>().unwrap(),
                HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            );
        }
        request = request.headers(map);
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Response {
            status,
            headers,
            bytes: response.bytes().await.unwrap().to_vec(),
        }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], None).await
    }

    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Response {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        self.send("POST", path, &all, Some(body.to_string().into_bytes()))
            .await
    }

    /// Creates a job under the given idempotency key, or a new one.
    pub async fn create_job(&self, body: &Value, key: Option<&str>) -> Response {
        let own = unique("key");
        self.post("/jobs", &[("idempotency-key", key.unwrap_or(&own))], body)
            .await
    }

    /// Uploads bytes and returns their `sourceKey`.
    pub async fn upload(&self, filename: &str, content_type: &str, bytes: Vec<u8>) -> String {
        let body =
            json!({"filename": filename, "contentType": content_type, "sizeBytes": bytes.len()});
        let grant = self.post("/files/upload", &[], &body).await;
        assert_eq!(grant.status, 201, "{}", grant.text());
        let grant = grant.json();
        let put = put(&grant, bytes).await;
        assert_eq!(put.0, 200, "{}", put.1);
        grant["sourceKey"].as_str().unwrap().to_owned()
    }

    /// Polls a job until its status is final, for at most four minutes.
    pub async fn wait(&self, job_id: &str) -> Value {
        self.wait_within(Duration::from_secs(240), job_id).await
    }

    /// Polls a job until its status is final, for at most `timeout`.
    pub async fn wait_within(&self, timeout: Duration, job_id: &str) -> Value {
        let deadline = Instant::now() + timeout;
        let mut pause = Duration::from_millis(100);
        loop {
            let job = self.get(&format!("/jobs/{job_id}")).await;
            assert!(matches!(job.status, 200 | 429), "{}", job.text());
            let body = job.json();
            if matches!(
                body["status"].as_str(),
                Some("completed" | "failed" | "dead_letter")
            ) {
                return body;
            }
            assert!(Instant::now() < deadline, "not finished in time: {body}");
            tokio::time::sleep(pause).await;
            pause = (pause * 3 / 2).min(Duration::from_millis(500));
        }
    }

    /// Uploads a document, creates a conversion job and returns its identifier.
    pub async fn submit(&self, filename: &str, bytes: Vec<u8>, from: &str, to: &str) -> String {
        let source = self
            .upload(filename, "application/octet-stream", bytes)
            .await;
        let body =
            json!({"filename": filename, "inputFormat": from, "format": to, "sourceKey": source});
        let created = self.create_job(&body, None).await;
        assert_eq!(created.status, 202, "{}", created.text());
        created.json()["jobId"].as_str().unwrap().to_owned()
    }

    /// Uploads, converts, waits, and returns the final job.
    pub async fn convert(&self, filename: &str, bytes: Vec<u8>, from: &str, to: &str) -> Value {
        self.wait(&self.submit(filename, bytes, from, to).await)
            .await
    }

    /// Downloads the result of a completed job through its result route.
    pub async fn result(&self, job: &Value) -> Vec<u8> {
        let redirect = self
            .get(&format!("/jobs/{}/result", job["jobId"].as_str().unwrap()))
            .await;
        assert_eq!(redirect.status, 302, "{job}: {}", redirect.text());
        download(redirect.header("location")).await.bytes
    }
}

/// HTTP client for the local stack. reqwest needs a TLS provider even for plain HTTP.
pub fn http() -> reqwest::ClientBuilder {
    // Fails harmlessly after the first call of the process.
    ring::default_provider().install_default().ok();
    reqwest::Client::builder().tls_certs_only([])
}

/// Uploads bytes as the upload grant describes; returns status and body of the object store.
pub async fn put(grant: &Value, bytes: Vec<u8>) -> (u16, String) {
    let mut request = http()
        .build()
        .unwrap()
        .put(grant["uploadUrl"].as_str().unwrap());
    for (name, value) in grant["headers"].as_object().unwrap() {
        request = request.header(name, value.as_str().unwrap());
    }
    let response = request.body(bytes).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Downloads a presigned URL without credentials.
pub async fn download(url: &str) -> Response {
    let response = http().build().unwrap().get(url).send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    assert_eq!(status, 200);
    Response {
        status,
        headers,
        bytes: response.bytes().await.unwrap().to_vec(),
    }
}

/// Returns a unique string.
pub fn unique(stem: &str) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nanoseconds = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_nanos();
    format!(
        "{stem}-{}-{nanoseconds}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}
