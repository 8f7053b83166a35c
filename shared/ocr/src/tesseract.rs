//! Bindings to the C API of Tesseract, loaded at run time, so that binaries start without it. Only the submodules call it.
#![expect(
    unsafe_code,
    reason = "the C API takes and returns raw pointers; each call documents its soundness"
)]

mod results;
mod session;

use std::ffi::{CStr, c_char, c_float, c_int, c_uchar, c_void};

use libloading::Library;

pub(super) use self::session::{Orientation, OrientationDetector, Recognizer, is_east_asian};

/// Shared library of release 5.
const SONAME: &str = "libtesseract.so.5";
/// LSTM neural network only.
const OEM_LSTM_ONLY: c_int = 1;
/// Whichever engine the model supports: the orientation model is a legacy model.
const OEM_DEFAULT: c_int = 3;
/// Fully automatic page segmentation.
const PSM_AUTO: c_int = 3;
/// A single block of horizontal lines.
const PSM_SINGLE_BLOCK: c_int = 6;
/// A single line.
const PSM_SINGLE_LINE: c_int = 7;
/// Sparse text in no particular order.
const PSM_SPARSE_TEXT: c_int = 11;
/// Orientation and script detection only.
const PSM_OSD_ONLY: c_int = 0;
/// Iterator levels.
const RIL_BLOCK: c_int = 0;
const RIL_PARA: c_int = 1;
const RIL_TEXTLINE: c_int = 2;
const RIL_WORD: c_int = 3;
/// Writing direction of an iterator's element.
const WRITING_DIRECTION_RIGHT_TO_LEFT: c_int = 1;
/// Model of orientation and script detection.
const OSD_MODEL: &str = "osd";

type Handle = *mut c_void;

macro_rules! interface {
    ($($name:ident: $symbol:literal($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Tesseract, with the functions used.
        pub struct Tesseract {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: Library,
        }

        impl Tesseract {
            fn resolve(library: Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the types match `capi.h` of Tesseract, which is stable within release 5.
                    $($name: unsafe { *library.get($symbol)? },)*
                    _library: library,
                })
            }
        }
    };
}

interface! {
    version: "TessVersion"() -> *const c_char;
    create: "TessBaseAPICreate"() -> Handle;
    delete: "TessBaseAPIDelete"(Handle);
    init: "TessBaseAPIInit2"(Handle, *const c_char, *const c_char, c_int) -> c_int;
    set_variable: "TessBaseAPISetVariable"(Handle, *const c_char, *const c_char) -> c_int;
    set_page_seg_mode: "TessBaseAPISetPageSegMode"(Handle, c_int);
    set_image: "TessBaseAPISetImage"(Handle, *const c_uchar, c_int, c_int, c_int, c_int);
    set_source_resolution: "TessBaseAPISetSourceResolution"(Handle, c_int);
    recognize: "TessBaseAPIRecognize"(Handle, *mut c_void) -> c_int;
    clear: "TessBaseAPIClear"(Handle);
    clear_adaptive_classifier: "TessBaseAPIClearAdaptiveClassifier"(Handle);
    detect_orientation: "TessBaseAPIDetectOrientationScript"(
        Handle, *mut c_int, *mut c_float, *mut *const c_char, *mut c_float
    ) -> c_int;
    delete_text: "TessDeleteText"(*const c_char);
    get_iterator: "TessBaseAPIGetIterator"(Handle) -> Handle;
    iterator_delete: "TessResultIteratorDelete"(Handle);
    iterator_page: "TessResultIteratorGetPageIterator"(Handle) -> Handle;
    iterator_next: "TessResultIteratorNext"(Handle, c_int) -> c_int;
    iterator_text: "TessResultIteratorGetUTF8Text"(Handle, c_int) -> *mut c_char;
    iterator_confidence: "TessResultIteratorConfidence"(Handle, c_int) -> c_float;
    is_at_beginning_of: "TessPageIteratorIsAtBeginningOf"(Handle, c_int) -> c_int;
    bounding_box: "TessPageIteratorBoundingBox"(
        Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int
    ) -> c_int;
    baseline: "TessPageIteratorBaseline"(
        Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int
    ) -> c_int;
    orientation: "TessPageIteratorOrientation"(
        Handle, *mut c_int, *mut c_int, *mut c_int, *mut c_float
    );
}

impl Tesseract {
    /// Loads the library.
    ///
    /// # Errors
    /// The library or one of its functions is missing.
    pub fn load() -> Result<Self, String> {
        // SAFETY: the initializers of the library and its dependencies do not affect this process.
        let library = unsafe { Library::new(SONAME) };
        library
            .and_then(Self::resolve)
            .map_err(|error| format!("{SONAME} could not be loaded: {error}"))
    }

    /// Limits Tesseract to one thread per page, as pages are recognized concurrently. Must be called before the library is
    /// loaded and before threads are started.
    pub(crate) fn limit_to_one_thread() {
        #[expect(
            clippy::disallowed_methods,
            reason = "the OpenMP runtime of the library reads it when it is loaded, and children get no variables"
        )]
        // SAFETY: no other thread that could read the environment is running.
        unsafe {
            std::env::set_var("OMP_THREAD_LIMIT", "1");
        }
    }

    /// Returns the version, such as `5.3.0`.
    pub fn version(&self) -> String {
        // SAFETY: the function returns a static string.
        let version = unsafe { CStr::from_ptr((self.version)()) };
        version.to_string_lossy().into_owned()
    }
}
