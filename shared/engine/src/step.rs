//! One step of a job: its children in order, and what each is given.

mod claim;
mod render;

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::limits::WorkLimit;
use domain::operation::Operation;
use office::EXIT_UNANSWERED;
use sandbox::{Finished, Job, Limits, Outcome, Work, Zygote};
use serde::de::DeserializeOwned;
use task::file::is_regular;
use task::{Attached, Inspection, OUTPUT, Product, Task, Verified, WebAccess, progress};

use crate::budget::Budget;
use crate::child::{FINISH, OFFICE, RUN, STAGE, VERIFY};
use crate::error::EngineError;
use crate::installed::Installed;
use crate::modules::Modules;
use crate::operation::{Module, Program, Run};
use crate::outcome::{crashed, exited, report};
use crate::prewarmed::PrewarmedBrowser;
use crate::request::{Attachment, Request};

/// One step of a job.
pub(crate) struct Step<'a> {
    /// What this processor does.
    pub(crate) modules: Modules,
    /// How children are started, and what is installed.
    pub(crate) engines: (&'a Zygote, &'a Installed),
    /// How pages reach the web, where they may.
    pub(crate) web: Option<&'a dyn WebAccess>,
    /// The prewarmed browser.
    pub(crate) prewarmed: Option<&'a PrewarmedBrowser>,
    /// The job.
    pub(crate) request: &'a Request<'a>,
    /// The step's place among its job's steps, from 0.
    pub(crate) index: usize,
    /// The operation.
    pub(crate) operation: &'a Operation,
    /// The document that it works on.
    pub(crate) source: &'a Path,
    /// The document's format.
    pub(crate) from: Format,
    /// The result's format.
    pub(crate) to: Format,
    /// What its children may use.
    pub(crate) limit: &'static WorkLimit,
    /// The time that is left.
    pub(crate) budget: Budget,
}

/// A step's verified result.
pub(crate) struct Done {
    /// The file.
    pub(crate) path: PathBuf,
    /// What the operation says about it.
    pub(crate) product: Product,
    /// How many pages or images verification found.
    pub(crate) pages: u32,
}

/// How far a step is when the child that does the operation begins and ends, in percent.
const OPERATION: (u8, u8) = (5, 85);

