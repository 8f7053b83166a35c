//! Makes a PDF smaller: objects packed into compressed streams, streams compressed anew, what is there twice kept once and,
//! unless nothing may be lost, pictures scaled down to what is seen of them. Whatever does not become smaller stays as it
//! is, the whole document included.

mod content;
mod deflate;
mod duplicates;
mod pictures;
mod plain;
mod sizes;

use std::path::Path;

use domain::format::Format;
use domain::operation::{Operation, OptimiseLevel, OptimiseOptions};
use lopdf::{Dictionary, Object, Stream};

use self::duplicates::Duplicates;
use self::pictures::Loss;
use self::plain::Plain;
use self::sizes::Sizes;
use super::{Module, Run};
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::patch::{self, Patch};
use crate::pdfium;
use crate::progress::Teller;
use crate::remark::Remark;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Optimise(_)) && from == Format::Pdf,
    run: Run::Child(run),
    verify: verify::optimised,
    fingerprint: |_, _| {
        format!(
            "{} {} {} {}",
            linked::QPDF,
            linked::LOPDF,
            linked::MOZJPEG,
            linked::LIBDEFLATE
        )
    },
};

/// Largest document whose objects are looked at: reading them takes its size of memory, in bytes.
const DOCUMENT: u64 = 512 * 1024 * 1024;

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let Operation::Optimise(options) = &task.operation else {
        return Err(Fault::Installation("not an optimisation".to_owned()));
    };
    let plain = task.directory.join("plain");
    patch::plain(&task.readable(), &plain)?;
    let linearized = options.linearize == Some(true);
    let smallest = task.directory.join("smallest");
    write(
        task,
        &plain,
        loss(options).as_ref(),
        (&smallest, linearized),
    )?;
    let size = std::fs::metadata(&smallest)?.len();
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
    let (qualities, likeness, resolution) = match options.level.unwrap_or_default() {
        OptimiseLevel::Lossless => return None,
        // The last is for the grain of photographs, which lesser qualities smooth away.
        OptimiseLevel::Balanced => (vec![78, 84, 90, 95], 0.965, 150.0),
        OptimiseLevel::Small => (vec![45, 55, 65], 0.88, 100.0),
    };
    let asked = options.quality.map(|quality| vec![quality.value()]);
    Some(Loss {
        // Who asks for a quality gets it.
        likeness: if asked.is_some() { 0.0 } else { likeness },
        qualities: asked.unwrap_or(qualities),
        resolution,
    })
}

/// Writes what is smaller, and as a document that is read while it comes if it is to be.
fn write(
    task: &Task,
    plain: &Path,
    loss: Option<&Loss>,
    (target, linearized): (&Path, bool),
) -> Outcome<()> {
    let patch = match std::fs::metadata(plain)?.len() {
        0..=DOCUMENT => changes(task, &Plain::open(plain)?, loss)?,
        _ => Patch::none(),
    };
    let job = patch.job(plain, &task.directory.join("patch"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .options(if linearized { &["--linearize"] } else { &[] })
        .write(target)
}

/// Everything in the document that becomes smaller.
fn changes(task: &Task, plain: &Plain, loss: Option<&Loss>) -> Outcome<Patch> {
    let library = pdfium::load(task)?;
    let sizes = loss.and_then(|_| Sizes::of(plain));
    let duplicates = Duplicates::of(plain);
    let mut patch = Patch::of(&plain.document);
    let mut teller = Teller::begin(&task.scratch);
    let objects = &plain.document.objects;
    for (index, (id, object)) in objects.iter().enumerate() {
        let Object::Stream(stream) = object else {
            if let Some(object) = duplicates.replaced(object) {
                patch.set(*id, &object);
            }
            continue;
        };
        if duplicates.contains(*id) {
            continue;
        }
        let picture = pictures::smaller(&library, plain, (*id, stream), (loss, sizes.as_ref()))?;
        let smaller = picture.or_else(|| deflated(plain, stream));
        let about = smaller.as_ref().map_or(&stream.dict, |(about, _)| about);
        let replaced = duplicates.replaced_members(about);
        match (smaller, replaced) {
            (Some((about, content)), replaced) => {
                let file = task.directory.join(format!("stream-{}", id.0));
                std::fs::write(&file, content)?;
                patch.set_stream(*id, &replaced.unwrap_or(about), &file);
            }
            (None, Some(about)) => patch.set_about(*id, &about),
            (None, None) => {}
        }
        teller.tell(index + 1, objects.len());
    }
    Ok(patch)
}

fn deflated(plain: &Plain, stream: &Stream) -> Option<(Dictionary, Vec<u8>)> {
    let content = deflate::smaller(&plain.with_content(stream)?)?;
    Some((stream.dict.clone(), content))
}
