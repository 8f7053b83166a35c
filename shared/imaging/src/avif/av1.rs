//! Decodes one AV1 frame with rav1d, a Rust port of dav1d with the same C API.
#![expect(
    unsafe_code,
    reason = "rav1d is called through the C API of dav1d; each call documents its soundness"
)]

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use rav1d::Dav1dResult;
use rav1d::include::dav1d::data::Dav1dData;
use rav1d::include::dav1d::dav1d::{Dav1dContext, Dav1dSettings};
use rav1d::include::dav1d::headers::{
    DAV1D_PIXEL_LAYOUT_I400, DAV1D_PIXEL_LAYOUT_I420, DAV1D_PIXEL_LAYOUT_I422,
};
use rav1d::include::dav1d::picture::Dav1dPicture;
use rav1d::src::lib::{
    dav1d_close, dav1d_data_create, dav1d_data_unref, dav1d_default_settings, dav1d_get_picture,
    dav1d_open, dav1d_picture_unref, dav1d_send_data,
};
use task::{TaskError, TaskResult};

use super::super::heif::Cicp;

/// A decoded frame.
pub(super) struct Frame {
    picture: Dav1dPicture,
}

/// Decodes the frame of a still image; fails if it has more than `most` pixels.
pub(super) fn decode(coded: &[u8], most: u32) -> TaskResult<Frame> {
    let mut decoder = Decoder::open(most)?;
    let mut data = Data::of(coded)?;
    loop {
        let sent = decoder.send(&mut data);
        match decoder.picture()? {
            Some(frame) => return Ok(frame),
            // Either all data are consumed without a frame, or the decoder accepts no more.
            None if data.is_empty() || !sent => return Err(TaskError::input_corrupt()),
            None => {}
        }
    }
}

struct Decoder {
    context: Option<Dav1dContext>,
}

impl Decoder {
    fn open(most: u32) -> TaskResult<Self> {
        let mut settings = MaybeUninit::<Dav1dSettings>::uninit();
        // SAFETY: the function initializes all settings at the given address.
        let mut settings = unsafe {
            dav1d_default_settings(NonNull::from(&mut settings).cast());
            settings.assume_init()
        };
        settings.n_threads = 1;
        settings.max_frame_delay = 1;
        settings.all_layers = 0;
        settings.frame_size_limit = most;
        let mut context = None;
        // SAFETY: both pointers are valid and outlive the call.
        let opened = unsafe {
            dav1d_open(
                Some(NonNull::from(&mut context)),
                Some(NonNull::from(&mut settings)),
            )
        };
        match opened {
            Dav1dResult(0) => Ok(Self { context }),
            Dav1dResult(code) => Err(TaskError::Installation(format!(
                "cannot open the AV1 decoder: {code}"
            ))),
        }
    }

    /// Sends data to the decoder; returns whether it consumed any.
    fn send(&mut self, data: &mut Data) -> bool {
        let before = data.data.sz;
        let Some(context) = self.context else {
            return false;
        };
        // SAFETY: the context is open, and the library allocated the data.
        unsafe { dav1d_send_data(Some(context), Some(NonNull::from(&mut data.data))) };
        data.data.sz != before
    }

    /// Returns the next frame, if the data so far contain one.
    fn picture(&mut self) -> TaskResult<Option<Frame>> {
        const AGAIN: i32 = -11;
        let mut picture = Dav1dPicture::default();
        // SAFETY: the context is open; `picture` is valid and empty.
        let got = unsafe { dav1d_get_picture(self.context, Some(NonNull::from(&mut picture))) };
        match got {
            Dav1dResult(0) => Ok(Some(Frame { picture })),
            Dav1dResult(AGAIN) => Ok(None),
            _ => Err(TaskError::input_corrupt()),
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the library created the context, which is not used afterwards.
        unsafe { dav1d_close(Some(NonNull::from(&mut self.context))) };
    }
}

/// A copy of the coded bytes in a buffer of the library.
struct Data {
    data: Dav1dData,
}

impl Data {
    fn of(coded: &[u8]) -> TaskResult<Self> {
        let mut data = Dav1dData::default();
        if coded.is_empty() {
            return Err(TaskError::input_corrupt());
        }
        // SAFETY: `data` is valid and empty.
        let place = unsafe { dav1d_data_create(Some(NonNull::from(&mut data)), coded.len()) };
        if place.is_null() {
            return Err(TaskError::Io(std::io::ErrorKind::OutOfMemory.into()));
        }
        // SAFETY: the library allocated `coded.len()` bytes, to which there is no other reference.
        unsafe { place.copy_from_nonoverlapping(coded.as_ptr(), coded.len()) };
        Ok(Self { data })
    }

