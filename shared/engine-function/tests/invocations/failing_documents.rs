//! Documents that crash an engine, never end, or exhaust memory or disk, alternating with good documents in one process.

use std::path::Path;
use std::time::Duration;

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::operation::Operation;
use engine::{Artifact, ChildPurpose, EngineError, Request};
use engine_function::Engine;
use invocation::Response;
use runtime::invocation::Next;
use sandbox::{Launcher, Limits, Network, Outcome, Work};

use crate::store::Store;
use crate::support::{Function, completed, convert};

const MEBIBYTE: u64 = 1024 * 1024;

/// An engine with one sandboxed child, which misbehaves as its document says, and small limits.
struct Misbehaving;

impl Engine for Misbehaving {
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        // Only a document that hangs may reach its time limit, also on a busy machine.
        let seconds = match std::fs::read(request.source).unwrap().as_slice() {
            b"hang" => 1,
            _ => 60,
        };
        let job = sandbox::Job {
            work: Work::Entry {
                name: "misbehaving".to_owned(),
                request: serde_json::Value::Null,
            },
            scratch: request.scratch,
            readable: &[],
            network: Network::None,
            limits: Limits {
                wall: Duration::from_secs(seconds),
                resident: 128 * MEBIBYTE,
                file_size: 8 * MEBIBYTE,
                scratch: 64 * MEBIBYTE,
                ..Limits::default()
            },
        };
        let launcher = Launcher::new(Path::new(env!("CARGO_BIN_EXE_misbehaving-child")));
        let finished = sandbox::run(&launcher, &job, request.stop)?;
        (request.cpu_time)(ChildPurpose::Operation, finished.cpu);
        let code = match finished.outcome {
            Outcome::Exited { code: 0 } => return Ok(artifact(request.scratch)),
            Outcome::Exited { .. } | Outcome::Crashed { .. } => JobErrorCode::EngineCrashed,
            Outcome::TimedOut => JobErrorCode::EngineTimeout,
            Outcome::OutOfMemory => JobErrorCode::EngineOutOfMemory,
            Outcome::ScratchFull => JobErrorCode::OutputTooLarge,
            Outcome::Stopped => return Err(EngineError::Stopped),
        };
        let message = "failure\n".repeat(1_000);
        Err(EngineError::Document(JobError::new(code, message)))
    }

    fn fingerprint(&self, _: &Operation, _: Format) -> Result<Option<String>, EngineError> {
        Ok(Some("misbehaving 1".to_owned()))
    }
}

fn artifact(scratch: &Path) -> Artifact {
    let path = scratch.join("result");
    let (size_bytes, sha256) = engine::size_and_sha256(&path).unwrap();
    Artifact {
        path,
        content_type: "text/plain".to_owned(),
        extension: "txt".to_owned(),
        size_bytes,
        sha256,
        pages: 1,
        contents: None,
        warnings: Vec::new(),
        engine: "misbehaving 1".to_owned(),
    }
}

/// Counts the misbehaving child processes of this test, including zombies.
fn children() -> usize {
    let stat = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("stat")).ok();
    let parent = |stat: String| {
        let (name, fields) = stat.rsplit_once(')')?;
        // The kernel cuts names.
        let is_child = name.ends_with("(misbehaving-chi");
        let parent = fields.split_ascii_whitespace().nth(1)?.parse().ok();
        parent.filter(|_| is_child)
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| parent(stat(entry)?))
        .filter(|parent: &u32| *parent == std::process::id())
        .count()
}

/// Runs twenty hostile documents, each followed by a good one, without a fresh process in between.
#[tokio::test]
async fn each_failing_document_requires_a_fresh_process_and_the_next_one_is_served() {
    let kinds = [
        ("crash", JobErrorCode::EngineCrashed),
        ("memory", JobErrorCode::EngineOutOfMemory),
        ("disk", JobErrorCode::OutputTooLarge),
        ("hang", JobErrorCode::EngineTimeout),
    ];
    let (store, function) = (Store::start(), Function::with(Misbehaving));
    for (round, (kind, code)) in kinds.iter().cycle().take(20).enumerate() {
        let hostile = store.input("hostile", kind.as_bytes());
        let (response, next) = function.run(convert(&store, hostile, "txt")).await;
        match response {
            Response::Rejected(error) => assert_eq!(error.code, *code, "{kind} in round {round}"),
            other => panic!("{kind} in round {round}: {other:?}"),
        }
        assert_eq!(next, Next::End, "{kind}");
        assert_eq!(children(), 0, "processes after {kind}");

        let good = store.input("good", b"good words");
        let (response, next) = function.run(convert(&store, good, "txt")).await;
        assert_eq!(completed(response).size_bytes, 10, "after {kind}");
        assert_eq!(next, Next::Serve);
        assert_eq!(store.uploads(), round + 1);
    }
}
