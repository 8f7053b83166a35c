//! What every route asks of AWS, walked through one after the other by one account.

use contract::route::ROUTES;
use domain::ports::Objects;
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Answer, Client, unique};
use tests::documents;
use tests::shelf::Shelf;
use tests::stack::{admin, stack};
use tests::trusted_host::{Served, TrustedHost};
use tests::wire::{Most, assert_at_most, during};

use crate::account::{Account, accepted, job_id};
use crate::tokens::token;

/// That a route asks the tables at most so often.
const fn tables(count: usize) -> (&'static str, usize) {
    ("dynamodb", count)
}

const OBJECT: (&str, usize) = ("s3", 1);
const OBJECTS: (&str, usize) = ("s3", 2);
const QUEUE: (&str, usize) = ("sqs", 1);
const BUS: (&str, usize) = ("events", 1);
const KEY: (&str, usize) = ("kms", 1);

/// The routes that have been called, and what the last call asked of AWS.
struct Walk {
    account: Account,
    done: Vec<(&'static str, &'static str)>,
}

impl Walk {
    /// Calls a route by its row in the table, with what its path names filled in, and fails where its function asks more of
    /// AWS than `most`. A request repeated at once, as by a form that polls its job, counts once.
    async fn call(&mut self, row: &str, ids: &[&str], body: Value, most: &Most) -> Answer {
        let client = self.account.client.clone();
        self.call_by(&client, row, ids, body, most).await
    }

    async fn call_by(
        &mut self,
        client: &Client,
        row: &str,
        ids: &[&str],
        body: Value,
        most: &Most,
    ) -> Answer {
        let (method, path) = row.split_once(' ').unwrap();
        let plain = path.split('?').next().unwrap();
        let mut routes = ROUTES.iter();
        let route = routes.find(|route| (route.method.name(), route.path) == (method, plain));
        let route = route.unwrap_or_else(|| panic!("no route {row}"));
        self.done.push((route.method.name(), route.path));
        let key = unique("walk");
        let mut headers = vec![("prefer", "respond-async")];
        let (origin, token) = own_page().await;
        headers.extend([("origin", &*origin), ("x-sandbox-token", &*token)]);
        if ["/jobs", "/pipeline"].contains(&route.path) {
            headers.push(("idempotency-key", &*key));
        }
        let path = filled(path, ids);
        let call = async {
            if body.is_null() {
                return client.send(method, &path, &[], None).await;
            }
            headers.push(("content-type", "application/json"));
            let body = body.to_string().into_bytes();
            client.send(method, &path, &headers, Some(body)).await
        };
        let (answer, mut asked) = during(route.function, call).await;
        assert!(answer.status < 400, "{row}: {}", answer.text());
        asked.dedup_by(|one, other| {
            (&one.service, &one.operation) == (&other.service, &other.operation)
        });
        assert_at_most(&asked, most, row);
        answer
    }
}

/// Origin and token of the public page, by which it has its sample converted.
async fn own_page() -> (String, String) {
    let site_url = &stack().site_url;
    let page = Client::with_key(None).get(site_url).await.text();
    let (_, rest) = page
        .split_once("<meta name=\"sandbox-token\" content=\"")
        .unwrap();
    let token = rest.split('"').next().unwrap();
    (site_url.trim_end_matches('/').to_owned(), token.to_owned())
}

