//! Puts a PDF under passwords, and frees it of them.

use domain::format::Format;
use domain::operation::{EncryptOptions, Operation, Password, Permission};

use super::{Module, Run};
use crate::fault::Outcome;
use crate::installed::linked;
use crate::qpdf::Job;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let known = matches!(operation, Operation::Encrypt(_) | Operation::Decrypt(_));
        known && from == Format::Pdf
    },
    run: Run::Child(run),
    verify: verify::documents,
    fingerprint: |_, _| linked::QPDF.to_owned(),
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let job = Job::read(&task.readable());
    let job = match &task.operation {
        Operation::Encrypt(options) => encrypt(job, options),
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
fn encrypt(job: Job, options: &EncryptOptions) -> Job {
    let reveal = |password: &Option<Password>| {
        let password = password.as_ref().map(Password::reveal);
        password.unwrap_or_default().to_owned()
    };
    let user = reveal(&options.user_password);
    let owner = match &options.owner_password {
        Some(owner) => owner.reveal().to_owned(),
        None => user.clone(),
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
    job.option("--encrypt")
        .option(format!("--user-password={user}"))
        .option(format!("--owner-password={owner}"))
        .options(&["--bits=256", print])
        .option(flag("extract", Permission::Copy))
        .option(flag("modify-other", Permission::Modify))
        .option(flag("annotate", Permission::Annotate))
        .option(flag("form", Permission::FillForms))
        .option(flag("assemble", Permission::Assemble))
        .option("--")
}
