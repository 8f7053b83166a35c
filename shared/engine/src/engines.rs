//! Runs the steps of a job one after the other and hands over a verified result.

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{ARCHIVE_MIME_TYPE, ArchiveContents, Warning};
use domain::operation::{Operation, Processor};
use sandbox::Launcher;

use crate::artifact::weigh;
use crate::budget::Budget;
use crate::error::EngineError;
use crate::installed::{Installed, Office, Pdfium};
use crate::request::{Artifact, Request};
use crate::step::{Done, Step};
use crate::task::Product;

/// The engines of a processor, ready to run.
#[derive(Clone, Debug)]
pub struct Engines {
    launcher: Launcher,
    installed: Installed,
}

impl Engines {
    /// Finds what the processors `needed` work with. `launcher` starts an executable whose `main` calls
    /// [`crate::child`] first thing.
    ///
    /// # Errors
    /// [`EngineError::Service`] that names what is missing or too old.
    pub fn discover(launcher: Launcher, needed: &[Processor]) -> Result<Self, EngineError> {
        let office = needed.contains(&Processor::ProcessOffice);
        let installed = Installed {
            office: office.then(Office::find).transpose()?,
            // Every processor writes or reads PDF.
            pdfium: Some(Pdfium::find()?),
        };
        Ok(Self {
            launcher,
            installed,
        })
    }

    /// Does all steps and verifies the result of each. Blocks.
    ///
    /// # Errors
    /// [`EngineError`]; whatever it is, no process of the job is alive any more.
    pub fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        let mut budget = None;
        let mut document = (request.source.to_owned(), request.claimed);
        let mut last = None;
        let mut remarks = Remarks::default();
        for (index, operation) in request.steps.iter().enumerate() {
            let (processor, to) = resolve(operation, document.1)?;
            let step = Step {
                engines: (&self.launcher, &self.installed),
                request,
                index,
                operation,
                source: &document.0,
                from: document.1,
                to,
                budget: *budget.get_or_insert_with(|| Budget::begin(processor)),
            };
            let done = step.run()?;
            remarks.note(&step, &done.product);
            document = (done.path.clone(), to);
            last = Some(done);
        }
        let done = last.ok_or_else(|| EngineError::Service("a job without steps".to_owned()))?;
        (request.progress)(100);
        seal(done, document.1, remarks)
    }
}

fn resolve(operation: &Operation, from: Format) -> Result<(Processor, Format), EngineError> {
    let name = operation.name();
    operation
        .resolve(from)
        .ok_or_else(|| EngineError::Service(format!("nobody does {name} on {from}")))
}

/// What is worth knowing about a result, gathered over all steps.
#[derive(Default)]
struct Remarks {
    engines: Vec<String>,
    limited: bool,
    changed: bool,
}

impl Remarks {
    fn note(&mut self, step: &Step<'_>, product: &Product) {
        self.engines.push(step.fingerprint());
        self.limited |= product.limited;
        self.changed |= !product.unchanged;
    }

    fn warnings(&self) -> Vec<Warning> {
        let warning = |code: &str, message: &str| Warning {
            code: code.to_owned(),
            message: message.to_owned(),
        };
        let optimal = "The source cannot be made smaller, so it is the result.";
        let limited = "The plan allows smaller images only, so the result is scaled down.";
        let optimal = (!self.changed).then(|| warning("already_optimal", optimal));
        let limited = self.limited.then(|| warning("limited_by_plan", limited));
        optimal.into_iter().chain(limited).collect()
    }
}

fn seal(done: Done, format: Format, remarks: Remarks) -> Result<Artifact, EngineError> {
    let path: PathBuf = done.path;
    let (size_bytes, sha256) = weigh(&path)?;
    let contents = contents(done.product.entries, format);
    let (content_type, extension) = match contents {
        None => (format.mime_type(), format.extension()),
        Some(_) => (ARCHIVE_MIME_TYPE, "zip"),
    };
    Ok(Artifact {
        path,
        content_type: content_type.to_owned(),
        extension: extension.to_owned(),
        size_bytes,
        sha256,
        pages: done.pages,
        contents,
        warnings: remarks.warnings(),
        engine: remarks.engines.join(", "),
    })
}

fn contents(sizes: Vec<u64>, format: Format) -> Option<ArchiveContents> {
    (!sizes.is_empty()).then_some(ArchiveContents { format, sizes })
}

/// A directory for one purpose of one step, fresh even if an earlier attempt left one.
pub(crate) fn fresh_directory(scratch: &Path, name: &str) -> Result<PathBuf, EngineError> {
    let path = scratch.join(name);
    std::fs::create_dir(&path)
        .map_err(|error| EngineError::service("a scratch directory cannot be made", error))?;
    Ok(path)
}
