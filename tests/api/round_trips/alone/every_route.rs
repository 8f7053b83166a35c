//! AWS requests of every route, called in sequence by one account.

use contract::route::ROUTES;
use domain::ports::Objects;
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Client, Response, unique};
use tests::documents;
use tests::library_fixture::LibraryFixture;
use tests::stack::{admin, stack};
use tests::trusted_host::{StubResponse, TrustedHost};
use tests::wire::{RequestLimits, assert_at_most, during};

use crate::account::{Account, accepted_job_id, job_id};
use crate::tokens::token;

/// At most `count` DynamoDB requests.
const fn tables(count: usize) -> (&'static str, usize) {
    ("dynamodb", count)
}

const OBJECT: (&str, usize) = ("s3", 1);
const OBJECTS: (&str, usize) = ("s3", 2);
const QUEUE: (&str, usize) = ("sqs", 1);
const BUS: (&str, usize) = ("events", 1);
const KEY: (&str, usize) = ("kms", 1);

/// Calls routes and records which have been called.
struct RouteWalk {
    account: Account,
    done: Vec<(&'static str, &'static str)>,
}

impl RouteWalk {
    /// Calls a route, given as `METHOD /path` of the route table, with `ids` as path parameters. Fails if its function makes
    /// more AWS requests than `limits`. Consecutive equal requests, as of a route that polls its job, count once.
    async fn call(
        &mut self,
        row: &str,
        ids: &[&str],
        body: Value,
        limits: &RequestLimits,
    ) -> Response {
        let client = self.account.client.clone();
        self.call_with(&client, row, ids, body, limits).await
    }

    async fn call_with(
        &mut self,
        client: &Client,
        row: &str,
        ids: &[&str],
        body: Value,
        limits: &RequestLimits,
    ) -> Response {
        let (method, path) = row.split_once(' ').unwrap();
        let plain = path.split('?').next().unwrap();
        let mut routes = ROUTES.iter();
        let route = routes.find(|route| (route.method.name(), route.path) == (method, plain));
        let route = route.unwrap_or_else(|| panic!("no route {row}"));
        self.done.push((route.method.name(), route.path));
        let key = unique("walk");
        let mut headers = vec![("prefer", "respond-async")];
        let (origin, token) = origin_and_sandbox_token().await;
        headers.extend([("origin", &*origin), ("x-sandbox-token", &*token)]);
        if ["/jobs", "/pipeline"].contains(&route.path) {
            headers.push(("idempotency-key", &*key));
        }
        let path = fill_path(path, ids);
        let call = async {
            if body.is_null() {
                return client.send(method, &path, &[], None).await;
            }
            headers.push(("content-type", "application/json"));
            let body = body.to_string().into_bytes();
            client.send(method, &path, &headers, Some(body)).await
        };
        let (response, mut requests) = during(route.function, call).await;
        assert!(response.status < 400, "{row}: {}", response.text());
        requests.dedup_by(|one, other| {
            (&one.service, &one.operation) == (&other.service, &other.operation)
        });
        assert_at_most(&requests, limits, row);
        response
    }
}

/// Returns the origin and sandbox token of the public page.
async fn origin_and_sandbox_token() -> (String, String) {
    let site_url = &stack().site_url;
    let page = Client::with_key(None).get(site_url).await.text();
    let (_, rest) = page
        .split_once("<meta name=\"sandbox-token\" content=\"")
        .unwrap();
    let token = rest.split('"').next().unwrap();
    (site_url.trim_end_matches('/').to_owned(), token.to_owned())
}

