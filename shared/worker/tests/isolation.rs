//! Engine crashes, hangs, memory and disk exhaustion in a real sandbox: each fails with its own code, and the next job in the
//! same process succeeds. The test executable is its own sandboxed child, so it has its own `main`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test"
)]

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use domain::format::Format;
use domain::job::{Job, JobError, JobErrorCode, JobStatus};
use domain::operation::Operation;
use domain::plan::Plan;
use domain::ports::Jobs as _;
use domain::source::upload_object;
use domain::ticket::Ticket;
use engine::{Artifact, EngineError, Request};
use sandbox::{EXIT_SCRATCH_FULL, Launcher, Limits, Network, Outcome, Work};
use testkit::{Fakes, sample};
use worker::{Engine, Worker};

const MEBIBYTE: u64 = 1024 * 1024;
const RESULT: &str = "result";

fn main() {
    if sandbox::child::enter().is_some() {
        misbehave_as_requested();
        return;
    }
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        list(&arguments);
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .unwrap()
        .block_on(each_failure_has_its_own_code_and_the_next_job_succeeds());
    println!("test each_failure_has_its_own_code_and_the_next_job_succeeds ... ok");
}

/// Lists the tests like the standard harness; none is ignored.
fn list(arguments: &[String]) {
    if !arguments.iter().any(|argument| argument == "--ignored") {
        println!("each_failure_has_its_own_code_and_the_next_job_succeeds: test");
    }
}

async fn each_failure_has_its_own_code_and_the_next_job_succeeds() {
    let scratch = tempfile::tempdir().unwrap();
    let fakes = Arc::new(Fakes::new());
    let worker = Worker::new(
        Arc::clone(&fakes),
        Arc::new(Fixture),
        Arc::clone(&fakes) as Arc<_>,
        scratch.path().to_owned(),
        || SystemTime::now().into(),
    );
    let misfortunes = [
        ("crash", JobErrorCode::EngineCrashed),
        ("hang", JobErrorCode::EngineTimeout),
        ("memory", JobErrorCode::EngineOutOfMemory),
        ("disk", JobErrorCode::OutputTooLarge),
    ];
    for (misfortune, code) in misfortunes {
        let started = Instant::now();
        let job = process(&fakes, &worker, misfortune).await;
        assert_eq!(job.status, JobStatus::Failed, "{misfortune}");
        assert_eq!(job.error.unwrap().code, code, "{misfortune}");
        assert_eq!(fakes.refund(&job.id), Some(job.charge), "{misfortune}");
        assert!(started.elapsed() < Duration::from_secs(20), "{misfortune}");

        let job = process(&fakes, &worker, "good words").await;
        assert_eq!(job.status, JobStatus::Completed, "after {misfortune}");
        let object = format!("results/{}/{}/1/result.txt", job.account_id, job.id);
        let stored = fakes.object(&object).unwrap();
        assert_eq!(stored.1, b"GOOD WORDS", "after {misfortune}");

        let left = std::fs::read_dir(scratch.path()).unwrap().count();
        assert_eq!(left, 0, "scratch after {misfortune}");
        assert_eq!(children(), 0, "processes after {misfortune}");
    }
}

/// Creates a job for this source, processes it and returns it.
async fn process(fakes: &Fakes, worker: &Worker<Fakes, Fixture>, source: &str) -> Job {
    let account = sample::account(fakes, Plan::Free);
    let fingerprint = sample::fingerprint(fakes);
    let mut acceptance = sample::acceptance(fakes, &account, &fingerprint);
    let job = &mut acceptance.job;
    let account_id = job.account_id.clone();
    let upload = sample::upload(job);
    let name = upload_object(&account_id, &upload.key);
    upload.etag = fakes.put_object(&name, "text/plain", source.as_bytes());
    upload.size_bytes = source.len() as u64;
    fakes.accept(&acceptance).await.unwrap();
    let job = acceptance.job;
    worker.handle(&Ticket::for_job(&job)).await.unwrap();
    fakes.job(&job.id).await.unwrap().unwrap()
}

/// Counts the child processes, including zombies.
fn children() -> usize {
    let stat = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("stat")).ok();
    let parent = |stat: String| {
        stat.rsplit_once(')')?
            .1
            .split_ascii_whitespace()
            .nth(1)?
            .parse()
            .ok()
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| parent(stat(entry)?))
        .filter(|parent: &u32| *parent == std::process::id())
        .count()
}

/// An engine with one sandboxed child and small limits.
struct Fixture;

impl Engine for Fixture {
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        let job = sandbox::Job {
            work: Work::Entry {
                name: "fixture".to_owned(),
                request: serde_json::Value::Null,
            },
            scratch: request.scratch,
            readable: &[],
            network: Network::None,
            limits: Limits {
                wall: Duration::from_secs(2),
                resident: 128 * MEBIBYTE,
                file_size: 8 * MEBIBYTE,
                scratch: 64 * MEBIBYTE,
                ..Limits::default()
            },
        };
        let finished = sandbox::run(&Launcher::current(), &job, request.stop)
            .map_err(|error| EngineError::Service(error.to_string()))?;
        let code = match finished.outcome {
            Outcome::Exited { code: 0 } => return Ok(artifact(&request.scratch.join(RESULT))),
            Outcome::Exited { .. } | Outcome::Crashed { .. } => JobErrorCode::EngineCrashed,
            Outcome::TimedOut => JobErrorCode::EngineTimeout,
            Outcome::OutOfMemory => JobErrorCode::EngineOutOfMemory,
            Outcome::ScratchFull => JobErrorCode::OutputTooLarge,
            Outcome::Stopped => return Err(EngineError::Stopped),
        };
        Err(EngineError::Document(JobError::new(code, "misfortune")))
    }

    fn fingerprint(&self, _operation: &Operation, _from: Format) -> Option<String> {
        None
    }
}

/// The sandboxed child. Its working directory is the scratch directory.
fn misbehave_as_requested() {
    let source = std::fs::read_to_string("source").unwrap();
    match source.as_str() {
        "crash" => std::process::abort(),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "memory" => exhaust_memory(),
        "disk" => fill_disk(),
        words => std::fs::write(RESULT, words.to_uppercase()).unwrap(),
    }
}

fn exhaust_memory() {
    let mut eaten = Vec::new();
    loop {
        eaten.push(vec![1_u8; 1 << 20]);
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn fill_disk() {
    for number in 0.. {
        let mut file = std::fs::File::create(format!("filling-{number}")).unwrap();
        for _ in 0..4 {
            if file.write_all(&vec![1_u8; 1 << 20]).is_err() {
                std::process::exit(EXIT_SCRATCH_FULL);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn artifact(path: &Path) -> Artifact {
    Artifact {
        path: path.to_owned(),
        content_type: "text/plain".to_owned(),
        extension: "txt".to_owned(),
        size_bytes: std::fs::metadata(path).unwrap().len(),
        sha256: "ab12".to_owned(),
        pages: 1,
        contents: None,
        warnings: Vec::new(),
        engine: "fixture".to_owned(),
    }
}
