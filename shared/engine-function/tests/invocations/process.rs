//! The whole process over a Lambda runtime API on loopback: start, responses, and the start of a fresh program.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, SystemTime};

use invocation::{Interruption, Response, RunRequest};
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::http::{self, Request};
use crate::store::Store;
use crate::support::{completed, convert, payload, pdfium, png};

const SECRET: &str = "sentinel-of-a-credential";
const WAIT: Duration = Duration::from_secs(60);

/// A runtime API that hands out payloads and records responses.
#[derive(Default)]
struct RuntimeApi {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    payloads: VecDeque<Value>,
    responses: Vec<Vec<u8>>,
    /// Requests for the next invocation.
    nexts: usize,
}

impl RuntimeApi {
    fn start(payloads: impl IntoIterator<Item = Value>) -> (Arc<Self>, SocketAddr) {
        let api = Arc::new(Self::default());
        api.state.lock().unwrap().payloads = payloads.into_iter().collect();
        let its_api = Arc::clone(&api);
        let address = http::serve(move |request| its_api.respond(request));
        (api, address)
    }

    fn respond(&self, request: Request) -> http::Response {
        if request.target.ends_with("/next") {
            return self.next();
        }
        let mut state = self.state.lock().unwrap();
        assert!(request.target.ends_with("/response"), "{}", request.target);
        state.responses.push(request.body);
        self.changed.notify_all();
        (202, Vec::new(), Vec::new())
    }

    fn next(&self) -> http::Response {
        let mut state = self.state.lock().unwrap();
        state.nexts += 1;
        self.changed.notify_all();
        while state.payloads.is_empty() {
            state = self.changed.wait(state).unwrap();
        }
        let payload = state.payloads.pop_front().unwrap();
        let deadline = SystemTime::now() + WAIT;
        let deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let headers = vec![
            ("Lambda-Runtime-Aws-Request-Id", "request-1".to_owned()),
            (
                "Lambda-Runtime-Deadline-Ms",
                deadline.as_millis().to_string(),
            ),
            (
                "Lambda-Runtime-Invoked-Function-Arn",
                "arn:aws:lambda:x".to_owned(),
            ),
        ];
        (200, headers, serde_json::to_vec(&payload).unwrap())
    }

    /// Waits until the function has asked for its next invocation this often.
    fn await_nexts(&self, count: usize) {
        let state = self.state.lock().unwrap();
        let waited = self
            .changed
            .wait_timeout_while(state, WAIT, |state| state.nexts < count);
        assert!(
            !waited.unwrap().1.timed_out(),
            "no request for an invocation"
        );
    }

    fn responses(&self) -> Vec<Response> {
        let state = self.state.lock().unwrap();
        let responses = state.responses.iter();
        responses
            .map(|response| Response::parse(response).unwrap())
            .collect()
    }
}

/// A running function, killed when dropped.
struct Function {
    child: Child,
    logs: NamedTempFile,
}

impl Function {
    fn start(runtime_api: SocketAddr) -> Self {
        Self::start_with(runtime_api, &pdfium())
    }

    fn start_with(runtime_api: SocketAddr, pdfium: &Path) -> Self {
        let logs = NamedTempFile::new().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_engine-function-fixture"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("TMPDIR", std::env::temp_dir())
            .env("PDFIUM_LIBRARY", pdfium)
            .env("AWS_LAMBDA_FUNCTION_NAME", "engine-image")
            .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "2304")
            .env("AWS_LAMBDA_RUNTIME_API", runtime_api.to_string())
            .env("AWS_ACCESS_KEY_ID", SECRET)
            .env("AWS_SECRET_ACCESS_KEY", SECRET)
            .env("AWS_SESSION_TOKEN", SECRET)
            .env("AWS_LAMBDA_METADATA_TOKEN", SECRET)
            .stdout(logs.reopen().unwrap())
            .spawn()
            .unwrap();
        Self { child, logs }
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// How often the program was started: each start emits the containment as metrics.
    fn starts(&self) -> usize {
        let logs = std::fs::read_to_string(self.logs.path()).unwrap();
        logs.matches("\"LandlockAbi\":").count()
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_process_serves_documents_without_credentials_in_its_environment() {
    let store = Store::start();
    let run = convert(&store, store.input("source", &png(32)), "jpeg");
    let (api, address) = RuntimeApi::start([payload(run.clone()), payload(run)]);
    let mut function = Function::start(address);
    api.await_nexts(3);
    for response in api.responses() {
        completed(response);
    }
    assert_eq!(store.uploads(), 2);
    assert!(function.is_running());
    assert_eq!(function.starts(), 1);
    // Unreadable if the tests do not run as root, because the process is not dumpable.
    if let Ok(environment) = std::fs::read(format!("/proc/{}/environ", function.child.id())) {
        let environment = String::from_utf8_lossy(&environment);
        assert!(environment.contains("AWS_LAMBDA_RUNTIME_API"));
        assert!(!environment.contains(SECRET));
    }
}

#[test]
fn a_process_executes_its_program_again_after_a_stopped_document_when_its_response_was_sent() {
    let store = Store::start();
    let good = convert(&store, store.input("good", &png(32)), "jpeg");
    let run = convert(&store, store.input("source", &png(3_000)), "avif");
    let slow = payload(RunRequest {
        time_ms: 1_000,
        ..run
    });
    let (api, address) = RuntimeApi::start([slow, payload(good)]);
    let mut function = Function::start(address);
    api.await_nexts(3);
    let mut responses = api.responses().into_iter();
    let timed_out = Response::Interrupted(Interruption::TimedOut);
    assert_eq!(responses.next(), Some(timed_out));
    completed(responses.next().unwrap());
    assert!(function.is_running());
    assert_eq!(function.starts(), 2);
}

#[test]
fn a_process_whose_engines_do_not_start_responds_that_it_cannot_serve_and_tries_again() {
    let store = Store::start();
    let run = convert(&store, store.input("source", &png(32)), "jpeg");
    let (api, address) = RuntimeApi::start([payload(run.clone()), payload(run)]);
    let mut function = Function::start_with(address, Path::new("/missing/libpdfium.so"));
    api.await_nexts(3);
    let cannot_serve = || Response::Interrupted(Interruption::Unsupported);
    assert_eq!(api.responses(), [cannot_serve(), cannot_serve()]);
    assert!(function.is_running());
    let logs = std::fs::read_to_string(function.logs.path()).unwrap();
    assert_eq!(logs.matches("\"EnginesUnavailable\":1").count(), 3);
    assert_eq!(store.requests(), Vec::<String>::new());
}
