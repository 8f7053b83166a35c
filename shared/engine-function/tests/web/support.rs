//! Renders pages with the engines of an engine function.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use domain::engine_function::EngineFunction;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{ConvertOptions, Operation};
use domain::source::SourceUrl;
use engine::{Artifact, EngineError, Engines, Modules, Request, WebAccess};
use engine_function::{GuardedWeb, PAGE};
use fetch::{Client, PageLimits, PageProxies};
use sandbox::{Launcher, probe};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::internet::Internet;

const LIMITS: JobLimits = JobLimits {
    file_bytes: 20_000_000,
    pages: 200,
    image_side: 4_000,
};

/// Prints a page and returns the text of the PDF.
pub(crate) fn print(internet: &Internet, url: &str) -> Result<String, EngineError> {
    print_within(internet, url, PAGE)
}

pub(crate) fn print_within(
    internet: &Internet,
    url: &str,
    limits: PageLimits,
) -> Result<String, EngineError> {
    run(&engines(internet, limits), url)
}

/// Returns the code and message of the error of a page.
pub(crate) fn page_error(internet: &Internet, url: &str) -> (JobErrorCode, String) {
    match print(internet, url) {
        Err(EngineError::Document(error)) => (error.code, error.message),
        other => panic!("{url}: {other:?}"),
    }
}

pub(crate) fn engines(internet: &Internet, limits: PageLimits) -> Engines {
    engines_of(internet.client(), limits)
}

pub(crate) fn engines_of(client: Client, limits: PageLimits) -> Engines {
    let proxies = PageProxies::new(client, runtime().handle().clone()).unwrap();
    engines_over(Arc::new(GuardedWeb::new(proxies, limits)))
}

pub(crate) fn engines_over(web: Arc<dyn WebAccess>) -> Engines {
    provide_pdfium();
    let engines =
        Engines::discover(launcher(), Modules::ALL, &[EngineFunction::EngineWeb]).unwrap();
    engines.with_web(web)
}

fn launcher() -> Launcher {
    Launcher::new(Path::new(env!("CARGO_BIN_EXE_engine-function-fixture")))
}

/// Prints a page and extracts the text of the PDF.
pub(crate) fn run(engines: &Engines, url: &str) -> Result<String, EngineError> {
    let steps =
        [Format::Pdf, Format::Txt].map(|format| Operation::Convert(ConvertOptions::to(format)));
    let text = run_steps_with(engines, url, &steps)?;
    Ok(String::from_utf8(text).unwrap())
}

/// Creates a conversion with options.
pub(crate) fn convert(mut options: Value) -> Operation {
    options["operation"] = "convert".into();
    Operation::read(&options, "$").unwrap()
}

/// Runs the steps on a page and returns the result.
pub(crate) fn run_steps(
    internet: &Internet,
    url: &str,
    steps: &[Operation],
) -> Result<Vec<u8>, EngineError> {
    run_steps_with(&engines(internet, PAGE), url, steps)
}

fn run_steps_with(
    engines: &Engines,
    url: &str,
    steps: &[Operation],
) -> Result<Vec<u8>, EngineError> {
    run_on(&|request| engines.run(request), url, steps)
}

/// Runs the steps on a page with this function and returns the result.
pub(crate) fn run_on(
    run: &dyn Fn(&Request<'_>) -> Result<Artifact, EngineError>,
    url: &str,
    steps: &[Operation],
) -> Result<Vec<u8>, EngineError> {
    let scratch = tempfile::tempdir().unwrap();
    let artifact = run(&Request {
        steps,
        part: None,
        source: &scratch.path().join("source"),
        web_page: Some(&SourceUrl::new(url)),
        attachments: &[],
        declared_format: Format::Html,
        filename: &Filename::try_from("page.html".to_owned()).unwrap(),
        limits: LIMITS,
        scratch: scratch.path(),
        stop: &AtomicBool::new(false),
        progress: &|_| {},
        cpu_time: &|_, _| {},
    })?;
    Ok(std::fs::read(artifact.path).unwrap())
}

/// Runs a test with Landlock, if the kernel has it, and again without it, as on Lambda.
pub(crate) fn with_and_without_landlock(test: fn()) {
    test();
    let without = std::thread::spawn(move || {
        // For this thread and the processes that it starts.
        apply_filter(&landlock_refused()).unwrap();
        assert_eq!(probe(&launcher()).unwrap().landlock_abi, 0);
        test();
    });
    without.join().unwrap();
}

/// A filter in which Landlock does not exist.
fn landlock_refused() -> BpfProgram {
    let rules = BTreeMap::from([(libc::SYS_landlock_create_ruleset, Vec::new())]);
    let refused = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let architecture = TargetArch::try_from(std::env::consts::ARCH).unwrap();
    SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture)
        .unwrap()
        .try_into()
        .unwrap()
}

/// The runtime that serves the proxies.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().unwrap())
}

/// Links the PDFium library next to the test's executable, where the engines look for it.
fn provide_pdfium() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let installed = root
        .canonicalize()
        .unwrap()
        .join(".octavo/lib/libpdfium.so");
    if std::env::var_os("PDFIUM_LIBRARY").is_none() && installed.exists() {
        let executable = std::env::current_exe().unwrap();
        // Another test may have created it concurrently.
        symlink(installed, executable.with_file_name("libpdfium.so")).ok();
    }
}
