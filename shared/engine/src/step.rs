//! Runs one step of a job: its children in order, with the limits and files of each.

mod claim;
mod render;

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::limits::WorkLimit;
use domain::ocr_part::OcrPart;
use domain::operation::Operation;
use office::EXIT_DIALOG;
use sandbox::{FinishedChild, Job, Limits, Outcome, Work, Zygote};
use serde::de::DeserializeOwned;
use task::file::is_regular;
use task::{
    AttachmentFile, Inspection, OCR_JOURNAL, OUTPUT, Product, Task, Verified, Warning, WebAccess,
    progress,
};

use crate::budget::Budget;
use crate::child::{FINISH, OFFICE, RUN, STAGE, VERIFY};
use crate::error::EngineError;
use crate::installed::Installed;
use crate::modules::Modules;
use crate::operation::{Module, Program, Run};
use crate::outcome::{crashed, exited, report};
use crate::prewarmed::PrewarmedBrowser;
use crate::request::{Attachment, ChildPurpose, Request};

/// One step of a job.
pub(crate) struct Step<'a> {
    /// Modules of this function.
    pub(crate) modules: Modules,
    /// The zygote that starts children, and the installed engines.
    pub(crate) engines: (&'a Zygote, &'a Installed),
    /// Web access for web pages, if enabled.
    pub(crate) web: Option<&'a dyn WebAccess>,
    /// The prewarmed browser.
    pub(crate) prewarmed: Option<&'a PrewarmedBrowser>,
    /// The job.
    pub(crate) request: &'a Request<'a>,
    /// Index of the step, from 0.
    pub(crate) index: usize,
    /// The operation.
    pub(crate) operation: &'a Operation,
    /// The step's source document.
    pub(crate) source: &'a Path,
    /// Source format.
    pub(crate) from: Format,
    /// Result format.
    pub(crate) to: Format,
    /// Work limits of the operation.
    pub(crate) limit: &'static WorkLimit,
    /// Remaining time of the job.
    pub(crate) budget: Budget,
}

/// A step's verified result.
pub(crate) struct StepResult {
    /// Result file.
    pub(crate) path: PathBuf,
    /// The operation's own report.
    pub(crate) product: Product,
    /// Number of pages or images that verification counted.
    pub(crate) pages: u32,
}

/// Progress of a step in percent when the child of the operation starts and exits.
const OPERATION_PROGRESS: (u8, u8) = (5, 85);

