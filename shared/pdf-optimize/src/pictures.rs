//! Makes the pictures of a PDF smaller: scaled down to what is seen of them and stored as JPEG where something may be lost,
//! and stored better where nothing may. Inks stay inks, and masks stay apart from what they mask. Left alone are pictures
//! whose colours are masks, and what JBIG2 stores.

mod encoded;
mod facts;
mod likeness;
mod samples;

use imaging::bilevel;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use pdfium_render::prelude::Pdfium;
use task::Outcome;

use self::encoded::Encoded;
use self::facts::{Coding, Colours, Facts};
use self::likeness::likeness;
use self::samples::{Samples, raw};
use super::plain::Plain;
use super::sizes::Sizes;

/// How much pictures may lose.
#[derive(Clone, Debug)]
pub(super) struct Loss {
    /// Qualities of JPEG, the first of which is taken that looks alike.
    pub(super) qualities: Vec<u8>,
    /// Least likeness to what is encoded.
    pub(super) likeness: f64,
    /// Pixels an inch that are enough, as the picture is shown.
    pub(super) resolution: f64,
    /// A first loss must leave at most this share of what the picture takes without any: else it is a drawing rather than a photograph.
    pub(super) worth_a_first_loss: f64,
}

/// Points an inch.
const POINTS: f64 = 72.0;
/// Least pixels across or down: in smaller pictures there is nothing to gain.
const LEAST: u32 = 32;
/// A picture is scaled down if it has more pixels than are enough by this factor.
const WORTH_SCALING: f64 = 1.2;
/// Another loss must save a tenth.
const WORTH_A_LOSS: f64 = 0.9;
/// What loses nothing must save something.
const WORTH_IT: f64 = 0.98;

/// A picture's dictionary and content, if it becomes smaller.
pub(super) fn smaller(
    library: &Pdfium,
    plain: &Plain,
    (id, stream): (ObjectId, &Stream),
    (loss, sizes): (Option<&Loss>, Option<&Sizes>),
) -> Outcome<Option<(Dictionary, Vec<u8>)>> {
    let Some(facts) = Facts::of(plain, stream) else {
        return Ok(None);
    };
    let is_lossless = matches!(facts.coding, Coding::Plain | Coding::Fax);
    if facts.sides.0.min(facts.sides.1) < LEAST || (loss.is_none() && !is_lossless) {
        return Ok(None);
    }
    let Some(stream) = plain.with_content(stream) else {
        return Ok(None);
    };
    let picture = Picture {
        library,
        document: &plain.document,
        stream,
        facts,
    };
    let best = match picture.facts.is_bilevel() {
        true => picture.black_and_white(),
        false => {
            let shown = sizes.and_then(|sizes| sizes.shown(id));
            picture.recompressed(loss, shown)?
        }
    };
    Ok(best.map(|(encoded, sides)| (picture.dictionary(&encoded, sides), encoded.bytes)))
}

/// A picture with its content.
struct Picture<'a> {
    library: &'a Pdfium,
    document: &'a Document,
    stream: Stream,
    facts: Facts,
}