/// Replaces the path parameters by `ids`, in order.
fn fill_path(path: &str, ids: &[&str]) -> String {
    let mut ids = ids.iter();
    let part = |part: &str| match part.starts_with('{') {
        true => (*ids.next().unwrap()).to_owned(),
        false => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_route_stays_within_its_aws_requests() {
    let account = Account::new("business");
    let _host = TrustedHost::serve(|path| match path {
        "/page.pdf" => StubResponse::ok("application/pdf", documents::pdf(1, 200, 100)),
        _ => StubResponse::ok("text/html", "<p>A page</p>"),
    })
    .await;
    let mut walk = RouteWalk {
        account,
        done: Vec::new(),
    };
    warm(&walk.account.client).await;
    Box::pin(open_routes(&mut walk)).await;
    Box::pin(jobs(&mut walk)).await;
    Box::pin(compatibility_routes(&mut walk)).await;
    Box::pin(library(&mut walk)).await;
    Box::pin(keys(&mut walk)).await;
    Box::pin(webhooks(&mut walk)).await;
    Box::pin(hooks(&mut walk)).await;
    let missed: Vec<_> = ROUTES
        .iter()
        .map(|route| (route.method.name(), route.path))
        .filter(|route| !walk.done.contains(route))
        .collect();
    assert_eq!(missed, [], "routes that this test does not call");
}

/// Warms up each function, so that reading secrets at a cold start is not counted.
async fn warm(client: &Client) {
    for path in ["/health", "/usage", "/jobs", "/documents", "/hooks"] {
        client.get(path).await;
    }
    for path in ["/files/upload", "/convert"] {
        let response = client.post(path, &[], &json!({})).await;
        assert!([400, 422].contains(&response.status), "{}", response.text());
    }
    // The first conversion stores the sample document.
    let (origin, token) = origin_and_sandbox_token().await;
    let headers = [("origin", &*origin), ("x-sandbox-token", &*token)];
    let body = json!({"format": "pdf"});
    let sample = client.post("/sandbox/convert", &headers, &body).await;
    assert_eq!(sample.status, 200, "{}", sample.text());
}

async fn open_routes(walk: &mut RouteWalk) {
    for row in ["GET /health", "GET /formats", "GET /openapi.json"] {
        walk.call(row, &[], Value::Null, &[]).await;
    }
    // Both routes are anonymous: they count against a rate limit, poll their job until it has finished, and
    // return the result.
    let page = [tables(4), QUEUE, OBJECT];
    let sample = [tables(3), QUEUE, OBJECTS];
    let body = json!({"url": TrustedHost::url("/page.html")});
    walk.call("POST /webpage-to-pdf", &[], body, &page).await;
    let body = json!({"format": "txt"});
    walk.call("POST /sandbox/convert", &[], body, &sample).await;
}

async fn jobs(walk: &mut RouteWalk) {
    let upload = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 1});
    walk.call("POST /files/upload", &[], upload, &[tables(1)])
        .await;
    walk.call("GET /usage", &[], Value::Null, &[tables(2)])
        .await;
    let body = walk.account.conversion_body().await;
    let submit = [tables(2), OBJECT, QUEUE];
    let created = walk.call("POST /jobs", &[], body.clone(), &submit).await;
    let job = accepted_job_id(&created);
    walk.account.client.wait(&job).await;
    let one = [tables(2)];
    walk.call("GET /jobs/{jobId}", &[&job], Value::Null, &one)
        .await;
    walk.call("GET /jobs/{jobId}/result", &[&job], Value::Null, &one)
        .await;
    let list = [tables(3)];
    walk.call("GET /jobs", &[], Value::Null, &list).await;
    let steps = json!({"sourceKey": body["sourceKey"], "steps": [{"operation": "convert", "format": "txt"}]});
    let with_switch = [tables(3), OBJECT, QUEUE];
    walk.call("POST /pipeline", &[], steps, &with_switch).await;
    cancel(walk, &body).await;
}

/// A job can be cancelled while it is queued.
async fn cancel(walk: &mut RouteWalk, body: &Value) {
    admin(&["processor", "off", "process-ocr"]);
    let job = walk.account.submit_job(body).await;
    let cancel = [tables(4), BUS];
    walk.call("DELETE /jobs/{jobId}", &[&job], Value::Null, &cancel)
        .await;
    admin(&["processor", "on", "process-ocr"]);
}

async fn compatibility_routes(walk: &mut RouteWalk) {
    let url = TrustedHost::url("/page.pdf");
    let source = walk.account.conversion_body().await["sourceKey"].take();
    let picture = walk.account.compression_body().await["sourceKey"].take();
    let by_url = [tables(2), QUEUE];
    let by_key = [tables(2), OBJECT, QUEUE];
    let convert = json!({"url": url, "filename": "page.pdf", "format": "txt"});
    walk.call("POST /convert", &[], convert, &by_url).await;
    let ocr = json!({"url": url, "filename": "page.pdf", "language": "en"});
    walk.call("POST /ocr", &[], ocr, &by_url).await;
    let merge = json!({"files": [url, url]});
    walk.call("POST /merge", &[], merge, &by_url).await;
    let compress = json!({"sourceKey": picture, "format": "png", "quality": 80});
    walk.call("POST /compress", &[], compress, &by_key).await;
    let pdf = json!({"operation": "optimize", "sourceKeys": [source]});
    walk.call("POST /pdf", &[], pdf, &by_key).await;
}

async fn library(walk: &mut RouteWalk) {
    let none = Value::Null;
    let import = json!({"url": TrustedHost::url("/page.pdf")});
    // The SQS request sends the ticket of the inspection job.
    let by_import = [tables(4), OBJECT, BUS, QUEUE];
    walk.call("POST /documents/import", &[], import, &by_import)
        .await;
    let mut library = LibraryFixture::open(&walk.account.id).await;
    let document = add_pdf(&mut library).await;
    walk.call("GET /documents", &[], none.clone(), &[tables(2)])
        .await;
    let search = [tables(2)];
    walk.call("GET /documents/search", &[], none.clone(), &search)
        .await;
    let row = "GET /documents/{documentId}";
    let requests = [tables(3)];
    let detail = walk.call(row, &[&document], none.clone(), &requests).await;
    let detail = detail.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let version = text(&detail["versions"][0]["id"]);
    let page = text(&detail["versions"][0]["pages"][0]["id"]);
    versions(walk, &document, &version).await;
    processing(walk, &document, &page).await;
    let row = "PATCH /documents/{documentId}";
    let renamed = json!({"filename": "renamed.pdf"});
    walk.call(row, &[&document], renamed, &[tables(4)]).await;
    let row = "DELETE /documents/{documentId}";
    // Deletion hides the document first, then lists and deletes its objects.
    let requests = [tables(8), OBJECTS, BUS];
    walk.call(row, &[&document], none, &requests).await;
}

