//! Forks end, and are confined, as children do that were started.

use std::process::{Command, Output};

use super::*;

fn forks(part: &[&str]) -> Output {
    Command::new(FIXTURE).args(part).output().unwrap()
}

/// What became of an entry in a fork: its outcome and its output.
fn forked(entry: &str) -> (String, String) {
    let told = forks(&["forks", entry]);
    assert!(told.status.success(), "{told:?}");
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told["next"], "\"next\"", "{told}");
    let text = |name: &str| told[name].as_str().unwrap().to_owned();
    (text("outcome"), text("stdout"))
}

#[test]
fn whatever_becomes_of_a_fork_the_next_one_serves() {
    for (entry, expected) in [
        ("echo", "Exited { code: 0 }"),
        ("no such entry", "Exited { code: 1 }"),
        ("segmentation fault", "Crashed { signal: 11 }"),
        ("abort", "Crashed { signal: 6 }"),
        ("sleep", "TimedOut"),
        ("spin", "TimedOut"),
        ("touch memory", "OutOfMemory"),
        ("one huge file", "ScratchFull"),
        ("many small files", "ScratchFull"),
    ] {
        assert_eq!(forked(entry).0, expected, "{entry}");
    }
}

#[test]
fn a_fork_reaches_no_more_than_a_child_that_was_started() {
    let (outcome, told) = forked("sockets");
    assert_eq!(outcome, "Exited { code: 0 }");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told, ask("sockets", Value::Null));
}

#[test]
fn a_fork_has_nothing_of_its_parent_open() {
    let (_, told) = forked("surroundings");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["descriptors"], json!(["0", "1", "2"]));
    assert_eq!(told["umask"], 0o77);
}

#[test]
fn a_process_of_several_threads_does_not_fork() {
    let told = forks(&["threads fork"]);
    assert_eq!(told.status.code(), Some(1));
    let reason = String::from_utf8(told.stderr).unwrap();
    assert!(reason.contains("a process of one thread"), "{reason}");
}
