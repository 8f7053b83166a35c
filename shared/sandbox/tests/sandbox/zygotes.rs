//! Entries run in forks of a zygote as they do in processes of their own, and a zygote is replaced when it may be known.

use std::os::unix::fs::PermissionsExt;

use sandbox::Zygote;

use super::*;

fn zygote() -> Zygote {
    Zygote::new(launcher(), Path::new("/"))
}

/// Limits of an entry that starts no other process.
fn alone() -> Limits {
    Limits {
        processes: 1,
        ..small()
    }
}

fn run_with(zygote: &Zygote, work: Work, limits: Limits) -> Finished {
    let scratch = Scratch::create(None).unwrap();
    let job = Job {
        work,
        scratch: scratch.path(),
        readable: &[],
        network: Network::Nothing,
        limits,
    };
    let finished = zygote.run(&job, &AtomicBool::new(false)).unwrap();
    assert_eq!(processes_in(scratch.path()), Vec::<String>::new());
    finished
}

fn ask_with(zygote: &Zygote, name: &str, request: Value) -> Value {
    let finished = run_with(zygote, entry(name, request), alone());
    assert_eq!(
        finished.outcome,
        Outcome::Exited { code: 0 },
        "{finished:?}"
    );
    serde_json::from_slice(&finished.stdout).unwrap()
}

/// The zygote that an entry is served in a fork of; 0 if it is in a process of its own.
fn served_by(zygote: &Zygote) -> u64 {
    ask_with(zygote, "zygote", Value::Null).as_u64().unwrap()
}

#[test]
fn entries_that_are_alone_are_forked_and_nothing_else() {
    let zygote = zygote();
    let first = served_by(&zygote);
    assert_ne!(first, 0);
    assert_eq!(served_by(&zygote), first);
    let company = run_with(&zygote, entry("zygote", Value::Null), small());
    assert_eq!(company.stdout, b"0");
    let program = run_with(&zygote, shell("echo out; exit 3"), alone());
    assert_eq!(program.outcome, Outcome::Exited { code: 3 });
    assert_eq!(program.stdout, b"out\n");
}

#[test]
fn a_fork_ends_as_a_child_that_was_started() {
    let zygote = zygote();
    let begin = served_by(&zygote);
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
            ..alone()
        };
        let finished = run_with(&zygote, entry(name, Value::Null), limits);
        assert_eq!(finished.outcome, expected, "{name}");
        let after = served_by(&zygote);
        assert_ne!(after, 0, "{name}");
        // Whoever could learn where things lie from a crash finds them elsewhere.
        assert_eq!(after == before, survives, "{name}");
    }
    assert_ne!(served_by(&zygote), begin);
}

#[test]
fn a_zygote_serves_a_bounded_number_of_forks() {
    let zygote = zygote();
    let mut served: Vec<u64> = (0..258).map(|_| served_by(&zygote)).collect();
    assert!(!served.contains(&0));
    served.dedup();
    assert_eq!(served.len(), 2, "{served:?}");
}

#[test]
fn a_fork_reaches_and_knows_no_more_than_a_child_that_was_started() {
    let zygote = zygote();
    let scratch = Scratch::create(None).unwrap();
    let started = |name: &str, request: Value| {
        let finished = run_in(scratch.path(), entry(name, request), alone());
        serde_json::from_slice::<Value>(&finished.stdout).unwrap()
    };
    let forked = |name: &str, request: Value| {
        let job = Job {
            work: entry(name, request),
            scratch: scratch.path(),
            readable: &[],
            network: Network::Nothing,
            limits: alone(),
        };
        let finished = zygote.run(&job, &AtomicBool::new(false)).unwrap();
        serde_json::from_slice::<Value>(&finished.stdout).unwrap()
    };
    let split_off = served_by(&zygote);
    let calls = json!({"parent": std::process::id(), "sibling": split_off});
    let files = json!([
        "/etc/passwd",
        "/etc/shadow",
        ">outside",
        ">/tmp/outside",
        format!("/proc/{}/environ", std::process::id()),
        format!("/proc/{split_off}/environ"),
        format!("/proc/{split_off}/maps"),
    ]);
    for (name, request) in [
        ("sockets", Value::Null),
        ("forbidden calls", calls),
        ("files", files),
    ] {
        let mut found = [started(name, request.clone()), forked(name, request)];
        // Its server's file is there by now.
        found
            .iter_mut()
            .filter(|_| name == "sockets")
            .for_each(|found| {
                found["unix server exists"].take();
            });
        assert_eq!(found[0], found[1], "{name}");
    }
    let (mut started, mut forked) = (
        started("surroundings", Value::Null),
        forked("surroundings", Value::Null),
    );
    assert_eq!(
        started["arguments"].take(),
        json!([FIXTURE_NAME, "sandboxed-child"])
    );
    assert_eq!(forked["arguments"].take(), json!(["zygote", "zygote", "/"]));
    assert_eq!(started, forked);
}

/// What a started child is called.
const FIXTURE_NAME: &str = "sandboxed";

#[test]
fn where_no_zygote_begins_children_are_started() {
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
fn a_zygote_ends_when_nobody_wants_it() {
    let zygote = zygote();
    let process = served_by(&zygote);
    let command = format!("/proc/{process}/cmdline");
    assert!(std::fs::read(&command).unwrap().starts_with(b"zygote\0"));
    drop(zygote);
    assert!(std::fs::read(&command).is_err());
}

#[test]
fn forks_of_several_threads_at_once_are_kept_apart() {
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
