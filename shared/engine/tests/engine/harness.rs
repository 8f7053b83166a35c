//! Test harness: runs the engines on a file as an engine function does.

use std::collections::HashSet;
use std::hash::Hash;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use domain::engine_function::EngineFunction;
use domain::filename::Filename;
use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::ocr_part::OcrPart;
use domain::operation::{CompressOptions, ConvertOptions, Operation, converts_by_structure};
use engine::{Artifact, Attachment, EngineError, Engines, Modules, Request};
use sandbox::Launcher;
use task::{OUTPUT, Product, Task, TaskError, TaskResult, Verified};
use tempfile::TempDir;

/// Plan limits that no document of the corpus exceeds.
pub(crate) const GENEROUS: JobLimits = JobLimits {
    file_bytes: 1_000_000_000,
    pages: 5_000,
    image_side: 20_000,
};

/// A result and the directory that contains it.
pub(crate) struct Converted {
    pub(crate) artifact: Artifact,
    pub(crate) progress: Vec<u8>,
    _scratch: TempDir,
}

impl Converted {
    pub(crate) fn path(&self) -> &Path {
        &self.artifact.path
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.path()).unwrap()
    }

    pub(crate) fn warnings(&self) -> Vec<&str> {
        let warnings = self.artifact.warnings.iter();
        warnings.map(|warning| warning.code.as_str()).collect()
    }
}

pub(crate) fn convert(format: Format) -> Operation {
    Operation::Convert(ConvertOptions::to(format))
}

pub(crate) fn compress(format: Option<Format>) -> Operation {
    Operation::Compress(CompressOptions {
        format,
        ..CompressOptions::default()
    })
}

/// Runs operations on a file.
pub(crate) fn run(
    source: &Path,
    declared_format: Format,
    steps: &[Operation],
) -> Result<Converted, EngineError> {
    run_within(source, declared_format, steps, GENEROUS)
}

/// Runs operations on a document.
pub(crate) fn run_bytes(
    document: &[u8],
    declared_format: Format,
    steps: &[Operation],
) -> Result<Converted, EngineError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    run(file.path(), declared_format, steps)
}

/// The error code of converting a document to PDF, or a PDF to PNG.
pub(crate) fn rejection_code(document: &[u8], declared_format: Format) -> Option<JobErrorCode> {
    let to = match declared_format {
        Format::Pdf => Format::Png,
        _ => Format::Pdf,
    };
    code(run_bytes(document, declared_format, &[convert(to)])).err()
}

/// The error code of converting a document to PDF with a page limit.
pub(crate) fn rejection_code_within(
    source: &Path,
    declared_format: Format,
    pages: u32,
) -> Option<JobErrorCode> {
    let limits = JobLimits { pages, ..GENEROUS };
    code(run_within(
        source,
        declared_format,
        &[convert(Format::Pdf)],
        limits,
    ))
    .err()
}

/// Runs operations on a file with plan limits.
pub(crate) fn run_within(
    source: &Path,
    declared_format: Format,
    steps: &[Operation],
    limits: JobLimits,
) -> Result<Converted, EngineError> {
    run_until(
        source,
        declared_format,
        steps,
        limits,
        &AtomicBool::new(false),
    )
}

/// Runs an operation on a file with attachments.
pub(crate) fn run_with_attachments(
    (source, declared_format): (&Path, Format),
    attachments: &[(&Path, Format)],
    step: Operation,
    limits: JobLimits,
) -> Result<Converted, EngineError> {
    let stop = AtomicBool::new(false);
    start(
        source,
        &attached(attachments),
        declared_format,
        (&[step], None),
        (limits, &stop),
        tempfile::tempdir().unwrap(),
    )
}

/// Runs a part of an operation on a file with attachments, in a scratch directory.
pub(crate) fn run_part(
    (source, declared_format): (&Path, Format),
    attachments: &[(&Path, Format)],
    (step, part): (Operation, &OcrPart),
    scratch: TempDir,
) -> Result<Converted, EngineError> {
    let stop = AtomicBool::new(false);
    start(
        source,
        &attached(attachments),
        declared_format,
        (&[step], Some(part)),
        (GENEROUS, &stop),
        scratch,
    )
}

