//! The receivers of a soak run, working and failing, and their responses.

use std::collections::BTreeSet;
use std::sync::Mutex;

use tests::trusted_host::{Request, StubAction, StubResponse};

/// Event types.
const TEST: &str = "webhook.test";
const JOB_COMPLETED: &str = "job.completed";
/// Head of a response of one gigabyte.
const GIGABYTE_HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n";

/// A webhook receiver.
pub(super) struct Receiver {
    pub(super) path: &'static str,
    pub(super) event: &'static str,
    /// Whether it eventually accepts each event.
    pub(super) is_working: bool,
}

impl Receiver {
    pub(super) fn receives_job_events(&self) -> bool {
        self.event == JOB_COMPLETED
    }
}

const fn working(path: &'static str) -> Receiver {
    let (event, is_working) = (JOB_COMPLETED, true);
    Receiver {
        path,
        event,
        is_working,
    }
}

const fn failing(path: &'static str, event: &'static str) -> Receiver {
    let is_working = false;
    Receiver {
        path,
        event,
        is_working,
    }
}

/// The receivers that occupy a worker until the time-out get few events: a thousand would occupy all workers.
pub(super) const RECEIVERS: [Receiver; 11] = [
    working("/willing"),
    working("/slow"),
    working("/failing-first"),
    working("/busy-first"),
    working("/breaking-first"),
    working("/endless"),
    failing("/failing", JOB_COMPLETED),
    failing("/gone", JOB_COMPLETED),
    failing("/moved", JOB_COMPLETED),
    failing("/silent", TEST),
    failing("/trickling", TEST),
];

/// The response of a receiver to a request.
pub(super) fn reply(request: &Request, _count: usize) -> StubAction {
    let path = request.path.as_str();
    if path.ends_with("-first") && !is_first(request) {
        return StubAction::Respond(StubResponse::status(204));
    }
    StubAction::Respond(match path {
        "/willing" => StubResponse::status(204),
        "/failing-first" => StubResponse::status(503),
        "/busy-first" => StubResponse::status(429).with_header("Retry-After", "2"),
        "/failing" => StubResponse::status(500),
        "/gone" => StubResponse::status(410),
        "/moved" => StubResponse::status(301).with_header("Location", "/willing"),
        "/slow" => return StubAction::Delay(StubResponse::status(204)),
        "/breaking-first" => return StubAction::Reset(&GIGABYTE_HEAD[..9]),
        "/endless" => return StubAction::Endless(GIGABYTE_HEAD),
        "/trickling" => return StubAction::Trickle(GIGABYTE_HEAD),
        "/silent" => return StubAction::Silence,
        path => panic!("unexpected request for {path}"),
    })
}

/// Whether a receiver gets an event for the first time.
fn is_first(request: &Request) -> bool {
    static RECEIVED: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());
    let event = request.header("webhook-id").to_owned();
    RECEIVED
        .lock()
        .unwrap()
        .insert((request.path.clone(), event))
}
