//! Reduces the size of a PDF: object streams, recompressed streams, merged duplicates, fonts without unused tables and,
//! unless lossless, downscaled JPEG images and subset fonts. Parts that do not become smaller are copied unchanged, and so
//! is the document if it does not become smaller.

// Has to be linked before every JPEG encoder; see the lib.rs of `pdf`.
extern crate pdf as _;

mod compact_forms;
mod deflate;
mod discardable;
mod display_sizes;
mod duplicates;
mod fonts;
mod images;
mod lazy_document;
mod render_comparison;

use std::path::Path;

use domain::operation::{Operation, OptimizeLevel, OptimizeOptions};
use lopdf::{Dictionary, Object, ObjectId, Stream};
use pdf::patch::{self, Patch};
use pdf::pdfium;
use pdfium_render::prelude::Pdfium;
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning};

use self::compact_forms::FormCompactor;
use self::display_sizes::DisplaySizes;
use self::duplicates::Duplicates;
use self::fonts::Fonts;
use self::images::LossyLimits;
use self::lazy_document::LazyDocument;

/// Maximum document size for object-level optimization, in bytes: the objects take as much memory.
const MAX_DOCUMENT: u64 = 512 * 1024 * 1024;

/// A document that shrinks by less than this fraction (1/n) is returned unchanged, so that optimizing is idempotent.
const MIN_SAVING_DIVISOR: u64 = 200;

/// Runs the operation; the result is at [`Task::output`].
///
/// # Errors
/// Invalid documents, requests or installations.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let Operation::Optimize(options) = &task.operation else {
        return Err(TaskError::Installation(
            "operation is not optimize".to_owned(),
        ));
    };
    let plain = task.directory.join("plain");
    patch::write_normalized(&task.readable(), &plain)?;
    let linearized = options.linearize == Some(true);
    let smallest = task.directory.join("smallest");
    write(
        task,
        &plain,
        lossy_limits(options).as_ref(),
        (&smallest, linearized),
    )?;
    let size = std::fs::metadata(&smallest)?.len();
    let source = std::fs::metadata(&task.source)?.len();
    let product = Product {
        pages: inspection.pages,
        ..Product::default()
    };
    // A damaged source is never returned unchanged.
    let was_damaged = inspection.warnings.contains(&Warning::DamageRepaired);
    if size + source / MIN_SAVING_DIVISOR >= source && !linearized && !was_damaged {
        return Ok(Product {
            unchanged: true,
            ..product
        });
    }
    std::fs::rename(smallest, task.output())?;
    Ok(Product {
        warnings: Vec::from_iter((size >= source).then_some(Warning::LargerThanSource)),
        ..product
    })
}

/// Returns the loss that a level permits.
fn lossy_limits(options: &OptimizeOptions) -> Option<LossyLimits> {
    let level = match options.level.unwrap_or_default() {
        OptimizeLevel::Lossless => return None,
        OptimizeLevel::Balanced => LossyLimits {
            // 95 preserves the grain of photographs, which lower qualities smooth away.
            qualities: vec![78, 84, 90, 95],
            min_similarity: 0.965,
            resolution: 150.0,
            max_first_jpeg_ratio: 0.5,
        },
        OptimizeLevel::Small => LossyLimits {
            qualities: vec![45, 55, 65],
            min_similarity: 0.88,
            resolution: 100.0,
            max_first_jpeg_ratio: 0.7,
        },
    };
    match options.quality {
        // A requested quality is applied regardless of similarity.
        Some(quality) => Some(LossyLimits {
            qualities: vec![quality.value()],
            min_similarity: 0.0,
            ..level
        }),
        None => Some(level),
    }
}

/// Writes the optimized document, linearized if requested.
fn write(
    task: &Task,
    plain: &Path,
    loss: Option<&LossyLimits>,
    (target, linearized): (&Path, bool),
) -> TaskResult<()> {
    let patched = |patch: &Patch| {
        let job = patch.job(plain, &task.directory.join("patch"))?;
        job.options(&["--object-streams=generate", "--compression-level=9"])
            .option("--deterministic-id")
            .options(if linearized { &["--linearize"] } else { &[] })
            .write(target)
    };
    if std::fs::metadata(plain)?.len() > MAX_DOCUMENT {
        return patched(&Patch::none());
    }
    let library = pdfium::load(task)?;
    let read = LazyDocument::open(plain)?;
    let duplicates = Duplicates::of(&read);
    let fonts = Fonts::of(&read, &duplicates, loss.is_none());
    let optimizer = Optimizer {
        task,
        source: &read,
        loss,
        duplicates,
    };
    let fonts = optimizer.verified_fonts(&library, plain, fonts)?;
    patched(&optimizer.build_patch(Some(&library), &fonts)?)
}

