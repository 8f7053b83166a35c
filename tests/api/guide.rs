//! The API guide and the recipes: sends every example in order and compares each response.

mod quick_start;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use domain::format::Format;
use serde_json::Value;
use tests::client::{Client, Response};
use tests::corpus;
use tests::documents;
use tests::stack::{checkout, new_account};
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::tokens::token;

/// Matches any value.
const ANYTHING: &str = "…";

/// A request of the guide and its response.
struct Example {
    request: Message,
    /// The request is repeated until the response contains this text.
    until: Option<String>,
    response: Message,
}

#[derive(Default)]
struct Message {
    first_line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Message {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let first_line = lines.next().unwrap().to_owned();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_owned(), value.to_owned())
        };
        Self {
            first_line,
            headers: lines.map(header).collect(),
            body: body.to_owned(),
        }
    }
}

fn examples(guide: &str) -> Vec<Example> {
    let mut blocks = Vec::new();
    let mut rest = guide;
    while let Some((_, after)) = rest.split_once("```http") {
        let (info, after) = after.split_once('\n').unwrap();
        let (text, after) = after.split_once("\n```").unwrap();
        blocks.push((info.trim().to_owned(), Message::read(text)));
        rest = after;
    }
    let mut examples = Vec::new();
    let mut blocks = blocks.into_iter();
    while let Some((info, request)) = blocks.next() {
        let (_, response) = blocks.next().expect("every request has a response");
        assert!(
            response.first_line.starts_with("HTTP/1.1 "),
            "{}",
            response.first_line
        );
        let until = info.strip_prefix("until ").map(compact);
        examples.push(Example {
            request,
            until,
            response,
        });
    }
    examples
}

fn compact(text: &str) -> String {
    text.replace(' ', "")
}

/// Values captured from earlier responses, by variable name.
struct Variables(BTreeMap<String, String>);

impl Variables {
    fn fill(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        // Longest names first, because a name can be a prefix of another.
        let mut variables: Vec<_> = self.0.iter().collect();
        variables.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, value) in variables {
            filled = filled.replace(&format!("${name}"), value);
        }
        filled
    }

    /// Compares a string of the guide with one of a response; a new `$variable` captures the rest of the string.
    fn match_text(&mut self, expected: &str, found: &str, at: &str) {
        let expected = self.fill(expected);
        if expected == ANYTHING || expected == found {
            return;
        }
        let (before, name) = expected
            .split_once('$')
            .unwrap_or_else(|| panic!("{at}: expected {expected}, found {found}"));
        let (name, after) = name.split_at(
            name.find(|c: char| !c.is_alphanumeric())
                .unwrap_or(name.len()),
        );
        let value = found
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        let value = value.unwrap_or_else(|| panic!("{at}: expected {expected}, found {found}"));
        self.0.insert(name.to_owned(), value.to_owned());
    }

    /// Compares JSON of the guide with a response; additional members of the response are ignored.
    fn match_json(&mut self, expected: &Value, found: &Value, at: &str) {
        match (expected, found) {
            (Value::String(text), _) if text == ANYTHING => {}
            (Value::String(text), Value::String(found)) => self.match_text(text, found, at),
            (Value::Object(members), Value::Object(found)) => {
                for (name, value) in members {
                    let at = format!("{at}.{name}");
                    let found = found
                        .get(name)
                        .unwrap_or_else(|| panic!("{at} is missing in {found:?}"));
                    self.match_json(value, found, &at);
                }
            }
            (Value::Array(items), Value::Array(_)) if items == &[Value::from(ANYTHING)] => {}
            (Value::Array(items), Value::Array(found)) => {
                assert_eq!(items.len(), found.len(), "{at}: {found:?}");
                for (index, (item, found)) in items.iter().zip(found).enumerate() {
                    self.match_json(item, found, &format!("{at}[{index}]"));
                }
            }
            _ => assert_eq!(expected, found, "{at}"),
        }
    }
}

/// Parses JSON in which `…` matches any value.
fn parse_guide_json(text: &str) -> Value {
    let mut quoted = String::new();
    let mut in_text = false;
    for character in text.chars() {
        match character {
            '"' => in_text = !in_text,
            '…' if !in_text => {
                quoted.push_str("\"…\"");
                continue;
            }
            _ => {}
        }
        quoted.push(character);
    }
    serde_json::from_str(&quoted).unwrap_or_else(|error| panic!("{error} in {text}"))
}

