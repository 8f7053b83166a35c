//! The child process: serves one entry after the sandbox has confined it, and reports to the parent.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use browser::Page;
use office::LibreOfficeKit;
use pdf::pdfium;
use sandbox::{EXIT_OUT_OF_MEMORY, EXIT_SCRATCH_FULL, Entry};
use serde::Serialize;
use serde_json::Value;
use task::{
    Inspection, PrintReport, Product, Report, Task, TaskError, TaskResult, Verified, Warning,
};

use crate::modules::Modules;
use crate::operation::web_document::Claimed;
use crate::operation::{Module, Program, Run};

/// Inspects the source and runs an in-process operation.
pub(crate) const RUN: &str = "run";
/// Inspects the source and runs an operation with LibreOffice.
pub(crate) const OFFICE: &str = "office";
/// Inspects the source and stages it for an external program.
pub(crate) const STAGE: &str = "stage";
/// Makes the result from an external program's output.
pub(crate) const FINISH: &str = "finish";
/// Renders a document or a web page in a browser.
pub(crate) const RENDER: &str = "render";
/// Prewarms a browser, and renders the document that claims it.
pub(crate) const PREWARM: &str = "prewarm";
/// Verifies the result.
pub(crate) const VERIFY: &str = "verify";

/// Exit code of a child that cannot report.
const FAILURE: u8 = 1;

/// Runs the sandboxed child, or a zygote from which children are forked, if this process was started as one, and returns
/// its exit code. Otherwise returns `None`. Must be called first in `main`.
#[must_use]
pub fn child(modules: Modules) -> Option<ExitCode> {
    office::zygote::enter(&|kit, entry| serve_in_fork(modules, kit, entry));
    sandbox::zygote::enter(prepare, &|entry| serve(modules, entry));
    sandbox::child::enter().map(|entry| ExitCode::from(serve(modules, entry)))
}

/// Preloads PDFium, which almost every job needs. A child that needs it and lacks it reports that itself.
fn prepare(pdfium: &Path) {
    pdfium::warm_up(pdfium).ok();
}

fn serve(modules: Modules, entry: Entry) -> u8 {
    match entry.name.as_str() {
        RUN => serve_task(entry.request, |task| run(modules, task)),
        STAGE => serve_task(entry.request, |task| stage(modules, task)),
        FINISH => serve_task(entry.request, |task| finish(modules, task)),
        RENDER => serve_task(entry.request, |task| render(modules, task, None)),
        PREWARM => prewarm(modules, entry.request),
        VERIFY => serve_task(entry.request, |task| verify(modules, task)),
        _ => FAILURE,
    }
}

fn serve_in_fork(modules: Modules, kit: &LibreOfficeKit, entry: Entry) -> u8 {
    match entry.name.as_str() {
        OFFICE => serve_task(entry.request, |task| run_with_office(modules, task, kit)),
        _ => FAILURE,
    }
}

fn run(modules: Modules, task: &Task) -> TaskResult<Product> {
    let inspection = (module(modules, task)?.inspect)(task)?;
    match &module(modules, task)?.run {
        Run::Child(run) => {
            let mut product = run(task, &inspection)?;
            product.warnings.extend(inspection.warnings);
            // An unchanged document keeps its signature and protection.
            let lost = [Warning::SignatureInvalidated, Warning::ProtectionRemoved];
            if product
                .warnings
                .iter()
                .any(|warning| lost.contains(warning))
                && (product.unchanged || have_same_bytes(&task.source, &task.output())?)
            {
                product.warnings.retain(|warning| !lost.contains(warning));
            }
            Ok(product)
        }
        _ => Err(no_module(task)),
    }
}

/// Prewarms a browser; writes a report only for the task that claims it.
fn prewarm(modules: Modules, request: Value) -> u8 {
    match modules.prewarm(request) {
        Some(Claimed { page, task }) => serve_task(task, |task| render(modules, task, Some(page))),
        None => FAILURE,
    }
}

