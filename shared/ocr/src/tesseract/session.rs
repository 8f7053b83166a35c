//! Tesseract sessions, each used by one thread: for text recognition, or for orientation detection.

use std::ffi::{CStr, CString, c_int, c_void};
use std::path::Path;
use std::ptr::{NonNull, null_mut};

use domain::operation::{LANGUAGES, Script};

use super::super::ocr_page::Block;
use super::super::picture::Picture;
use super::results::Results;
use super::{
    OEM_DEFAULT, OEM_LSTM_ONLY, OSD_MODEL, PSM_AUTO, PSM_OSD_ONLY, PSM_SINGLE_BLOCK,
    PSM_SINGLE_LINE, PSM_SPARSE_TEXT, Tesseract,
};

/// A text recognizer for some languages; used by one thread.
pub(crate) struct Recognizer<'a> {
    session: Session<'a>,
}

impl<'a> Recognizer<'a> {
    /// Loads the models of `languages`, joined by `+`, from the directory `models`.
    ///
    /// # Errors
    /// The models cannot be loaded.
    pub(crate) fn load(
        tesseract: &'a Tesseract,
        models: &Path,
        languages: &str,
    ) -> Result<Self, String> {
        let session = Session::load(tesseract, models, languages, OEM_LSTM_ONLY, PSM_AUTO)?;
        if languages.split('+').all(is_east_asian) {
            // Finds rows by the pitch of characters; otherwise many rows of Korean and Chinese pages are missed.
            session.set_variable(c"textord_use_cjk_fp_model", c"1");
        }
        Ok(Self { session })
    }

    /// Recognizes the text of a picture, in its pixels.
    ///
    /// # Errors
    /// Tesseract failed.
    pub(crate) fn recognize(&mut self, picture: &Picture) -> Result<Vec<Block>, String> {
        self.recognize_with(picture, PSM_AUTO)
    }

    /// Recognizes a single column of horizontal lines.
    ///
    /// # Errors
    /// Tesseract failed.
    pub(crate) fn recognize_column(&mut self, picture: &Picture) -> Result<Vec<Block>, String> {
        self.recognize_with(picture, PSM_SINGLE_BLOCK)
    }

    /// Recognizes text scattered over a picture.
    ///
    /// # Errors
    /// Tesseract failed.
    pub(crate) fn recognize_sparse(&mut self, picture: &Picture) -> Result<Vec<Block>, String> {
        self.recognize_with(picture, PSM_SPARSE_TEXT)
    }

    /// Recognizes a single line.
    ///
    /// # Errors
    /// Tesseract failed.
    pub(crate) fn recognize_line(&mut self, picture: &Picture) -> Result<Vec<Block>, String> {
        self.recognize_with(picture, PSM_SINGLE_LINE)
    }

    fn recognize_with(&mut self, picture: &Picture, mode: c_int) -> Result<Vec<Block>, String> {
        // SAFETY: the session is valid.
        unsafe { (self.session.tesseract.set_page_seg_mode)(self.session.handle.as_ptr(), mode) };
        self.session.set_image(picture)?;
        let session = &self.session;
        // SAFETY: the session is valid and has an image; there is no monitor.
        let failed = unsafe { (session.tesseract.recognize)(session.handle.as_ptr(), null_mut()) };
        let read = match failed {
            0 => Ok(session.blocks()),
            _ => Err("Tesseract failed to recognize a page".to_owned()),
        };
        self.session.clear();
        read
    }
}

/// An orientation detector; used by one thread.
pub(crate) struct OrientationDetector<'a> {
    session: Session<'a>,
}

impl<'a> OrientationDetector<'a> {
    /// Loads the orientation model from the directory `models`.
    ///
    /// # Errors
    /// The model cannot be loaded.
    pub(crate) fn load(tesseract: &'a Tesseract, models: &Path) -> Result<Self, String> {
        let session = Session::load(tesseract, models, OSD_MODEL, OEM_DEFAULT, PSM_OSD_ONLY)?;
        Ok(Self { session })
    }

