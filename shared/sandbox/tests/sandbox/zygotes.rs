//! Entries run in forks of a zygote as in new processes, and a zygote is replaced after a suspicious fork.

use std::os::unix::fs::PermissionsExt;

use sandbox::Zygote;

use super::*;

fn zygote() -> Zygote {
    Zygote::new(launcher(), Path::new("/"))
}

/// Limits of an entry that starts no other process.
fn single_process() -> Limits {
    Limits {
        processes: 1,
        ..small()
    }
}

fn run_with(zygote: &Zygote, work: Work, limits: Limits) -> FinishedChild {
    let scratch = Scratch::create(None).unwrap();
    let job = Job {
        work,
        scratch: scratch.path(),
        readable: &[],
        network: Network::None,
        limits,
    };
    let finished = zygote.run(&job, &AtomicBool::new(false)).unwrap();
    assert_eq!(processes_in(scratch.path()), Vec::<String>::new());
    finished
}

fn ask_with(zygote: &Zygote, name: &str, request: Value) -> Value {
    let finished = run_with(zygote, entry(name, request), single_process());
    assert_eq!(
        finished.outcome,
        Outcome::Exited { code: 0 },
        "{finished:?}"
    );
    serde_json::from_slice(&finished.stdout).unwrap()
}

/// The process id of the zygote whose fork serves an entry; 0 if a new process serves it.
fn served_by(zygote: &Zygote) -> u64 {
    ask_with(zygote, "zygote", Value::Null).as_u64().unwrap()
}

#[test]
fn only_single_process_entries_run_in_forks() {
    let zygote = zygote();
    let first = served_by(&zygote);
    assert_ne!(first, 0);
    assert_eq!(served_by(&zygote), first);
    let several_processes = run_with(&zygote, entry("zygote", Value::Null), small());
    assert_eq!(several_processes.stdout, b"0");
    let program = run_with(&zygote, shell("echo out; exit 3"), single_process());
    assert_eq!(program.outcome, Outcome::Exited { code: 3 });
    assert_eq!(program.stdout, b"out\n");
}

#[test]
fn a_fork_ends_like_a_started_child() {
    let zygote = zygote();
    let first = served_by(&zygote);
    for (name, expected, survives) in [
        ("no such entry", Outcome::Exited { code: 1 }, true),
        ("one huge file", Outcome::ScratchFull, true),
        ("flood", Outcome::Exited { code: 0 }, true),
        ("segmentation fault", Outcome::Crashed { signal: 11 }, false),
        ("abort", Outcome::Crashed { signal: 6 }, false),
        ("touch memory", Outcome::OutOfMemory, false),
        ("spin", Outcome::TimedOut, false),
    ] {
        let before = served_by(&zygote);
        let limits = Limits {
            wall: Duration::from_secs(5),
            ..single_process()
        };
        let finished = run_with(&zygote, entry(name, Value::Null), limits);
        assert_eq!(finished.outcome, expected, "{name}");
        let after = served_by(&zygote);
        assert_ne!(after, 0, "{name}");
        // After a crash the next zygote has a different address-space layout.
        assert_eq!(after == before, survives, "{name}");
    }
    assert_ne!(served_by(&zygote), first);
}

#[test]
fn a_zygote_serves_a_bounded_number_of_forks() {
    let zygote = zygote();
    let mut served: Vec<u64> = (0..66).map(|_| served_by(&zygote)).collect();
    assert!(!served.contains(&0));
    served.dedup();
    assert_eq!(served.len(), 2, "{served:?}");
}

#[test]
fn a_fork_is_confined_like_a_started_child() {
    let zygote = zygote();
    let scratch = Scratch::create(None).unwrap();
    let started = |name: &str, request: Value| {
        let finished = run_in(scratch.path(), entry(name, request), single_process());
        serde_json::from_slice::<Value>(&finished.stdout).unwrap()
    };
    let forked = |name: &str, request: Value| {
        let job = Job {
            work: entry(name, request),
            scratch: scratch.path(),
            readable: &[],
            network: Network::None,
            limits: single_process(),
        };
        let finished = zygote.run(&job, &AtomicBool::new(false)).unwrap();
        serde_json::from_slice::<Value>(&finished.stdout).unwrap()
    };
    let zygote_pid = served_by(&zygote);
    let calls = json!({"parent": std::process::id(), "sibling": zygote_pid});
    let files = json!([
        "/etc/passwd",
        "/etc/shadow",
        ">outside",
        ">/tmp/outside",
        format!("/proc/{}/environ", std::process::id()),
        format!("/proc/{zygote_pid}/environ"),
        format!("/proc/{zygote_pid}/maps"),
    ]);
    for (name, request) in [
        ("sockets", Value::Null),
        ("forbidden calls", calls),
        ("files", files),
    ] {
        let mut found = [started(name, request.clone()), forked(name, request)];
        // The first run created the socket's file.
        found
            .iter_mut()
            .filter(|_| name == "sockets")
            .for_each(|found| {
                found["unix server exists"].take();
            });
        assert_eq!(found[0], found[1], "{name}");
    }
    let (mut started, mut forked) = (
        started("environment", Value::Null),
        forked("environment", Value::Null),
    );
    assert_eq!(
        started["arguments"].take(),
        json!([FIXTURE_NAME, "sandboxed-child"])
    );
    assert_eq!(forked["arguments"].take(), json!(["zygote", "zygote", "/"]));
    assert_eq!(started, forked);
}

/// The `argv[0]` of a started child.
const FIXTURE_NAME: &str = "sandboxed";

#[test]
fn new_processes_are_used_while_no_zygote_starts() {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("launcher");
    let text = format!("#!/bin/sh\n[ \"$1\" = zygote ] && exit 1\nexec {FIXTURE} \"$@\"\n");
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let zygote = Zygote::new(Launcher::new(&script), Path::new("/"));
    for _ in 0..5 {
        assert_eq!(served_by(&zygote), 0);
    }
}

#[test]
fn a_dropped_zygote_ends() {
    let zygote = zygote();
    let process = served_by(&zygote);
    let command = format!("/proc/{process}/cmdline");
    assert!(std::fs::read(&command).unwrap().starts_with(b"zygote\0"));
    drop(zygote);
    assert!(std::fs::read(&command).is_err());
}

#[test]
fn concurrent_forks_do_not_mix_up_their_results() {
    let zygote = zygote();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let zygote = &zygote;
            scope.spawn(move || {
                for _ in 0..10 {
                    assert_eq!(ask_with(zygote, "echo", json!(number)), number);
                }
            });
        }
    });
}
