//! Makes a PDF smaller: objects packed into compressed streams, streams compressed anew, what is there twice kept once, fonts
//! without what no reader reads and, unless nothing may be lost, pictures scaled down to what is seen of them and fonts
//! reduced to what is drawn of them. Whatever does not become smaller stays as it is, the whole document included.

// Linked before every JPEG encoder: see its lib.rs.
extern crate pdf as _;

mod aside;
mod brief;
mod content;
mod deflate;
mod drawn;
mod duplicates;
mod fonts;
mod pictures;
mod plain;
mod sizes;

use std::path::Path;

use domain::operation::{Operation, OptimiseLevel, OptimiseOptions};
use lopdf::{Dictionary, Object, ObjectId, Stream};
use pdf::patch::{self, Patch};
use pdf::pdfium;
use pdfium_render::prelude::Pdfium;
use task::progress::Teller;
use task::{Fault, Inspection, Outcome, Product, Remark, Task};

use self::brief::Brief;
use self::duplicates::Duplicates;
use self::fonts::Fonts;
use self::pictures::Loss;
use self::plain::Plain;
use self::sizes::Sizes;

/// Largest document whose objects are looked at: reading them takes its size of memory, in bytes.
const DOCUMENT: u64 = 512 * 1024 * 1024;

/// What is smaller by less than this part of it stays as it is: what was made smaller once is done.
const HARDLY: u64 = 200;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
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
    let source = std::fs::metadata(&task.source)?.len();
    let product = Product {
        pages: inspection.pages,
        ..Product::default()
    };
    // What was damaged is never handed back.
    let was_damaged = inspection.remarks.contains(&Remark::DamageRepaired);
    if size + source / HARDLY >= source && !linearized && !was_damaged {
        return Ok(Product {
            unchanged: true,
            ..product
        });
    }
    std::fs::rename(smallest, task.output())?;
    Ok(Product {
        remarks: Vec::from_iter((size >= source).then_some(Remark::LargerThanSource)),
        ..product
    })
}

/// What a level may lose.
fn loss(options: &OptimiseOptions) -> Option<Loss> {
    let level = match options.level.unwrap_or_default() {
        OptimiseLevel::Lossless => return None,
        OptimiseLevel::Balanced => Loss {
            // The last is for the grain of photographs, which lesser qualities smooth away.
            qualities: vec![78, 84, 90, 95],
            likeness: 0.965,
            resolution: 150.0,
            worth_a_first_loss: 0.5,
        },
        OptimiseLevel::Small => Loss {
            qualities: vec![45, 55, 65],
            likeness: 0.88,
            resolution: 100.0,
            worth_a_first_loss: 0.7,
        },
    };
    match options.quality {
        // Who asks for a quality gets it.
        Some(quality) => Some(Loss {
            qualities: vec![quality.value()],
            likeness: 0.0,
            ..level
        }),
        None => Some(level),
    }
}

/// Writes what is smaller, and as a document that is read while it comes if it is to be.
fn write(
    task: &Task,
    plain: &Path,
    loss: Option<&Loss>,
    (target, linearized): (&Path, bool),
) -> Outcome<()> {
    let patched = |patch: &Patch| {
        let job = patch.job(plain, &task.directory.join("patch"))?;
        job.options(&["--object-streams=generate", "--compression-level=9"])
            .option("--deterministic-id")
            .options(if linearized { &["--linearize"] } else { &[] })
            .write(target)
    };
    if std::fs::metadata(plain)?.len() > DOCUMENT {
        return patched(&Patch::none());
    }
    let library = pdfium::load(task)?;
    let read = Plain::open(plain)?;
    let duplicates = Duplicates::of(&read);
    let fonts = Fonts::of(&read, &duplicates, loss.is_none());
    let changes = Changes {
        task,
        plain: &read,
        loss,
        duplicates,
    };
    let fonts = changes.unseen(&library, plain, fonts)?;
    patched(&changes.all(Some(&library), &fonts)?)
}

/// What the parts of a document may become.
struct Changes<'a> {
    task: &'a Task,
    plain: &'a Plain,
    loss: Option<&'a Loss>,
    duplicates: Duplicates,
}