/// Computes the changes to a document.
struct Optimizer<'a> {
    task: &'a Task,
    source: &'a LazyDocument,
    loss: Option<&'a LossyLimits>,
    duplicates: Duplicates,
}

impl Optimizer<'_> {
    /// Returns the font subsets if they leave the rendering and text of all pages unchanged, otherwise none. Images, which may
    /// change, are left out of the comparison.
    fn verified_fonts(&self, library: &Pdfium, plain: &Path, fonts: Fonts) -> TaskResult<Fonts> {
        if fonts.is_empty() || !render_comparison::fits_comparison_budget(&self.source.document) {
            return Ok(Fonts::default());
        }
        let (patch, tried) = (
            self.task.directory.join("fonts"),
            self.task.directory.join("tried"),
        );
        let job = self.build_patch(None, &fonts)?.job(plain, &patch)?;
        job.options(&["--stream-data=preserve", "--deterministic-id"])
            .write(&tried)?;
        let alike = render_comparison::renders_identically(library, plain, &tried);
        std::fs::remove_file(tried)?;
        Ok(if alike { fonts } else { Fonts::default() })
    }

    /// Builds the patch of all changes; without PDFium only those to fonts and duplicates.
    fn build_patch(&self, library: Option<&Pdfium>, fonts: &Fonts) -> TaskResult<Patch> {
        let sizes = self.loss.filter(|_| library.is_some());
        let sizes = sizes.and_then(|_| DisplaySizes::of(self.source));
        let mut patch = Patch::of(&self.source.document);
        let compactor = FormCompactor::of(self.source, &self.duplicates, &mut patch);
        let mut progress = ProgressWriter::start(&self.task.scratch);
        let objects = &self.source.document.objects;
        for (index, (id, object)) in objects.iter().enumerate() {
            match object {
                Object::Stream(_) if self.duplicates.contains(*id) => {}
                Object::Stream(stream) => {
                    let shrunk = match (fonts.shrink(self.source, (*id, stream)), library) {
                        (None, Some(library)) => {
                            self.shrink_stream(library, sizes.as_ref(), (*id, stream))?
                        }
                        (shrunk, _) => shrunk,
                    };
                    self.set_stream((&mut patch, &compactor), (*id, stream), shrunk)?;
                }
                Object::Dictionary(members) => {
                    if let Some(members) = self.members(members) {
                        patch.set(*id, &Object::Dictionary(members));
                    }
                }
                object => {
                    if let Some(object) = self.duplicates.redirected(object) {
                        patch.set(*id, &object);
                    }
                }
            }
            progress.report(index + 1, objects.len());
        }
        Ok(patch)
    }

    /// Returns a smaller stream that is not a font program.
    fn shrink_stream(
        &self,
        library: &Pdfium,
        sizes: Option<&DisplaySizes>,
        (id, stream): (ObjectId, &Stream),
    ) -> TaskResult<Option<(Dictionary, Vec<u8>)>> {
        let image = images::shrink(library, self.source, (id, stream), (self.loss, sizes))?;
        Ok(image
            .or_else(|| discardable::trim_xmp_padding(self.source, stream))
            .or_else(|| deflated(self.source, stream)))
    }

    fn set_stream(
        &self,
        (patch, compactor): (&mut Patch, &FormCompactor),
        (id, stream): (ObjectId, &Stream),
        shrunk: Option<(Dictionary, Vec<u8>)>,
    ) -> TaskResult<()> {
        let dictionary = shrunk
            .as_ref()
            .map_or(&stream.dict, |(dictionary, _)| dictionary);
        let replaced = self.members(dictionary);
        let current = replaced.as_ref().unwrap_or(dictionary);
        let replaced = compactor.compact(&self.duplicates, current).or(replaced);
        match (shrunk, replaced) {
            (Some((dictionary, content)), replaced) => {
                let file = self.task.directory.join(format!("stream-{}", id.0));
                std::fs::write(&file, content)?;
                patch.set_stream(id, &replaced.unwrap_or(dictionary), &file);
            }
            (None, Some(dictionary)) => patch.set_stream_dictionary(id, &dictionary),
            (None, None) => {}
        }
        Ok(())
    }

    /// Returns the changed entries of a dictionary, if any.
    fn members(&self, members: &Dictionary) -> Option<Dictionary> {
        let changed = discardable::without_usage_rights(&self.source.document, members);
        let known = changed.as_ref().unwrap_or(members);
        let stripped = self
            .loss
            .and_then(|_| discardable::without_private_data(known));
        let changed = stripped.or(changed);
        let known = changed.as_ref().unwrap_or(members);
        self.duplicates.redirected_members(known).or(changed)
    }
}

fn deflated(source: &LazyDocument, stream: &Stream) -> Option<(Dictionary, Vec<u8>)> {
    let content = deflate::recompress(&source.with_content(stream)?)?;
    Some((stream.dict.clone(), content))
}
