//! LibreOfficeKit's C interface: tables of functions that begin with their own size in bytes (`LibreOfficeKit.h`), which
//! later releases only make longer.
#![expect(
    unsafe_code,
    reason = "a C library has no other interface; every pointer that goes out or comes in is looked after here"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_ulonglong, c_void};
use std::path::Path;

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};

/// Waits for events in [`Office::run_loop`].
pub(super) type Poll = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
/// Ends the waiting.
pub(super) type Wake = unsafe extern "C" fn(*mut c_void);
/// Is told what happens.
pub(super) type Callback = unsafe extern "C" fn(c_int, *const c_char, *mut c_void);

/// The libraries that hold LibreOffice's entry point, depending on how it was built.
const LIBRARIES: [&str; 2] = ["libmergedlo.so", "libsofficeapp.so"];

/// Places in the office's table.
mod office {
    pub(super) const GET_ERROR: usize = 3;
    pub(super) const LOAD: usize = 4;
    pub(super) const FREE_ERROR: usize = 5;
    pub(super) const REGISTER_CALLBACK: usize = 6;
    pub(super) const SET_FEATURES: usize = 8;
    pub(super) const SET_PASSWORD: usize = 9;
    pub(super) const RUN_LOOP: usize = 13;
    pub(super) const JOIN_THREADS: usize = 21;
    pub(super) const SET_FORKED_CHILD: usize = 23;
}

/// Places in a document's table.
mod document {
    pub(super) const DESTROY: usize = 1;
    pub(super) const SAVE: usize = 2;
}

/// Calls a function of an object's table; `None` if the table is too short for it or has a hole there.
macro_rules! call {
    ($object:expr, $place:expr, fn($($type:ty),*) $(-> $answer:ty)? $(, $argument:expr)*) => {{
        type Function = unsafe extern "C" fn(*mut c_void $(, $type)*) $(-> $answer)?;
        let object: *mut c_void = $object;
        // SAFETY: objects come from the library and begin with a pointer to their table, whose function at this place has
        // this type since LibreOffice 24.2; strings among the arguments live until the call is over.
        unsafe {
            function(object, $place)
                .map(|found| std::mem::transmute::<*const c_void, Function>(found))
                .map(|found| found(object $(, $argument)*))
        }
    }};
}

/// A function of an object's table.
///
/// # Safety
/// `object` is one of the library's objects.
unsafe fn function(object: *mut c_void, place: usize) -> Option<*const c_void> {
    // SAFETY: an object begins with a pointer to its table, which begins with its size and goes on with functions.
    let found = unsafe {
        let table = *object.cast::<*const usize>();
        let entries = *table / size_of::<usize>();
        (place < entries).then(|| *table.add(place).cast::<*const c_void>())
    };
    found.filter(|function| !function.is_null())
}

/// The office, which lives as long as the process.
pub(super) struct Office {
    object: *mut c_void,
    pub(super) library: Library,
}

impl Office {
    /// Loads the library of an installation and begins it with a profile (a URL).
    pub(super) fn begin(installation: &Path, profile: &CStr) -> Result<Self, String> {
        let library = load(installation)?;
        let path = c_string(installation.as_os_str().as_encoded_bytes())?;
        type Hook = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
        // SAFETY: the entry point has this type in every release; both strings live until the call is over.
        let object = unsafe {
            let hook = library.get::<Hook>(b"libreofficekit_hook_2");
            let hook = hook.map_err(|error| format!("no LibreOfficeKit: {error}"))?;
            hook(path.as_ptr(), profile.as_ptr())
        };
        if object.is_null() {
            return Err("LibreOfficeKit does not begin".to_owned());
        }
        Ok(Self { object, library })
    }

