//! One use of the library, which belongs to one thread: for reading pages, or for telling how they stand.

use std::ffi::{CStr, CString, c_int, c_void};
use std::path::Path;
use std::ptr::{NonNull, null_mut};

use super::super::layout::Block;
use super::super::picture::Picture;
use super::results::Results;
use super::{ANY, AUTOMATIC, NEURAL, ORIENTATION, ORIENTATIONS, SCATTERED, Tesseract};

/// Recognises text in some languages. Belongs to one thread.
pub(crate) struct Recogniser<'a> {
    session: Session<'a>,
}

impl<'a> Recogniser<'a> {
    /// Loads the models of `languages`, joined by `+`, from the directory `models`.
    ///
    /// # Errors
    /// That they cannot be loaded.
    pub(crate) fn begin(
        tesseract: &'a Tesseract,
        models: &Path,
        languages: &str,
    ) -> Result<Self, String> {
        let session = Session::begin(tesseract, models, languages, NEURAL, AUTOMATIC)?;
        Ok(Self { session })
    }

    /// Recognises the text of a picture; in its pixels.
    ///
    /// # Errors
    /// That the library gave up.
    pub(crate) fn read(&mut self, picture: &Picture) -> Result<Vec<Block>, String> {
        self.read_as(picture, AUTOMATIC)
    }

    /// The same where words are scattered over the picture.
    ///
    /// # Errors
    /// That the library gave up.
    pub(crate) fn read_scattered(&mut self, picture: &Picture) -> Result<Vec<Block>, String> {
        self.read_as(picture, SCATTERED)
    }

    fn read_as(&mut self, picture: &Picture, mode: c_int) -> Result<Vec<Block>, String> {
        // SAFETY: the session is alive.
        unsafe { (self.session.tesseract.mode)(self.session.handle.as_ptr(), mode) };
        self.session.show(picture)?;
        let session = &self.session;
        // SAFETY: the session is alive and has an image; there is no monitor.
        let failed = unsafe { (session.tesseract.recognise)(session.handle.as_ptr(), null_mut()) };
        let read = match failed {
            0 => Ok(session.blocks()),
            _ => Err("Tesseract gave a page up".to_owned()),
        };
        self.session.clear();
        read
    }
}

/// Tells how a page has to be turned. Belongs to one thread.
pub(crate) struct Orienter<'a> {
    session: Session<'a>,
}

impl<'a> Orienter<'a> {
    /// Loads the model of orientations from the directory `models`.
    ///
    /// # Errors
    /// That it cannot be loaded.
    pub(crate) fn begin(tesseract: &'a Tesseract, models: &Path) -> Result<Self, String> {
        let session = Session::begin(tesseract, models, ORIENTATIONS, ANY, ORIENTATION)?;
        Ok(Self { session })
    }

    /// By how many degrees clockwise a picture has to be turned for its text to stand upright: 0, 90, 180 or 270; and how
    /// sure that is. `None` where there is too little text.
    pub(crate) fn look(&mut self, picture: &Picture) -> Option<(u32, f32)> {
        self.session.show(picture).ok()?;
        let (mut degrees, mut sure, mut script_sure) = (0, 0.0, 0.0);
        let mut script = std::ptr::null();
        // SAFETY: the session is alive and has an image; the places are valid for the call. The name of the script is a
        // constant of the model and stays with it, whatever `capi.h` says of freeing it.
        let found = unsafe {
            (self.session.tesseract.orientation)(
                self.session.handle.as_ptr(),
                &raw mut degrees,
                &raw mut sure,
                &raw mut script,
                &raw mut script_sure,
            )
        };
        self.session.clear();
        let degrees = u32::try_from(degrees).ok()?;
        (found != 0).then_some(((360 - degrees % 360) % 360, sure))
    }
}

/// One use of the library.
struct Session<'a> {
    tesseract: &'a Tesseract,
    handle: NonNull<c_void>,
}

impl<'a> Session<'a> {
    fn begin(
        tesseract: &'a Tesseract,
        models: &Path,
        languages: &str,
        engine: c_int,
        mode: c_int,
    ) -> Result<Self, String> {
        let failed = || {
            format!(
                "Tesseract cannot load {languages} from {}",
                models.display()
            )
        };
        let text = |text: &[u8]| CString::new(text).map_err(|_| failed());
        let path = text(models.as_os_str().as_encoded_bytes())?;
        let names = text(languages.as_bytes())?;
        // SAFETY: takes nothing; what it answers is owned by `Self`, which deletes it when dropped.
        let handle = NonNull::new(unsafe { (tesseract.create)() }).ok_or_else(failed)?;
        let session = Self { tesseract, handle };
        session.set(c"debug_file", c"/dev/null");
        // SAFETY: the session is alive, and both texts end with a zero and outlive the call.
        let code =
            unsafe { (tesseract.begin)(handle.as_ptr(), path.as_ptr(), names.as_ptr(), engine) };
        if code != 0 {
            return Err(failed());
        }
        // SAFETY: the session is alive.
        unsafe { (tesseract.mode)(handle.as_ptr(), mode) };
        Ok(session)
    }

    fn set(&self, name: &CStr, value: &CStr) {
        // SAFETY: the session is alive, and the library copies both texts.
        unsafe { (self.tesseract.set)(self.handle.as_ptr(), name.as_ptr(), value.as_ptr()) };
    }

    fn show(&mut self, picture: &Picture) -> Result<(), String> {
        let side = |pixels: u32| c_int::try_from(pixels).map_err(|_| "a side of a picture");
        let (width, height) = (side(picture.width)?, side(picture.height)?);
        if picture.samples.len() < picture.width as usize * picture.height as usize {
            return Err("a picture has fewer samples than pixels".to_owned());
        }
        // SAFETY: the session is alive; there are `height` rows of `width` samples of one byte, which the library copies.
        unsafe {
            let samples = picture.samples.as_ptr();
            (self.tesseract.image)(self.handle.as_ptr(), samples, width, height, 1, width);
        }
        if let Some(resolution) = picture.resolution {
            // SAFETY: the session is alive and has an image.
            unsafe { (self.tesseract.resolution)(self.handle.as_ptr(), resolution) };
        }
        Ok(())
    }

    /// Forgets the picture and whatever was learnt from it, so that a page reads the same after any other.
    fn clear(&mut self) {
        // SAFETY: the session is alive; nothing points into its results any more.
        unsafe {
            (self.tesseract.clear)(self.handle.as_ptr());
            (self.tesseract.forget)(self.handle.as_ptr());
        }
    }

    fn blocks(&self) -> Vec<Block> {
        // SAFETY: the session is alive and has recognised; the answer is owned here and deleted below.
        let Some(handle) = NonNull::new(unsafe { (self.tesseract.iterator)(self.handle.as_ptr()) })
        else {
            return Vec::new();
        };
        Results::new(self.tesseract, handle).blocks()
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // SAFETY: created by the library and deleted once.
        unsafe { (self.tesseract.delete)(self.handle.as_ptr()) };
    }
}
