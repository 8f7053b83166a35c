//! A server that answers requests to the tables as a test says, and remembers them.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server answers.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// With this body.
    Ok(Value),
    /// With this status and body.
    Error(u16, Value),
    /// Not at all: the connection is closed.
    Drop,
}

/// What the server was asked.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// How many were before it.
    pub(crate) number: usize,
    /// `GetItem`, …
    pub(crate) operation: String,
    /// The body.
    pub(crate) body: Value,
    /// The name of the last write that a transaction made.
    pub(crate) last_write: Value,
}

/// A server with a script.
pub(crate) struct Script {
    port: u16,
    seen: Arc<Mutex<Vec<Request>>>,
    server: JoinHandle<()>,
}

impl Script {
    /// A server that answers as `script` says.
    pub(crate) async fn play(script: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&seen);
        let server = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                answer(stream, &noted, &script).await;
            }
        });
        Self { port, seen, server }
    }

    /// Where it listens.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The operations that were asked for, in order.
    pub(crate) fn operations(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        seen.iter()
            .map(|request| request.operation.clone())
            .collect()
    }

    /// The bodies of the requests for `operation`.
    pub(crate) fn bodies(&self, operation: &str) -> Vec<Value> {
        let seen = self.seen.lock().unwrap();
        let of = seen.iter().filter(|request| request.operation == operation);
        of.map(|request| request.body.clone()).collect()
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// One request a connection.
async fn answer(
    stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    script: &(impl Fn(&Request) -> Answer + Sync),
) {
    let mut stream = BufReader::new(stream);
    let Some((operation, body)) = read(&mut stream).await else {
        return;
    };
    let request = note(&mut seen.lock().unwrap(), operation, body);
    let (status, body) = match script(&request) {
        Answer::Ok(body) => (200, body),
        Answer::Error(status, body) => (status, body),
        Answer::Drop => return,
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} x\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .await
        .unwrap();
}

fn note(seen: &mut Vec<Request>, operation: String, body: Value) -> Request {
    let write = body.pointer("/TransactItems/0/Update/ExpressionAttributeValues/:writeId");
    let before = seen
        .last()
        .map_or(json!({}), |last| last.last_write.clone());
    let request = Request {
        number: seen.len(),
        last_write: write.cloned().unwrap_or(before),
        operation,
        body,
    };
    seen.push(request.clone());
    request
}

/// Operation and body of a request.
async fn read(stream: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let (mut length, mut operation) = (0, String::new());
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(": ").unwrap_or_default();
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "x-amz-target" => operation = value.rsplit('.').next().unwrap().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some((operation, serde_json::from_slice(&body).unwrap()))
}
