//! The API guide: every example in it, sent in order and answered as it says.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::client::{Answer, Client};
use tests::documents;
use tests::stack::{checkout, new_account};
use tests::trusted_host::{Served, TrustedHost};

use crate::tokens::token;

/// What stands for anything.
const ANYTHING: &str = "…";

/// A request of the guide and what it is answered with.
struct Example {
    request: Message,
    /// Repeated until the answer holds this.
    until: Option<String>,
    answer: Message,
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
        let (_, answer) = blocks.next().expect("every request has its answer");
        assert!(
            answer.first_line.starts_with("HTTP/1.1 "),
            "{}",
            answer.first_line
        );
        let until = info.strip_prefix("until ").map(compact);
        examples.push(Example {
            request,
            until,
            answer,
        });
    }
    examples
}

fn compact(text: &str) -> String {
    text.replace(' ', "")
}

/// What earlier answers held.
struct Names(BTreeMap<String, String>);

impl Names {
    fn fill(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        // The longest first: one name may begin with another.
        let mut names: Vec<_> = self.0.iter().collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, value) in names {
            filled = filled.replace(&format!("${name}"), value);
        }
        filled
    }

    /// Compares a text of the guide with one of an answer; a name that is new takes the rest of the text.
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

    /// Compares what the guide shows with what came; members that the guide leaves out may be there.
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

/// JSON as the guide writes it: `…` may stand for any value.
fn json_of_guide(text: &str) -> Value {
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

async fn send(client: &Client, request: &Message, names: &Names) -> Answer {
    let (method, path) = request.first_line.split_once(' ').unwrap();
    let headers: Vec<_> = request
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), names.fill(value)))
        .collect();
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    let body = names
        .fill(&request.body)
        .replace("https://example.com/", &TrustedHost::url("/"));
    let body = (!body.is_empty()).then(|| body.into_bytes());
    client.send(method, &names.fill(path), &headers, body).await
}

async fn answered(client: &Client, example: &Example, names: &Names) -> Answer {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let answer = send(client, &example.request, names).await;
        let Some(until) = &example.until else {
            return answer;
        };
        if compact(&answer.text()).contains(until.as_str()) {
            return answer;
        }
        assert!(
            Instant::now() < deadline,
            "never {until}: {}",
            answer.text()
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn every_example_of_the_guide_is_answered_as_it_says() {
    let _host =
        TrustedHost::serve(|_| Served::ok("application/pdf", documents::pdf(2, 200, 100))).await;
    let (account, key) = new_account("pro");
    let mut names = Names(BTreeMap::from([
        ("KEY".to_owned(), key),
        ("TOKEN".to_owned(), token(&account)),
    ]));
    let client = Client::with_key(None);
    let guide = std::fs::read_to_string(checkout().join("docs/api.md")).unwrap();
    let examples = examples(&guide);
    assert!(examples.len() >= 20);
    for example in &examples {
        let at = &example.request.first_line;
        let answer = answered(&client, example, &names).await;
        let status = &example.answer.first_line["HTTP/1.1 ".len()..];
        assert_eq!(answer.status.to_string(), status, "{at}: {}", answer.text());
        for (name, value) in &example.answer.headers {
            names.match_text(value, answer.header(name), &format!("{at} {name}"));
        }
        if !example.answer.body.is_empty() {
            let expected = json_of_guide(&example.answer.body);
            names.match_json(&expected, &answer.json(), at);
        }
    }
}
