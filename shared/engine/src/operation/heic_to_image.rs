//! Converts HEIC to images and PDF: libheif's command-line program decodes it to PNG, which is then converted as any image.
//!
//! The decoder is a separate program because of its license (LGPL) and because it is not written in Rust. Of several images
//! in a file, the primary image is used. Rotation in the container is applied; EXIF orientation must be ignored [ISO/IEC
//! 23000-22, 7.3.6.7].

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::operation::Operation;
use imaging::heif::Container;
use sandbox::{FinishedChild, Outcome as ChildOutcome, Work};
use task::file::is_regular;
use task::{Inspection, Product, Task, TaskError, TaskResult, Verified, Warning, engine_versions};

use super::{Module, Program, Run, reencode};
use crate::error::EngineError;
use crate::installed::Installed;
use crate::outcome::crashed;

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        from == Format::Heic
            && matches!(operation, Operation::Convert(_))
            && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Program(Program {
        stage,
        work,
        check,
        finish,
    }),
    verify: verify_decoded,
    fingerprint: |installed, to| {
        let decoder = installed.heif.as_ref();
        let decoder = decoder.map_or("", |heif| heif.fingerprint.as_str());
        let encoder = match to {
            Format::Pdf => engine_versions::LOPDF.to_owned(),
            to => reencode::fingerprint(to),
        };
        format!("{decoder} {encoder}")
    },
};

const SOURCE: &str = "source.heic";
const TARGET: &str = "target.png";
const DECODED: &str = "decoded.png";
/// Maximum number of decoded images that are searched for the primary image.
const MAX_IMAGES: usize = 100;

fn stage(task: &Task, _: &Inspection) -> TaskResult<Vec<Warning>> {
    symlink(&task.source, task.directory.join(SOURCE))?;
    Ok(Vec::new())
}

fn work(installed: &Installed, directory: &Path) -> Result<Work, EngineError> {
    let missing = || EngineError::Service("libheif was not discovered".to_owned());
    let heif = installed.heif.as_ref().ok_or_else(missing)?;
    let path = |name: &str| directory.join(name).display().to_string();
    Ok(Work::Program {
        executable: heif.program.clone(),
        args: vec![path(SOURCE), path(TARGET)],
        env: Vec::new(),
    })
}

/// The files that the program wrote: one, or one for each top-level image, numbered from 1.
fn decoded_files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let numbered = (1..=MAX_IMAGES).map(|number| format!("target-{number}.png"));
    let names = std::iter::once(TARGET.to_owned()).chain(numbered);
    names
        .map(move |name| directory.join(name))
        .filter(|path| is_regular(path))
}

fn check(directory: &Path, finished: &FinishedChild) -> Result<(), EngineError> {
    match finished.outcome {
        ChildOutcome::Exited { .. } if decoded_files(directory).next().is_some() => Ok(()),
        ChildOutcome::Exited { .. } => Err(EngineError::Document(JobError::new(
            JobErrorCode::InputCorrupt,
            "The document is damaged and cannot be read.",
        ))),
        _ => Err(crashed()),
    }
}

/// Converts the decoded primary image: that in its place among the independent images, or else the first of its size.
fn finish(task: &Task) -> TaskResult<Product> {
    let container = Container::read(&mut BufReader::new(File::open(&task.source)?))?;
    let sides = sides(task)?;
    let mut found: Vec<PathBuf> = decoded_files(&task.directory).collect();
    let place = container.primary_place().min(found.len());
    found.rotate_left(place);
    let primary = found.into_iter().find(|path| {
        let reader = File::open(path).map(BufReader::new);
        let found = reader.map(|reader| imaging::dimensions(reader, Format::Png));
        matches!(found, Ok(Ok(found)) if found == sides)
    });
    let primary = primary.ok_or_else(TaskError::input_corrupt)?;
    let decoded = decoded(task);
    without_exif(&primary, &decoded.source)?;
    std::fs::remove_file(primary)?;
    let inspection = Inspection {
        pages: Some(1),
        ..Inspection::default()
    };
    match task.to {
        Format::Pdf => pdf::image_to_pdf::run(&decoded, &inspection),
        _ => reencode::run(&decoded, &inspection),
    }
}

/// Width and height of the primary image, upright.
fn sides(task: &Task) -> TaskResult<(u32, u32)> {
    let reader = BufReader::new(File::open(&task.source)?);
    Ok(imaging::upright_dimensions(reader, Format::Heic)?.0)
}

/// The same task with the decoded PNG as source.
fn decoded(task: &Task) -> Task {
    Task {
        source: task.directory.join(DECODED),
        from: Format::Png,
        ..task.clone()
    }
}

/// Copies a PNG without its `eXIf` chunk, whose orientation readers would apply a second time.
fn without_exif(from: &Path, to: &Path) -> TaskResult<()> {
    const SIGNATURE: u64 = 8;
    const CHECKSUM: u64 = 4;
    let mut from = BufReader::new(File::open(from)?);
    let mut to = BufWriter::new(File::create(to)?);
    std::io::copy(&mut from.by_ref().take(SIGNATURE), &mut to)?;
    let mut head = [0; 8];
    while from.read_exact(&mut head).is_ok() {
        let [l0, l1, l2, l3, name @ ..] = head;
        let rest = u64::from(u32::from_be_bytes([l0, l1, l2, l3])) + CHECKSUM;
        let mut chunk = from.by_ref().take(rest);
        if &name == b"eXIf" {
            std::io::copy(&mut chunk, &mut std::io::sink())?;
        } else {
            to.write_all(&head)?;
            std::io::copy(&mut chunk, &mut to)?;
        }
    }
    Ok(to.flush()?)
}

/// Verifies that the decoded image has the size of the source and that the result shows the decoded image.
fn verify_decoded(task: &Task, product: &Product) -> TaskResult<Verified> {
    let decoded = decoded(task);
    let reader = BufReader::new(File::open(&decoded.source)?);
    if imaging::dimensions(reader, Format::Png)? != sides(task)? {
        return Err(TaskError::output_invalid(
            "its size differs from the source",
        ));
    }
    match task.to {
        Format::Pdf => verify::pdf(&decoded, product),
        _ => verify::image_to_image(&decoded, product),
    }
}
