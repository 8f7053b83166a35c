//! Forks are confined and end like children that were started.

use std::process::{Command, Output};

use super::*;

fn forks(part: &[&str]) -> Output {
    Command::new(FIXTURE).args(part).output().unwrap()
}

/// Runs an entry in a fork; returns its outcome and output.
fn forked(entry: &str) -> (String, String) {
    let result = forks(&["forks", entry]);
    assert!(result.status.success(), "{result:?}");
    let result: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(result["next"], "\"next\"", "{result}");
    let text = |name: &str| result[name].as_str().unwrap().to_owned();
    (text("outcome"), text("stdout"))
}

#[test]
fn after_every_outcome_the_next_fork_serves() {
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
fn a_fork_is_confined_like_a_started_child() {
    let (outcome, result) = forked("sockets");
    assert_eq!(outcome, "Exited { code: 0 }");
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!(result, ask("sockets", Value::Null));
}

#[test]
fn a_fork_inherits_no_descriptors() {
    let (_, result) = forked("environment");
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!(result["descriptors"], json!(["0", "1", "2"]));
    assert_eq!(result["umask"], 0o77);
}

#[test]
fn a_multi_threaded_process_does_not_fork() {
    let result = forks(&["threads fork"]);
    assert_eq!(result.status.code(), Some(1));
    let reason = String::from_utf8(result.stderr).unwrap();
    assert!(
        reason.contains("only a single-threaded process"),
        "{reason}"
    );
}