impl Step<'_> {
    /// Runs the step's children.
    pub(crate) fn run(&self) -> Result<StepResult, EngineError> {
        let module = self.module()?;
        self.check_attachments()?;
        let directory = fresh_directory(self.request.scratch, &format!("step-{}", self.index))?;
        let mut product = match &module.run {
            Run::Child(_) if matches!(self.operation, Operation::Ocr(_)) => {
                self.run_ocr(module, &directory)?
            }
            Run::Child(_) => self.report(&self.task(&directory, None), RUN, self.limits(module))?,
            Run::Browser(_) => self.render(module, &directory)?,
            Run::Office(_) => self.run_with_office(module, &directory)?,
            Run::Program(program) => self.run_program(module, program, &directory)?,
        };
        if !product.is_plausible_for(self.operation, self.from, self.to) {
            return Err(crashed());
        }
        if let Some(ranges) = product.ranges {
            return match self.request.part {
                Some(OcrPart::WholeOrRanges) => Err(EngineError::TooLong(ranges)),
                _ => Err(crashed()),
            };
        }
        self.report_progress(OPERATION_PROGRESS.1);
        let verified = self.verify(module, &directory, &product)?;
        self.report_progress(100);
        let path = match product.unchanged {
            true => self.source.to_owned(),
            false => directory.join(OUTPUT),
        };
        Warning::merge(&mut product.warnings, verified.warnings);
        Ok(StepResult {
            path,
            product,
            pages: verified.pages,
        })
    }

    /// Recognizes text in a child; after a crash in another one that goes on from the journal, as long as each notes more in it
    /// than the one before.
    fn run_ocr(&self, module: &Module, directory: &Path) -> Result<Product, EngineError> {
        let task = self.task(directory, None);
        let mut noted = 0;
        loop {
            let result = self.report(&task, RUN, self.limits(module));
            let journal = std::fs::metadata(directory.join(OCR_JOURNAL));
            let length = journal.map_or(0, |journal| journal.len());
            match &result {
                Err(error) if error.is_exceeded_or_crashed() && length > noted => noted = length,
                _ => return result,
            }
            tracing::warn!("OCR goes on after a page that ended its process");
        }
    }

    /// Requires at least the attachments that the operation names; more are allowed.
    fn check_attachments(&self) -> Result<(), EngineError> {
        let (needed, given) = (
            self.operation.attachments().len(),
            self.attachments().count(),
        );
        match needed <= given {
            true => Ok(()),
            false => Err(EngineError::Service(format!(
                "{} needs {needed} attachments, got {given}",
                self.operation.name()
            ))),
        }
    }

    fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        let attachments = self.request.attachments.iter();
        attachments.filter(|attachment| attachment.step == self.index)
    }

    /// Returns the attachments with absolute paths, because children have their own working directory.
    fn attached(&self) -> Vec<AttachmentFile> {
        let attached = |attachment: &Attachment| AttachmentFile {
            path: std::path::absolute(&attachment.path).unwrap_or_default(),
            format: attachment.declared_format,
        };
        self.attachments().map(attached).collect()
    }

    /// Engines and versions that run this step.
    pub(crate) fn fingerprint(&self) -> String {
        self.module().map_or_else(
            |_| String::new(),
            |module| (module.fingerprint)(self.engines.1, self.to),
        )
    }

    fn module(&self) -> Result<&'static Module, EngineError> {
        let name = self.operation.name();
        let found = self.modules.find(self.operation, self.from);
        found.ok_or_else(|| {
            EngineError::Service(format!("no module implements {name} on {}", self.from))
        })
    }

    fn limits(&self, module: &Module) -> Limits {
        let pages = match self.request.part {
            Some(OcrPart::Pages { span, .. }) => span.count(),
            _ => self.request.limits.pages,
        };
        module.limits(self.limit, pages)
    }

    /// Waits for the zygote, which does not count towards the job's limits, then inspects the source and runs the operation
    /// in a fork.
    fn run_with_office(&self, module: &Module, directory: &Path) -> Result<Product, EngineError> {
        let missing = || EngineError::Service("LibreOffice was not discovered".to_owned());
        let office = self.engines.1.office.as_ref().ok_or_else(missing)?;
        office.zygote.await_ready(self.request.stop)?;
        let task = self.task(directory, None);
        let work = entry(&task, OFFICE)?;
        let finished = self.run_with_progress(&task, work, self.limits(module), |job| {
            office.zygote.run(job, self.request.stop)
        })?;
        match finished.outcome {
            Outcome::Exited { code: EXIT_DIALOG } => Err(EngineError::Document(JobError::new(
                JobErrorCode::InputCorrupt,
                "The document is damaged and cannot be read.",
            ))),
            _ => report(Ok::<_, EngineError>(finished)),
        }
    }

    /// Inspects and stages the source in one child, runs the program, and makes the result from its output in another
    /// child.
    fn run_program(
        &self,
        module: &Module,
        program: &Program,
        directory: &Path,
    ) -> Result<Product, EngineError> {
        let task = self.task(directory, None);
        let inspection: Inspection =
            self.report(&task, STAGE, single_process(Limits::default()))?;
        self.report_progress(OPERATION_PROGRESS.0);
        let work = (program.work)(self.engines.1, directory)?;
        let finished = exited(
            self.run_with_progress(&task, work, self.limits(module), |job| {
                self.engines.0.run(job, self.request.stop)
            }),
        )?;
        (program.check)(directory, &finished)?;
        let mut product: Product =
            self.report(&task, FINISH, single_process(self.limits(module)))?;
        product.warnings.extend(inspection.warnings);
        Ok(product)
    }

    /// Verifies the result in a child with its own directory and read-only access to the result.
    fn verify(
        &self,
        module: &Module,
        directory: &Path,
        product: &Product,
    ) -> Result<Verified, EngineError> {
        if !product.unchanged && !is_regular(&directory.join(OUTPUT)) {
            return Err(crashed());
        }
        let scratch = fresh_directory(self.request.scratch, &format!("verify-{}", self.index))?;
        let mut task = self.task(directory, Some(product.clone()));
        task.scratch = scratch;
        let verified: Verified = self.report(&task, VERIFY, single_process(self.limits(module)))?;
        match product.pages {
            Some(pages) if pages != verified.pages => Err(EngineError::Document(JobError::new(
                JobErrorCode::OutputInvalid,
                "The page count of the result differs from the number of pages written.",
            ))),
            _ => Ok(verified),
        }
    }

    fn task(&self, directory: &Path, product: Option<Product>) -> Task {
        let Installed {
            pdfium,
            tesseract,
            browser,
            office: _,
            heif: _,
            ghostscript: _,
        } = self.engines.1;
        Task {
            operation: self.operation.clone(),
            part: self.request.part.cloned(),
            source: self.source.to_owned(),
            attachments: self.attached(),
            from: self.from,
            to: self.to,
            limits: self.request.limits,
            directory: directory.to_owned(),
            scratch: directory.to_owned(),
            stem: self.request.filename.stem().to_owned(),
            pdfium: pdfium.as_ref().map(|pdfium| pdfium.library.clone()),
            models: tesseract.as_ref().map(|models| models.directory.clone()),
            browser: browser.as_ref().map(|browser| browser.program.clone()),
            page: None,
            product,
        }
    }

    fn report<T: DeserializeOwned>(
        &self,
        task: &Task,
        name: &str,
        limits: Limits,
    ) -> Result<T, EngineError> {
        let work = entry(task, name)?;
        report(self.run_with_progress(task, work, limits, |job| {
            self.engines.0.run(job, self.request.stop)
        }))
    }

    /// Runs a job with `run`; forwards its progress and CPU time to the request.
    fn run_with_progress<E>(
        &self,
        task: &Task,
        work: Work,
        limits: Limits,
        run: impl FnOnce(&Job<'_>) -> Result<FinishedChild, E>,
    ) -> Result<FinishedChild, E> {
        let mut readable = vec![self.source.to_owned(), task.directory.clone()];
        let attached = task.attachments.iter();
        readable.extend(attached.map(|attached| attached.path.clone()));
        readable.extend(task.pdfium.clone());
        readable.extend(task.models.clone());
        let job = Job {
            work,
            scratch: &task.scratch,
            readable: &readable,
            network: task.network(),
            limits: self.budget.cap(limits),
        };
        let on_progress = |percent: u8| {
            let (begin, end) = OPERATION_PROGRESS;
            let done = u32::from(end - begin) * u32::from(percent) / 100;
            self.report_progress(begin + u8::try_from(done).unwrap_or(0));
        };
        // Only verification has the result of the operation.
        let purpose = match task.product {
            Some(_) => ChildPurpose::Verification,
            None => ChildPurpose::Operation,
        };
        let finished = progress::watch(&task.scratch, &on_progress, || run(&job))?;
        (self.request.cpu_time)(purpose, finished.cpu);
        Ok(finished)
    }

    /// Reports the job's progress when this step is at `percent`.
    fn report_progress(&self, percent: u8) {
        let steps = self.request.steps.len().max(1);
        let overall = (self.index * 100 + usize::from(percent.min(100))) / steps;
        (self.request.progress)(u8::try_from(overall).unwrap_or(100));
    }
}

/// Limits of a child that starts no other process.
fn single_process(limits: Limits) -> Limits {
    Limits {
        processes: 1,
        ..limits
    }
}

fn entry(task: &Task, name: &str) -> Result<Work, EngineError> {
    let request = serde_json::to_value(task)
        .map_err(|error| EngineError::service("a task cannot be serialized", error))?;
    Ok(Work::Entry {
        name: name.to_owned(),
        request,
    })
}

/// Creates a directory for one purpose of one step. Fails if it exists, so that a child cannot prepare one for a later
/// child.
fn fresh_directory(scratch: &Path, name: &str) -> Result<PathBuf, EngineError> {
    let failed = |error| EngineError::service("a scratch directory cannot be created", error);
    let path = std::path::absolute(scratch.join(name)).map_err(failed)?;
    std::fs::create_dir(&path).map_err(failed)?;
    Ok(path)
}