/// The path with one identifier after the other where it names one.
fn filled(path: &str, ids: &[&str]) -> String {
    let mut ids = ids.iter();
    let part = |part: &str| match part.starts_with('{') {
        true => (*ids.next().unwrap()).to_owned(),
        false => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_route_asks_as_often_as_its_row_says() {
    let account = Account::new("business");
    let _host = TrustedHost::serve(|path| match path {
        "/page.pdf" => Served::ok("application/pdf", documents::pdf(1, 200, 100)),
        _ => Served::ok("text/html", "<p>A page</p>"),
    })
    .await;
    let mut walk = Walk {
        account,
        done: Vec::new(),
    };
    warm(&walk.account.client).await;
    Box::pin(open_routes(&mut walk)).await;
    Box::pin(jobs(&mut walk)).await;
    Box::pin(forms(&mut walk)).await;
    Box::pin(library(&mut walk)).await;
    Box::pin(keys(&mut walk)).await;
    Box::pin(webhooks(&mut walk)).await;
    Box::pin(hooks(&mut walk)).await;
    let missed: Vec<_> = ROUTES
        .iter()
        .map(|route| (route.method.name(), route.path))
        .filter(|route| !walk.done.contains(route))
        .collect();
    assert_eq!(missed, [], "routes that nobody counts");
}

/// Has each function read its secrets and open its connections before anything is counted.
async fn warm(client: &Client) {
    for path in ["/health", "/usage", "/jobs", "/documents", "/hooks"] {
        client.get(path).await;
    }
    for path in ["/files/upload", "/convert"] {
        let answer = client.post(path, &[], &json!({})).await;
        assert!([400, 422].contains(&answer.status), "{}", answer.text());
    }
    // The first of all puts the sample where its jobs find it.
    let (origin, token) = own_page().await;
    let headers = [("origin", &*origin), ("x-sandbox-token", &*token)];
    let body = json!({"format": "pdf"});
    let sample = client.post("/sandbox/convert", &headers, &body).await;
    assert_eq!(sample.status, 200, "{}", sample.text());
}

async fn open_routes(walk: &mut Walk) {
    for row in ["GET /health", "GET /formats", "GET /openapi.json"] {
        walk.call(row, &[], Value::Null, &[]).await;
    }
    // Both spend a budget instead of asking for a key, wait for their jobs, which they read until these have ended, and
    // fetch the result.
    let page = [tables(4), QUEUE, OBJECT];
    let sample = [tables(3), QUEUE, OBJECTS];
    let body = json!({"url": TrustedHost::url("/page.html")});
    walk.call("POST /webpage-to-pdf", &[], body, &page).await;
    let body = json!({"format": "txt"});
    walk.call("POST /sandbox/convert", &[], body, &sample).await;
}

async fn jobs(walk: &mut Walk) {
    let upload = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 1});
    walk.call("POST /files/upload", &[], upload, &[tables(1)])
        .await;
    walk.call("GET /usage", &[], Value::Null, &[tables(2)])
        .await;
    let body = walk.account.conversion().await;
    let submit = [tables(2), OBJECT, QUEUE];
    let created = walk.call("POST /jobs", &[], body.clone(), &submit).await;
    let job = accepted(&created);
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
    cancelling(walk, &body).await;
}

/// A job can be cancelled while nobody has taken it up.
async fn cancelling(walk: &mut Walk, body: &Value) {
    admin(&["processor", "off", "process-ocr"]);
    // The polls that are under way may still take a message.
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let job = walk.account.accept(body).await;
    let cancel = [tables(4), BUS];
    walk.call("DELETE /jobs/{jobId}", &[&job], Value::Null, &cancel)
        .await;
    admin(&["processor", "on", "process-ocr"]);
}

async fn forms(walk: &mut Walk) {
    let url = TrustedHost::url("/page.pdf");
    let source = walk.account.conversion().await["sourceKey"].take();
    let picture = walk.account.compression().await["sourceKey"].take();
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
    let pdf = json!({"operation": "optimise", "sourceKeys": [source]});
    walk.call("POST /pdf", &[], pdf, &by_key).await;
}

