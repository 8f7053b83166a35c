//! The sandbox with a launcher that misbehaves like an engine exploited by a hostile document.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod confinement;
mod forks;
mod jail;
mod limits;
mod parent;
mod prewarmed;
mod work;
mod zygotes;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandbox::{FinishedChild, Job, Launcher, Limits, Network, Outcome, Scratch, Work, run};
use serde_json::{Value, json};

const FIXTURE: &str = env!("CARGO_BIN_EXE_sandbox-fixture");
const MIB: u64 = 1024 * 1024;

fn launcher() -> Launcher {
    Launcher::new(Path::new(FIXTURE))
}

/// Limits that hostile work soon exceeds and valid work never does.
fn small() -> Limits {
    Limits {
        wall: Duration::from_secs(20),
        cpu: Duration::from_secs(10),
        address_space: 1024 * MIB,
        resident: 128 * MIB,
        file_size: 16 * MIB,
        scratch: 32 * MIB,
        open_files: 64,
        processes: 8,
    }
}

fn entry(name: &str, request: Value) -> Work {
    Work::Entry {
        name: name.to_owned(),
        request,
    }
}

fn shell(script: &str) -> Work {
    Work::Program {
        executable: PathBuf::from("/bin/sh"),
        args: vec!["-c".to_owned(), script.to_owned()],
        env: Vec::new(),
    }
}

fn run_in(scratch: &Path, work: Work, limits: Limits) -> FinishedChild {
    let job = Job {
        work,
        scratch,
        readable: &[],
        network: Network::None,
        limits,
    };
    run(&launcher(), &job, &AtomicBool::new(false)).unwrap()
}

/// Runs work that is expected to fail, then checks that it leaves nothing behind and that good work still succeeds.
fn run_hostile(work: Work, limits: Limits) -> FinishedChild {
    let scratch = Scratch::create(None).unwrap();
    let path = scratch.path().to_owned();
    let finished = run_in(&path, work, limits);
    assert_eq!(processes_in(&path), Vec::<String>::new());
    scratch.wipe().unwrap();
    assert!(!path.exists());
    assert_good_run();
    finished
}

fn assert_good_run() {
    let request = json!({"document": "good"});
    assert_eq!(ask("echo", request.clone()), request);
}

/// Runs an entry and parses its output.
fn ask(name: &str, request: Value) -> Value {
    let scratch = Scratch::create(None).unwrap();
    let finished = run_in(scratch.path(), entry(name, request), small());
    assert_eq!(
        finished.outcome,
        Outcome::Exited { code: 0 },
        "{}",
        finished.stderr_tail
    );
    serde_json::from_slice(&finished.stdout).unwrap()
}

/// Command lines of living processes whose working directory is `directory`.
fn processes_in(directory: &Path) -> Vec<String> {
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let process = entry.unwrap().path();
            let working_in = std::fs::read_link(process.join("cwd")).ok()?;
            (working_in == directory)
                .then(|| std::fs::read_to_string(process.join("cmdline")).unwrap_or_default())
        })
        .collect()
}
