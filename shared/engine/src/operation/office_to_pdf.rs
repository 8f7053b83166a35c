//! Office documents to PDF, by LibreOffice with a fresh profile for each document.

mod blank;
mod profile;
mod scrub;
mod text;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use domain::format::{Category, Format};
use domain::job::{JobError, JobErrorCode};
use sandbox::{Finished, Limits, Outcome as ChildOutcome, Work};

use super::{Module, Program, Run, converts, limits};
use crate::artifact::is_regular;
use crate::error::EngineError;
use crate::fault::{Fault, Outcome};
use crate::inspect::write_utf8;
use crate::installed::Installed;
use crate::outcome::crashed;
use crate::task::{Inspection, OUTPUT, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let kinds = [
            Category::Text,
            Category::Spreadsheet,
            Category::Presentation,
        ];
        converts(operation, from, &kinds, &[Format::Pdf])
    },
    // It would ask other programs for paper sizes and keys, and does without when they do not start.
    limits: Limits {
        processes: 1,
        ..limits(150, 512)
    },
    a_page: Duration::ZERO,
    run: Run::Program(Program {
        stage,
        work,
        check,
        finish,
    }),
    verify: verify::pdf,
    fingerprint: |installed, _| {
        let office = installed.office.as_ref();
        office.map_or_else(String::new, |office| office.fingerprint.clone())
    },
};

/// Where the program puts its result, named after its input.
const RESULTS: &str = "results";
const PROFILE: &str = "profile";
const FONTS: &str = "fonts.conf";
/// The exit code with which the program asks to be started again.
const START_AGAIN: i32 = 81;

/// The name that the program sees. It shows as the name of a CSV file's only sheet; the customer's name is not used
/// because formats are told from extensions.
fn stem(format: Format) -> &'static str {
    match format {
        Format::Csv => "Sheet1",
        _ => "document",
    }
}

fn input(format: Format) -> String {
    format!("{}.{}", stem(format), format.extension())
}

/// Text is laid out as UTF-8, so that the program need not guess; everything else as it is, or without what the program
/// must not see.
fn stage(task: &Task, inspection: &Inspection) -> Outcome<()> {
    let input = task.directory.join(input(task.from));
    match &inspection.text {
        Some(facts) => write_utf8(&task.source, facts, &input)?,
        None if inspection.blank.is_empty() => symlink(&task.source, input)?,
        None => blank::copy(&task.source, &inspection.blank, &input)?,
    }
    let missing = || Fault::Installation("LibreOffice was not looked for".to_owned());
    let build = task.office.as_ref().ok_or_else(missing)?;
    profile::write(&task.directory.join(PROFILE), build)?;
    Ok(std::fs::write(task.directory.join(FONTS), profile::FONTS)?)
}

fn work(
    installed: &Installed,
    directory: &Path,
    from: Format,
    inspection: &Inspection,
) -> Result<Work, EngineError> {
    let missing = || EngineError::Service("LibreOffice was not looked for".to_owned());
    let office = installed.office.as_ref().ok_or_else(missing)?;
    let path = |name: &str| directory.join(name).display().to_string();
    let mut args: Vec<String> = [
        "--headless",
        "--norestore",
        "--nologo",
        "--nodefault",
        "--nolockcheck",
    ]
    .map(str::to_owned)
    .to_vec();
    args.push(format!("-env:UserInstallation=file://{}", path(PROFILE)));
    args.extend(text::input_filter(from, inspection.text.as_ref()));
    args.extend([
        "--convert-to".to_owned(),
        "pdf".to_owned(),
        "--outdir".to_owned(),
    ]);
    args.extend([path(RESULTS), path(&input(from))]);
    let env = [
        ("FONTCONFIG_FILE", path(FONTS)),
        // No host may be asked for linked content. Sockets are refused by the kernel as well.
        ("LOK_HOST_ALLOWLIST", "^nothing$".to_owned()),
        ("SAL_USE_VCLPLUGIN", "svp".to_owned()),
        ("SAL_DISABLE_OPENCL", "1".to_owned()),
    ];
    Ok(Work::Program {
        executable: office.program.clone(),
        args,
        env: env.map(|(name, value)| (name.to_owned(), value)).to_vec(),
    })
}

/// The program ends with 0 or 1 when it does not understand a document, and with something else when it dies. A result
/// is there or it is not.
fn check(directory: &Path, ended: &Finished) -> Result<(), EngineError> {
    let results = directory.join(RESULTS);
    if ["document.pdf", "Sheet1.pdf"]
        .iter()
        .any(|name| is_regular(&results.join(name)))
    {
        return Ok(());
    }
    match ended.outcome {
        ChildOutcome::Exited { code: START_AGAIN } => Err(EngineError::Service(
            "LibreOffice does not take its profile for begun".to_owned(),
        )),
        ChildOutcome::Exited { code: 0 | 1 } => Err(EngineError::Document(JobError::new(
            JobErrorCode::InputCorrupt,
            "The document is damaged and cannot be read.",
        ))),
        _ => Err(crashed()),
    }
}

/// Takes the result over without what differs from run to run.
fn finish(task: &Task) -> Outcome<Product> {
    let made = task
        .directory
        .join(RESULTS)
        .join(format!("{}.pdf", stem(task.from)));
    scrub::scrub(&made)?;
    std::fs::rename(made, task.directory.join(OUTPUT))?;
    Ok(Product::default())
}
