//! Checks whether the permissions of a PDF allow an operation [ISO 32000-1, 7.6.3.2, table 22].
//!
//! The owner password grants all permissions. Viewing is always allowed, and so is rendering pages as images. Only `decrypt`
//! removes the protection explicitly; other operations that return an unencrypted PDF require the permission to modify.

use domain::format::{Category, Format};
use domain::operation::{Operation, Permission};
use pdf::qpdf::{Access, QpdfJob};
use serde::Deserialize;
use task::{Task, TaskError, TaskResult};

/// Checks the permissions that this password grants against the task.
///
/// # Errors
/// `permission_denied` if only the owner is allowed to run the operation.
pub(super) fn check(task: &Task, access: &Access, password: &str) -> TaskResult<()> {
    let Access::Unlocked {
        permissions,
        accessible,
        ..
    } = access
    else {
        return Ok(());
    };
    let may = |permission| permissions.contains(&permission);
    let allowed = match task.operation {
        Operation::Merge(_)
        | Operation::Split(_)
        | Operation::ExtractPages(_)
        | Operation::DeletePages(_)
        | Operation::Reorder(_)
        | Operation::Rotate(_) => may(Permission::Assemble) || may(Permission::Modify),
        Operation::Watermark(_)
        | Operation::PageNumbers(_)
        | Operation::Metadata(_)
        | Operation::Optimize(_)
        | Operation::Sanitize(_)
        | Operation::Pdfa(_)
        | Operation::Repair(_) => may(Permission::Modify),
        Operation::Fill(_) => {
            may(Permission::Modify) || may(Permission::Annotate) || may(Permission::FillForms)
        }
        // Flattening makes forms read-only.
        Operation::Flatten(_) => may(Permission::Modify) || may(Permission::FillForms),
        // Text extraction is also allowed for accessibility.
        Operation::Compare(_) => may(Permission::Copy) || *accessible,
        Operation::Ocr(_) if task.to != Format::Pdf => may(Permission::Copy) || *accessible,
        Operation::Ocr(_) => may(Permission::Modify) && (may(Permission::Copy) || *accessible),
        Operation::Convert(_) if task.to.spec().category != Category::Image => {
            may(Permission::Copy) || *accessible
        }
        Operation::Encrypt(_) => permissions.len() == Permission::ALL.len(),
        _ => true,
    };
    match allowed || is_owner(task, password)? {
        true => Ok(()),
        false => Err(TaskError::permission_denied()),
    }
}

/// Whether the password is the owner password.
fn is_owner(task: &Task, password: &str) -> TaskResult<bool> {
    let report = task.directory.join("encryption");
    let password = format!("--password={password}");
    QpdfJob::read(&task.source)
        .option(password)
        .options(&["--json=2", "--json-key=encrypt"])
        .write(&report)?;
    let read = serde_json::from_slice(&std::fs::read(&report)?);
    let report: QpdfReport = read.map_err(|_| TaskError::input_corrupt())?;
    Ok(report.encrypt.is_owner)
}

/// Output of `qpdf --json` about the encryption [qpdf manual, qpdf JSON].
#[derive(Deserialize)]
struct QpdfReport {
    encrypt: Encryption,
}

#[derive(Deserialize)]
struct Encryption {
    #[serde(rename = "ownerpasswordmatched")]
    is_owner: bool,
}
