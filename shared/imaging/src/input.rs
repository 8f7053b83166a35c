//! The reader that image decoders read from.

use std::io::{BufReader, Read, Seek};

/// The reader of an image file. Public functions accept any reader and wrap it, so that decoders, which are large, are compiled
/// once instead of for each type of reader in each crate. The buffer saves a virtual call for each byte or pixel.
pub(crate) type Input<'r> = BufReader<&'r mut dyn ReadSeek>;

pub(crate) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}
