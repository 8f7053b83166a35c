//! Encrypts and decrypts PDFs.

use std::fs::File;
use std::io::Read as _;

use domain::operation::{EncryptOptions, Operation, Password, Permission};
use task::password::saslprep;
use task::{Inspection, Product, Task, TaskResult};

use crate::qpdf::QpdfJob;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let job = QpdfJob::read(&task.readable());
    let job = match &task.operation {
        Operation::Encrypt(options) => encrypt(job, options)?,
        // Inspection has written an unencrypted copy.
        _ => job.unencrypted(),
    };
    job.write(&task.output())?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}

/// Encrypts with AES-256 of PDF 2.0 (revision 6). Keys are random, so the output is not reproducible.
fn encrypt(job: QpdfJob, options: &EncryptOptions) -> TaskResult<QpdfJob> {
    let prepared = |password: &Password| saslprep(password.reveal());
    let user = options.user_password.as_ref().map(prepared);
    let user = user.unwrap_or_default();
    let owner = match (&options.owner_password, &options.permissions) {
        (Some(owner), _) => prepared(owner),
        // The owner password grants all permissions, so a missing one is replaced by a random one.
        (None, Some(_)) => random_password()?,
        (None, None) => user.clone(),
    };
    let may = |permission| match &options.permissions {
        Some(permissions) => permissions.contains(&permission),
        None => true,
    };
    let flag = |name: &str, permission| match may(permission) {
        true => format!("--{name}=y"),
        false => format!("--{name}=n"),
    };
    let print = match may(Permission::Print) {
        true => "--print=full",
        false => "--print=none",
    };
    let job = job
        .option("--encrypt")
        .option(format!("--user-password={user}"))
        .option(format!("--owner-password={owner}"))
        .options(&["--bits=256", print])
        .option(flag("extract", Permission::Copy))
        .option(flag("modify-other", Permission::Modify))
        .option(flag("annotate", Permission::Annotate))
        .option(flag("form", Permission::FillForms))
        .option(flag("assemble", Permission::Assemble))
        .option("--");
    Ok(job)
}

/// A random password that is discarded.
fn random_password() -> TaskResult<String> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(domain::key::hex(&bytes))
}
