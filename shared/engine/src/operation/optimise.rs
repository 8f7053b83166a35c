//! Makes a PDF smaller: objects packed into compressed streams, streams compressed anew and, unless nothing may be lost,
//! pictures as JPEG of lower quality. Whatever does not become smaller stays as it is, the whole document included.

mod pictures;

use std::path::PathBuf;

use domain::format::Format;
use domain::operation::{Operation, OptimiseLevel, OptimiseOptions};

use self::pictures::Loss;
use super::{Module, PDF_PAGE, Run, limits};
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::patch::{self, Patch};
use crate::qpdf::Job;
use crate::remark::Remark;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Optimise(_)) && from == Format::Pdf,
    limits: limits(300, 1024),
    a_page: PDF_PAGE,
    run: Run::Child(run),
    verify: verify::optimised,
    fingerprint: |_, _| format!("{} {} {}", linked::QPDF, linked::LOPDF, linked::MOZJPEG),
};

/// Streams as they are, or all compressed anew: the latter is mostly smaller, but undoes predictors, and may be larger.
const WAYS: [&[&str]; 2] = [&[], &["--recompress-flate", "--compression-level=9"]];

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let Operation::Optimise(options) = &task.operation else {
        return Err(Fault::Installation("not an optimisation".to_owned()));
    };
    let plain = task.directory.join("plain");
    patch::plain(&task.readable(), &plain)?;
    let patch = match loss(options) {
        Some(loss) => pictures::recompress(task, &plain, loss)?,
        None => None,
    };
    let linearized = options.linearize == Some(true);
    let (size, smallest) = smallest(task, &plain, patch.as_ref(), linearized)?;
    let is_larger = size >= std::fs::metadata(&task.source)?.len();
    let product = Product {
        pages: inspection.pages,
        ..Product::default()
    };
    // What was damaged is never handed back.
    let was_damaged = inspection.remarks.contains(&Remark::DamageRepaired);
    if is_larger && !linearized && !was_damaged {
        return Ok(Product {
            unchanged: true,
            ..product
        });
    }
    std::fs::rename(smallest, task.output())?;
    Ok(Product {
        remarks: Vec::from_iter(is_larger.then_some(Remark::LargerThanSource)),
        ..product
    })
}

/// What a level may lose.
fn loss(options: &OptimiseOptions) -> Option<Loss> {
    let (quality, likeness) = match options.level.unwrap_or_default() {
        OptimiseLevel::Lossless => return None,
        OptimiseLevel::Balanced => (80, 36.0),
        OptimiseLevel::Small => (60, 31.0),
    };
    let quality = options.quality.map_or(quality, |quality| quality.value());
    Some(Loss { quality, likeness })
}

/// Writes the document in each way, and tells the size and place of the smallest result.
fn smallest(
    task: &Task,
    plain: &std::path::Path,
    patch: Option<&Patch>,
    linearized: bool,
) -> Outcome<(u64, PathBuf)> {
    let mut written = Vec::new();
    for (index, way) in WAYS.iter().enumerate() {
        let job = match patch {
            Some(patch) => patch.job(plain, &task.directory.join("patch"))?,
            None => Job::read(plain),
        };
        let job = job
            .options(&["--object-streams=generate", "--deterministic-id"])
            .options(way)
            .options(if linearized { &["--linearize"] } else { &[] });
        let candidate = task.directory.join(format!("candidate-{index}"));
        job.write(&candidate)?;
        written.push((std::fs::metadata(&candidate)?.len(), candidate));
    }
    let nothing = || Fault::Installation("no way to write".to_owned());
    written.into_iter().min().ok_or_else(nothing)
}
