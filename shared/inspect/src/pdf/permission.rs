//! Whether the owner of a PDF lets others do with it what an operation does [ISO 32000-1, 7.6.3.2, table 22].
//!
//! Who opens a document as its owner may do everything. Everybody may look at it, and so have pictures of its pages, and may
//! ask by `decrypt`, and by nothing else, to be freed of all this: what hands back an open PDF needs to be allowed to change it.

use domain::format::{Category, Format};
use domain::operation::{Operation, Permission};
use pdf::qpdf::{Access, Job};
use serde::Deserialize;
use task::{Fault, Outcome, Task};

/// Who opens a document with this password may do what the task asks for.
///
/// # Errors
/// `permission_denied` if only its owner may.
pub(super) fn check(task: &Task, access: &Access, password: &str) -> Outcome<()> {
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
        | Operation::Optimise(_)
        | Operation::Repair(_) => may(Permission::Modify),
        // It ends the filling in.
        Operation::Flatten(_) => may(Permission::Modify) || may(Permission::FillForms),
        // Text is taken out for whoever has it read aloud, too.
        Operation::Ocr(_) if task.to != Format::Pdf => may(Permission::Copy) || *accessible,
        Operation::Ocr(_) => may(Permission::Modify) && (may(Permission::Copy) || *accessible),
        Operation::Convert(_) if task.to.facts().category != Category::Image => {
            may(Permission::Copy) || *accessible
        }
        Operation::Encrypt(_) => permissions.len() == Permission::ALL.len(),
        _ => true,
    };
    match allowed || is_owner(task, password)? {
        true => Ok(()),
        false => Err(Fault::permission_denied()),
    }
}

/// Whether the password is the owner's, who may do everything, whatever others may.
fn is_owner(task: &Task, password: &str) -> Outcome<bool> {
    let facts = task.directory.join("encryption");
    let password = format!("--password={password}");
    Job::read(&task.source)
        .option(password)
        .options(&["--json=2", "--json-key=encrypt"])
        .write(&facts)?;
    let read = serde_json::from_slice(&std::fs::read(&facts)?);
    let facts: Facts = read.map_err(|_| Fault::corrupt())?;
    Ok(facts.encrypt.is_owner)
}

/// What libqpdf tells of a document's protection [qpdf manual, qpdf JSON].
#[derive(Deserialize)]
struct Facts {
    encrypt: Encryption,
}

#[derive(Deserialize)]
struct Encryption {
    #[serde(rename = "ownerpasswordmatched")]
    is_owner: bool,
}
