//! Hard masks of images in place of soft ones, which PDF/A-1 does not have [ISO 32000-1, 8.9.6.3, 11.6.5.3].
//!
//! Ghostscript would turn pages with soft masks into images, without text.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;
use std::path::Path;

use lopdf::{Document, Object, ObjectId, dictionary};
use task::{TaskResult, Warning};

use crate::objects::is_a;
use crate::patch::Patch;
use crate::qpdf::QpdfDocument;

/// Maximum number of samples of a mask.
const MAX_SAMPLES: usize = 64 << 20;
/// The least opaque sample that is visible, and that of an image whose partly transparent colors are blended with a matte color.
const VISIBLE: u8 = 128;
const VISIBLE_IN_MATTE: u8 = 240;
/// Samples that are clearly neither invisible nor opaque, and their maximum share in all but the invisible ones: more are not
/// only those of smooth edges.
const PARTIAL: RangeInclusive<u8> = 16..=239;
const MAX_PARTIAL: (usize, usize) = (1, 10);

/// Replaces the masks of a document, with files in `directory`. Returns a warning if edges were partly transparent. Masks with
/// larger parts that are so, with other than 1 or 8 bits, or that libqpdf does not decode stay.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn replace(
    (file, document): (&QpdfDocument, &Document),
    directory: &Path,
    patch: &mut Patch,
) -> TaskResult<Option<Warning>> {
    let mut masks: BTreeMap<ObjectId, Option<ObjectId>> = BTreeMap::new();
    let mut is_partial = false;
    for (id, object) in &document.objects {
        let Ok(image) = object.as_stream() else {
            continue;
        };
        let soft = image.dict.get(b"SMask").and_then(Object::as_reference);
        let Some(soft) = soft.ok().filter(|_| is_a(&image.dict, b"Image")) else {
            continue;
        };
        let mask = match masks.entry(soft) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let mask = hard(document, file, soft);
                is_partial |= mask.as_ref().is_some_and(|mask| mask.is_partial);
                let written = mask.map(|mask| mask.write(directory, patch));
                *new.insert(written.transpose()?)
            }
        };
        if let Some(mask) = mask {
            let mut dict = image.dict.clone();
            dict.remove(b"SMask");
            dict.set("Mask", mask);
            patch.set_stream_dictionary(*id, &dict);
        }
    }
    Ok(is_partial.then_some(Warning::TransparencyRemoved))
}

/// A mask of one bit per sample; 1 is invisible.
struct HardMask {
    sides: (usize, usize),
    bits: Vec<u8>,
    /// Whether the soft mask has other samples than 0 and 255.
    is_partial: bool,
}

impl HardMask {
    fn of(sides: (usize, usize), samples: &[u8], visible: u8) -> Option<Self> {
        let (width, height) = sides;
        let samples = samples.get(..width.checked_mul(height)?)?;
        let count = |range: &RangeInclusive<u8>| {
            let found = samples.iter().filter(|sample| range.contains(sample));
            found.count()
        };
        let (most, of) = MAX_PARTIAL;
        if samples.is_empty() || count(&PARTIAL) * of > count(&(1..=255)) * most {
            return None;
        }
        let rows = samples.chunks(width);
        let bytes = rows.flat_map(|row| row.chunks(8)).map(|samples| {
            let bits = (0..8).zip(samples);
            bits.fold(0, |byte, (bit, sample)| {
                byte | u8::from(*sample < visible) << (7 - bit)
            })
        });
        Some(Self {
            sides,
            bits: bytes.collect(),
            is_partial: samples.iter().any(|sample| !matches!(sample, 0 | 255)),
        })
    }

    fn write(self, directory: &Path, patch: &mut Patch) -> TaskResult<ObjectId> {
        let id = patch.new_id();
        let path = directory.join(format!("mask-{}", id.0));
        std::fs::write(&path, self.bits)?;
        let side = |side| i64::try_from(side).unwrap_or(i64::MAX);
        let dict = dictionary! {
            "Type" => "XObject", "Subtype" => "Image", "ImageMask" => true, "BitsPerComponent" => 1,
            "Width" => side(self.sides.0), "Height" => side(self.sides.1),
        };
        patch.set_stream(id, &dict, &path);
        Ok(id)
    }
}

fn hard(document: &Document, file: &QpdfDocument, soft: ObjectId) -> Option<HardMask> {
    let soft_mask = document.get_object(soft).and_then(Object::as_stream).ok()?;
    let dict = &soft_mask.dict;
    let number = |key| {
        let number = dict.get_deref(key, document).and_then(Object::as_i64);
        usize::try_from(number.ok()?).ok()
    };
    let (width, height) = (number(b"Width")?, number(b"Height")?);
    let area = width.checked_mul(height)?;
    let bits = number(b"BitsPerComponent")?;
    if !(1..=MAX_SAMPLES).contains(&area) || !matches!(bits, 1 | 8) || dict.has(b"Decode") {
        return None;
    }
    let row = (width * bits).div_ceil(8);
    // A JPEG with several components has more bytes.
    let mut samples = file.decoded_stream(soft, row * (height + 1))?;
    if bits == 1 {
        samples = bytes_of_bits(&samples, row, width);
    }
    let visible = match dict.has(b"Matte") {
        true => VISIBLE_IN_MATTE,
        false => VISIBLE,
    };
    HardMask::of((width, height), &samples, visible)
}

/// Samples of 8 bits for those of one.
fn bytes_of_bits(bits: &[u8], row: usize, width: usize) -> Vec<u8> {
    let rows = bits.chunks(row.max(1));
    let samples = rows.flat_map(|row| {
        let bits = row
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        bits.map(|bit| bit * u8::MAX).take(width)
    });
    samples.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_visible_or_not() {
        let mut samples = [255; 18];
        for (index, sample) in [(0, 0), (2, 127), (8, 0)] {
            samples[index] = sample;
        }
        let mask = HardMask::of((9, 2), &samples, VISIBLE).unwrap();
        assert_eq!(mask.bits, [0b1010_0000, 0b1000_0000, 0, 0]);
        assert!(mask.is_partial);
        samples[3] = 128;
        assert!(HardMask::of((9, 2), &samples, VISIBLE).is_none());
        let mut samples = [255; 16];
        samples[1] = 239;
        let mask = HardMask::of((16, 1), &samples, VISIBLE_IN_MATTE).unwrap();
        assert_eq!(mask.bits, [0b0100_0000, 0]);
        assert!(HardMask::of((3, 2), &[0; 5], VISIBLE).is_none());
        let samples = bytes_of_bits(&[0b1010_0000, 0b1000_0000, 0, 0b1000_0000], 2, 9);
        assert_eq!(
            samples,
            [255, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 255]
        );
        let mask = HardMask::of((9, 2), &samples, VISIBLE).unwrap();
        assert_eq!(mask.bits, [0b0101_1111, 0, 0b1111_1111, 0]);
        assert!(!mask.is_partial);
    }
}
