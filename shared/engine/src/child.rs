//! The child's side: serves one entry in a process that is already confined, and reports to the parent.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use browser::Page;
use office::Kit;
use pdf::pdfium;
use sandbox::{EXIT_OUT_OF_MEMORY, EXIT_SCRATCH_FULL, Entry};
use serde::Serialize;
use serde_json::Value;
use task::{Fault, Inspection, Outcome, Printed, Product, Remark, Report, Task, Verified};

use crate::modules::Modules;
use crate::operation::web_document::Claimed;
use crate::operation::{Module, Program, Run};

/// Checks the source and does an operation of ours.
pub(crate) const RUN: &str = "run";
/// The same, with LibreOffice.
pub(crate) const OFFICE: &str = "office";
/// Checks the source and lays it out for another program.
pub(crate) const STAGE: &str = "stage";
/// Takes another program's result over.
pub(crate) const FINISH: &str = "finish";
/// Prints a document or a page from the web.
pub(crate) const RENDER: &str = "render";
/// Prewarms a browser, and prints a document when one is claimed for it.
pub(crate) const PREWARM: &str = "prewarm";
/// Checks the result.
pub(crate) const VERIFY: &str = "verify";

/// The exit code of a child that has nothing to report.
const FAILURE: u8 = 1;

/// Becomes a sandboxed child if this process was started as one, and does its work, or becomes one of the zygotes that such
/// children are forked from. To be called first thing in `main`, which returns the exit code if there is one.
#[must_use]
pub fn child(modules: Modules) -> Option<ExitCode> {
    office::zygote::enter(&|kit, entry| serve_in_fork(modules, kit, entry));
    sandbox::zygote::enter(prepare, &|entry| serve(modules, entry));
    sandbox::child::enter().map(|entry| ExitCode::from(serve(modules, entry)))
}

/// Loads the library that almost every job needs. A child that needs it and has it not says so itself.
fn prepare(pdfium: &Path) {
    pdfium::warm_up(pdfium).ok();
}

fn serve(modules: Modules, entry: Entry) -> u8 {
    match entry.name.as_str() {
        RUN => answer(entry.request, |task| run(modules, task)),
        STAGE => answer(entry.request, |task| stage(modules, task)),
        FINISH => answer(entry.request, |task| finish(modules, task)),
        RENDER => answer(entry.request, |task| render(modules, task, None)),
        PREWARM => prewarm(modules, entry.request),
        VERIFY => answer(entry.request, |task| verify(modules, task)),
        _ => FAILURE,
    }
}

fn serve_in_fork(modules: Modules, kit: &Kit, entry: Entry) -> u8 {
    match entry.name.as_str() {
        OFFICE => answer(entry.request, |task| run_with_office(modules, task, kit)),
        _ => FAILURE,
    }
}

fn run(modules: Modules, task: &Task) -> Outcome<Product> {
    let inspection = (module(modules, task)?.inspect)(task)?;
    match &module(modules, task)?.run {
        Run::Child(run) => {
            let mut product = run(task, &inspection)?;
            product.remarks.extend(inspection.remarks);
            // What is handed back as it was is signed still, and protected.
            let lost = [Remark::SignatureInvalidated, Remark::ProtectionRemoved];
            if product.remarks.iter().any(|remark| lost.contains(remark))
                && (product.unchanged || is_same(&task.source, &task.output())?)
            {
                product.remarks.retain(|remark| !lost.contains(remark));
            }
            Ok(product)
        }
        _ => Err(no_module(task)),
    }
}

/// Reports nothing until there is a document.
fn prewarm(modules: Modules, request: Value) -> u8 {
    match modules.prewarm(request) {
        Some(Claimed { page, task }) => answer(task, |task| render(modules, task, Some(page))),
        None => FAILURE,
    }
}

/// Whether two files hold the same bytes.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
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

/// A page from the web has no file to inspect.
fn render(modules: Modules, task: &Task, prewarmed: Option<Page>) -> Outcome<Printed<Product>> {
    let inspection = match task.page {
        Some(_) => Inspection::default(),
        None => (module(modules, task)?.inspect)(task)?,
    };
    match &module(modules, task)?.run {
        Run::Browser(run) => run(task, &inspection, prewarmed),
        _ => Err(no_module(task)),
    }
}

fn run_with_office(modules: Modules, task: &Task, kit: &Kit) -> Outcome<Product> {
    let inspection = (module(modules, task)?.inspect)(task)?;
    match &module(modules, task)?.run {
        Run::Office(run) => {
            let mut product = run(task, &inspection, kit)?;
            product.remarks.extend(inspection.remarks);
            Ok(product)
        }
        _ => Err(no_module(task)),
    }
}

fn stage(modules: Modules, task: &Task) -> Outcome<Inspection> {
    let inspection = (module(modules, task)?.inspect)(task)?;
    (program(modules, task)?.stage)(task)?;
    Ok(inspection)
}

fn finish(modules: Modules, task: &Task) -> Outcome<Product> {
    (program(modules, task)?.finish)(task)
}

fn program(modules: Modules, task: &Task) -> Outcome<&'static Program> {
    match &module(modules, task)?.run {
        Run::Program(program) => Ok(program),
        _ => Err(no_module(task)),
    }
}

fn verify(modules: Modules, task: &Task) -> Outcome<Verified> {
    let module = module(modules, task)?;
    let missing = || Fault::Installation("verification was asked for nothing".to_owned());
    (module.verify)(task, task.product.as_ref().ok_or_else(missing)?)
}

fn module(modules: Modules, task: &Task) -> Outcome<&'static Module> {
    let found = modules.find(&task.operation, task.from);
    found.ok_or_else(|| no_module(task))
}

fn no_module(task: &Task) -> Fault {
    let name = task.operation.name();
    Fault::Installation(format!("no module here does {name} on {}", task.from))
}

fn answer<T: Serialize>(request: Value, work: impl FnOnce(&Task) -> Outcome<T>) -> u8 {
    let task: Task = match serde_json::from_value(request) {
        Ok(task) => task,
        Err(error) => {
            return tell(&Report::<T>::Service(format!(
                "a task cannot be read: {error}"
            )));
        }
    };
    match work(&task) {
        Ok(done) => tell(&Report::Done(done)),
        Err(Fault::Document(error)) => tell(&Report::<T>::Document(error)),
        Err(Fault::Installation(reason)) => tell(&Report::<T>::Service(reason)),
        Err(Fault::Io(error)) => io_failed::<T>(&error),
    }
}

fn io_failed<T: Serialize>(error: &std::io::Error) -> u8 {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            exit_code(EXIT_SCRATCH_FULL)
        }
        ErrorKind::OutOfMemory => exit_code(EXIT_OUT_OF_MEMORY),
        _ => tell(&Report::<T>::Service(format!(
            "a file cannot be used: {error}"
        ))),
    }
}

fn exit_code(code: i32) -> u8 {
    u8::try_from(code).unwrap_or(FAILURE)
}

/// The report is the last line of standard output: libraries may have written before it.
fn tell<T: Serialize>(report: &Report<T>) -> u8 {
    let Ok(text) = serde_json::to_string(report) else {
        return FAILURE;
    };
    match writeln!(std::io::stdout(), "\n{text}") {
        Ok(()) => 0,
        Err(_) => FAILURE,
    }
}