    fn is_empty(&self) -> bool {
        self.data.sz == 0
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // SAFETY: the data were created by the library, or are empty by now.
        unsafe { dav1d_data_unref(Some(NonNull::from(&mut self.data))) };
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the library created the picture, which is not used afterwards.
        unsafe { dav1d_picture_unref(Some(NonNull::from(&mut self.picture))) };
    }
}

impl Frame {
    /// Returns width and height of the luma plane.
    pub(super) fn sides(&self) -> (u32, u32) {
        (
            self.picture.p.w.unsigned_abs(),
            self.picture.p.h.unsigned_abs(),
        )
    }

    /// Returns the bit depth: 8, 10 or 12.
    pub(super) fn bits(&self) -> u32 {
        self.picture.p.bpc.unsigned_abs()
    }

    /// Returns the chroma subsampling as right shifts of width and height; `None` for monochrome.
    pub(super) fn subsampling(&self) -> Option<(u32, u32)> {
        match self.picture.p.layout {
            DAV1D_PIXEL_LAYOUT_I400 => None,
            DAV1D_PIXEL_LAYOUT_I420 => Some((1, 1)),
            DAV1D_PIXEL_LAYOUT_I422 => Some((1, 0)),
            _ => Some((0, 0)),
        }
    }

    /// Returns the CICP code points of the sequence header.
    pub(super) fn cicp(&self) -> Option<Cicp> {
        // SAFETY: a picture keeps a reference to its sequence header.
        let header = unsafe { self.picture.seq_hdr?.as_ref() };
        let code = |code: u32| u8::try_from(code).unwrap_or(2);
        Some(Cicp {
            primaries: code(header.pri),
            transfer: code(header.trc),
            matrix: code(header.mtrx),
            is_full_range: header.color_range != 0,
        })
    }

    /// Reads samples of a row of a plane into `into`; rows beyond the last repeat the last.
    pub(super) fn row(&self, plane: usize, row: u32, into: &mut [u16]) {
        let (across, down) = match (plane, self.subsampling()) {
            (1.., Some(shifts)) => shifts,
            _ => (0, 0),
        };
        let length = |side: u32, shift: u32| (side + (1 << shift) - 1) >> shift;
        let (width, height) = self.sides();
        let (width, height) = (length(width, across), length(height, down));
        let Some(Some(begin)) = self.picture.data.get(plane) else {
            return;
        };
        let stride = match plane {
            0 => self.picture.stride[0],
            _ => self.picture.stride[1],
        };
        let row = isize::try_from(row.min(height.saturating_sub(1))).unwrap_or(0);
        let count = into.len().min(width as usize);
        // SAFETY: the row is within the plane, whose rows are `stride` bytes apart and hold at least `width` samples of
        // one byte, or of two bytes if the depth is more than 8 bits.
        unsafe {
            let begin = begin.cast::<u8>().offset(row * stride);
            match self.bits() {
                8 => {
                    let samples = std::slice::from_raw_parts(begin.as_ptr(), count);
                    for (sample, place) in samples.iter().zip(into) {
                        *place = (*sample).into();
                    }
                }
                _ => {
                    let samples = std::slice::from_raw_parts(begin.cast().as_ptr(), count);
                    for (sample, place) in samples.iter().zip(into) {
                        *place = *sample;
                    }
                }
            }
        }
    }
}
