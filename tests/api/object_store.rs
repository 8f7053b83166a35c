//! Presigned URLs: the object store accepts exactly the authorized upload, once, and rejects every other request.

use serde_json::{Value, json};
use tests::client::put;

use crate::account::Account;

const TEXT: &[u8] = b"ten bytes.";

async fn grant(account: &Account) -> Value {
    let body = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": TEXT.len()});
    let response = account.client.post("/files/upload", &[], &body).await;
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()
}

/// Sends `bytes` with these headers and their actual length.
async fn send(method: &str, url: &str, headers: &[(&str, &str)], bytes: &[u8]) -> u16 {
    let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
    let mut request = tests::client::http()
        .build()
        .unwrap()
        .request(method, url)
        .body(bytes.to_vec());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap().status().as_u16()
}

const TYPE: (&str, &str) = ("content-type", "text/plain");
const ONCE: (&str, &str) = ("if-none-match", "*");

#[tokio::test]
async fn other_headers_than_authorized_are_rejected() {
    let account = Account::new("free");
    let grant = grant(&account).await;
    let url = grant["uploadUrl"].as_str().unwrap();
    let html = ("content-type", "text/html");
    let refused = [
        ("another type", send("PUT", url, &[html, ONCE], TEXT).await),
        ("no type", send("PUT", url, &[ONCE], TEXT).await),
        (
            "longer",
            send("PUT", url, &[TYPE, ONCE], b"eleven byte").await,
        ),
        (
            "shorter",
            send("PUT", url, &[TYPE, ONCE], b"nine byte").await,
        ),
        ("nothing", send("PUT", url, &[TYPE, ONCE], b"").await),
        ("no condition", send("PUT", url, &[TYPE], TEXT).await),
        ("read", send("GET", url, &[], b"").await),
        ("remove", send("DELETE", url, &[], b"").await),
    ];
    for (what, status) in refused {
        assert_eq!(status, 403, "{what}");
    }
    assert_eq!(put(&grant, TEXT.to_vec()).await.0, 200, "as authorized");
}

#[tokio::test]
async fn a_modified_url_is_rejected() {
    let account = Account::new("free");
    let (one, two) = (grant(&account).await, grant(&account).await);
    let url = one["uploadUrl"].as_str().unwrap();
    let source = |grant: &Value| grant["sourceKey"].as_str().unwrap().to_owned();
    let (signature, rest) = {
        let at = url.find("X-Amz-Signature=").unwrap() + "X-Amz-Signature=".len();
        url.split_at(at)
    };
    let other_digit = if rest.starts_with('0') { "1" } else { "0" };
    let changed = [
        url.replace(&source(&one), &source(&two)),
        url.replace("X-Amz-Expires=900", "X-Amz-Expires=9000"),
        format!("{signature}{other_digit}{}", rest.get(1..).unwrap()),
        url.split('?').next().unwrap().to_owned(),
    ];
    for changed in changed {
        assert_ne!(changed, url);
        let status = send("PUT", &changed, &[TYPE, ONCE], TEXT).await;
        assert_eq!(status, 403, "{changed}");
    }
}

#[tokio::test]
async fn a_second_upload_does_not_replace_the_first() {
    let account = Account::new("free");
    let grant = grant(&account).await;
    assert_eq!(put(&grant, TEXT.to_vec()).await.0, 200);
    assert_eq!(put(&grant, b"TEN BYTES!".to_vec()).await.0, 412);
}

#[tokio::test]
async fn a_download_url_reads_one_object_only() {
    let account = Account::new("business");
    let job = account.run_job(&account.conversion_body().await).await;
    let url = job["artifactUrl"].as_str().unwrap();
    assert_eq!(send("GET", url, &[], b"").await, 200);
    assert_eq!(send("DELETE", url, &[], b"").await, 403);
    assert_eq!(send("PUT", url, &[], TEXT).await, 403);
    let upload = format!("uploads/{}/", account.id);
    let elsewhere = url.replace(&format!("results/{}/", account.id), &upload);
    assert_ne!(elsewhere, url);
    assert_eq!(send("GET", &elsewhere, &[], b"").await, 403);
}
