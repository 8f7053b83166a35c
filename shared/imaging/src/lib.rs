//! Raster images: decoding, EXIF orientation, scaling, color conversion and encoding, with EXIF, XMP and ICC metadata.
//!
//! Dispatches on [`domain::format::Format`]. Starts no processes and does not handle PDF.

pub mod adapt;
pub mod animation;
mod avif;
pub mod bilevel;
pub mod cleanup;
mod cmyk;
pub mod color;
mod decode;
mod decoded;
mod density;
pub mod encode;
pub mod frames;
pub mod geometry;
mod glibc;
pub mod glyphs;
pub mod heif;
mod input;
pub mod jpeg;
pub mod metadata;
pub mod posterize;
mod raster;
pub mod scale;
pub mod strip_metadata;
pub mod svg;
pub mod tiff;
pub mod transparency;
mod upright;
mod ycbcr;

pub use self::bilevel::{is_bilevel, pack_bits};
pub use self::decode::{
    cmyk_profile, decode, dimensions, orientation, swaps_dimensions, to_big_endian,
    upright_dimensions,
};
pub use self::decoded::DecodedImage;
pub use self::density::density;
use self::raster::codec;
pub use self::raster::decoding_error;
pub use self::upright::{UprightImage, fit_metadata};