async fn send(client: &Client, request: &Message, variables: &Variables) -> Response {
    let (method, path) = request.first_line.split_once(' ').unwrap();
    let headers: Vec<_> = request
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), variables.fill(value)))
        .collect();
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    let body = variables
        .fill(&request.body)
        .replace("https://example.com/", &TrustedHost::url("/"));
    let body = (!body.is_empty()).then(|| body.into_bytes());
    client
        .send(method, &variables.fill(path), &headers, body)
        .await
}

async fn send_until(client: &Client, example: &Example, variables: &Variables) -> Response {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let response = send(client, &example.request, variables).await;
        let Some(until) = &example.until else {
            return response;
        };
        if compact(&response.text()).contains(until.as_str()) {
            return response;
        }
        assert!(
            Instant::now() < deadline,
            "{until} not found in time: {}",
            response.text()
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Corpus files that the trusted host serves in place of `https://example.com/`: path, file, format.
const FILES: [(&str, &str, &str); 9] = [
    ("/report.docx", "layout-truth/05-report-eng.docx", "docx"),
    ("/report.pdf", "pdf-text/multi_page.pdf", "pdf"),
    (
        "/statement.pdf",
        "pdf-text/nics-background-checks-2015-11.pdf",
        "pdf",
    ),
    ("/scan.pdf", "ocr-truth/eng-columns-300.pdf", "pdf"),
    ("/scan.png", "ocr-truth/eng-letter-300.png", "png"),
    ("/photo.jpg", "images/jpeg/Landscape_6.jpg", "jpeg"),
    ("/form.pdf", "pdf-forms/field-types.pdf", "pdf"),
    (
        "/protected.pdf",
        "pdf-encrypted/enc-R3,V2,U=view,O=master.pdf",
        "pdf",
    ),
    ("/page.html", "html/testHTML_utf8.html", "html"),
];

fn serve(path: &str) -> StubResponse {
    match FILES.iter().find(|(name, ..)| *name == path) {
        Some((_, file, format)) => {
            let content = std::fs::read(corpus::directory().join(file)).unwrap();
            let format: Format = format.parse().unwrap();
            StubResponse::ok(format.spec().mime_type, content)
        }
        None => StubResponse::status(200),
    }
}

/// Sends the examples of a page in order, compares each response, and waits until every job that they create is completed.
async fn send_examples(page: &str) {
    let _host = TrustedHost::serve(serve).await;
    let (account, key) = new_account("pro");
    let caller = Client::with_key(Some(&key));
    let appendix = caller.upload(
        "appendix.pdf",
        "application/pdf",
        documents::pdf(1, 200, 100),
    );
    let appendix = appendix.await;
    let mut variables = Variables(BTreeMap::from([
        ("KEY".to_owned(), key),
        ("TOKEN".to_owned(), token(&account)),
        ("appendix".to_owned(), appendix),
    ]));
    let mut jobs = Vec::new();
    let client = Client::with_key(None);
    let examples = examples(&std::fs::read_to_string(checkout().join(page)).unwrap());
    assert!(examples.len() >= 10);
    for example in &examples {
        let at = &example.request.first_line;
        if at == "POST /webhooks" {
            // Their events would be delivered to the webhook.
            complete(&caller, &mut jobs, page).await;
        }
        let response = send_until(&client, example, &variables).await;
        let status = &example.response.first_line["HTTP/1.1 ".len()..];
        assert_eq!(
            response.status.to_string(),
            status,
            "{at}: {}",
            response.text()
        );
        for (name, value) in &example.response.headers {
            variables.match_text(value, response.header(name), &format!("{at} {name}"));
        }
        if !example.response.body.is_empty() {
            let expected = parse_guide_json(&example.response.body);
            variables.match_json(&expected, &response.json(), at);
        }
        if response.status == 202
            && let Some(job) = response.json()["jobId"].as_str()
        {
            jobs.push(job.to_owned());
        }
    }
    complete(&caller, &mut jobs, page).await;
}

/// Waits until all jobs are completed.
async fn complete(caller: &Client, jobs: &mut Vec<String>, page: &str) {
    for id in jobs.drain(..) {
        let job = caller.wait(&id).await;
        assert_eq!(job["status"], "completed", "{page}: {job}");
    }
}

#[tokio::test]
async fn examples_of_the_guide_return_the_documented_responses() {
    send_examples("docs/api.md").await;
}

#[tokio::test]
async fn recipes_work() {
    send_examples("docs/recipes.md").await;
}