/// Whether two files have the same content.
fn have_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    if std::fs::metadata(one)?.len() != std::fs::metadata(other)?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (
        BufReader::new(File::open(one)?),
        BufReader::new(File::open(other)?),
    );
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let count = left.len().min(right.len());
        if left.get(..count) != right.get(..count) {
            return Ok(false);
        }
        if count == 0 {
            return Ok(true);
        }
        one.consume(count);
        other.consume(count);
    }
}

/// Renders a document or a web page. A web page has no source file to inspect.
fn render(
    modules: Modules,
    task: &Task,
    prewarmed: Option<Page>,
) -> TaskResult<PrintReport<Product>> {
    let inspection = match task.page {
        Some(_) => Inspection::default(),
        None => (module(modules, task)?.inspect)(task)?,
    };
    match &module(modules, task)?.run {
        Run::Browser(run) => run(task, &inspection, prewarmed),
        _ => Err(no_module(task)),
    }
}

fn run_with_office(modules: Modules, task: &Task, kit: &LibreOfficeKit) -> TaskResult<Product> {
    let inspection = (module(modules, task)?.inspect)(task)?;
    match &module(modules, task)?.run {
        Run::Office(run) => {
            let mut product = run(task, &inspection, kit)?;
            product.warnings.extend(inspection.warnings);
            Ok(product)
        }
        _ => Err(no_module(task)),
    }
}

fn stage(modules: Modules, task: &Task) -> TaskResult<Inspection> {
    let mut inspection = (module(modules, task)?.inspect)(task)?;
    let warnings = (program(modules, task)?.stage)(task, &inspection)?;
    inspection.warnings.extend(warnings);
    Ok(inspection)
}

fn finish(modules: Modules, task: &Task) -> TaskResult<Product> {
    (program(modules, task)?.finish)(task)
}

fn program(modules: Modules, task: &Task) -> TaskResult<&'static Program> {
    match &module(modules, task)?.run {
        Run::Program(program) => Ok(program),
        _ => Err(no_module(task)),
    }
}

fn verify(modules: Modules, task: &Task) -> TaskResult<Verified> {
    let module = module(modules, task)?;
    let missing =
        || TaskError::Installation("a verification task has no product to check".to_owned());
    let product = task.product.as_ref().ok_or_else(missing)?;
    let mut verified = (module.verify)(task, product)?;
    verified.warnings.extend(verify::content(task, product)?);
    Ok(verified)
}

fn module(modules: Modules, task: &Task) -> TaskResult<&'static Module> {
    let found = modules.find(&task.operation, task.from);
    found.ok_or_else(|| no_module(task))
}

fn no_module(task: &Task) -> TaskError {
    let name = task.operation.name();
    TaskError::Installation(format!(
        "no module of this function implements {name} on {}",
        task.from
    ))
}

fn serve_task<T: Serialize>(request: Value, work: impl FnOnce(&Task) -> TaskResult<T>) -> u8 {
    let task: Task = match serde_json::from_value(request) {
        Ok(task) => task,
        Err(error) => {
            return write_report(&Report::<T>::Service(format!(
                "a task cannot be parsed: {error}"
            )));
        }
    };
    match work(&task) {
        Ok(done) => write_report(&Report::Done(done)),
        Err(TaskError::Document(error)) => write_report(&Report::<T>::Document(error)),
        Err(TaskError::Installation(reason)) => write_report(&Report::<T>::Service(reason)),
        Err(TaskError::Io(error)) => report_io_error::<T>(&error),
    }
}

fn report_io_error<T: Serialize>(error: &std::io::Error) -> u8 {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            exit_code(EXIT_SCRATCH_FULL)
        }
        ErrorKind::OutOfMemory => exit_code(EXIT_OUT_OF_MEMORY),
        _ => write_report(&Report::<T>::Service(format!(
            "a file operation failed: {error}"
        ))),
    }
}

fn exit_code(code: i32) -> u8 {
    u8::try_from(code).unwrap_or(FAILURE)
}

/// Writes the report as the last line of standard output, on a new line because libraries may have written before it.
fn write_report<T: Serialize>(report: &Report<T>) -> u8 {
    let Ok(text) = serde_json::to_string(report) else {
        return FAILURE;
    };
    match writeln!(std::io::stdout(), "\n{text}") {
        Ok(()) => 0,
        Err(_) => FAILURE,
    }
}
