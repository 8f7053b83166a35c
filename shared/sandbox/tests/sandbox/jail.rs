//! Under the restrictions of AWS Lambda, where the kernel's own confinement is refused, everything else holds.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use sandbox::{Containment, PrewarmedChild, PrewarmedJob, Zygote, probe};
use tempfile::TempDir;

use super::*;

/// A launcher whose children run under the restrictions, and the directory of its script.
fn jailed_launcher() -> (Launcher, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("launcher");
    let text = format!("#!/bin/sh\nexec {FIXTURE} jail \"$@\"\n");
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    (Launcher::new(&script), directory)
}

fn run_jailed(work: Work, limits: Limits) -> FinishedChild {
    let (launcher, _directory) = jailed_launcher();
    let scratch = Scratch::create(None).unwrap();
    let job = Job {
        work,
        scratch: scratch.path(),
        readable: &[],
        network: Network::None,
        limits,
    };
    let finished = run(&launcher, &job, &AtomicBool::new(false)).unwrap();
    assert_eq!(processes_in(scratch.path()), Vec::<String>::new());
    finished
}

#[test]
fn layers_that_are_refused_are_left_out_and_reported() {
    let (launcher, _directory) = jailed_launcher();
    let expected = Containment {
        ends_with_parent: true,
        resource_limits: true,
        // The platform set it when it installed its filter.
        no_new_privs: true,
        no_capabilities: true,
        seccomp: false,
        landlock_abi: 0,
        network_refused: false,
    };
    assert_eq!(probe(&launcher).unwrap(), expected);
}

#[test]
fn work_is_done_and_ends_as_elsewhere() {
    for (work, expected) in [
        (entry("echo", json!(1)), Outcome::Exited { code: 0 }),
        (shell("exit 3"), Outcome::Exited { code: 3 }),
        (entry("abort", Value::Null), Outcome::Crashed { signal: 6 }),
        (entry("touch memory", Value::Null), Outcome::OutOfMemory),
        (entry("one huge file", Value::Null), Outcome::ScratchFull),
        (entry("many small files", Value::Null), Outcome::ScratchFull),
        (entry("one deleted file", Value::Null), Outcome::ScratchFull),
        (entry("processes", json!(30)), Outcome::OutOfMemory),
        (entry("threads", json!(600)), Outcome::OutOfMemory),
    ] {
        let name = format!("{work:?}");
        let limits = match name.contains("deleted") {
            // Not ended by the limit of file size.
            true => Limits {
                file_size: 1024 * MIB,
                ..small()
            },
            false => small(),
        };
        assert_eq!(run_jailed(work, limits).outcome, expected, "{name}");
    }
    let slow = Limits {
        wall: Duration::from_secs(1),
        ..small()
    };
    let spinning = run_jailed(entry("spin", Value::Null), slow);
    assert_eq!(spinning.outcome, Outcome::TimedOut);
}

#[test]
fn nothing_but_the_lifeline_is_inherited() {
    let finished = run_jailed(entry("environment", Value::Null), small());
    let found: Value = serde_json::from_slice(&finished.stdout).unwrap();
    assert_eq!(found["descriptors"].as_array().unwrap().len(), 4, "{found}");
    let variables: Vec<&String> = found["variables"].as_object().unwrap().keys().collect();
    // The shell of the launcher's script sets PWD.
    assert_eq!(variables, ["HOME", "LANG", "PATH", "PWD", "TMPDIR"]);
}

#[test]
fn zygotes_and_prewarmed_children_serve() {
    let (launcher, _directory) = jailed_launcher();
    let zygote = Zygote::new(launcher.clone(), Path::new("/"));
    let alone = Limits {
        processes: 1,
        ..small()
    };
    let scratch = Scratch::create(None).unwrap();
    let serve = |name: &str| {
        let job = Job {
            work: entry(name, Value::Null),
            scratch: scratch.path(),
            readable: &[],
            network: Network::None,
            limits: alone,
        };
        zygote.run(&job, &AtomicBool::new(false)).unwrap()
    };
    let first = serve("zygote").stdout;
    assert_ne!(first, b"0");
    assert_eq!(serve("zygote").stdout, first);
    assert_eq!(serve("abort").outcome, Outcome::Crashed { signal: 6 });
    assert_ne!(serve("zygote").stdout, first);

    let job = PrewarmedJob {
        work: entry("prewarmed", json!({})),
        readable: Vec::new(),
        network: Network::None,
        limits: small(),
    };
    let mut child = PrewarmedChild::start(&launcher, job, None).unwrap();
    let never = AtomicBool::new(false);
    assert!(child.is_ready(Duration::from_secs(60), &never));
    let request = json!({"name": "echo", "request": "x"});
    let (finished, _scratch) = child.claim(&request, small().wall, &never).unwrap();
    assert!(finished.stdout.ends_with(b"\"x\""));
}

#[test]
fn a_parent_under_the_restrictions_runs_children_and_forks() {
    for (entry, expected) in [
        ("echo", "Exited { code: 0 }"),
        ("segmentation fault", "Crashed { signal: 11 }"),
        ("touch memory", "OutOfMemory"),
        ("one huge file", "ScratchFull"),
    ] {
        let mut forks = Command::new(FIXTURE);
        forks.args(["jail", "forks", entry]);
        let result = forks.output().unwrap();
        assert!(result.status.success(), "{result:?}");
        let result: Value = serde_json::from_slice(&result.stdout).unwrap();
        assert_eq!(result["outcome"], expected, "{entry}");
        assert_eq!(result["next"], "\"next\"", "{entry}");
    }
    let scratch = tempfile::tempdir().unwrap();
    let mut full = Command::new(FIXTURE);
    full.args(["jail", "full file"]).arg(scratch.path());
    assert_eq!(full.output().unwrap().stdout, b"ScratchFull");
}
