//! Prewarmed children have the same confinement and limits as others; their time limits start with the request.

use sandbox::{PrewarmedChild, PrewarmedJob};

use super::*;

fn start(base: &Path, request: Value, limits: Limits) -> PrewarmedChild {
    let job = PrewarmedJob {
        work: entry("prewarmed", request),
        readable: Vec::new(),
        network: Network::None,
        limits,
    };
    PrewarmedChild::start(&launcher(), job, Some(base)).unwrap()
}

fn is_ready(child: &mut PrewarmedChild) -> bool {
    child.is_ready(Duration::from_secs(60), &AtomicBool::new(false))
}

/// Runs an entry in a prewarmed child and checks that it leaves nothing behind.
fn claim(mut child: PrewarmedChild, name: &str, request: Value, wall: Duration) -> FinishedChild {
    assert!(is_ready(&mut child));
    let directory = child.scratch().to_owned();
    let work = json!({"name": name, "request": request});
    let claimed = child.claim(&work, wall, &AtomicBool::new(false));
    let (finished, scratch) = claimed.unwrap();
    assert_eq!(processes_in(&directory), Vec::<String>::new());
    assert_eq!(scratch.path(), directory);
    scratch.wipe().unwrap();
    assert!(!directory.exists());
    finished
}

fn run_prewarmed(name: &str, request: Value) -> Value {
    let base = tempfile::tempdir().unwrap();
    let child = start(base.path(), Value::Null, small());
    let finished = claim(child, name, request, small().wall);
    assert_eq!(
        finished.outcome,
        Outcome::Exited { code: 0 },
        "{finished:?}"
    );
    let text = String::from_utf8(finished.stdout).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn requests_of_any_length_are_served() {
    for count in [1, 1_000_000] {
        let request = json!({"text": "ä\n".repeat(count)});
        assert_eq!(run_prewarmed("length", request), 3 * count);
    }
}

#[test]
fn a_prewarmed_child_is_confined_like_a_started_child() {
    let calls = json!({"parent": std::process::id(), "sibling": std::process::id()});
    let files = json!(["/etc/passwd", "/etc/shadow", ">outside", ">/tmp/outside"]);
    for (name, request) in [
        ("sockets", Value::Null),
        ("forbidden calls", calls),
        ("files", files),
    ] {
        assert_eq!(
            run_prewarmed(name, request.clone()),
            ask(name, request),
            "{name}"
        );
    }
    let (mut prewarmed, mut started) = (
        run_prewarmed("environment", Value::Null),
        ask("environment", Value::Null),
    );
    for found in [&mut prewarmed, &mut started] {
        found["directory"].take();
        found["variables"]["HOME"].take();
        found["variables"]["TMPDIR"].take();
    }
    assert_eq!(prewarmed, started);
}

#[test]
fn time_limits_start_with_the_request() {
    let base = tempfile::tempdir().unwrap();
    let limits = Limits {
        cpu: Duration::from_secs(1),
        ..small()
    };
    for (name, request, expected) in [
        ("echo", json!(1), Outcome::Exited { code: 0 }),
        ("sleep", Value::Null, Outcome::TimedOut),
        ("spin", Value::Null, Outcome::TimedOut),
    ] {
        let child = start(base.path(), json!({"seconds": 2}), limits);
        let wall = Duration::from_secs(if name == "spin" { 20 } else { 2 });
        let finished = claim(child, name, request, wall);
        assert_eq!(finished.outcome, expected, "{name}: {finished:?}");
        assert!(finished.cpu > limits.cpu, "{name}: {finished:?}");
    }
}

#[test]
fn all_other_limits_apply() {
    let base = tempfile::tempdir().unwrap();
    for (name, expected) in [
        ("touch memory", Outcome::OutOfMemory),
        ("one huge file", Outcome::ScratchFull),
        ("many small files", Outcome::ScratchFull),
        ("segmentation fault", Outcome::Crashed { signal: 11 }),
        ("no such entry", Outcome::Exited { code: 1 }),
    ] {
        let child = start(base.path(), Value::Null, small());
        let finished = claim(child, name, Value::Null, small().wall);
        assert_eq!(finished.outcome, expected, "{name}: {finished:?}");
    }
    let child = start(base.path(), Value::Null, small());
    let finished = claim(child, "processes", json!(20), small().wall);
    assert_eq!(finished.outcome, Outcome::OutOfMemory);
}

#[test]
fn a_dead_unhealthy_or_slow_child_is_not_ready() {
    let base = tempfile::tempdir().unwrap();
    let mut unhealthy = start(base.path(), json!({"unhealthy": true}), small());
    assert!(!is_ready(&mut unhealthy));
    let mut slow = start(base.path(), json!({"seconds": 600}), small());
    let timeout = Duration::from_millis(300);
    assert!(!slow.is_ready(timeout, &AtomicBool::new(false)));
    assert!(!slow.is_ready(Duration::from_secs(600), &AtomicBool::new(true)));
    let mut killed = start(base.path(), Value::Null, small());
    assert!(is_ready(&mut killed) && killed.is_within_limits());
    let process = processes_in(killed.scratch());
    assert_eq!(process.len(), 1);
    kill_processes_in(killed.scratch());
    while killed.is_within_limits() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!is_ready(&mut killed));
}

#[test]
fn a_dropped_child_leaves_nothing_behind() {
    let base = tempfile::tempdir().unwrap();
    let mut child = start(base.path(), Value::Null, small());
    let directory = child.scratch().to_owned();
    assert!(is_ready(&mut child));
    drop(child);
    assert_eq!(processes_in(&directory), Vec::<String>::new());
    assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
}

/// The parent-death signal would otherwise fire when the thread ends.
#[test]
fn a_child_outlives_the_thread_that_started_it() {
    let base = tempfile::tempdir().unwrap();
    let child = std::thread::scope(|scope| {
        let started = scope.spawn(|| start(base.path(), Value::Null, small()));
        started.join().unwrap()
    });
    std::thread::sleep(Duration::from_millis(200));
    let finished = claim(child, "echo", json!(1), small().wall);
    assert_eq!(finished.stdout, b"1");
}

fn kill_processes_in(directory: &Path) {
    for entry in std::fs::read_dir("/proc").unwrap() {
        let process = entry.unwrap();
        let place = std::fs::read_link(process.path().join("cwd"));
        if place.is_ok_and(|place| place == directory) {
            let number = process.file_name().to_str().unwrap().parse().unwrap();
            let process = rustix::process::Pid::from_raw(number).unwrap();
            rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
        }
    }
}
