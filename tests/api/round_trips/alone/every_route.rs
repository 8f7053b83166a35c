//! What every route asks of AWS, walked through one after the other by one account.

use contract::route::ROUTES;
use domain::ports::library::KeepContent;
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Answer, Client, unique};
use tests::shelf::Shelf;
use tests::stack::{admin, stack};
use tests::trusted_host::{Served, TrustedHost};
use tests::{documents, wire};

use crate::account::{Account, accepted, job_id};
use crate::tokens::token;

const GATE: &str = "dynamodb UpdateItem";
const ITEM: &str = "dynamodb GetItem";
const UPDATE_ITEM: &str = "dynamodb UpdateItem";
const QUERY: &str = "dynamodb Query";
const BATCH: &str = "dynamodb BatchGetItem";
const BATCH_WRITE: &str = "dynamodb BatchWriteItem";
const EVENTS: &str = "events PutEvents";
const PUT_ITEM: &str = "dynamodb PutItem";
const TRANSACTION: &str = "dynamodb TransactWriteItems";
const HEAD: &str = "s3 HEAD";
const GET: &str = "s3 GET";
const PUT: &str = "s3 PUT";
const DELETE: &str = "s3 DELETE";
const TICKET: &str = "sqs SendMessage";
const TICKETS: &str = "sqs SendMessageBatch";
const SEAL: &str = "kms Encrypt";

/// The routes that have been called, and what the last call asked of AWS.
struct Walk {
    account: Account,
    done: Vec<(&'static str, &'static str)>,
}

impl Walk {
    /// Calls a route by its row in the table, with what its path names filled in, and holds what its function asks of AWS
    /// against `expected`. A request repeated at once, as by a form that polls its job, counts once.
    async fn call(&mut self, row: &str, ids: &[&str], body: Value, expected: &[&str]) -> Answer {
        let client = self.account.client.clone();
        self.call_by(&client, row, ids, body, expected).await
    }

    async fn call_by(
        &mut self,
        client: &Client,
        row: &str,
        ids: &[&str],
        body: Value,
        expected: &[&str],
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
        let before = wire::requests().len();
        let answer = if body.is_null() {
            client.send(method, &path, &[], None).await
        } else {
            headers.push(("content-type", "application/json"));
            let body = body.to_string().into_bytes();
            client.send(method, &path, &headers, Some(body)).await
        };
        assert!(answer.status < 400, "{row}: {}", answer.text());
        let name = &stack().resources.functions[route.function];
        let own = wire::requests().split_off(before).into_iter();
        let own = own.filter(|request| request.function.as_ref() == Some(name));
        let mut asked: Vec<_> = own
            .map(|request| format!("{} {}", request.service, request.operation))
            .collect();
        asked.dedup();
        assert_eq!(asked, expected, "{row}");
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
    let waiting = [GATE, TRANSACTION, TICKET, ITEM, GET];
    let sample = [GATE, HEAD, TRANSACTION, TICKET, ITEM, GET];
    let body = json!({"url": TrustedHost::url("/page.html")});
    let with_switch = [&[ITEM], &waiting[..]].concat();
    walk.call("POST /webpage-to-pdf", &[], body, &with_switch)
        .await;
    let body = json!({"format": "txt"});
    walk.call("POST /sandbox/convert", &[], body, &sample).await;
}

async fn jobs(walk: &mut Walk) {
    let upload = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 1});
    walk.call("POST /files/upload", &[], upload, &[GATE]).await;
    walk.call("GET /usage", &[], Value::Null, &[GATE, ITEM])
        .await;
    let body = walk.account.conversion().await;
    let submit = [GATE, HEAD, TRANSACTION, TICKET];
    let created = walk.call("POST /jobs", &[], body.clone(), &submit).await;
    let job = accepted(&created);
    walk.account.client.wait(&job).await;
    let one = [GATE, ITEM];
    walk.call("GET /jobs/{jobId}", &[&job], Value::Null, &one)
        .await;
    walk.call("GET /jobs/{jobId}/result", &[&job], Value::Null, &one)
        .await;
    let list = [GATE, QUERY, BATCH];
    walk.call("GET /jobs", &[], Value::Null, &list).await;
    let steps = json!({"sourceKey": body["sourceKey"], "steps": [{"operation": "convert", "format": "txt"}]});
    let with_switch = [GATE, ITEM, HEAD, TRANSACTION, TICKET];
    walk.call("POST /pipeline", &[], steps, &with_switch).await;
    cancelling(walk, &body).await;
}

/// A job can be cancelled while nobody has taken it up.
async fn cancelling(walk: &mut Walk, body: &Value) {
    admin(&["processor", "off", "process-ocr"]);
    // The polls that are under way may still take a message.
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let job = walk.account.accept(body).await;
    let cancel = [GATE, ITEM, TRANSACTION, EVENTS, BATCH_WRITE];
    walk.call("DELETE /jobs/{jobId}", &[&job], Value::Null, &cancel)
        .await;
    admin(&["processor", "on", "process-ocr"]);
}

