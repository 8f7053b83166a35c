//! Reduces the size of image XObjects: downscaled to their displayed resolution and stored as JPEG if lossy, otherwise with
//! a better lossless filter. CMYK stays CMYK, and masks stay separate. Images with color key masks and JBIG2 images are
//! left unchanged.

mod encode;
mod info;
mod samples;
mod similarity;

use imaging::bilevel;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use pdfium_render::prelude::Pdfium;
use task::TaskResult;

use self::encode::Encoded;
use self::info::{Coding, Colors, ImageInfo};
use self::samples::{Samples, packed_samples};
use self::similarity::similarity;
use super::display_sizes::DisplaySizes;
use super::lazy_document::LazyDocument;

/// How much images may lose.
#[derive(Clone, Debug)]
pub(super) struct LossyLimits {
    /// JPEG qualities to try; the first that is similar enough is used.
    pub(super) qualities: Vec<u8>,
    /// Minimum similarity (SSIM) of the JPEG to its input.
    pub(super) min_similarity: f64,
    /// Sufficient resolution at the displayed size, in pixels per inch.
    pub(super) resolution: f64,
    /// Maximum size of a first JPEG relative to the best lossless encoding: above it, the image is a drawing, not a photograph.
    pub(super) max_first_jpeg_ratio: f64,
}

/// Points per inch.
const POINTS: f64 = 72.0;
/// Minimum width and height; smaller images are not worth optimizing.
const MIN_SIDE: u32 = 32;
/// An image is downscaled if it exceeds the sufficient resolution by this factor.
const SCALE_THRESHOLD: f64 = 1.2;
/// Re-encoding a JPEG must save 10 %.
const MAX_RECODED_RATIO: f64 = 0.9;
/// A lossless encoding must save 2 %.
const MAX_LOSSLESS_RATIO: f64 = 0.98;

/// Returns dictionary and content of a smaller image, if there is one.
pub(super) fn shrink(
    library: &Pdfium,
    source: &LazyDocument,
    (id, stream): (ObjectId, &Stream),
    (loss, sizes): (Option<&LossyLimits>, Option<&DisplaySizes>),
) -> TaskResult<Option<(Dictionary, Vec<u8>)>> {
    let Some(info) = ImageInfo::of(source, stream) else {
        return Ok(None);
    };
    let is_lossless = matches!(info.coding, Coding::Lossless | Coding::Fax);
    if info.sides.0.min(info.sides.1) < MIN_SIDE || (loss.is_none() && !is_lossless) {
        return Ok(None);
    }
    let Some(stream) = source.with_content(stream) else {
        return Ok(None);
    };
    let image = SourceImage {
        library,
        document: &source.document,
        stream,
        info,
    };
    let best = match image.info.is_bilevel() {
        true => image.recode_bilevel(),
        false => {
            let displayed = sizes.and_then(|sizes| sizes.displayed(id));
            image.recompress(loss, displayed)?
        }
    };
    Ok(best.map(|(encoded, sides)| (image.dictionary(&encoded, sides), encoded.bytes)))
}

/// An image XObject with its content.
struct SourceImage<'a> {
    library: &'a Pdfium,
    document: &'a Document,
    stream: Stream,
    info: ImageInfo,
}

