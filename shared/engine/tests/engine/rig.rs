//! Runs the engines on a file as a processor does.

use std::collections::HashSet;
use std::hash::Hash;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{CompressOptions, ConvertOptions, Operation};
use domain::processor::Processor;
use engine::{Artifact, Attachment, EngineError, Engines, Modules, Request};
use sandbox::Launcher;
use tempfile::TempDir;

/// A plan that no document of the corpus exceeds.
pub(crate) const GENEROUS: JobLimits = JobLimits {
    file_bytes: 1_000_000_000,
    pages: 5_000,
    image_side: 20_000,
};

/// A result, and the directory that it lies in.
pub(crate) struct Made {
    pub(crate) artifact: Artifact,
    pub(crate) progress: Vec<u8>,
    _scratch: TempDir,
}

impl Made {
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

/// Applies steps to a file.
pub(crate) fn run(
    source: &Path,
    claimed: Format,
    steps: &[Operation],
) -> Result<Made, EngineError> {
    run_within(source, claimed, steps, GENEROUS)
}

/// Applies steps to a document.
pub(crate) fn run_bytes(
    document: &[u8],
    claimed: Format,
    steps: &[Operation],
) -> Result<Made, EngineError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    run(file.path(), claimed, steps)
}

/// The code that a document is refused with when it is to become PDF, or a picture if it is one.
pub(crate) fn refused(document: &[u8], claimed: Format) -> Option<JobErrorCode> {
    let to = match claimed {
        Format::Pdf => Format::Png,
        _ => Format::Pdf,
    };
    code(run_bytes(document, claimed, &[convert(to)])).err()
}

/// The code that a document is refused with when it is to become PDF under a plan of so many pages.
pub(crate) fn refused_within(source: &Path, claimed: Format, pages: u32) -> Option<JobErrorCode> {
    let limits = JobLimits { pages, ..GENEROUS };
    code(run_within(source, claimed, &[convert(Format::Pdf)], limits)).err()
}

/// Applies steps to a file under a plan's limits.
pub(crate) fn run_within(
    source: &Path,
    claimed: Format,
    steps: &[Operation],
    limits: JobLimits,
) -> Result<Made, EngineError> {
    run_until(source, claimed, steps, limits, &AtomicBool::new(false))
}

/// Applies a step to a file with other files beside it.
pub(crate) fn run_beside(
    (source, claimed): (&Path, Format),
    beside: &[(&Path, Format)],
    step: Operation,
    limits: JobLimits,
) -> Result<Made, EngineError> {
    let attachments = beside.iter().map(|(path, claimed)| Attachment {
        step: 0,
        path: path.to_path_buf(),
        claimed: *claimed,
    });
    let attachments: Vec<_> = attachments.collect();
    let stop = AtomicBool::new(false);
    start(source, &attachments, claimed, &[step], (limits, &stop))
}

/// Applies steps to a file until they are done or `stop` is raised.
pub(crate) fn run_until(
    source: &Path,
    claimed: Format,
    steps: &[Operation],
    limits: JobLimits,
    stop: &AtomicBool,
) -> Result<Made, EngineError> {
    start(source, &[], claimed, steps, (limits, stop))
}

fn start(
    source: &Path,
    attachments: &[Attachment],
    claimed: Format,
    steps: &[Operation],
    (limits, stop): (JobLimits, &AtomicBool),
) -> Result<Made, EngineError> {
    let scratch = tempfile::tempdir().unwrap();
    let progress = Mutex::new(Vec::new());
    let filename = Filename::try_from("Übersicht 1.docx".to_owned()).unwrap();
    let artifact = engines().run(&Request {
        steps,
        source,
        web_page: None,
        attachments,
        claimed,
        filename: &filename,
        limits,
        scratch: scratch.path(),
        stop,
        progress: &|percent| progress.lock().unwrap().push(percent),
        spent: &|_| {},
    })?;
    Ok(Made {
        artifact,
        progress: progress.into_inner().unwrap(),
        _scratch: scratch,
    })
}

/// The code that a document is refused with.
pub(crate) fn code(result: Result<Made, EngineError>) -> Result<Made, JobErrorCode> {
    result.map_err(|error| match error {
        EngineError::Document(error) => error.code,
        other => panic!("not the document's fault: {other:?}"),
    })
}

fn engines() -> &'static Engines {
    static ENGINES: OnceLock<Engines> = OnceLock::new();
    ENGINES.get_or_init(|| started_by(Path::new(env!("CARGO_BIN_EXE_engine-child"))))
}

/// Engines whose children this executable becomes.
pub(crate) fn started_by(launcher: &Path) -> Engines {
    provide_pdfium();
    Engines::discover(Launcher::new(launcher), Modules::ALL, Processor::ALL).unwrap()
}

/// Lays the library of the set-up beside the test's executable, where the engines look for it.
fn provide_pdfium() {
    let installed = checkout().join(".octavo/lib/libpdfium.so");
    if std::env::var_os("PDFIUM_LIBRARY").is_none() && installed.exists() {
        let executable = std::env::current_exe().unwrap();
        // Another test may have been quicker.
        symlink(installed, executable.with_file_name("libpdfium.so")).ok();
    }
}

/// The library that the engines load.
pub(crate) fn pdfium() -> PathBuf {
    let named = std::env::var_os("PDFIUM_LIBRARY").map(PathBuf::from);
    named.unwrap_or_else(|| checkout().join(".octavo/lib/libpdfium.so"))
}

/// The root of the checkout.
pub(crate) fn checkout() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// Whether every case of a long series is tested, or a sample of them.
pub(crate) fn takes_all() -> bool {
    std::env::var("OCTAVO_CASES").is_ok_and(|value| value == "all")
}

/// Does `work` for each item, some at a time, and panics in the end if any did.
pub(crate) fn each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    const AT_ONCE: usize = 3;
    side_by_side(AT_ONCE, items, work);
}

/// Does `work` as [`each`] does, for this many items at a time.
pub(crate) fn side_by_side<T: Send>(at_once: usize, items: Vec<T>, work: impl Fn(T) + Sync) {
    assert!(!items.is_empty(), "nothing to look at");
    let items = Mutex::new(items.into_iter());
    let failed = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
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

/// Does `work` as [`each`] does for a sample of a long series, or for all of it where `OCTAVO_CASES` is `all`. The sample
/// covers every kind (format, operation) that any item has, and holds every seventh of the other items. `first` is where
/// in the series the choice begins: tests of the same series choose other items by it.
pub(crate) fn sample<T: Send, K: Eq + Hash, const N: usize>(
    mut items: Vec<T>,
    first: usize,
    kinds: impl Fn(&T) -> [K; N],
    work: impl Fn(T) + Sync,
) {
    const STEP: usize = 7;
    if !takes_all() {
        items.rotate_left(first);
        let (mut covered, mut others) = (HashSet::new(), 0);
        items.retain(|item| {
            let mut brings = false;
            for kind in kinds(item) {
                brings |= covered.insert(kind);
            }
            others += usize::from(!brings);
            brings || others % STEP == 0
        });
    }
    each(items, work);
}

/// The kinds of a conversion for [`sample`]: each format as a source and each as a target.
pub(crate) fn formats((from, to): &(Format, Format)) -> [(&'static str, Format); 2] {
    [("from", *from), ("to", *to)]
}