fn attached(files: &[(&Path, Format)]) -> Vec<Attachment> {
    let attached = files.iter().map(|(path, declared_format)| Attachment {
        step: 0,
        path: path.to_path_buf(),
        declared_format: *declared_format,
    });
    attached.collect()
}

/// Runs operations on a file until they are done or `stop` is set.
pub(crate) fn run_until(
    source: &Path,
    declared_format: Format,
    steps: &[Operation],
    limits: JobLimits,
    stop: &AtomicBool,
) -> Result<Converted, EngineError> {
    let scratch = tempfile::tempdir().unwrap();
    let steps = (steps, None);
    start(source, &[], declared_format, steps, (limits, stop), scratch)
}

fn start(
    source: &Path,
    attachments: &[Attachment],
    declared_format: Format,
    (steps, part): (&[Operation], Option<&OcrPart>),
    (limits, stop): (JobLimits, &AtomicBool),
    scratch: TempDir,
) -> Result<Converted, EngineError> {
    let progress = Mutex::new(Vec::new());
    let filename = Filename::try_from("Übersicht 1.docx".to_owned()).unwrap();
    let artifact = engines().run(&Request {
        steps,
        part,
        source,
        web_page: None,
        attachments,
        declared_format,
        filename: &filename,
        limits,
        scratch: scratch.path(),
        stop,
        progress: &|percent| progress.lock().unwrap().push(percent),
        cpu_time: &|_, _| {},
    })?;
    Ok(Converted {
        artifact,
        progress: progress.into_inner().unwrap(),
        _scratch: scratch,
    })
}

/// The task of a conversion in a directory, for calls of verification.
pub(crate) fn conversion_task(
    (source, from): (&Path, Format),
    to: Format,
    directory: &Path,
) -> Task {
    Task {
        operation: convert(to),
        part: None,
        source: source.to_owned(),
        from,
        attachments: Vec::new(),
        to,
        limits: GENEROUS,
        directory: directory.to_owned(),
        scratch: directory.to_owned(),
        stem: "source".to_owned(),
        pdfium: Some(pdfium()),
        models: None,
        browser: None,
        page: None,
        product: None,
    }
}

/// Verifies a result of an operation on a PDF, and checks that it is accepted or that the reason for its rejection contains
/// `expected`.
pub(crate) fn assert_verification(
    verify: fn(&Task, &Product) -> TaskResult<Verified>,
    operation: Operation,
    (source, result): (&[u8], &[u8]),
    expected: Option<&str>,
) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("source.pdf");
    std::fs::write(&file, source).unwrap();
    std::fs::write(directory.path().join(OUTPUT), result).unwrap();
    let mut task = conversion_task((&file, Format::Pdf), Format::Pdf, directory.path());
    task.operation = operation;
    let message = match verify(&task, &Product::default()) {
        Ok(_) => None,
        Err(TaskError::Document(error)) => Some(error.message),
        Err(other) => panic!("{other:?}"),
    };
    let is_right = match (&message, expected) {
        (Some(message), Some(expected)) => message.contains(expected),
        (message, expected) => message.is_none() && expected.is_none(),
    };
    assert!(is_right, "{expected:?}: {message:?}");
}

/// Maps an error to its job error code.
pub(crate) fn code(result: Result<Converted, EngineError>) -> Result<Converted, JobErrorCode> {
    result.map_err(|error| match error {
        EngineError::Document(error) => error.code,
        other => panic!("not the document's fault: {other:?}"),
    })
}

