//! A zygote and what it is asked.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use office::{EXIT_UNANSWERED, OfficeError, Zygote};
use sandbox::{Finished, Job, Launcher, Limits, Network, Outcome, Work};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const MIB: u64 = 1024 * 1024;

/// Where packages put LibreOffice.
const INSTALLATION: &str = "/usr/lib/libreoffice/program";

/// A zygote with a directory of its own.
pub(crate) struct Rig {
    pub(crate) zygote: Zygote,
    pub(crate) base: TempDir,
}

impl Rig {
    pub(crate) fn new() -> Self {
        let fixture = Launcher::new(Path::new(env!("CARGO_BIN_EXE_office-fixture")));
        Self::started_by(fixture)
    }

    pub(crate) fn started_by(launcher: Launcher) -> Self {
        let base = tempfile::tempdir().unwrap();
        let zygote = Zygote::new(launcher, Path::new(INSTALLATION), base.path());
        Self { zygote, base }
    }

    /// Has a fork serve an entry.
    pub(crate) fn ask(&self, entry: &str, request: Value) -> Result<Finished, OfficeError> {
        self.ask_within(entry, request, limits(), &AtomicBool::new(false))
    }

    pub(crate) fn ask_within(
        &self,
        entry: &str,
        request: Value,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Finished, OfficeError> {
        let scratch = tempfile::tempdir_in(self.base.path()).unwrap();
        self.ask_in(scratch.path(), (entry, request), limits, stop)
    }

    pub(crate) fn ask_in(
        &self,
        scratch: &Path,
        (name, request): (&str, Value),
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Finished, OfficeError> {
        let job = Job {
            work: Work::Entry {
                name: name.to_owned(),
                request,
            },
            scratch,
            readable: &[],
            network: Network::Nothing,
            limits,
        };
        self.zygote.run(&job, stop)
    }

    /// Converts a document of these bytes, and answers with the result's bytes.
    pub(crate) fn convert(
        &self,
        name: &str,
        bytes: &[u8],
        request: Value,
    ) -> Result<Vec<u8>, String> {
        let scratch = tempfile::tempdir_in(self.base.path()).unwrap();
        let (from, to) = (scratch.path().join(name), scratch.path().join("result"));
        std::fs::write(&from, bytes).unwrap();
        let mut asked = json!({"from": from, "to": to});
        asked
            .as_object_mut()
            .unwrap()
            .extend(request.as_object().unwrap().clone());
        let never = AtomicBool::new(false);
        let finished = self
            .ask_in(scratch.path(), ("convert", asked), limits(), &never)
            .unwrap();
        let code = match finished.outcome {
            Outcome::Exited { code } => code,
            _ => panic!("{finished:?}"),
        };
        if code == EXIT_UNANSWERED {
            return Err("unanswered".to_owned());
        }
        assert_eq!(code, 0, "{finished:?}");
        match &answer(&finished)["error"] {
            Value::Null => Ok(std::fs::read(to).unwrap()),
            error => Err(error.as_str().unwrap().to_owned()),
        }
    }

    /// Shows that a good document converts.
    pub(crate) fn assert_good(&self) {
        let made = self.convert("good.rtf", RTF, json!({})).unwrap();
        assert!(made.starts_with(b"%PDF-"));
    }

    /// The process of the zygote: the only one that works in a directory of it but is no job.
    pub(crate) fn process(&self) -> u32 {
        let living = self.processes();
        let [process] = living.as_slice() else {
            panic!("{living:?}")
        };
        *process
    }

    /// All processes that work below the rig's directory.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let working = entries.filter_map(|entry| {
            let directory = std::fs::read_link(entry.path().join("cwd")).ok()?;
            let process = entry.file_name().to_str()?.parse().ok()?;
            directory.starts_with(self.base.path()).then_some(process)
        });
        working.collect()
    }

    /// Directories that are left below the rig's.
    pub(crate) fn left(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.base.path()).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

/// The smallest document that all of LibreOffice's text import has to do with.
pub(crate) const RTF: &[u8] = br"{\rtf1\ansi Hello, {\b world}.\par}";

/// Limits that no good document reaches.
pub(crate) fn limits() -> Limits {
    Limits {
        wall: Duration::from_secs(30),
        cpu: Duration::from_secs(20),
        processes: 1,
        ..Limits::default()
    }
}

/// What a fork told.
pub(crate) fn answer(finished: &Finished) -> Value {
    let text = std::str::from_utf8(&finished.stdout).unwrap();
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {finished:?}"))
}