impl Picture<'_> {
    /// How much of its size a result takes.
    fn share(&self, encoded: &Encoded) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let share = encoded.bytes.len() as f64 / self.stream.content.len().max(1) as f64;
        share
    }

    /// One bit a pixel, stored better.
    fn black_and_white(&self) -> Option<(Encoded, (u32, u32))> {
        let packed = match self.facts.coding {
            Coding::Plain => raw(&self.stream)?,
            Coding::Fax => {
                let samples = self.samples(self.facts.sides)?;
                bilevel::pack(&samples.bytes, self.facts.sides.0 as usize)
            }
            Coding::Jpeg | Coding::Jpeg2000 => return None,
        };
        let encoded = encoded::fax(&packed, self.facts.sides)?;
        (self.share(&encoded) < WORTH_IT).then_some((encoded, self.facts.sides))
    }

    fn samples(&self, least: (u32, u32)) -> Option<Samples> {
        Samples::of(
            self.library,
            (self.document, &self.stream),
            &self.facts,
            least,
        )
    }

    fn recompressed(
        &self,
        loss: Option<&Loss>,
        shown: Option<(f64, f64)>,
    ) -> Outcome<Option<(Encoded, (u32, u32))>> {
        let enough = loss
            .zip(shown)
            .and_then(|(loss, shown)| self.enough(loss, shown));
        let Some(samples) = self.samples(enough.unwrap_or(self.facts.sides)) else {
            return Ok(None);
        };
        if let Some(encoded) = self.without_loss(&samples)? {
            return Ok(Some((encoded, samples.sides)));
        }
        let Some(loss) = loss else {
            let encoded = self.differences(&samples)?;
            return Ok(encoded.map(|encoded| (encoded, samples.sides)));
        };
        let samples = match enough {
            Some(enough) if enough != samples.sides => encoded::scaled(&samples, enough)?,
            _ => samples,
        };
        let best = self.with_loss(&samples, loss, enough.is_some())?;
        Ok(best.map(|encoded| (encoded, samples.sides)))
    }

    /// The sides that are enough, if they are worth scaling to.
    fn enough(&self, loss: &Loss, (width, height): (f64, f64)) -> Option<(u32, u32)> {
        let pixels = |points: f64| (points / POINTS * loss.resolution).ceil();
        let (across, down) = (pixels(width), pixels(height));
        let (wide, high) = (f64::from(self.facts.sides.0), f64::from(self.facts.sides.1));
        let is_known = across >= 1.0 && down >= 1.0;
        let is_worth_it = wide > across * WORTH_SCALING || high > down * WORTH_SCALING;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the sides"
        )]
        let sides = (across.min(wide) as u32, down.min(high) as u32);
        (is_known && is_worth_it).then_some(sides)
    }

    /// Black and white samples of a bit each.
    fn without_loss(&self, samples: &Samples) -> Outcome<Option<Encoded>> {
        let is_whole = samples.sides == self.facts.sides && self.facts.bits == 8;
        if self.facts.coding != Coding::Plain || !is_whole {
            return Ok(None);
        }
        let Colours::Channels(channels) = self.facts.colours else {
            return Ok(None);
        };
        if channels == 1 && bilevel::is_black_and_white(&samples.bytes) {
            let packed = bilevel::pack(&samples.bytes, samples.sides.0 as usize);
            let encoded = encoded::fax(&packed, samples.sides);
            return Ok(encoded.filter(|encoded| self.share(encoded) < WORTH_IT));
        }
        Ok(None)
    }

    /// The same samples as differences of neighbours.
    fn differences(&self, samples: &Samples) -> Outcome<Option<Encoded>> {
        let is_same = self.facts.bits == 8 && matches!(self.facts.colours, Colours::Channels(_));
        match self.facts.coding == Coding::Plain && is_same {
            true => {
                let encoded = encoded::deflated(samples)?;
                Ok(encoded.filter(|encoded| self.share(encoded) < WORTH_IT))
            }
            false => Ok(None),
        }
    }

    fn with_loss(
        &self,
        samples: &Samples,
        loss: &Loss,
        is_scaled: bool,
    ) -> Outcome<Option<Encoded>> {
        let is_first = self.facts.coding == Coding::Plain;
        let deflated = match is_first {
            true => encoded::deflated(samples)?,
            false => None,
        };
        let deflated = deflated.filter(|encoded| self.share(encoded) < WORTH_IT);
        let deflated = deflated.filter(|_| is_scaled || self.facts.bits == 8);
        let jpeg = self.jpeg(samples, loss)?;
        let most = match (is_first, &deflated) {
            (true, Some(deflated)) => self.share(deflated) * loss.worth_a_first_loss,
            (true, None) => loss.worth_a_first_loss,
            (false, _) => WORTH_A_LOSS,
        };
        let jpeg = jpeg.filter(|jpeg| self.share(jpeg) < most);
        Ok(jpeg.or(deflated))
    }

    /// Of the lowest quality that looks alike.
    fn jpeg(&self, samples: &Samples, loss: &Loss) -> Outcome<Option<Encoded>> {
        for quality in &loss.qualities {
            let encoded = encoded::jpeg(samples, *quality)?;
            let facts = Facts {
                sides: samples.sides,
                colours: Colours::Channels(samples.channels),
                ..self.facts.clone()
            };
            let again = samples::decoded(&encoded.bytes, &facts, samples.sides);
            if again.is_some_and(|again| likeness(samples, &again) >= loss.likeness) {
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
        for (key, value) in &encoded.about {
            dictionary.set(key.clone(), value.clone());
        }
        dictionary.set("Width", i64::from(width));
        dictionary.set("Height", i64::from(height));
        if let Colours::Table { space, .. } = &self.facts.colours
            && !self.facts.is_bilevel()
        {
            dictionary.set("ColorSpace", space.clone());
        }
        if matches!(self.facts.colours, Colours::Stencil) {
            dictionary.set("ImageMask", Object::Boolean(true));
        }
        dictionary
    }
}