impl Step<'_> {
    /// Runs the step's children.
    pub(crate) fn run(&self) -> Result<Done, EngineError> {
        let module = self.module()?;
        self.check_attachments()?;
        let directory = fresh_directory(self.request.scratch, &format!("step-{}", self.index))?;
        let product = match &module.run {
            Run::Child(_) => self.report(&self.task(&directory, None), RUN, self.limits(module))?,
            Run::Browser(_) => self.render(module, &directory)?,
            Run::Office(_) => self.run_with_office(module, &directory)?,
            Run::Program(program) => self.run_program(module, program, &directory)?,
        };
        if !product.fits(self.operation, self.from, self.to) {
            return Err(crashed());
        }
        self.tell(OPERATION.1);
        let pages = self.verify(module, &directory, &product)?;
        self.tell(100);
        let path = match product.unchanged {
            true => self.source.to_owned(),
            false => directory.join(OUTPUT),
        };
        Ok(Done {
            path,
            product,
            pages,
        })
    }

    /// An operation may name attachments, which whoever asks has to bring; others may be brought beside those.
    fn check_attachments(&self) -> Result<(), EngineError> {
        let (needed, given) = (
            self.operation.attachments().len(),
            self.attachments().count(),
        );
        match needed <= given {
            true => Ok(()),
            false => Err(EngineError::Service(format!(
                "{} needs {needed} attachments and got {given}",
                self.operation.name()
            ))),
        }
    }

    fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        let attachments = self.request.attachments.iter();
        attachments.filter(|attachment| attachment.step == self.index)
    }

    /// Children work in a directory of their own, so paths are absolute.
    fn attached(&self) -> Vec<Attached> {
        let attached = |attachment: &Attachment| Attached {
            path: std::path::absolute(&attachment.path).unwrap_or_default(),
            format: attachment.claimed,
        };
        self.attachments().map(attached).collect()
    }

    /// Engines and versions that do this step.
    pub(crate) fn fingerprint(&self) -> String {
        self.module().map_or_else(
            |_| String::new(),
            |module| (module.fingerprint)(self.engines.1, self.to),
        )
    }

    fn module(&self) -> Result<&'static Module, EngineError> {
        let name = self.operation.name();
        let found = self.modules.find(self.operation, self.from);
        found.ok_or_else(|| EngineError::Service(format!("no module does {name} on {}", self.from)))
    }

    fn limits(&self, module: &Module) -> Limits {
        module.limits(self.limit, self.request.limits.pages)
    }

    /// Waits for the zygote before any of the job's limits counts, then inspects the source and does the operation in a fork of it.
    fn run_with_office(&self, module: &Module, directory: &Path) -> Result<Product, EngineError> {
        let missing = || EngineError::Service("LibreOffice was not looked for".to_owned());
        let office = self.engines.1.office.as_ref().ok_or_else(missing)?;
        office.zygote.await_ready(self.request.stop)?;
        let task = self.task(directory, None);
        let work = entry(&task, OFFICE)?;
        let finished = self.watched(&task, work, self.limits(module), |job| {
            office.zygote.run(job, self.request.stop)
        })?;
        match finished.outcome {
            Outcome::Exited {
                code: EXIT_UNANSWERED,
            } => Err(EngineError::Document(JobError::new(
                JobErrorCode::InputCorrupt,
                "The document is damaged and cannot be read.",
            ))),
            _ => report(Ok::<_, EngineError>(finished)),
        }
    }

    /// Inspects and stages the source in one child, runs the program, and takes its result over in another child.
    fn run_program(
        &self,
        module: &Module,
        program: &Program,
        directory: &Path,
    ) -> Result<Product, EngineError> {
        let task = self.task(directory, None);
        let inspection: Inspection = self.report(&task, STAGE, alone(Limits::default()))?;
        self.tell(OPERATION.0);
        let work = (program.work)(self.engines.1, directory)?;
        let ended = exited(self.watched(&task, work, self.limits(module), |job| {
            self.engines.0.run(job, self.request.stop)
        }))?;
        (program.check)(directory, &ended)?;
        let mut product: Product = self.report(&task, FINISH, alone(self.limits(module)))?;
        product.remarks.extend(inspection.remarks);
        Ok(product)
    }

    /// The verifier has a directory of its own and reads the result only.
    fn verify(
        &self,
        module: &Module,
        directory: &Path,
        product: &Product,
    ) -> Result<u32, EngineError> {
        if !product.unchanged && !is_regular(&directory.join(OUTPUT)) {
            return Err(crashed());
        }
        let scratch = fresh_directory(self.request.scratch, &format!("verify-{}", self.index))?;
        let mut task = self.task(directory, Some(product.clone()));
        task.scratch = scratch;
        let verified: Verified = self.report(&task, VERIFY, alone(self.limits(module)))?;
        match product.pages {
            Some(pages) if pages != verified.pages => Err(EngineError::Document(JobError::new(
                JobErrorCode::OutputInvalid,
                "The result has another number of pages than was written.",
            ))),
            _ => Ok(verified.pages),
        }
    }

    fn task(&self, directory: &Path, product: Option<Product>) -> Task {
        let Installed {
            pdfium,
            tesseract,
            browser,
            office: _,
            heif: _,
        } = self.engines.1;
        Task {
            operation: self.operation.clone(),
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
        report(self.watched(task, work, limits, |job| {
            self.engines.0.run(job, self.request.stop)
        }))
    }

    /// Has a job done by somebody, and passes on what it says of its progress and what it has spent.
    fn watched<E>(
        &self,
        task: &Task,
        work: Work,
        limits: Limits,
        run: impl FnOnce(&Job<'_>) -> Result<Finished, E>,
    ) -> Result<Finished, E> {
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
        let heard = |percent: u8| {
            let (begin, end) = OPERATION;
            let done = u32::from(end - begin) * u32::from(percent) / 100;
            self.tell(begin + u8::try_from(done).unwrap_or(0));
        };
        let finished = progress::watch(&task.scratch, &heard, || run(&job))?;
        (self.request.spent)(finished.cpu);
        Ok(finished)
    }

    /// Tells how far the job is when this step is at `percent`.
    fn tell(&self, percent: u8) {
        let steps = self.request.steps.len().max(1);
        let overall = (self.index * 100 + usize::from(percent.min(100))) / steps;
        (self.request.progress)(u8::try_from(overall).unwrap_or(100));
    }
}

/// The limits of a child of ours that starts no other program.
fn alone(limits: Limits) -> Limits {
    Limits {
        processes: 1,
        ..limits
    }
}

fn entry(task: &Task, name: &str) -> Result<Work, EngineError> {
    let request = serde_json::to_value(task)
        .map_err(|error| EngineError::service("a task cannot be written", error))?;
    Ok(Work::Entry {
        name: name.to_owned(),
        request,
    })
}

/// A directory for one purpose of one step. That there is none of the name yet keeps a child from laying one out for the
/// next.
fn fresh_directory(scratch: &Path, name: &str) -> Result<PathBuf, EngineError> {
    let failed = |error| EngineError::service("a scratch directory cannot be made", error);
    let path = std::path::absolute(scratch.join(name)).map_err(failed)?;
    std::fs::create_dir(&path).map_err(failed)?;
    Ok(path)
}
