//! A child that is begun before its work is known is held as any other, and its time counts from its work.

use sandbox::{Standby, StandbyJob};

use super::*;

fn begin(base: &Path, request: Value, limits: Limits) -> Standby {
    let job = StandbyJob {
        work: entry("stand by", request),
        readable: Vec::new(),
        network: Network::Nothing,
        limits,
    };
    Standby::begin(&launcher(), job, Some(base)).unwrap()
}

fn is_ready(standby: &mut Standby) -> bool {
    standby.is_ready(Duration::from_secs(60), &AtomicBool::new(false))
}

/// What becomes of an entry that a standby is told; nothing of it is alive or left afterwards.
fn claim(mut standby: Standby, name: &str, request: Value, wall: Duration) -> Finished {
    assert!(is_ready(&mut standby));
    let directory = standby.scratch().to_owned();
    let told = json!({"name": name, "request": request});
    let claimed = standby.claim(&told, wall, &AtomicBool::new(false));
    let (finished, scratch) = claimed.unwrap();
    assert_eq!(processes_in(&directory), Vec::<String>::new());
    assert_eq!(scratch.path(), directory);
    scratch.wipe().unwrap();
    assert!(!directory.exists());
    finished
}

fn asked(name: &str, request: Value) -> Value {
    let base = tempfile::tempdir().unwrap();
    let standby = begin(base.path(), Value::Null, small());
    let finished = claim(standby, name, request, small().wall);
    assert_eq!(
        finished.outcome,
        Outcome::Exited { code: 0 },
        "{finished:?}"
    );
    let text = String::from_utf8(finished.stdout).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn it_does_the_work_that_it_is_told_whatever_its_length() {
    for count in [1, 1_000_000] {
        let request = json!({"text": "ä\n".repeat(count)});
        assert_eq!(asked("length", request), 3 * count);
    }
}

#[test]
fn it_reaches_no_more_than_a_child_that_was_started() {
    let calls = json!({"parent": std::process::id(), "sibling": std::process::id()});
    let files = json!(["/etc/passwd", "/etc/shadow", ">outside", ">/tmp/outside"]);
    for (name, request) in [
        ("sockets", Value::Null),
        ("forbidden calls", calls),
        ("files", files),
    ] {
        assert_eq!(asked(name, request.clone()), ask(name, request), "{name}");
    }
    let (mut told, mut started) = (
        asked("surroundings", Value::Null),
        ask("surroundings", Value::Null),
    );
    for found in [&mut told, &mut started] {
        found["directory"].take();
        found["variables"]["HOME"].take();
        found["variables"]["TMPDIR"].take();
    }
    assert_eq!(told, started);
}

#[test]
fn time_counts_from_when_it_is_told_its_work() {
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
        let standby = begin(base.path(), json!({"seconds": 2}), limits);
        let wall = Duration::from_secs(if name == "spin" { 20 } else { 2 });
        let finished = claim(standby, name, request, wall);
        assert_eq!(finished.outcome, expected, "{name}: {finished:?}");
        assert!(finished.cpu > limits.cpu, "{name}: {finished:?}");
    }
}

#[test]
fn its_other_limits_hold_it_as_they_hold_others() {
    let base = tempfile::tempdir().unwrap();
    for (name, expected) in [
        ("touch memory", Outcome::OutOfMemory),
        ("one huge file", Outcome::ScratchFull),
        ("many small files", Outcome::ScratchFull),
        ("segmentation fault", Outcome::Crashed { signal: 11 }),
        ("no such entry", Outcome::Exited { code: 1 }),
    ] {
        let standby = begin(base.path(), Value::Null, small());
        let finished = claim(standby, name, Value::Null, small().wall);
        assert_eq!(finished.outcome, expected, "{name}: {finished:?}");
    }
    let standby = begin(base.path(), Value::Null, small());
    let finished = claim(standby, "processes", json!(20), small().wall);
    assert_eq!(finished.outcome, Outcome::OutOfMemory);
}

#[test]
fn one_that_is_dead_or_unwell_or_does_not_begin_is_not_ready() {
    let base = tempfile::tempdir().unwrap();
    let mut unwell = begin(base.path(), json!({"unwell": true}), small());
    assert!(!is_ready(&mut unwell));
    let mut slow = begin(base.path(), json!({"seconds": 600}), small());
    let within = Duration::from_millis(300);
    assert!(!slow.is_ready(within, &AtomicBool::new(false)));
    assert!(!slow.is_ready(Duration::from_secs(600), &AtomicBool::new(true)));
    let mut killed = begin(base.path(), Value::Null, small());
    assert!(is_ready(&mut killed) && killed.is_sound());
    let process = processes_in(killed.scratch());
    assert_eq!(process.len(), 1);
    kill_those_in(killed.scratch());
    while killed.is_sound() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!is_ready(&mut killed));
}

#[test]
fn one_that_is_not_wanted_any_more_leaves_nothing() {
    let base = tempfile::tempdir().unwrap();
    let mut standby = begin(base.path(), Value::Null, small());
    let directory = standby.scratch().to_owned();
    assert!(is_ready(&mut standby));
    drop(standby);
    assert_eq!(processes_in(&directory), Vec::<String>::new());
    assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
}

/// The kernel would end a child with the thread that has begun it.
#[test]
fn it_outlives_the_thread_that_has_begun_it() {
    let base = tempfile::tempdir().unwrap();
    let standby = std::thread::scope(|scope| {
        let begun = scope.spawn(|| begin(base.path(), Value::Null, small()));
        begun.join().unwrap()
    });
    std::thread::sleep(Duration::from_millis(200));
    let finished = claim(standby, "echo", json!(1), small().wall);
    assert_eq!(finished.stdout, b"1");
}

fn kill_those_in(directory: &Path) {
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
