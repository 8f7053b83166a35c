//! An object store with presigned requests, which behaves like S3 where the engine function can see it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::ports::{PresignedGet, UploadForm};
use invocation::Input;
use sha2::{Digest as _, Sha256};

use crate::http::{self, Request, Response};

/// An object store on loopback.
pub(crate) struct Store {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    objects: Mutex<HashMap<String, Object>>,
    uploads: Mutex<Vec<Uploaded>>,
    requests: Mutex<Vec<String>>,
    /// How many of the next requests fail with 503.
    failures: Mutex<usize>,
    /// How long an upload waits for its response.
    delay: Mutex<Duration>,
}

struct Object {
    content: Vec<u8>,
    etag: String,
}

/// A received form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Uploaded {
    /// Names and values of the fields before the file, in order.
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) content: Vec<u8>,
}

const ETAG: &str = "\"etag\"";
/// The query of a request whose signature has expired.
const EXPIRED: &str = "expired";

impl Store {
    pub(crate) fn start() -> Self {
        let state = Arc::<State>::default();
        let its_state = Arc::clone(&state);
        let address = http::serve(move |request| its_state.respond(&request));
        Self { address, state }
    }

    /// Stores an object and presigns its download.
    pub(crate) fn input(&self, name: &str, content: &[u8]) -> Input {
        let object = Object {
            content: content.to_owned(),
            etag: ETAG.to_owned(),
        };
        let mut objects = self.state.objects.lock().unwrap();
        objects.insert(format!("/{name}"), object);
        Input {
            get: PresignedGet {
                url: format!("http://{}/{name}?signature", self.address),
                headers: vec![("If-Match".to_owned(), ETAG.to_owned())],
            },
            size_bytes: content.len() as u64,
            sha256: Some(sha256(content)),
        }
    }

    /// Replaces an object, so that its ETag no longer matches.
    pub(crate) fn replace(&self, name: &str, content: &[u8]) {
        let object = Object {
            content: content.to_owned(),
            etag: "\"other\"".to_owned(),
        };
        let mut objects = self.state.objects.lock().unwrap();
        objects.insert(format!("/{name}"), object);
    }

    /// Signs an upload of at most `max_bytes`.
    pub(crate) fn form(&self, max_bytes: u64) -> UploadForm {
        let fields = [
            ("key", "result"),
            ("policy", "abc="),
            ("x-amz-signature", "ab12"),
        ];
        UploadForm {
            url: format!("http://{}/upload?limit={max_bytes}", self.address),
            fields: fields
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            max_bytes,
        }
    }

    /// The only upload.
    pub(crate) fn uploaded(&self) -> Uploaded {
        let uploads = self.state.uploads.lock().unwrap();
        assert_eq!(uploads.len(), 1);
        uploads[0].clone()
    }

    pub(crate) fn uploads(&self) -> usize {
        self.state.uploads.lock().unwrap().len()
    }

    /// Method and path of every request.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.state.requests.lock().unwrap().clone()
    }

    /// Responds to uploads after this time.
    pub(crate) fn delay_uploads(&self, delay: Duration) {
        *self.state.delay.lock().unwrap() = delay;
    }

    /// Lets the next requests fail with 503.
    pub(crate) fn fail(&self, count: usize) {
        *self.state.failures.lock().unwrap() = count;
    }
}

/// The same URL after its signature has expired.
pub(crate) fn expired(url: &str) -> String {
    url.replace('?', &format!("?{EXPIRED}&"))
}

pub(crate) fn sha256(content: &[u8]) -> String {
    domain::key::hex(&Sha256::digest(content))
}

impl State {
    fn respond(&self, request: &Request) -> Response {
        let (path, query) = request.target.split_once('?').unwrap();
        let line = format!("{} {path}", request.method);
        self.requests.lock().unwrap().push(line);
        {
            let mut failures = self.failures.lock().unwrap();
            if *failures > 0 {
                *failures -= 1;
                return status(503);
            }
        }
        if query.starts_with(EXPIRED) {
            return status(403);
        }
        match request.method.as_str() {
            "GET" => self.get(path, request),
            "POST" => self.post(query, request),
            _ => status(405),
        }
    }

    fn get(&self, path: &str, request: &Request) -> Response {
        let objects = self.objects.lock().unwrap();
        match objects.get(path) {
            None => status(404),
            Some(object) if request.headers.get("if-match") != Some(&object.etag) => status(412),
            Some(object) => (200, Vec::new(), object.content.clone()),
        }
    }

    /// Rejects a form without `Content-Length` (411), and a file above the limit of the policy (400), like S3.
    fn post(&self, query: &str, request: &Request) -> Response {
        if !request.headers.contains_key("content-length") {
            return status(411);
        }
        let content_type = &request.headers["content-type"];
        let boundary = content_type.split_once("boundary=").unwrap().1;
        let uploaded = parse(&request.body, boundary);
        let limit: usize = query.rsplit_once("limit=").unwrap().1.parse().unwrap();
        if uploaded.content.len() > limit {
            return status(400);
        }
        let delay = *self.delay.lock().unwrap();
        std::thread::sleep(delay);
        self.uploads.lock().unwrap().push(uploaded);
        status(204)
    }
}

fn status(code: u16) -> Response {
    (code, Vec::new(), Vec::new())
}

fn parse(mut body: &[u8], boundary: &str) -> Uploaded {
    let separator = format!("--{boundary}");
    let mut fields = Vec::new();
    loop {
        body = &body[separator.len() + 2..];
        let head_end = find(body, b"\r\n\r\n");
        let head = String::from_utf8(body[..head_end].to_vec()).unwrap();
        let content = &body[head_end + 4..];
        let end = find(content, format!("\r\n{separator}").as_bytes());
        let (content, rest) = (&content[..end], &content[end + 2..]);
        let name = head.split('"').nth(1).unwrap().to_owned();
        if name == "file" {
            // S3 ignores all fields after the file.
            assert_eq!(rest, format!("{separator}--\r\n").as_bytes());
            let content = content.to_owned();
            return Uploaded { fields, content };
        }
        fields.push((name, String::from_utf8(content.to_vec()).unwrap()));
        body = rest;
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> usize {
    let mut windows = bytes.windows(wanted.len());
    windows.position(|window| window == wanted).unwrap()
}
