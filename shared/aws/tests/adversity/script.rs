//! A scripted DynamoDB server that records its requests.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A scripted response.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// 200 with this body.
    Ok(Value),
    /// This status and body.
    Error(u16, Value),
    /// No response: the connection is closed.
    Drop,
}

/// A recorded request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Number of earlier requests.
    pub(crate) number: usize,
    /// `GetItem`, …
    pub(crate) operation: String,
    /// The body.
    pub(crate) body: Value,
    /// The `writeId` of the last transaction.
    pub(crate) last_write: Value,
}

/// A running scripted server.
pub(crate) struct Script {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    server: JoinHandle<()>,
}

impl Script {
    /// Starts a server that responds with the results of `script`.
    pub(crate) async fn play(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&requests);
        let server = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                answer(stream, &recorded, &script).await;
            }
        });
        Self {
            port,
            requests,
            server,
        }
    }

    /// The URL of the server.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The requested operations, in order.
    pub(crate) fn operations(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests
            .iter()
            .map(|request| request.operation.clone())
            .collect()
    }

    /// The bodies of the requests for `operation`.
    pub(crate) fn bodies(&self, operation: &str) -> Vec<Value> {
        let requests = self.requests.lock().unwrap();
        let of = requests
            .iter()
            .filter(|request| request.operation == operation);
        of.map(|request| request.body.clone()).collect()
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Serves one request per connection.
async fn answer(
    stream: TcpStream,
    requests: &Mutex<Vec<Request>>,
    script: &(impl Fn(&Request) -> Reply + Sync),
) {
    let mut stream = BufReader::new(stream);
    let Some((operation, body)) = read(&mut stream).await else {
        return;
    };
    let request = record(&mut requests.lock().unwrap(), operation, body);
    let (status, body) = match script(&request) {
        Reply::Ok(body) => (200, body),
        Reply::Error(status, body) => (status, body),
        Reply::Drop => return,
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

fn record(requests: &mut Vec<Request>, operation: String, body: Value) -> Request {
    let write = body.pointer("/TransactItems/0/Update/ExpressionAttributeValues/:writeId");
    let before = requests
        .last()
        .map_or(json!({}), |last| last.last_write.clone());
    let request = Request {
        number: requests.len(),
        last_write: write.cloned().unwrap_or(before),
        operation,
        body,
    };
    requests.push(request.clone());
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
