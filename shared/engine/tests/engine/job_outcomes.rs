//! After every outcome of a job, the error code says whether the document or the service caused it, and no process of the
//! job is alive.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::JobErrorCode;
use engine::{Artifact, EngineError, Engines, Request};

use crate::{corpus, harness};

pub(crate) fn to_pdf(
    engines: &Engines,
    scratch: &Path,
    source: &Path,
    stop: &AtomicBool,
) -> Result<Artifact, EngineError> {
    let extension = source.extension().unwrap().to_str().unwrap();
    let filename = Filename::try_from("name.docx".to_owned()).unwrap();
    engines.run(&Request {
        steps: &[harness::convert(Format::Pdf)],
        part: None,
        source,
        web_page: None,
        attachments: &[],
        declared_format: Format::from_extension(extension).unwrap(),
        filename: &filename,
        limits: harness::GENEROUS,
        scratch,
        stop,
        progress: &|_| {},
        cpu_time: &|_, _| {},
    })
}

/// Processes with this working directory or with it as an argument.
pub(crate) fn processes_of(scratch: &Path) -> Vec<String> {
    let scratch = scratch.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|process| {
            let command = std::fs::read(process.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).into_owned();
            let place = std::fs::read_link(process.path().join("cwd")).unwrap_or_default();
            let here = command.contains(scratch) || place.starts_with(scratch);
            here.then_some(command)
        })
        .collect()
}

#[test]
fn no_process_survives_its_job() {
    let engines = harness::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
    for (file, after) in [
        ("docx/text-box.docx", 60_000),
        ("hostile/truncated62886.docx", 60_000),
        ("xlsx/PerformanceArabic.xlsx", 700),
        ("images/jpeg/cat.jpg", 60_000),
    ] {
        let scratch = tempfile::tempdir().unwrap();
        let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..after / 50 {
                    if done.load(Ordering::Acquire) {
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(50));
                }
                stop.store(true, Ordering::Release);
            });
            to_pdf(&engines, scratch.path(), &corpus::file(file), &stop).ok();
            done.store(true, Ordering::Release);
        });
        assert_eq!(processes_of(scratch.path()), Vec::<String>::new(), "{file}");
    }
}

#[test]
fn unusable_child_executable_is_a_service_error() {
    for launcher in ["/nonexistent/launcher", "/bin/true"] {
        let engines = harness::started_by(Path::new(launcher));
        let scratch = tempfile::tempdir().unwrap();
        let source = corpus::file("images/jpeg/cat.jpg");
        let result = to_pdf(&engines, scratch.path(), &source, &AtomicBool::new(false));
        assert!(
            matches!(result, Err(EngineError::Service(_))),
            "{launcher}: {result:?}"
        );
    }
}

#[test]
fn missing_source_is_a_service_error() {
    let engines = harness::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("gone.jpg");
    let result = to_pdf(&engines, scratch.path(), &source, &AtomicBool::new(false));
    assert!(matches!(result, Err(EngineError::Service(_))), "{result:?}");
}

#[test]
fn the_next_document_is_unaffected() {
    let engines = harness::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
    let run = |file: &str| {
        let scratch = tempfile::tempdir().unwrap();
        let source = corpus::file(file);
        let result = to_pdf(&engines, scratch.path(), &source, &AtomicBool::new(false));
        result.map(|artifact| artifact.sha256)
    };
    let before = run("docx/text-box.docx").unwrap();
    let rejected = run("hostile/OOM_alloc3.xls");
    assert!(
        matches!(&rejected, Err(EngineError::Document(error)) if error.code == JobErrorCode::InputCorrupt),
        "{rejected:?}"
    );
    assert_eq!(run("docx/text-box.docx"), Ok(before));
}
