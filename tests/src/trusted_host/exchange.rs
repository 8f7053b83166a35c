//! One HTTP/1.1 exchange [RFC 9112], well-formed or deliberately broken.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::server::TlsStream;

/// A received request.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// When it was complete.
    pub at: SystemTime,
}

impl Request {
    /// A header's value; empty if missing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    /// The body, parsed as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// How the server handles a request.
pub enum StubAction {
    /// Responds immediately.
    Respond(StubResponse),
    /// Responds after one second.
    Delay(StubResponse),
    /// Responds once the flag is true.
    WaitFor(watch::Receiver<bool>, StubResponse),
    /// Sends these bytes, one per second.
    Trickle(&'static [u8]),
    /// Sends these bytes and resets the connection.
    Reset(&'static [u8]),
    /// Sends these bytes and more until the client stops reading.
    Endless(&'static [u8]),
    /// Sends nothing until the client disconnects.
    Silence,
}

/// A response: status, headers, body.
#[derive(Clone)]
pub struct StubResponse {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl StubResponse {
    pub fn ok(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let content_type = ("Content-Type", content_type.to_owned());
        Self {
            status: 200,
            headers: vec![content_type],
            body: body.into(),
        }
    }

    pub fn status(status: u16) -> Self {
        // 204 has no body [RFC 9110, section 15.3.5].
        let body = if status == 204 { "" } else { "no" };
        Self {
            status,
            ..Self::ok("text/plain", body)
        }
    }

    pub fn redirect(to: &str) -> Self {
        Self {
            status: 302,
            headers: vec![("Location", to.to_owned())],
            body: Vec::new(),
        }
    }

    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} -\r\nConnection: close\r\n", self.status);
        let is_content_length = |(name, _): &(&str, String)| *name == "Content-Length";
        if self.status != 204 && !self.headers.iter().any(is_content_length) {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        [format!("{head}\r\n").as_bytes(), &self.body].concat()
    }
}

/// Reads a request and handles it as `handler` returns.
pub(super) async fn handle(
    stream: TlsStream<TcpStream>,
    handler: impl Fn(Request) -> StubAction,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let request = read(&mut stream).await?;
    match handler(request) {
        StubAction::Respond(response) => respond(&mut stream, &response).await,
        StubAction::Delay(response) => {
            tokio::time::sleep(Duration::from_secs(1)).await;
            respond(&mut stream, &response).await
        }
        StubAction::WaitFor(mut flag, response) => {
            flag.wait_for(|open| *open).await.ok();
            respond(&mut stream, &response).await
        }
        StubAction::Trickle(bytes) => trickle(&mut stream, bytes).await,
        StubAction::Reset(bytes) => {
            stream.write_all(bytes).await?;
            stream.flush().await?;
            // Lets the client read what was sent before the reset.
            tokio::time::sleep(Duration::from_millis(200)).await;
            stream.get_ref().get_ref().0.set_zero_linger()
        }
        StubAction::Endless(bytes) => {
            stream.write_all(bytes).await?;
            loop {
                stream.write_all(&[b'x'; 16_384]).await?;
            }
        }
        StubAction::Silence => stream.read_u8().await.map(drop),
    }
}

async fn read(stream: &mut BufReader<TlsStream<TcpStream>>) -> std::io::Result<Request> {
    let mut first_line = String::new();
    stream.read_line(&mut first_line).await?;
    let mut words = first_line.split(' ').map(str::to_owned);
    let (method, path) = (words.next(), words.next());
    let mut headers = HeaderMap::new();
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 2 {
        if let Some((name, value)) = line.trim_end().split_once(':') {
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, HeaderValue::from_str(value.trim()).unwrap());
        }
        line.clear();
    }
    let length = headers.get("content-length");
    let length = length.map_or(0, |value| value.to_str().unwrap().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(Request {
        method: method.unwrap_or_default(),
        path: path.unwrap_or_default(),
        headers,
        body,
        at: SystemTime::now(),
    })
}

async fn respond(
    stream: &mut BufReader<TlsStream<TcpStream>>,
    response: &StubResponse,
) -> std::io::Result<()> {
    stream.write_all(&response.bytes()).await?;
    stream.shutdown().await
}

async fn trickle(
    stream: &mut BufReader<TlsStream<TcpStream>>,
    bytes: &[u8],
) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        stream.flush().await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(())
}
