//! A minimal HTTP/1.1 server for tests: one request per connection.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};

/// A received request.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    /// Names in lower case.
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// A response: status, headers, body.
pub(crate) type Response = (u16, Vec<(&'static str, String)>, Vec<u8>);

/// Serves until the test process ends, and returns the address.
pub(crate) fn serve(respond: impl Fn(Request) -> Response + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let respond = std::sync::Arc::new(respond);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let respond = std::sync::Arc::clone(&respond);
            std::thread::spawn(move || exchange(stream, respond.as_ref()));
        }
    });
    address
}

fn exchange(mut stream: TcpStream, respond: &(dyn Fn(Request) -> Response + Send + Sync)) {
    // A client may disconnect at any time.
    let Some(request) = receive(&stream) else {
        return;
    };
    let (status, headers, body) = respond(request);
    let mut head = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Content-Length") {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    let response = [head.as_bytes(), b"\r\n", &body].concat();
    stream.write_all(&response).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    stream.read_to_end(&mut Vec::new()).ok();
}

fn receive(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.insert(name.to_ascii_lowercase(), value.to_owned()),
            None => break,
        };
    }
    let length = headers.get("content-length");
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        method,
        target,
        headers,
        body,
    })
}
