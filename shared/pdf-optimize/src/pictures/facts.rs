//! What the dictionary of a picture says of its samples [ISO 32000-1, 8.9.5].

use lopdf::{Dictionary, Document, Object, Stream};
use pdf::objects::is_a;

use super::super::plain::Plain;

/// Most pixels across or down.
const SIDE: i64 = 65_500;
/// Most samples of a picture.
const SAMPLES: u64 = 300_000_000;

/// What is known of a picture before its samples are decoded.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// Pixels across and down.
    pub(super) sides: (u32, u32),
    /// Bits a sample: 1, 2, 4, 8 or 16.
    pub(super) bits: u8,
    /// What a pixel is made of.
    pub(super) colours: Colours,
    /// How the samples are stored.
    pub(super) coding: Coding,
}

/// What a pixel is made of.
#[derive(Clone, Debug)]
pub(super) enum Colours {
    /// Whether there is paint, 1 bit.
    Stencil,
    /// One to four channels of amounts.
    Channels(u8),
    /// A number in a table of colours.
    Table {
        /// The colours, of so many bytes each.
        entries: Vec<u8>,
        /// Channels of a colour.
        channels: u8,
        /// The space that the colours are in.
        space: Object,
    },
}

/// How samples are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As they are, or compressed without loss by filters that are not made for pictures.
    Plain,
    /// As JPEG.
    Jpeg,
    /// By the code of facsimile, other than its best form.
    Fax,
    /// As JPEG 2000.
    Jpeg2000,
}

impl Facts {
    /// Reads them; `None` if the picture is to stay as it is.
    pub(super) fn of(plain: &Plain, stream: &Stream) -> Option<Self> {
        let (document, dictionary) = (&plain.document, &stream.dict);
        if !is_a(dictionary, b"Image") || is_mixed(document, dictionary) {
            return None;
        }
        let side = |key: &[u8]| {
            let side = integer(document, dictionary, key)?;
            u32::try_from(side)
                .ok()
                .filter(|_| (1..=SIDE).contains(&side))
        };
        let sides = (side(b"Width")?, side(b"Height")?);
        let coding = coding(document, dictionary)?;
        let colours = colours(plain, dictionary, coding)?;
        let bits = match colours {
            Colours::Stencil => 1,
            _ if coding == Coding::Jpeg2000 => 8,
            _ => u8::try_from(integer(document, dictionary, b"BitsPerComponent")?).ok()?,
        };
        let samples = u64::from(sides.0) * u64::from(sides.1) * u64::from(colours.drawn());
        let most = match colours {
            Colours::Table { .. } => 8,
            _ => 16,
        };
        let known = matches!(bits, 1 | 2 | 4 | 8 | 16) && bits <= most && samples <= SAMPLES;
        known.then_some(Self {
            sides,
            bits,
            colours,
            coding,
        })
    }

    /// Whether a pixel is one bit.
    pub(super) fn is_bilevel(&self) -> bool {
        let one = !matches!(self.colours, Colours::Channels(2..));
        self.bits == 1 && one
    }
}

impl Colours {
    /// Channels of a pixel as it is drawn.
    pub(super) fn drawn(&self) -> u8 {
        match self {
            Self::Stencil => 1,
            Self::Channels(channels) | Self::Table { channels, .. } => *channels,
        }
    }

    /// Channels of a pixel as it is stored.
    pub(super) fn stored(&self) -> u8 {
        match self {
            Self::Stencil | Self::Table { .. } => 1,
            Self::Channels(channels) => *channels,
        }
    }
}

/// An integer of a dictionary.
pub(super) fn integer(document: &Document, dictionary: &Dictionary, key: &[u8]) -> Option<i64> {
    dictionary.get_deref(key, document).ok()?.as_i64().ok()
}

/// Whether colours are masks, or pixels are mixed with a colour already.
fn is_mixed(document: &Document, dictionary: &Dictionary) -> bool {
    let by_colour = dictionary.get_deref(b"Mask", document);
    let mask = dictionary
        .get_deref(b"SMask", document)
        .and_then(Object::as_stream);
    by_colour.is_ok_and(|mask| mask.as_array().is_ok())
        || mask.is_ok_and(|mask| mask.dict.has(b"Matte"))
        || dictionary.has(b"Matte")
        || dictionary.has(b"SMaskInData")
}

