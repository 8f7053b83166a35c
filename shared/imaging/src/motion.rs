//! Animations: how many frames there are, and the frames as they are shown.

use std::io::{BufRead, Seek};

use domain::format::Format;
use gif::{DecodeOptions, Repeat};
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder as _, RgbaImage};
use image_webp::{DecodingError, LoopCount};
use task::{Fault, Outcome};

use super::fault;

/// Most frames that are looked at.
const FRAMES: u32 = 100_000;

/// What moves in an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// How many frames there are, at least 2.
    pub frames: u32,
    /// How often it is played, for ever if 0.
    pub loops: u16,
}

/// One frame as it is shown.
pub struct Frame {
    /// All its pixels, those of earlier frames included where they shine through.
    pub pixels: RgbaImage,
    /// How long it is shown.
    pub milliseconds: u32,
}

/// What moves in an image; `None` if it has a single frame. An animated PNG or AVIF has frames that nobody counts.
pub fn motion(mut reader: impl BufRead + Seek, format: Format) -> Outcome<Option<Motion>> {
    let found = match format {
        Format::Gif => of_gif(reader)?,
        Format::Webp => webp(reader)?.motion,
        Format::Png => {
            let decoder = PngDecoder::new(reader).map_err(fault)?;
            let frames = if decoder.is_apng().map_err(fault)? {
                2
            } else {
                1
            };
            Motion { frames, loops: 0 }
        }
        Format::Avif => {
            let mut head = [0; 12];
            reader.read_exact(&mut head).map_err(Fault::reading)?;
            let frames = if head.ends_with(b"avis") { 2 } else { 1 };
            Motion { frames, loops: 0 }
        }
        _ => return Ok(None),
    };
    Ok((found.frames > 1).then_some(found))
}

/// The frames of a GIF or WebP.
pub fn frames<'a>(
    reader: impl BufRead + Seek + 'a,
    format: Format,
) -> Outcome<impl Iterator<Item = Outcome<Frame>>> {
    let frames: image::Frames<'a> = match format {
        Format::Gif => GifDecoder::new(reader).map_err(fault)?.into_frames(),
        _ => WebPDecoder::new(reader).map_err(fault)?.into_frames(),
    };
    Ok(frames.map(|frame| {
        let frame = frame.map_err(fault)?;
        let (numerator, denominator) = frame.delay().numer_denom_ms();
        Ok(Frame {
            milliseconds: numerator / denominator.max(1),
            pixels: frame.into_buffer(),
        })
    }))
}

fn of_gif(reader: impl BufRead) -> Outcome<Motion> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options.read_info(reader).map_err(|_| Fault::corrupt())?;
    let mut frames = 0;
    // What is damaged behind the first frame is told when the frames are read.
    while frames < FRAMES && matches!(decoder.next_frame_info(), Ok(Some(_))) {
        frames += 1;
    }
    let loops = match decoder.repeat() {
        Repeat::Infinite => 0,
        // The file says how often it is repeated after it was played.
        Repeat::Finite(times) => times.saturating_add(1),
    };
    Ok(Motion { frames, loops })
}

/// What the chunks of a WebP say.
pub struct WebpFacts {
    motion: Motion,
    /// Whether every image in it was made without loss.
    pub is_lossless: bool,
}

/// Reads the chunks of a WebP, those of its frames included.
pub fn webp(file: impl BufRead + Seek) -> Outcome<WebpFacts> {
    let mut decoder = image_webp::WebPDecoder::new(file).map_err(|error| match error {
        DecodingError::IoError(error) => Fault::reading(error),
        DecodingError::UnsupportedFeature(_) => Fault::variant(),
        DecodingError::ImageTooLarge | DecodingError::MemoryLimitExceeded => {
            Fault::too_large("The image is too large to be decoded.")
        }
        _ => Fault::corrupt(),
    })?;
    let loops = match decoder.loop_count() {
        LoopCount::Forever => 0,
        LoopCount::Times(times) => times.get(),
    };
    Ok(WebpFacts {
        motion: Motion {
            frames: decoder.num_frames(),
            loops,
        },
        is_lossless: !decoder.is_lossy(),
    })
}
