//! One frame of AV1, decoded by rav1d, which is dav1d in Rust and is called as that.
#![expect(
    unsafe_code,
    reason = "the library is called through the functions of dav1d; each call says why it is sound"
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
use task::{Fault, Outcome};

use super::super::heif::Cicp;

/// A decoded frame.
pub(super) struct Frame {
    picture: Dav1dPicture,
}

/// Decodes the one frame of a still image; a frame of more than `most` pixels is not decoded.
pub(super) fn decode(coded: &[u8], most: u32) -> Outcome<Frame> {
    let mut decoder = Decoder::open(most)?;
    let mut data = Data::of(coded)?;
    loop {
        let sent = decoder.send(&mut data);
        match decoder.picture()? {
            Some(frame) => return Ok(frame),
            // All of it was taken, or will never be.
            None if data.is_empty() || !sent => return Err(Fault::corrupt()),
            None => {}
        }
    }
}

struct Decoder {
    context: Option<Dav1dContext>,
}

impl Decoder {
    fn open(most: u32) -> Outcome<Self> {
        let mut settings = MaybeUninit::<Dav1dSettings>::uninit();
        // SAFETY: the function writes all of the settings to the place that it is given.
        let mut settings = unsafe {
            dav1d_default_settings(NonNull::from(&mut settings).cast());
            settings.assume_init()
        };
        settings.n_threads = 1;
        settings.max_frame_delay = 1;
        settings.all_layers = 0;
        settings.frame_size_limit = most;
        let mut context = None;
        // SAFETY: both places are valid and outlive the call.
        let opened = unsafe {
            dav1d_open(
                Some(NonNull::from(&mut context)),
                Some(NonNull::from(&mut settings)),
            )
        };
        match opened {
            Dav1dResult(0) => Ok(Self { context }),
            Dav1dResult(code) => Err(Fault::Installation(format!(
                "the decoder of AV1 does not start: {code}"
            ))),
        }
    }

    /// Whether any of the data was taken.
    fn send(&mut self, data: &mut Data) -> bool {
        let before = data.data.sz;
        let Some(context) = self.context else {
            return false;
        };
        // SAFETY: the context is open, and the data were made by the library.
        unsafe { dav1d_send_data(Some(context), Some(NonNull::from(&mut data.data))) };
        data.data.sz != before
    }

    /// The next frame, if the data so far hold one.
    fn picture(&mut self) -> Outcome<Option<Frame>> {
        const AGAIN: i32 = -11;
        let mut picture = Dav1dPicture::default();
        // SAFETY: the context is open, and the place is valid and holds nothing.
        let got = unsafe { dav1d_get_picture(self.context, Some(NonNull::from(&mut picture))) };
        match got {
            Dav1dResult(0) => Ok(Some(Frame { picture })),
            Dav1dResult(AGAIN) => Ok(None),
            _ => Err(Fault::corrupt()),
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the context came from the library and is not used after.
        unsafe { dav1d_close(Some(NonNull::from(&mut self.context))) };
    }
}

/// A copy of what was coded, in memory of the library.
struct Data {
    data: Dav1dData,
}

impl Data {
    fn of(coded: &[u8]) -> Outcome<Self> {
        let mut data = Dav1dData::default();
        if coded.is_empty() {
            return Err(Fault::corrupt());
        }
        // SAFETY: the place is valid and holds nothing.
        let place = unsafe { dav1d_data_create(Some(NonNull::from(&mut data)), coded.len()) };
        if place.is_null() {
            return Err(Fault::Io(std::io::ErrorKind::OutOfMemory.into()));
        }
        // SAFETY: the library made room for so many bytes, which nobody else has.
        unsafe { place.copy_from_nonoverlapping(coded.as_ptr(), coded.len()) };
        Ok(Self { data })
    }

    fn is_empty(&self) -> bool {
        self.data.sz == 0
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // SAFETY: the data came from the library, or hold nothing any more.
        unsafe { dav1d_data_unref(Some(NonNull::from(&mut self.data))) };
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the picture came from the library and is not used after.
        unsafe { dav1d_picture_unref(Some(NonNull::from(&mut self.picture))) };
    }
}

impl Frame {
    /// Width and height of the plane of light.
    pub(super) fn sides(&self) -> (u32, u32) {
        (
            self.picture.p.w.unsigned_abs(),
            self.picture.p.h.unsigned_abs(),
        )
    }

    /// Bits a sample: 8, 10 or 12.
    pub(super) fn bits(&self) -> u32 {
        self.picture.p.bpc.unsigned_abs()
    }

    /// By which powers of two the planes of colour are narrower and lower; `None` if there are none.
    pub(super) fn subsampling(&self) -> Option<(u32, u32)> {
        match self.picture.p.layout {
            DAV1D_PIXEL_LAYOUT_I400 => None,
            DAV1D_PIXEL_LAYOUT_I420 => Some((1, 1)),
            DAV1D_PIXEL_LAYOUT_I422 => Some((1, 0)),
            _ => Some((0, 0)),
        }
    }

    /// What the frame itself says about its colours.
    pub(super) fn cicp(&self) -> Option<Cicp> {
        // SAFETY: a picture holds its header as long as it lives.
        let header = unsafe { self.picture.seq_hdr?.as_ref() };
        let code = |code: u32| u8::try_from(code).unwrap_or(2);
        Some(Cicp {
            primaries: code(header.pri),
            transfer: code(header.trc),
            matrix: code(header.mtrx),
            is_full_range: header.color_range != 0,
        })
    }

    /// Samples of a row of a plane, as many as there is room for; rows below the last are the last.
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
        // SAFETY: the row is one of the plane, whose rows lie `stride` bytes apart and hold at least `width` samples of
        // one byte, or of two if there are more than 8 bits.
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