impl Changes<'_> {
    /// The fonts that become smaller without anybody seeing it: if one was understood wrongly, it stays as it is, and so do
    /// all others. Pictures are left out of the comparison, which may look different.
    fn unseen(&self, library: &Pdfium, plain: &Path, fonts: Fonts) -> Outcome<Fonts> {
        if fonts.is_empty() || !drawn::is_soon_compared(&self.plain.document) {
            return Ok(Fonts::default());
        }
        let (patch, tried) = (
            self.task.directory.join("fonts"),
            self.task.directory.join("tried"),
        );
        let job = self.all(None, &fonts)?.job(plain, &patch)?;
        job.options(&["--stream-data=preserve", "--deterministic-id"])
            .write(&tried)?;
        let alike = drawn::alike(library, plain, &tried);
        std::fs::remove_file(tried)?;
        Ok(if alike { fonts } else { Fonts::default() })
    }

    /// Everything in the document that becomes smaller; without the library that reads pictures only fonts, and what is
    /// there twice.
    fn all(&self, library: Option<&Pdfium>, fonts: &Fonts) -> Outcome<Patch> {
        let sizes = self.loss.filter(|_| library.is_some());
        let sizes = sizes.and_then(|_| Sizes::of(self.plain));
        let mut patch = Patch::of(&self.plain.document);
        let brief = Brief::of(self.plain, &self.duplicates, &mut patch);
        let mut teller = Teller::begin(&self.task.scratch);
        let objects = &self.plain.document.objects;
        for (index, (id, object)) in objects.iter().enumerate() {
            match object {
                Object::Stream(_) if self.duplicates.contains(*id) => {}
                Object::Stream(stream) => {
                    let smaller = match (fonts.smaller(self.plain, (*id, stream)), library) {
                        (None, Some(library)) => {
                            self.stream(library, sizes.as_ref(), (*id, stream))?
                        }
                        (smaller, _) => smaller,
                    };
                    self.set_stream((&mut patch, &brief), (*id, stream), smaller)?;
                }
                Object::Dictionary(members) => {
                    if let Some(members) = self.members(members) {
                        patch.set(*id, &Object::Dictionary(members));
                    }
                }
                object => {
                    if let Some(object) = self.duplicates.replaced(object) {
                        patch.set(*id, &object);
                    }
                }
            }
            teller.tell(index + 1, objects.len());
        }
        Ok(patch)
    }

    /// A stream that is no font in fewer bytes.
    fn stream(
        &self,
        library: &Pdfium,
        sizes: Option<&Sizes>,
        (id, stream): (ObjectId, &Stream),
    ) -> Outcome<Option<(Dictionary, Vec<u8>)>> {
        let picture = pictures::smaller(library, self.plain, (id, stream), (self.loss, sizes))?;
        Ok(picture
            .or_else(|| aside::metadata(self.plain, stream))
            .or_else(|| deflated(self.plain, stream)))
    }

    fn set_stream(
        &self,
        (patch, brief): (&mut Patch, &Brief),
        (id, stream): (ObjectId, &Stream),
        smaller: Option<(Dictionary, Vec<u8>)>,
    ) -> Outcome<()> {
        let about = smaller.as_ref().map_or(&stream.dict, |(about, _)| about);
        let replaced = self.members(about);
        let said = replaced.as_ref().unwrap_or(about);
        let replaced = brief.members(&self.duplicates, said).or(replaced);
        match (smaller, replaced) {
            (Some((about, content)), replaced) => {
                let file = self.task.directory.join(format!("stream-{}", id.0));
                std::fs::write(&file, content)?;
                patch.set_stream(id, &replaced.unwrap_or(about), &file);
            }
            (None, Some(about)) => patch.set_about(id, &about),
            (None, None) => {}
        }
        Ok(())
    }

    /// The entries of an object, if any of them changes.
    fn members(&self, members: &Dictionary) -> Option<Dictionary> {
        let changed = aside::without_rights(&self.plain.document, members);
        let known = changed.as_ref().unwrap_or(members);
        let stripped = self.loss.and_then(|_| aside::without_notes(known));
        let changed = stripped.or(changed);
        let known = changed.as_ref().unwrap_or(members);
        self.duplicates.replaced_members(known).or(changed)
    }
}

fn deflated(plain: &Plain, stream: &Stream) -> Option<(Dictionary, Vec<u8>)> {
    let content = deflate::smaller(&plain.with_content(stream)?)?;
    Some((stream.dict.clone(), content))
}