    /// Returns orientation and script of the text of a picture; `None` if there is too little text.
    pub(crate) fn detect(&mut self, picture: &Picture) -> Option<Orientation> {
        self.session.set_image(picture).ok()?;
        let (mut degrees, mut confidence, mut script_confidence) = (0, 0.0, 0.0);
        let mut script = std::ptr::null();
        // SAFETY: the session is valid and has an image, and so are the output pointers. The script name is a constant owned
        // by the model, although `capi.h` asks callers to free it.
        let found = unsafe {
            (self.session.tesseract.detect_orientation)(
                self.session.handle.as_ptr(),
                &raw mut degrees,
                &raw mut confidence,
                &raw mut script,
                &raw mut script_confidence,
            )
        };
        let script = NonNull::new(script.cast_mut()).filter(|_| found != 0);
        // SAFETY: the model owns the name until the session is deleted.
        let script = script.map(|script| unsafe { CStr::from_ptr(script.as_ptr()) });
        let script = script.and_then(|script| script.to_str().ok()?.parse().ok());
        self.session.clear();
        let degrees = u32::try_from(degrees).ok()?;
        (found != 0).then_some(Orientation {
            degrees: (360 - degrees % 360) % 360,
            confidence,
            script,
        })
    }
}

/// Orientation and script of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orientation {
    /// Clockwise rotation that makes the text upright: 0, 90, 180 or 270.
    pub(crate) degrees: u32,
    /// Confidence of the rotation.
    pub(crate) confidence: f32,
    /// The script, if it has OCR languages.
    pub(crate) script: Option<Script>,
}

/// Returns whether a language is written in Chinese, Japanese or Korean characters.
pub(crate) fn is_east_asian(code: &str) -> bool {
    let row = LANGUAGES.iter().find(|row| row.code == code);
    row.is_some_and(|row| matches!(row.script, Script::Han | Script::Japanese | Script::Korean))
}

/// A `TessBaseAPI` object.
struct Session<'a> {
    tesseract: &'a Tesseract,
    handle: NonNull<c_void>,
}

impl<'a> Session<'a> {
    fn load(
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
        // SAFETY: no arguments; `Self` owns the returned object and deletes it when dropped.
        let handle = NonNull::new(unsafe { (tesseract.create)() }).ok_or_else(failed)?;
        let session = Self { tesseract, handle };
        session.set_variable(c"debug_file", c"/dev/null");
        // SAFETY: the session is valid; both strings are NUL-terminated and outlive the call.
        let code =
            unsafe { (tesseract.init)(handle.as_ptr(), path.as_ptr(), names.as_ptr(), engine) };
        if code != 0 {
            return Err(failed());
        }
        // SAFETY: the session is valid.
        unsafe { (tesseract.set_page_seg_mode)(handle.as_ptr(), mode) };
        Ok(session)
    }

    fn set_variable(&self, name: &CStr, value: &CStr) {
        // SAFETY: the session is valid; the library copies both strings.
        unsafe {
            (self.tesseract.set_variable)(self.handle.as_ptr(), name.as_ptr(), value.as_ptr())
        };
    }

    fn set_image(&mut self, picture: &Picture) -> Result<(), String> {
        let side = |pixels: u32| c_int::try_from(pixels).map_err(|_| "a picture is too large");
        let (width, height) = (side(picture.width)?, side(picture.height)?);
        if picture.samples.len() < picture.width as usize * picture.height as usize {
            return Err("a picture has fewer samples than pixels".to_owned());
        }
        // SAFETY: the session is valid; there are `height` rows of `width` one-byte samples, which the library copies.
        unsafe {
            let samples = picture.samples.as_ptr();
            (self.tesseract.set_image)(self.handle.as_ptr(), samples, width, height, 1, width);
        }
        if let Some(resolution) = picture.resolution {
            // SAFETY: the session is valid and has an image.
            unsafe { (self.tesseract.set_source_resolution)(self.handle.as_ptr(), resolution) };
        }
        Ok(())
    }

    /// Clears the picture and the adaptive classifier, so that results do not depend on earlier pages.
    fn clear(&mut self) {
        // SAFETY: the session is valid; nothing refers to its results any more.
        unsafe {
            (self.tesseract.clear)(self.handle.as_ptr());
            (self.tesseract.clear_adaptive_classifier)(self.handle.as_ptr());
        }
    }

    fn blocks(&self) -> Vec<Block> {
        // SAFETY: the session is valid and has results; the returned iterator is owned here and deleted by `Results`.
        let Some(handle) =
            NonNull::new(unsafe { (self.tesseract.get_iterator)(self.handle.as_ptr()) })
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
