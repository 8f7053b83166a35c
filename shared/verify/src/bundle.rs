//! Checks an archive of a document and its images: every file is there, and the document is the one that other checks read.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};

use domain::job::{BUNDLED_DOCUMENT, bundled_image};
use task::magic::sniff_image_format;
use task::{Product, Task, TaskError, TaskResult};
use zip::ZipArchive;

/// Number of bytes from which the format of an image is detected.
const HEAD: u64 = 64;

/// Checks the archive, if the output is one.
pub(super) fn bundle(task: &Task, product: &Product) -> TaskResult<()> {
    let Some(formats) = &product.images else {
        return Ok(());
    };
    let invalid = TaskError::output_invalid;
    let unreadable = |_| invalid("the archive does not open");
    let mut archive =
        ZipArchive::new(BufReader::new(File::open(task.output())?)).map_err(unreadable)?;
    if archive.len() != product.entries.len() || archive.len() != formats.len() + 1 {
        return Err(invalid("files are missing"));
    }
    let images = formats.iter().zip(1..);
    let names = images.map(|(format, number)| bundled_image(number, *format));
    let names = [BUNDLED_DOCUMENT.to_owned()].into_iter().chain(names);
    for (name, size) in names.zip(&product.entries) {
        let entry = archive.by_name(&name).map_err(unreadable)?;
        let is_empty = *size == 0 && name != BUNDLED_DOCUMENT;
        if entry.size() != *size || is_empty {
            return Err(invalid("a file has an unexpected size"));
        }
    }
    for ((format, size), number) in formats.iter().zip(product.entries.iter().skip(1)).zip(1..) {
        let name = bundled_image(number, *format);
        let mut head = Vec::new();
        let mut image = archive.by_name(&name).map_err(unreadable)?;
        image.by_ref().take(HEAD).read_to_end(&mut head)?;
        if sniff_image_format(&head) != Some(*format) {
            return Err(invalid("an image has an unexpected format"));
        }
        // Its checksum is compared at the end.
        std::io::copy(&mut image.take(*size), &mut std::io::sink())
            .map_err(|_| invalid("an image is damaged"))?;
    }
    let document = archive.by_name(BUNDLED_DOCUMENT).map_err(unreadable)?;
    match is_equal(document, File::open(task.document())?)? {
        true => Ok(()),
        false => Err(invalid("the document in the archive differs")),
    }
}

/// Whether two readers have the same bytes.
fn is_equal(one: impl Read, other: impl Read) -> TaskResult<bool> {
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if left.get(..length) != right.get(..length) {
            return Ok(false);
        }
        if length == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(length);
        other.consume(length);
    }
}
