//! Recompresses the pictures of a PDF as JPEG, those that bear it: eight bits a channel, grey or red, green and blue, and no
//! mask of colours. Everything else (CMYK, palettes, JPEG 2000, black and white, masks) is left alone.

mod likeness;
mod samples;

use std::collections::HashSet;
use std::path::Path;

use image::{DynamicImage, ImageFormat};
use lopdf::{Document, Object, ObjectId, Stream};

use self::likeness::likeness;
use self::samples::Samples;
use crate::fault::{Fault, Outcome};
use crate::patch::Patch;
use crate::picture::encode::{self, Attributes};
use crate::progress::Teller;
use crate::task::Task;

/// How much pictures may lose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss {
    /// The quality of JPEG.
    pub(super) quality: u8,
    /// Least likeness to the source, as the ratio of signal to noise in decibels.
    pub(super) likeness: f64,
}

/// Largest document whose pictures are looked at: it is held in memory, in bytes.
const DOCUMENT: u64 = 512 * 1024 * 1024;
/// A JPEG must save a tenth, to be worth another loss.
const WORTH_A_LOSS: (usize, usize) = (9, 10);
/// What was stored without loss must become half as large: else it is a drawing rather than a photograph.
const WORTH_A_FIRST_LOSS: (usize, usize) = (1, 2);

/// The pictures that become smaller, as changes to the document; none if none does.
pub(super) fn recompress(task: &Task, plain: &Path, loss: Loss) -> Outcome<Option<Patch>> {
    if std::fs::metadata(plain)?.len() > DOCUMENT {
        return Ok(None);
    }
    let document = Document::load(plain).map_err(|_| Fault::corrupt())?;
    let mut patch = Patch::of(&document);
    let masks = masks(&document);
    let mut teller = Teller::begin(&task.scratch);
    let all = document.objects.len();
    for (index, (id, object)) in document.objects.iter().enumerate() {
        if let Object::Stream(stream) = object
            && !masks.contains(id)
            && let Some((picture, file)) = smaller(&document, stream, loss)?
        {
            let name = task.directory.join(format!("picture-{}", id.0));
            std::fs::write(&name, file)?;
            patch.set_stream(*id, &picture.dictionary(stream), &name);
        }
        teller.tell(index + 1, all);
    }
    Ok((!patch.is_empty()).then_some(patch))
}

/// Streams that other pictures use as their masks.
fn masks(document: &Document) -> HashSet<ObjectId> {
    let streams = document
        .objects
        .values()
        .filter_map(|object| object.as_stream().ok());
    streams
        .flat_map(|stream| [stream.dict.get(b"SMask"), stream.dict.get(b"Mask")])
        .filter_map(|mask| mask.ok()?.as_reference().ok())
        .collect()
}

/// The picture as a JPEG that is enough smaller and looks alike.
fn smaller(
    document: &Document,
    stream: &Stream,
    loss: Loss,
) -> Outcome<Option<(Samples, Vec<u8>)>> {
    let Some(samples) = Samples::of(document, stream) else {
        return Ok(None);
    };
    let file = encode::jpeg(&samples.pixels, loss.quality, Attributes::default())?;
    let (part, whole) = match samples.is_jpeg {
        true => WORTH_A_LOSS,
        false => WORTH_A_FIRST_LOSS,
    };
    if file.len() * whole > stream.content.len() * part {
        return Ok(None);
    }
    let again = image::load_from_memory_with_format(&file, ImageFormat::Jpeg);
    let alike = again.is_ok_and(|again| looks_alike(&samples.pixels, &again, loss));
    Ok(alike.then_some((samples, file)))
}

fn looks_alike(one: &DynamicImage, other: &DynamicImage, loss: Loss) -> bool {
    one.color() == other.color() && likeness(one.as_bytes(), other.as_bytes()) >= loss.likeness
}
