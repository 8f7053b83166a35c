//! Animations: frame count, loop count and decoded frames.

use std::io::{BufRead, BufReader, Read as _, Seek};

use domain::format::Format;
use gif::{DecodeOptions, Repeat};
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder as _, RgbaImage};
use image_webp::{DecodingError, LoopCount};
use task::{TaskError, TaskResult};

use super::decoding_error;
use super::input::{Input, ReadSeek};

/// Maximum number of frames counted.
const MAX_FRAMES: u32 = 100_000;

/// Frame and loop counts of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimationInfo {
    /// Number of frames, at least 2.
    pub frames: u32,
    /// Number of plays; 0 loops forever.
    pub loops: u16,
}

/// One composited frame.
pub struct Frame {
    /// All pixels, including those of earlier frames that remain visible.
    pub pixels: RgbaImage,
    /// Display time in milliseconds.
    pub milliseconds: u32,
}

/// Returns the frame and loop counts; `None` for a single frame. For animated PNG and AVIF, frames are not counted but
/// reported as 2.
///
/// # Errors
/// [`TaskError::Document`] if the file cannot be parsed.
pub fn animation_info(
    mut reader: impl BufRead + Seek,
    format: Format,
) -> TaskResult<Option<AnimationInfo>> {
    read_animation_info(BufReader::new(&mut reader), format)
}

fn read_animation_info(mut reader: Input<'_>, format: Format) -> TaskResult<Option<AnimationInfo>> {
    let found = match format {
        Format::Gif => gif_info(reader)?,
        Format::Webp => read_webp(reader)?.animation,
        Format::Png => {
            let decoder = PngDecoder::new(reader).map_err(decoding_error)?;
            let frames = if decoder.is_apng().map_err(decoding_error)? {
                2
            } else {
                1
            };
            AnimationInfo { frames, loops: 0 }
        }
        Format::Avif => {
            let mut head = [0; 12];
            reader
                .read_exact(&mut head)
                .map_err(TaskError::from_read_error)?;
            let frames = if head.ends_with(b"avis") { 2 } else { 1 };
            AnimationInfo { frames, loops: 0 }
        }
        _ => return Ok(None),
    };
    Ok((found.frames > 1).then_some(found))
}

/// Decodes the frames of a GIF or WebP.
///
/// # Errors
/// [`TaskError::Document`] if the header cannot be parsed; the iterator yields errors of the frames.
pub fn frames<'a>(
    reader: impl BufRead + Seek + 'a,
    format: Format,
) -> TaskResult<impl Iterator<Item = TaskResult<Frame>>> {
    read_frames(BufReader::new(Box::new(reader)), format)
}

fn read_frames<'a>(
    reader: BufReader<Box<dyn ReadSeek + 'a>>,
    format: Format,
) -> TaskResult<impl Iterator<Item = TaskResult<Frame>>> {
    let frames: image::Frames<'a> = match format {
        Format::Gif => GifDecoder::new(reader)
            .map_err(decoding_error)?
            .into_frames(),
        _ => WebPDecoder::new(reader)
            .map_err(decoding_error)?
            .into_frames(),
    };
    Ok(frames.map(|frame| {
        let frame = frame.map_err(decoding_error)?;
        let (numerator, denominator) = frame.delay().numer_denom_ms();
        Ok(Frame {
            milliseconds: numerator / denominator.max(1),
            pixels: frame.into_buffer(),
        })
    }))
}

fn gif_info(reader: impl BufRead) -> TaskResult<AnimationInfo> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options
        .read_info(reader)
        .map_err(|_| TaskError::input_corrupt())?;
    let mut frames = 0;
    // Damage after the first frame is reported when the frames are decoded.
    while frames < MAX_FRAMES && matches!(decoder.next_frame_info(), Ok(Some(_))) {
        frames += 1;
    }
    let loops = match decoder.repeat() {
        Repeat::Infinite => 0,
        // The file stores the repetitions after the first play.
        Repeat::Finite(times) => times.saturating_add(1),
    };
    Ok(AnimationInfo { frames, loops })
}

/// Animation and coding of a WebP.
pub struct WebpInfo {
    animation: AnimationInfo,
    /// Whether every image in it is lossless.
    pub is_lossless: bool,
}

/// Reads the chunks of a WebP, including those of its frames.
///
/// # Errors
/// [`TaskError::Document`] if the file cannot be parsed.
pub fn webp(mut file: impl BufRead + Seek) -> TaskResult<WebpInfo> {
    read_webp(BufReader::new(&mut file))
}

fn read_webp(file: Input<'_>) -> TaskResult<WebpInfo> {
    let mut decoder = image_webp::WebPDecoder::new(file).map_err(|error| match error {
        DecodingError::IoError(error) => TaskError::from_read_error(error),
        DecodingError::UnsupportedFeature(_) => TaskError::unsupported_variant(),
        DecodingError::ImageTooLarge | DecodingError::MemoryLimitExceeded => {
            TaskError::too_large("The image is too large to decode.")
        }
        _ => TaskError::input_corrupt(),
    })?;
    let loops = match decoder.loop_count() {
        LoopCount::Forever => 0,
        LoopCount::Times(times) => times.get(),
    };
    Ok(WebpInfo {
        animation: AnimationInfo {
            frames: decoder.num_frames(),
            loops,
        },
        is_lossless: !decoder.is_lossy(),
    })
}
