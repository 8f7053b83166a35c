//! Successful work, and output of every size.

use std::time::Instant;

use sandbox::SandboxError;

use super::*;

#[test]
fn a_program_gets_its_arguments_and_variables() {
    let scratch = Scratch::create(None).unwrap();
    let work = Work::Program {
        executable: PathBuf::from("/bin/sh"),
        args: [
            "-c",
            "echo \"$0 $1 $FONTS $LANG\"; cat; echo done > result; exit 7",
            "a",
            "b c",
        ]
        .map(str::to_owned)
        .to_vec(),
        env: vec![
            ("FONTS".to_owned(), "some".to_owned()),
            ("LANG".to_owned(), "C".to_owned()),
        ],
    };
    let finished = run_in(scratch.path(), work, small());
    assert_eq!(finished.outcome, Outcome::Exited { code: 7 });
    assert_eq!(finished.stdout, b"a b c some C\n");
    let result = std::fs::read(scratch.path().join("result")).unwrap();
    assert_eq!(result, b"done\n");
}

#[test]
fn requests_of_any_size_are_passed() {
    let request = json!({"text": "ä".repeat(300_000)});
    assert_eq!(ask("echo", request.clone()), request);
}

#[test]
fn large_output_is_read_and_truncated() {
    let finished = run_hostile(entry("flood", Value::Null), small());
    assert_eq!(finished.outcome, Outcome::Exited { code: 0 });
    assert_eq!(finished.stdout.len() as u64, MIB);
    assert!(finished.stdout_truncated);
    assert_eq!(finished.stderr_tail.len(), 4096);
    assert!(finished.stderr_tail.ends_with("ooothe end"));
}

#[test]
fn grandchildren_are_killed_with_their_leader_without_delay() {
    let started = Instant::now();
    let script = "sleep 1000 & (trap '' TERM HUP; sleep 1000) & sh -c 'sleep 1000 & sleep 1000' & echo out; exit 3";
    let finished = run_hostile(shell(script), small());
    assert_eq!(finished.outcome, Outcome::Exited { code: 3 });
    assert_eq!(finished.stdout, b"out\n");
    assert!(!finished.stdout_truncated);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn resource_usage_of_a_run_is_measured() {
    let scratch = Scratch::create(None).unwrap();
    let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 0.3";
    let finished = run_in(scratch.path(), shell(script), small());
    assert!(finished.cpu >= Duration::from_millis(20), "{finished:?}");
    assert!(
        finished.wall >= finished.cpu + Duration::from_millis(200),
        "{finished:?}"
    );
    assert!(finished.peak_resident > 100_000, "{finished:?}");
    assert!(finished.peak_resident < 50 * MIB, "{finished:?}");
}

/// A browser leaves such processes behind when its main process ends first.
#[test]
fn processes_that_outlive_their_leader_are_measured() {
    let burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo > burnt; sleep 1000";
    let script = format!("({burn}) & until [ -e burnt ]; do sleep 0.05; done; exit 3");
    let finished = run_hostile(shell(&script), small());
    assert_eq!(finished.outcome, Outcome::Exited { code: 3 });
    assert!(finished.cpu >= Duration::from_millis(100), "{finished:?}");
}

#[test]
fn work_that_cannot_start_is_a_sandbox_error() {
    let scratch = Scratch::create(None).unwrap();
    let missing = Work::Program {
        executable: PathBuf::from("/usr/bin/no-such-engine"),
        args: Vec::new(),
        env: Vec::new(),
    };
    let attempt = |launcher: Launcher, work: Work, directory: &Path| {
        let job = Job {
            work,
            scratch: directory,
            readable: &[],
            network: Network::None,
            limits: small(),
        };
        run(&launcher, &job, &AtomicBool::new(false)).unwrap_err()
    };
    let echo = || entry("echo", Value::Null);
    let error = attempt(launcher(), missing, scratch.path());
    assert!(
        matches!(&error, SandboxError::Confine(reason) if reason.starts_with("cannot execute /usr/bin/no-such-engine: ")),
        "{error}"
    );
    let error = attempt(launcher(), echo(), &scratch.path().join("missing"));
    assert!(
        matches!(&error, SandboxError::Confine(reason) if reason.starts_with("cannot enter the scratch directory: ")),
        "{error}"
    );
    let error = attempt(
        Launcher::new(Path::new("/no/launcher")),
        echo(),
        scratch.path(),
    );
    assert!(matches!(error, SandboxError::Start { .. }), "{error}");
    // An executable that does not act as a child is detected.
    let error = attempt(
        Launcher::new(Path::new("/bin/true")),
        echo(),
        scratch.path(),
    );
    assert!(
        matches!(&error, SandboxError::Confine(reason) if reason == "it ended before it was confined"),
        "{error}"
    );
}

#[test]
fn many_jobs_run_in_parallel() {
    let threads: Vec<_> = (0..8)
        .map(|number| std::thread::spawn(move || ask("echo", json!(number))))
        .collect();
    for (number, thread) in threads.into_iter().enumerate() {
        assert_eq!(thread.join().unwrap(), json!(number));
    }
}