async fn library(walk: &mut Walk) {
    let none = Value::Null;
    let import = json!({"url": TrustedHost::url("/page.pdf")});
    // The queue gets the ticket of the job that looks into the document.
    let by_import = [tables(4), OBJECT, BUS, QUEUE];
    walk.call("POST /documents/import", &[], import, &by_import)
        .await;
    let mut shelf = Shelf::of(&walk.account.id).await;
    let document = shelved(&mut shelf).await;
    walk.call("GET /documents", &[], none.clone(), &[tables(2)])
        .await;
    let search = [tables(2)];
    walk.call("GET /documents/search", &[], none.clone(), &search)
        .await;
    let row = "GET /documents/{documentId}";
    let asked = [tables(3)];
    let detail = walk.call(row, &[&document], none.clone(), &asked).await;
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
    // It is hidden, and then purged: its objects are listed and removed.
    let asked = [tables(8), OBJECTS, BUS];
    walk.call(row, &[&document], none, &asked).await;
}

async fn versions(walk: &mut Walk, document: &str, version: &str) {
    let row = "GET /documents/{documentId}/download";
    walk.call(row, &[document], Value::Null, &[tables(2)]).await;
    let ids = [document, version];
    let row = "GET /documents/{documentId}/versions/{versionId}/download";
    walk.call(row, &ids, Value::Null, &[tables(2)]).await;
    let row = "GET /documents/{documentId}/versions/{versionId}/pages";
    walk.call(row, &ids, Value::Null, &[tables(2)]).await;
}

async fn processing(walk: &mut Walk, document: &str, page: &str) {
    let body = json!({"operation": "convert", "format": "txt"});
    let row = "POST /documents/{documentId}/process";
    let asked = [tables(3), OBJECT, QUEUE];
    let created = walk.call(row, &[document], body.clone(), &asked).await;
    walk.account.client.wait(&job_id(&created.json())).await;
    let row = "POST /documents/{documentId}/pages/{pageId}/process";
    let asked = [tables(4), OBJECT, QUEUE];
    let created = walk.call(row, &[document, page], body, &asked).await;
    walk.account.client.wait(&job_id(&created.json())).await;
}

/// A document of one page.
async fn shelved(shelf: &mut Shelf) -> String {
    let mut version = None;
    let document = shelf
        .put_as("page.pdf", |document| {
            version.clone_from(&document.current_version_id);
        })
        .await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), documents::pdf(1, 200, 100)).unwrap();
    let object = version_object(&shelf.account, &document, &version.unwrap());
    let kept = shelf
        .services
        .store(file.path(), &object, "application/pdf")
        .await;
    kept.unwrap();
    document.to_string()
}

async fn keys(walk: &mut Walk) {
    let signed_in = Client::with_key(Some(&token(&walk.account.id)));
    let (none, row) = (Value::Null, "POST /account/keys");
    let asked = [tables(2)];
    let made = walk.call_by(&signed_in, row, &[], json!({}), &asked).await;
    let key = made.json()["keyId"].as_str().unwrap().to_owned();
    let row = "GET /account/keys";
    walk.call_by(&signed_in, row, &[], none.clone(), &[tables(3)])
        .await;
    let (row, asked) = ("DELETE /account/keys/{keyId}", [tables(3)]);
    walk.call_by(&signed_in, row, &[&key], none, &asked).await;
}

async fn webhooks(walk: &mut Walk) {
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
    let asked = [tables(3), KEY];
    walk.call(row, &[id], none.clone(), &asked).await;
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

async fn hooks(walk: &mut Walk) {
    let (url, none) = (TrustedHost::url("/hook"), Value::Null);
    let body = json!({"event": "qr.scanned", "targetUrl": url});
    let asked = [tables(2), KEY];
    let created = walk.call("POST /hooks/subscribe", &[], body, &asked).await;
    let body = json!({"id": created.json()["id"]});
    walk.call("GET /hooks", &[], none.clone(), &[tables(2)])
        .await;
    let row = "GET /hooks/samples?event=qr.scanned";
    walk.call(row, &[], none, &[tables(1)]).await;
    let row = "POST /hooks/unsubscribe";
    walk.call(row, &[], body, &[tables(2)]).await;
}