async fn forms(walk: &mut Walk) {
    let url = TrustedHost::url("/page.pdf");
    let source = walk.account.conversion().await["sourceKey"].take();
    let picture = walk.account.compression().await["sourceKey"].take();
    let by_url = [GATE, TRANSACTION, TICKET];
    let by_key = [GATE, HEAD, TRANSACTION, TICKET];
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
    // The last is the ticket of the job that looks into the document.
    let by_import = [
        GATE,
        TRANSACTION,
        PUT,
        TRANSACTION,
        EVENTS,
        BATCH_WRITE,
        TICKET,
    ];
    walk.call("POST /documents/import", &[], import, &by_import)
        .await;
    let mut shelf = Shelf::of(&walk.account.id).await;
    let document = shelved(&mut shelf).await;
    walk.call("GET /documents", &[], none.clone(), &[GATE, QUERY])
        .await;
    let search = [GATE, QUERY];
    walk.call("GET /documents/search", &[], none.clone(), &search)
        .await;
    let row = "GET /documents/{documentId}";
    let asked = [GATE, ITEM, QUERY];
    let detail = walk.call(row, &[&document], none.clone(), &asked).await;
    let detail = detail.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let version = text(&detail["versions"][0]["id"]);
    let page = text(&detail["versions"][0]["pages"][0]["id"]);
    versions(walk, &document, &version).await;
    processing(walk, &document, &page).await;
    let row = "PATCH /documents/{documentId}";
    let renamed = json!({"filename": "renamed.pdf"});
    walk.call(row, &[&document], renamed, &[GATE, ITEM, PUT_ITEM, QUERY])
        .await;
    let row = "DELETE /documents/{documentId}";
    let hidden = [GATE, ITEM, TRANSACTION, EVENTS, BATCH_WRITE];
    let purge = [GET, DELETE, ITEM, QUERY, BATCH_WRITE, GATE];
    let asked = [&hidden[..], &purge[..]].concat();
    walk.call(row, &[&document], none, &asked).await;
}

async fn versions(walk: &mut Walk, document: &str, version: &str) {
    let row = "GET /documents/{documentId}/download";
    walk.call(row, &[document], Value::Null, &[GATE, ITEM])
        .await;
    let ids = [document, version];
    let row = "GET /documents/{documentId}/versions/{versionId}/download";
    walk.call(row, &ids, Value::Null, &[GATE, BATCH]).await;
    let row = "GET /documents/{documentId}/versions/{versionId}/pages";
    walk.call(row, &ids, Value::Null, &[GATE, BATCH]).await;
}

async fn processing(walk: &mut Walk, document: &str, page: &str) {
    let body = json!({"operation": "convert", "format": "txt"});
    let row = "POST /documents/{documentId}/process";
    let asked = [GATE, ITEM, HEAD, TRANSACTION, TICKET];
    let created = walk.call(row, &[document], body.clone(), &asked).await;
    walk.account.client.wait(&job_id(&created.json())).await;
    let row = "POST /documents/{documentId}/pages/{pageId}/process";
    let asked = [GATE, ITEM, QUERY, HEAD, TRANSACTION, TICKET];
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
        .keep(file.path(), &object, "application/pdf")
        .await;
    kept.unwrap();
    document.to_string()
}

async fn keys(walk: &mut Walk) {
    let signed_in = Client::with_key(Some(&token(&walk.account.id)));
    let (none, row) = (Value::Null, "POST /account/keys");
    let asked = [GATE, TRANSACTION];
    let made = walk.call_by(&signed_in, row, &[], json!({}), &asked).await;
    let key = made.json()["keyId"].as_str().unwrap().to_owned();
    let row = "GET /account/keys";
    walk.call_by(&signed_in, row, &[], none.clone(), &[GATE, QUERY, BATCH])
        .await;
    let (row, asked) = ("DELETE /account/keys/{keyId}", [GATE, ITEM, TRANSACTION]);
    walk.call_by(&signed_in, row, &[&key], none, &asked).await;
}

async fn webhooks(walk: &mut Walk) {
    let (url, none) = (TrustedHost::url("/webhook"), Value::Null);
    let body = json!({"url": url, "events": ["document.deleted"]});
    let subscribe = [GATE, SEAL, TRANSACTION];
    let created = walk.call("POST /webhooks", &[], body, &subscribe).await;
    let created = created.json();
    let id = created["id"].as_str().unwrap();
    walk.call("GET /webhooks", &[], none.clone(), &[GATE, QUERY])
        .await;
    let row = "GET /webhooks/{webhookId}";
    walk.call(row, &[id], none.clone(), &[GATE, ITEM]).await;
    let row = "POST /webhooks/{webhookId}/rotate-secret";
    let asked = [GATE, ITEM, SEAL, UPDATE_ITEM];
    walk.call(row, &[id], none.clone(), &asked).await;
    let row = "POST /webhooks/{webhookId}/test";
    let sent = [GATE, ITEM, PUT_ITEM, TICKETS];
    let tried = walk.call(row, &[id], none.clone(), &sent).await.json();
    let delivery = tried["id"].as_str().unwrap();
    let row = "GET /webhooks/{webhookId}/deliveries";
    walk.call(row, &[id], none.clone(), &[GATE, ITEM, QUERY])
        .await;
    let row = "POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver";
    walk.call(row, &[id, delivery], none.clone(), &sent).await;
    let row = "DELETE /webhooks/{webhookId}";
    walk.call(row, &[id], none, &[GATE, TRANSACTION]).await;
}

async fn hooks(walk: &mut Walk) {
    let (url, none) = (TrustedHost::url("/hook"), Value::Null);
    let body = json!({"event": "qr.scanned", "targetUrl": url});
    let asked = [GATE, SEAL, TRANSACTION];
    let created = walk.call("POST /hooks/subscribe", &[], body, &asked).await;
    let body = json!({"id": created.json()["id"]});
    walk.call("GET /hooks", &[], none.clone(), &[GATE, QUERY])
        .await;
    let row = "GET /hooks/samples?event=qr.scanned";
    walk.call(row, &[], none, &[GATE]).await;
    let row = "POST /hooks/unsubscribe";
    walk.call(row, &[], body, &[GATE, TRANSACTION]).await;
}
