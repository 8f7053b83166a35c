//! HEIC to images and to PDF: libheif's own program decodes it, the rest is as with any image.
//!
//! The program is one of its own because of its licence (LGPL) and because it is not in Rust. Of several images in a file
//! the shown one is taken. What the container says about turning is done; the orientation in an EXIF block is not meant to
//! be [ISO/IEC 23000-22, 7.3.6.7].

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::operation::Operation;
use sandbox::{Finished, Outcome as ChildOutcome, Work};
use task::file::is_regular;
use task::{Fault, Inspection, Outcome, Product, Task, Verified, linked};

use super::{Module, Program, Run, redraw};
use crate::error::EngineError;
use crate::installed::Installed;
use crate::outcome::crashed;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
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
    verify: verified,
    fingerprint: |installed, to| {
        let decoder = installed.heif.as_ref();
        let decoder = decoder.map_or("", |heif| heif.fingerprint.as_str());
        let encoder = match to {
            Format::Pdf => linked::LOPDF.to_owned(),
            to => redraw::fingerprint(to),
        };
        format!("{decoder} {encoder}")
    },
};

const SOURCE: &str = "source.heic";
const TARGET: &str = "target.png";
const DECODED: &str = "decoded.png";
/// Most images of one file that are looked through for the shown one.
const IMAGES: usize = 100;

fn stage(task: &Task) -> Outcome<()> {
    Ok(symlink(&task.source, task.directory.join(SOURCE))?)
}

fn work(installed: &Installed, directory: &Path) -> Result<Work, EngineError> {
    let missing = || EngineError::Service("libheif was not looked for".to_owned());
    let heif = installed.heif.as_ref().ok_or_else(missing)?;
    let path = |name: &str| directory.join(name).display().to_string();
    Ok(Work::Program {
        executable: heif.program.clone(),
        args: vec![path(SOURCE), path(TARGET)],
        env: Vec::new(),
    })
}

/// The files that the program may have written: one, or one for each image that stands for itself, counted from 1.
fn written(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let numbered = (1..=IMAGES).map(|number| format!("target-{number}.png"));
    let names = std::iter::once(TARGET.to_owned()).chain(numbered);
    names
        .map(move |name| directory.join(name))
        .filter(|path| is_regular(path))
}

fn check(directory: &Path, ended: &Finished) -> Result<(), EngineError> {
    match ended.outcome {
        ChildOutcome::Exited { .. } if written(directory).next().is_some() => Ok(()),
        ChildOutcome::Exited { .. } => Err(EngineError::Document(JobError::new(
            JobErrorCode::InputCorrupt,
            "The document is damaged and cannot be read.",
        ))),
        _ => Err(crashed()),
    }
}

/// Goes on with the picture that has the sides of the shown image.
fn finish(task: &Task) -> Outcome<Product> {
    let sides = sides(task)?;
    let shown = written(&task.directory).find_map(|path| {
        let reader = BufReader::new(File::open(&path).ok()?);
        (imaging::sides(reader, Format::Png).ok()? == sides).then_some(path)
    });
    let shown = shown.ok_or_else(Fault::corrupt)?;
    let decoded = decoded(task);
    without_exif(&shown, &decoded.source)?;
    std::fs::remove_file(shown)?;
    let inspection = Inspection {
        pages: Some(1),
        ..Inspection::default()
    };
    match task.to {
        Format::Pdf => pdf::image_to_pdf::run(&decoded, &inspection),
        _ => redraw::run(&decoded, &inspection),
    }
}

/// The sides of the shown image, turned upright.
fn sides(task: &Task) -> Outcome<(u32, u32)> {
    let reader = BufReader::new(File::open(&task.source)?);
    Ok(imaging::upright_sides(reader, Format::Heic)?.0)
}

/// The same task on what the program has made of the source.
fn decoded(task: &Task) -> Task {
    Task {
        source: task.directory.join(DECODED),
        from: Format::Png,
        ..task.clone()
    }
}

/// Copies a PNG without its EXIF block: readers would turn the image once more.
fn without_exif(from: &Path, to: &Path) -> Outcome<()> {
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

/// The result shows what the program has made of the source, which has the sides that the source says.
fn verified(task: &Task, product: &Product) -> Outcome<Verified> {
    let decoded = decoded(task);
    let reader = BufReader::new(File::open(&decoded.source)?);
    if imaging::sides(reader, Format::Png)? != sides(task)? {
        return Err(Fault::output_invalid("it has other sides than the source"));
    }
    match task.to {
        Format::Pdf => verify::pdf(&decoded, product),
        _ => verify::redrawn(&decoded, product),
    }
}