async fn versions(walk: &mut RouteWalk, document: &str, version: &str) {
    let row = "GET /documents/{documentId}/download";
    walk.call(row, &[document], Value::Null, &[tables(2)]).await;
    let ids = [document, version];
    let row = "GET /documents/{documentId}/versions/{versionId}/download";
    walk.call(row, &ids, Value::Null, &[tables(2)]).await;
    let row = "GET /documents/{documentId}/versions/{versionId}/pages";
    walk.call(row, &ids, Value::Null, &[tables(2)]).await;
}

async fn processing(walk: &mut RouteWalk, document: &str, page: &str) {
    let body = json!({"operation": "convert", "format": "txt"});
    let row = "POST /documents/{documentId}/process";
    let requests = [tables(3), OBJECT, QUEUE];
    let created = walk.call(row, &[document], body.clone(), &requests).await;
    walk.account.client.wait(&job_id(&created.json())).await;
    let row = "POST /documents/{documentId}/pages/{pageId}/process";
    let requests = [tables(4), OBJECT, QUEUE];
    let created = walk.call(row, &[document, page], body, &requests).await;
    walk.account.client.wait(&job_id(&created.json())).await;
}

/// Adds a one-page PDF to the library.
async fn add_pdf(library: &mut LibraryFixture) -> String {
    let mut version = None;
    let document = library
        .add_with("page.pdf", |document| {
            version.clone_from(&document.current_version_id);
        })
        .await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), documents::pdf(1, 200, 100)).unwrap();
    let object = version_object(&library.account, &document, &version.unwrap());
    let stored = library
        .services
        .store(file.path(), &object, "application/pdf")
        .await;
    stored.unwrap();
    document.to_string()
}

async fn keys(walk: &mut RouteWalk) {
    let signed_in = Client::with_key(Some(&token(&walk.account.id)));
    let (none, row) = (Value::Null, "POST /account/keys");
    let requests = [tables(2)];
    let made = walk
        .call_with(&signed_in, row, &[], json!({}), &requests)
        .await;
    let key = made.json()["keyId"].as_str().unwrap().to_owned();
    let row = "GET /account/keys";
    walk.call_with(&signed_in, row, &[], none.clone(), &[tables(3)])
        .await;
    let (row, requests) = ("DELETE /account/keys/{keyId}", [tables(3)]);
    walk.call_with(&signed_in, row, &[&key], none, &requests)
        .await;
}

async fn webhooks(walk: &mut RouteWalk) {
    let (url, none) = (TrustedHost::url("/webhook"), Value::Null);
    let body = json!({"url": url, "events": ["document.deleted"]});
    let subscribe = [tables(2), KEY];
    let created = walk.call("POST /webhooks", &[], body, &subscribe).await;
    let created = created.json();
    let id = created["id"].as_str().unwrap();
    walk.call("GET /webhooks", &[], none.clone(), &[tables(2)])
        .await;
    let row = "GET /webhooks/{webhookId}";
    walk.call(row, &[id], none.clone(), &[tables(2)]).await;
    let row = "POST /webhooks/{webhookId}/rotate-secret";
    let requests = [tables(3), KEY];
    walk.call(row, &[id], none.clone(), &requests).await;
    let row = "POST /webhooks/{webhookId}/test";
    let sent = [tables(3), QUEUE];
    let tried = walk.call(row, &[id], none.clone(), &sent).await.json();
    let delivery = tried["id"].as_str().unwrap();
    let row = "GET /webhooks/{webhookId}/deliveries";
    walk.call(row, &[id], none.clone(), &[tables(3)]).await;
    let row = "POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver";
    walk.call(row, &[id, delivery], none.clone(), &sent).await;
    let row = "DELETE /webhooks/{webhookId}";
    walk.call(row, &[id], none, &[tables(2)]).await;
}

async fn hooks(walk: &mut RouteWalk) {
    let (url, none) = (TrustedHost::url("/hook"), Value::Null);
    let body = json!({"event": "qr.scanned", "targetUrl": url});
    let requests = [tables(2), KEY];
    let created = walk
        .call("POST /hooks/subscribe", &[], body, &requests)
        .await;
    let body = json!({"id": created.json()["id"]});
    walk.call("GET /hooks", &[], none.clone(), &[tables(2)])
        .await;
    let row = "GET /hooks/samples?event=qr.scanned";
    walk.call(row, &[], none, &[tables(1)]).await;
    let row = "POST /hooks/unsubscribe";
    walk.call(row, &[], body, &[tables(2)]).await;
}
