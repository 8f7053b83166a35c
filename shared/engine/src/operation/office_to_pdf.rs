//! Office documents to PDF, by LibreOffice with a fresh profile for each document.

mod profile;
mod scrub;

use std::os::unix::fs::symlink;
use std::path::Path;

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

/// Text is laid out as UTF-8, so that the program need not guess; everything else as it is.
fn stage(task: &Task, inspection: &Inspection) -> Outcome<()> {
    let input = task.directory.join(input(task.from));
    match &inspection.text {
        Some(facts) => write_utf8(&task.source, facts, &input)?,
        None => symlink(&task.source, input)?,
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
    args.extend(input_filter(from, inspection));
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

/// How text is to be read: UTF-8 (76 among LibreOffice's character sets), English (2057 is en-GB).
fn input_filter(from: Format, inspection: &Inspection) -> Option<String> {
    match from {
        Format::Csv => {
            let separator = inspection.text.as_ref().and_then(|text| text.separator);
            let code = u32::from(separator.unwrap_or(','));
            Some(format!(
                "--infilter=Text - txt - csv (StarCalc):{code},34,76,1,,2057"
            ))
        }
        Format::Txt => Some("--infilter=Text (encoded):UTF8,LF,Liberation Mono,en-GB".to_owned()),
        _ => None,
    }
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