impl SourceImage<'_> {
    /// Returns the size of a result relative to the source.
    fn ratio(&self, encoded: &Encoded) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let ratio = encoded.bytes.len() as f64 / self.stream.content.len().max(1) as f64;
        ratio
    }

    /// Re-encodes a bilevel image as CCITT Group 4.
    fn recode_bilevel(&self) -> Option<(Encoded, (u32, u32))> {
        let packed = match self.info.coding {
            Coding::Lossless => packed_samples(&self.stream)?,
            Coding::Fax => {
                let samples = self.samples(self.info.sides)?;
                bilevel::pack_bits(&samples.bytes, self.info.sides.0 as usize)
            }
            Coding::Jpeg | Coding::Jpeg2000 => return None,
        };
        let encoded = encode::fax(&packed, self.info.sides)?;
        (self.ratio(&encoded) < MAX_LOSSLESS_RATIO).then_some((encoded, self.info.sides))
    }

    fn samples(&self, least: (u32, u32)) -> Option<Samples> {
        Samples::of(
            self.library,
            (self.document, &self.stream),
            &self.info,
            least,
        )
    }

    fn recompress(
        &self,
        loss: Option<&LossyLimits>,
        displayed: Option<(f64, f64)>,
    ) -> TaskResult<Option<(Encoded, (u32, u32))>> {
        let target_sides = loss
            .zip(displayed)
            .and_then(|(loss, displayed)| self.target_sides(loss, displayed));
        let Some(samples) = self.samples(target_sides.unwrap_or(self.info.sides)) else {
            return Ok(None);
        };
        if let Some(encoded) = self.as_bilevel(&samples)? {
            return Ok(Some((encoded, samples.sides)));
        }
        let Some(loss) = loss else {
            let encoded = self.deflate(&samples)?;
            return Ok(encoded.map(|encoded| (encoded, samples.sides)));
        };
        let samples = match target_sides {
            Some(target_sides) if target_sides != samples.sides => {
                encode::scale(&samples, target_sides)?
            }
            _ => samples,
        };
        let best = self.lossy(&samples, loss, target_sides.is_some())?;
        Ok(best.map(|encoded| (encoded, samples.sides)))
    }

    /// Returns the downscaled dimensions, if downscaling is worthwhile.
    fn target_sides(&self, loss: &LossyLimits, (width, height): (f64, f64)) -> Option<(u32, u32)> {
        let pixels = |points: f64| (points / POINTS * loss.resolution).ceil();
        let (across, down) = (pixels(width), pixels(height));
        let (wide, high) = (f64::from(self.info.sides.0), f64::from(self.info.sides.1));
        let is_known = across >= 1.0 && down >= 1.0;
        let is_worth_it = wide > across * SCALE_THRESHOLD || high > down * SCALE_THRESHOLD;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the sides"
        )]
        let sides = (across.min(wide) as u32, down.min(high) as u32);
        (is_known && is_worth_it).then_some(sides)
    }

    /// Encodes an 8-bit gray image with only black and white pixels as bilevel.
    fn as_bilevel(&self, samples: &Samples) -> TaskResult<Option<Encoded>> {
        let is_whole = samples.sides == self.info.sides && self.info.bits == 8;
        if self.info.coding != Coding::Lossless || !is_whole {
            return Ok(None);
        }
        let Colors::Channels(channels) = self.info.colors else {
            return Ok(None);
        };
        if channels == 1 && bilevel::is_bilevel(&samples.bytes) {
            let packed = bilevel::pack_bits(&samples.bytes, samples.sides.0 as usize);
            let encoded = encode::fax(&packed, samples.sides);
            return Ok(encoded.filter(|encoded| self.ratio(encoded) < MAX_LOSSLESS_RATIO));
        }
        Ok(None)
    }

    /// Compresses the samples losslessly with a PNG predictor.
    fn deflate(&self, samples: &Samples) -> TaskResult<Option<Encoded>> {
        let is_same = self.info.bits == 8 && matches!(self.info.colors, Colors::Channels(_));
        match self.info.coding == Coding::Lossless && is_same {
            true => {
                let encoded = encode::deflate(samples)?;
                Ok(encoded.filter(|encoded| self.ratio(encoded) < MAX_LOSSLESS_RATIO))
            }
            false => Ok(None),
        }
    }

    fn lossy(
        &self,
        samples: &Samples,
        loss: &LossyLimits,
        is_scaled: bool,
    ) -> TaskResult<Option<Encoded>> {
        let is_first = self.info.coding == Coding::Lossless;
        let deflated = match is_first {
            true => encode::deflate(samples)?,
            false => None,
        };
        let deflated = deflated.filter(|encoded| self.ratio(encoded) < MAX_LOSSLESS_RATIO);
        let deflated = deflated.filter(|_| is_scaled || self.info.bits == 8);
        let jpeg = self.jpeg(samples, loss)?;
        let most = match (is_first, &deflated) {
            (true, Some(deflated)) => self.ratio(deflated) * loss.max_first_jpeg_ratio,
            (true, None) => loss.max_first_jpeg_ratio,
            (false, _) => MAX_RECODED_RATIO,
        };
        let jpeg = jpeg.filter(|jpeg| self.ratio(jpeg) < most);
        Ok(jpeg.or(deflated))
    }

    /// Encodes at the lowest quality that is similar enough.
    fn jpeg(&self, samples: &Samples, loss: &LossyLimits) -> TaskResult<Option<Encoded>> {
        for quality in &loss.qualities {
            let encoded = encode::jpeg(samples, *quality)?;
            let info = ImageInfo {
                sides: samples.sides,
                colors: Colors::Channels(samples.channels),
                ..self.info.clone()
            };
            let again = samples::decode_jpeg(&encoded.bytes, &info, samples.sides);
            if again.is_some_and(|again| similarity(samples, &again) >= loss.min_similarity) {
                return Ok(Some(encoded));
            }
        }
        Ok(None)
    }

    fn dictionary(&self, encoded: &Encoded, (width, height): (u32, u32)) -> Dictionary {
        let mut dictionary = self.stream.dict.clone();
        for key in [b"Filter" as &[u8], b"DecodeParms", b"Length"] {
            dictionary.remove(key);
        }
        for (key, value) in &encoded.entries {
            dictionary.set(key.clone(), value.clone());
        }
        dictionary.set("Width", i64::from(width));
        dictionary.set("Height", i64::from(height));
        if let Colors::Indexed { space, .. } = &self.info.colors
            && !self.info.is_bilevel()
        {
            dictionary.set("ColorSpace", space.clone());
        }
        if matches!(self.info.colors, Colors::Stencil) {
            dictionary.set("ImageMask", Object::Boolean(true));
        }
        dictionary
    }
}