/// The engines for this thread. Engines convert one office document at a time, so threads use different ones.
fn engines() -> &'static Engines {
    static POOL: [OnceLock<Engines>; 2] = [const { OnceLock::new() }; 2];
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static PLACE: usize = NEXT.fetch_add(1, Ordering::Relaxed) % POOL.len();
    }
    PLACE.with(|place| {
        POOL[*place].get_or_init(|| started_by(Path::new(env!("CARGO_BIN_EXE_engine-child"))))
    })
}

/// Engines that start this executable as their child.
pub(crate) fn started_by(launcher: &Path) -> Engines {
    provide_pdfium();
    Engines::discover(Launcher::new(launcher), Modules::ALL, EngineFunction::ALL).unwrap()
}

/// Links the PDFium of the development setup next to the test executable, where the engines look for it.
fn provide_pdfium() {
    let installed = checkout().join(".octavo/lib/libpdfium.so");
    if std::env::var_os("PDFIUM_LIBRARY").is_none() && installed.exists() {
        let executable = std::env::current_exe().unwrap();
        // A concurrent test may have created the link.
        symlink(installed, executable.with_file_name("libpdfium.so")).ok();
    }
}

/// Path of the PDFium library that the engines load.
pub(crate) fn pdfium() -> PathBuf {
    let named = std::env::var_os("PDFIUM_LIBRARY").map(PathBuf::from);
    named.unwrap_or_else(|| checkout().join(".octavo/lib/libpdfium.so"))
}

/// The root of the checkout.
pub(crate) fn checkout() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// Whether long series are tested completely instead of by a sample.
pub(crate) fn runs_all_cases() -> bool {
    std::env::var("OCTAVO_CASES").is_ok_and(|value| value == "all")
}

/// Calls `work` for each item, a few in parallel, and panics at the end if any call panicked.
pub(crate) fn each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    const PARALLELISM: usize = 3;
    in_parallel(PARALLELISM, items, work);
}

/// Like [`each`], with the given parallelism.
pub(crate) fn in_parallel<T: Send>(parallelism: usize, items: Vec<T>, work: impl Fn(T) + Sync) {
    assert!(!items.is_empty(), "no test cases");
    let items = Mutex::new(items.into_iter());
    let failed = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..parallelism {
            scope.spawn(|| {
                loop {
                    let next = items.lock().unwrap().next();
                    let Some(item) = next else { break };
                    let work = std::panic::AssertUnwindSafe(|| work(item));
                    if std::panic::catch_unwind(work).is_err() {
                        *failed.lock().unwrap() += 1;
                    }
                }
            });
        }
    });
    assert_eq!(failed.into_inner().unwrap(), 0, "see above");
}

/// Like [`each`], for a sample of a long series, or for all items if `OCTAVO_CASES` is `all`. The sample covers every kind
/// (format, operation) that any item has, plus every 21st of the other items. `first` is the start of the sample: tests
/// of the same series use different values to cover different items.
pub(crate) fn sample<T: Send, K: Eq + Hash, const N: usize>(
    mut items: Vec<T>,
    first: usize,
    kinds: impl Fn(&T) -> [K; N],
    work: impl Fn(T) + Sync,
) {
    const STEP: usize = 21;
    if !runs_all_cases() {
        items.rotate_left(first);
        let (mut covered, mut others) = (HashSet::new(), 0);
        items.retain(|item| {
            let mut adds_kind = false;
            for kind in kinds(item) {
                adds_kind |= covered.insert(kind);
            }
            others += usize::from(!adds_kind);
            adds_kind || others % STEP == 0
        });
    }
    each(items, work);
}

/// Like [`formats`], apart for conversions by structure and by an application.
pub(crate) fn formats_and_engines(
    (from, to): (Format, Format),
) -> [(&'static str, Format, bool); 2] {
    let by_structure = converts_by_structure(from, to);
    [("from", from, by_structure), ("to", to, by_structure)]
}

/// The kinds of a conversion for [`sample`]: each format as a source and each as a target.
pub(crate) fn formats((from, to): &(Format, Format)) -> [(&'static str, Format); 2] {
    [("from", *from), ("to", *to)]
}
