//! The receivers of a soak, living and dead, and what they answer.

use std::collections::BTreeSet;
use std::sync::Mutex;

use tests::trusted_host::{Reply, Request, Served};

/// What `webhook.test` and the end of a job are called.
const TEST: &str = "webhook.test";
const ENDED: &str = "job.completed";
/// The beginning of an answer of a gigabyte.
const LONG: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n";

/// Who is told of an event.
pub(super) struct Receiver {
    pub(super) path: &'static str,
    pub(super) event: &'static str,
    /// Whether it takes each event, sooner or later.
    pub(super) is_living: bool,
}

impl Receiver {
    pub(super) fn is_told_of_jobs(&self) -> bool {
        self.event == ENDED
    }
}

const fn living(path: &'static str) -> Receiver {
    let (event, is_living) = (ENDED, true);
    Receiver {
        path,
        event,
        is_living,
    }
}

const fn dead(path: &'static str, event: &'static str) -> Receiver {
    let is_living = false;
    Receiver {
        path,
        event,
        is_living,
    }
}

/// Those that keep a worker until its time is over are told of few events: a thousand of them would keep every worker.
pub(super) const RECEIVERS: [Receiver; 11] = [
    living("/willing"),
    living("/slow"),
    living("/failing-first"),
    living("/busy-first"),
    living("/breaking-first"),
    living("/endless"),
    dead("/failing", ENDED),
    dead("/gone", ENDED),
    dead("/moved", ENDED),
    dead("/silent", TEST),
    dead("/trickling", TEST),
];

/// What a receiver does with a request.
pub(super) fn reply(request: &Request, _count: usize) -> Reply {
    let path = request.path.as_str();
    if path.ends_with("-first") && !is_first(request) {
        return Reply::Served(Served::status(204));
    }
    Reply::Served(match path {
        "/willing" => Served::status(204),
        "/failing-first" => Served::status(503),
        "/busy-first" => Served::status(429).with("Retry-After", "2"),
        "/failing" => Served::status(500),
        "/gone" => Served::status(410),
        "/moved" => Served::status(301).with("Location", "/willing"),
        "/slow" => return Reply::Late(Served::status(204)),
        "/breaking-first" => return Reply::Reset(&LONG[..9]),
        "/endless" => return Reply::Endless(LONG),
        "/trickling" => return Reply::Trickle(LONG),
        "/silent" => return Reply::Silence,
        path => panic!("{path} was asked for"),
    })
}

/// Whether a receiver hears of an event for the first time.
fn is_first(request: &Request) -> bool {
    static HEARD: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());
    let event = request.header("webhook-id").to_owned();
    HEARD.lock().unwrap().insert((request.path.clone(), event))
}
