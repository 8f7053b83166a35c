//! Puts a PDF under passwords, and frees it of them.

use std::fs::File;
use std::io::Read as _;

use domain::operation::{EncryptOptions, Operation, Password, Permission};
use task::password::prepared;
use task::{Inspection, Outcome, Product, Task};

use crate::qpdf::Job;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let job = Job::read(&task.readable());
    let job = match &task.operation {
        Operation::Encrypt(options) => encrypt(job, options)?,
        // Inspection has opened it with the password and left a copy without any.
        _ => job.open(),
    };
    job.write(&task.output())?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}

/// AES-256 in the form of PDF 2.0 (revision 6). Its keys are made by chance: no two results are the same.
fn encrypt(job: Job, options: &EncryptOptions) -> Outcome<Job> {
    let spelled = |password: &Password| prepared(password.reveal());
    let user = options.user_password.as_ref().map(spelled);
    let user = user.unwrap_or_default();
    let owner = match (&options.owner_password, &options.permissions) {
        (Some(owner), _) => spelled(owner),
        // Whoever opens it as its owner may do everything, so nobody is to.
        (None, Some(_)) => unknown()?,
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

/// A password that nobody knows.
fn unknown() -> Outcome<String> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(domain::key::hex(&bytes))
}