/// The names of the filters, and the parameters of the last.
fn filters<'a>(
    document: &'a Document,
    dictionary: &'a Dictionary,
) -> Option<(Vec<&'a [u8]>, Option<&'a Dictionary>)> {
    let several = |key: &[u8]| match dictionary.get_deref(key, document) {
        Err(_) | Ok(Object::Null) => Vec::new(),
        Ok(Object::Array(items)) => items.iter().collect(),
        Ok(only) => vec![only],
    };
    let name = |filter| document.dereference(filter).ok()?.1.as_name().ok();
    let names: Option<Vec<&[u8]>> = several(b"Filter").into_iter().map(name).collect();
    let parameters = several(b"DecodeParms");
    let last = parameters.last();
    let last = last.and_then(|last| document.dereference(last).ok()?.1.as_dict().ok());
    Some((names?, last))
}

fn coding(document: &Document, dictionary: &Dictionary) -> Option<Coding> {
    const PLAIN: [&[u8]; 4] = [
        b"FlateDecode",
        b"LZWDecode",
        b"ASCII85Decode",
        b"ASCIIHexDecode",
    ];
    let (names, parameters) = filters(document, dictionary)?;
    match names.as_slice() {
        names if names.iter().all(|name| PLAIN.contains(name)) => Some(Coding::Plain),
        [b"DCTDecode"] => parameters
            .is_none_or(|it| !it.has(b"ColorTransform"))
            .then_some(Coding::Jpeg),
        [b"CCITTFaxDecode"] => {
            let k = parameters.and_then(|it| integer(document, it, b"K"));
            (k.unwrap_or(0) >= 0).then_some(Coding::Fax)
        }
        [b"JPXDecode"] => Some(Coding::Jpeg2000),
        _ => None,
    }
}

fn colours(plain: &Plain, dictionary: &Dictionary, coding: Coding) -> Option<Colours> {
    let document = &plain.document;
    let is_stencil = dictionary
        .get_deref(b"ImageMask", document)
        .and_then(Object::as_bool);
    if is_stencil.unwrap_or(false) {
        return Some(Colours::Stencil);
    }
    let space = dictionary.get_deref(b"ColorSpace", document).ok()?;
    let is_table = |name: &[u8]| matches!(name, b"Indexed" | b"I");
    match space.as_array().map(Vec::as_slice) {
        Ok([name, base, highest, table]) if name.as_name().is_ok_and(is_table) => {
            // Other codings give numbers of colours, which nothing here looks up.
            if dictionary.has(b"Decode") || coding != Coding::Plain {
                return None;
            }
            let space = document.dereference(base).ok()?.1;
            let channels = channels(document, space)?;
            let entries = table_of(plain, table)?;
            let highest = document.dereference(highest).ok()?.1.as_i64().ok()?;
            let whole = usize::try_from(highest.checked_add(1)?)
                .ok()?
                .checked_mul(usize::from(channels))?;
            let entries = entries.get(..whole)?.to_vec();
            Some(Colours::Table {
                entries,
                channels,
                space: base.clone(),
            })
        }
        _ => channels(document, space).map(Colours::Channels),
    }
}

fn table_of(plain: &Plain, table: &Object) -> Option<Vec<u8>> {
    match plain.document.dereference(table).ok()?.1 {
        Object::String(entries, _) => Some(entries.clone()),
        Object::Stream(entries) => plain.decoded(entries),
        _ => None,
    }
}

/// How many channels a colour space has whose amounts can be scaled and stored as JPEG.
fn channels(document: &Document, space: &Object) -> Option<u8> {
    if let Ok(name) = space.as_name() {
        return match name {
            b"DeviceGray" | b"G" => Some(1),
            b"DeviceRGB" | b"RGB" => Some(3),
            b"DeviceCMYK" | b"CMYK" => Some(4),
            _ => None,
        };
    }
    let (name, about) = match space.as_array().ok()?.as_slice() {
        [name, about, ..] => (name.as_name().ok()?, document.dereference(about).ok()?.1),
        _ => return None,
    };
    match name {
        b"CalGray" | b"Separation" => Some(1),
        b"CalRGB" => Some(3),
        b"ICCBased" => match integer(document, &about.as_stream().ok()?.dict, b"N")? {
            1 => Some(1),
            3 => Some(3),
            4 => Some(4),
            _ => None,
        },
        _ => None,
    }
}
