//! Tesseract through its C interface, loaded at run time: nothing links to it, and only the modules here call it.
#![expect(
    unsafe_code,
    reason = "a C library has no other interface; every pointer that goes out or comes in is looked after here"
)]

mod results;
mod session;

use std::ffi::{CStr, c_char, c_float, c_int, c_uchar, c_void};

use libloading::Library;

pub(super) use self::session::{Orienter, Recogniser};

/// The library's name for the dynamic linker: the interface of release 5.
const SONAME: &str = "libtesseract.so.5";
/// Recognises by neural network only (`OEM_LSTM_ONLY`).
const NEURAL: c_int = 1;
/// Whatever a model offers (`OEM_DEFAULT`): that of orientations is of the older kind.
const ANY: c_int = 3;
/// Finds blocks and lines by itself (`PSM_AUTO`).
const AUTOMATIC: c_int = 3;
/// Finds words wherever they stand, in no order (`PSM_SPARSE_TEXT`).
const SCATTERED: c_int = 11;
/// Looks for orientation only (`PSM_OSD_ONLY`).
const ORIENTATION: c_int = 0;
/// Levels of an iterator (`RIL_BLOCK`, `RIL_PARA`, `RIL_TEXTLINE`, `RIL_WORD`).
const REGION: c_int = 0;
const PARAGRAPH: c_int = 1;
const LINE: c_int = 2;
const WORD: c_int = 3;
/// `WRITING_DIRECTION_RIGHT_TO_LEFT`.
const RIGHT_TO_LEFT: c_int = 1;
/// The model of orientations.
const ORIENTATIONS: &str = "osd";

type Handle = *mut c_void;

macro_rules! interface {
    ($($name:ident: $symbol:literal($($argument:ty),*) $(-> $answer:ty)?;)*) => {
        /// The functions of the library that are used.
        pub struct Tesseract {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $answer)?,)*
            _library: Library,
        }

        impl Tesseract {
            fn resolve(library: Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the types are those of Tesseract's `capi.h`, which release 5 keeps.
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
    begin: "TessBaseAPIInit2"(Handle, *const c_char, *const c_char, c_int) -> c_int;
    set: "TessBaseAPISetVariable"(Handle, *const c_char, *const c_char) -> c_int;
    mode: "TessBaseAPISetPageSegMode"(Handle, c_int);
    image: "TessBaseAPISetImage"(Handle, *const c_uchar, c_int, c_int, c_int, c_int);
    resolution: "TessBaseAPISetSourceResolution"(Handle, c_int);
    recognise: "TessBaseAPIRecognize"(Handle, *mut c_void) -> c_int;
    clear: "TessBaseAPIClear"(Handle);
    forget: "TessBaseAPIClearAdaptiveClassifier"(Handle);
    orientation: "TessBaseAPIDetectOrientationScript"(
        Handle, *mut c_int, *mut c_float, *mut *const c_char, *mut c_float
    ) -> c_int;
    free_text: "TessDeleteText"(*const c_char);
    iterator: "TessBaseAPIGetIterator"(Handle) -> Handle;
    iterator_delete: "TessResultIteratorDelete"(Handle);
    iterator_page: "TessResultIteratorGetPageIterator"(Handle) -> Handle;
    iterator_next: "TessResultIteratorNext"(Handle, c_int) -> c_int;
    iterator_text: "TessResultIteratorGetUTF8Text"(Handle, c_int) -> *mut c_char;
    iterator_confidence: "TessResultIteratorConfidence"(Handle, c_int) -> c_float;
    is_first_of: "TessPageIteratorIsAtBeginningOf"(Handle, c_int) -> c_int;
    rectangle: "TessPageIteratorBoundingBox"(
        Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int
    ) -> c_int;
    baseline: "TessPageIteratorBaseline"(
        Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int
    ) -> c_int;
    directions: "TessPageIteratorOrientation"(
        Handle, *mut c_int, *mut c_int, *mut c_int, *mut c_float
    );
}

impl Tesseract {
    /// Loads the library.
    ///
    /// # Errors
    /// Why it cannot be loaded, or which function it lacks.
    pub fn load() -> Result<Self, String> {
        // SAFETY: the constructors of the library and of those that it loads touch nothing of this process.
        let library = unsafe { Library::new(SONAME) };
        library
            .and_then(Self::resolve)
            .map_err(|error| format!("{SONAME} cannot be loaded: {error}"))
    }

    /// Has the library work in one thread a page, as pages are what is done at once. To be called before it is loaded
    /// and before there are threads.
    pub(crate) fn one_thread_a_page() {
        #[expect(
            clippy::disallowed_methods,
            reason = "the OpenMP runtime of the library reads it when it is loaded, and children get no variables"
        )]
        // SAFETY: no other thread of this process is alive that could read the environment.
        unsafe {
            std::env::set_var("OMP_THREAD_LIMIT", "1");
        }
    }

    /// Its version, such as `5.3.0`.
    pub fn version(&self) -> String {
        // SAFETY: the answer is a constant of the library.
        let version = unsafe { CStr::from_ptr((self.version)()) };
        version.to_string_lossy().into_owned()
    }
}