    /// Runs LibreOffice's main loop, which begins the rest of it and then calls `poll` again and again. `context` is what
    /// `poll` is given; the loop calls nothing without one.
    pub(super) fn run_loop(&self, poll: Poll, wake: Wake, context: *mut c_void) -> Option<()> {
        call!(
            self.object,
            office::RUN_LOOP,
            fn(Poll, Wake, *mut c_void),
            poll,
            wake,
            context
        )
    }

    /// Ends the threads that can be; false if there is one that cannot.
    pub(super) fn join_threads(&self) -> bool {
        call!(self.object, office::JOIN_THREADS, fn() -> c_int).is_some_and(|joined| joined != 0)
    }

    /// Tells the office that it lives in a fork now.
    pub(super) fn set_forked_child(&self) -> Option<()> {
        call!(self.object, office::SET_FORKED_CHILD, fn(bool), true)
    }

    /// Has a function called when something happens.
    pub(super) fn register(&self, callback: Callback, context: *mut c_void) -> Option<()> {
        call!(
            self.object,
            office::REGISTER_CALLBACK,
            fn(Callback, *mut c_void),
            callback,
            context
        )
    }

    /// Switches features on.
    pub(super) fn set_features(&self, features: c_ulonglong) -> Option<()> {
        call!(self.object, office::SET_FEATURES, fn(c_ulonglong), features)
    }

    /// Answers the question for a document's password; without one the document is not opened.
    pub(super) fn set_password(&self, url: &CStr, password: Option<&CStr>) -> Option<()> {
        let password = password.map_or(std::ptr::null(), CStr::as_ptr);
        call!(
            self.object,
            office::SET_PASSWORD,
            fn(*const c_char, *const c_char),
            url.as_ptr(),
            password
        )
    }

    /// Loads a document.
    pub(super) fn load(&self, url: &CStr, options: &CStr) -> Option<Loaded> {
        let object = call!(
            self.object,
            office::LOAD,
            fn(*const c_char, *const c_char) -> *mut c_void,
            url.as_ptr(),
            options.as_ptr()
        )?;
        (!object.is_null()).then_some(Loaded { object })
    }

    /// What the office says went wrong last.
    pub(super) fn error(&self) -> String {
        let text = call!(self.object, office::GET_ERROR, fn() -> *mut c_char);
        let Some(text) = text.filter(|text| !text.is_null()) else {
            return String::new();
        };
        // SAFETY: the answer ends with a zero and is ours until it is given back below.
        let copied = unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned();
        call!(self.object, office::FREE_ERROR, fn(*mut c_char), text);
        copied
    }
}

/// Functions are looked up when they are first called: most of LibreOffice's never are.
fn load(installation: &Path) -> Result<Library, String> {
    let mut reason = String::new();
    for name in LIBRARIES {
        // SAFETY: the constructors of LibreOffice's libraries touch nothing of this process, which has one thread.
        match unsafe { Library::open(Some(installation.join(name)), RTLD_LAZY | RTLD_LOCAL) } {
            Ok(library) => return Ok(library),
            Err(error) => reason = format!("{name} cannot be loaded: {error}"),
        }
    }
    Err(reason)
}

/// A text as C has it.
pub(super) fn c_string(text: &[u8]) -> Result<CString, String> {
    CString::new(text).map_err(|_| "a text with a zero".to_owned())
}

/// A document in memory. It is closed only where [`Loaded::close`] says so: a process that ends needs no closing.
pub(super) struct Loaded {
    object: *mut c_void,
}

impl Loaded {
    /// Saves it; whether LibreOffice says that it did.
    pub(super) fn save(&self, url: &CStr, format: &CStr, options: &CStr) -> bool {
        let saved = call!(
            self.object,
            document::SAVE,
            fn(*const c_char, *const c_char, *const c_char) -> c_int,
            url.as_ptr(),
            format.as_ptr(),
            options.as_ptr()
        );
        saved == Some(1)
    }

    /// Frees it.
    pub(super) fn close(self) {
        call!(self.object, document::DESTROY, fn());
    }
}
