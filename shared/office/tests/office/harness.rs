//! A zygote for tests, and its jobs.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use office::{EXIT_DIALOG, OfficeError, Zygote};
use sandbox::{FinishedChild, Job, Launcher, Limits, Network, Outcome, Work};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const MIB: u64 = 1024 * 1024;

/// LibreOffice's program directory in Debian packages.
const INSTALLATION: &str = "/usr/lib/libreoffice/program";

/// A zygote with a temporary base directory.
pub(crate) struct Harness {
    pub(crate) zygote: Zygote,
    pub(crate) base: TempDir,
}

impl Harness {
    pub(crate) fn new() -> Self {
        let fixture = Launcher::new(Path::new(env!("CARGO_BIN_EXE_office-fixture")));
        Self::with_launcher(fixture)
    }

    pub(crate) fn with_launcher(launcher: Launcher) -> Self {
        let base = tempfile::tempdir().unwrap();
        let zygote = Zygote::new(launcher, Path::new(INSTALLATION), base.path());
        Self { zygote, base }
    }

    /// Serves an entry in a fork.
    pub(crate) fn ask(&self, entry: &str, request: Value) -> Result<FinishedChild, OfficeError> {
        self.ask_within(entry, request, limits(), &AtomicBool::new(false))
    }

    pub(crate) fn ask_within(
        &self,
        entry: &str,
        request: Value,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<FinishedChild, OfficeError> {
        let scratch = tempfile::tempdir_in(self.base.path()).unwrap();
        self.ask_in(scratch.path(), (entry, request), limits, stop)
    }

    pub(crate) fn ask_in(
        &self,
        scratch: &Path,
        (name, request): (&str, Value),
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<FinishedChild, OfficeError> {
        let job = Job {
            work: Work::Entry {
                name: name.to_owned(),
                request,
            },
            scratch,
            readable: &[],
            network: Network::None,
            limits,
        };
        self.zygote.run(&job, stop)
    }

    /// Converts a document and returns the result's bytes.
    pub(crate) fn convert(
        &self,
        name: &str,
        bytes: &[u8],
        request: Value,
    ) -> Result<Vec<u8>, String> {
        let scratch = tempfile::tempdir_in(self.base.path()).unwrap();
        let (from, to) = (scratch.path().join(name), scratch.path().join("result"));
        std::fs::write(&from, bytes).unwrap();
        let mut convert_request = json!({"from": from, "to": to});
        convert_request
            .as_object_mut()
            .unwrap()
            .extend(request.as_object().unwrap().clone());
        let never = AtomicBool::new(false);
        let finished = self
            .ask_in(
                scratch.path(),
                ("convert", convert_request),
                limits(),
                &never,
            )
            .unwrap();
        let code = match finished.outcome {
            Outcome::Exited { code } => code,
            _ => panic!("{finished:?}"),
        };
        if code == EXIT_DIALOG {
            return Err("dialog".to_owned());
        }
        assert_eq!(code, 0, "{finished:?}");
        match &output(&finished)["error"] {
            Value::Null => Ok(std::fs::read(to).unwrap()),
            error => Err(error.as_str().unwrap().to_owned()),
        }
    }

    /// Checks that a good document converts.
    pub(crate) fn assert_good(&self) {
        let made = self.convert("good.rtf", RTF, json!({})).unwrap();
        assert!(made.starts_with(b"%PDF-"));
    }

    /// The process id of the zygote. Fails while a job is running.
    pub(crate) fn process(&self) -> u32 {
        let living = self.processes();
        let [process] = living.as_slice() else {
            panic!("{living:?}")
        };
        *process
    }

    /// The directory of the zygote, with its profile.
    pub(crate) fn home(&self) -> PathBuf {
        std::fs::read_link(format!("/proc/{}/cwd", self.process())).unwrap()
    }

    /// All processes whose working directory is below the base directory.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let working = entries.filter_map(|entry| {
            let directory = std::fs::read_link(entry.path().join("cwd")).ok()?;
            let process = entry.file_name().to_str()?.parse().ok()?;
            directory.starts_with(self.base.path()).then_some(process)
        });
        working.collect()
    }

    /// Entries left in the base directory.
    pub(crate) fn leftovers(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.base.path()).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

/// A minimal RTF document.
pub(crate) const RTF: &[u8] = br"{\rtf1\ansi Hello, {\b world}.\par}";

/// Limits that no good document exceeds.
pub(crate) fn limits() -> Limits {
    Limits {
        wall: Duration::from_secs(30),
        cpu: Duration::from_secs(20),
        processes: 1,
        ..Limits::default()
    }
}

/// The JSON output of a fork.
pub(crate) fn output(finished: &FinishedChild) -> Value {
    let text = std::str::from_utf8(&finished.stdout).unwrap();
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {finished:?}"))
}
