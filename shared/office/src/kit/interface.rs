//! LibreOfficeKit's C interface: function tables that start with their size in bytes (`LibreOfficeKit.h`). Later releases only
//! append functions.
#![expect(
    unsafe_code,
    reason = "calls a C library; the validity of every pointer is ensured here"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_ulonglong, c_void};
use std::path::Path;

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};

/// Waits for events in [`Office::run_loop`].
pub(super) type Poll = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
/// Interrupts the waiting.
pub(super) type Wake = unsafe extern "C" fn(*mut c_void);
/// Receives events.
pub(super) type Callback = unsafe extern "C" fn(c_int, *const c_char, *mut c_void);

/// The libraries that may contain LibreOffice's entry point, depending on the build.
const LIBRARIES: [&str; 2] = ["libmergedlo.so", "libsofficeapp.so"];

/// Indexes into the office's function table.
mod office {
    pub(super) const GET_ERROR: usize = 3;
    pub(super) const LOAD: usize = 4;
    pub(super) const FREE_ERROR: usize = 5;
    pub(super) const REGISTER_CALLBACK: usize = 6;
    pub(super) const SET_FEATURES: usize = 8;
    pub(super) const SET_PASSWORD: usize = 9;
    pub(super) const GET_VERSION_INFO: usize = 10;
    pub(super) const RUN_LOOP: usize = 13;
    pub(super) const JOIN_THREADS: usize = 21;
    pub(super) const SET_FORKED_CHILD: usize = 23;
}

/// Indexes into a document's function table.
mod document {
    pub(super) const DESTROY: usize = 1;
    pub(super) const SAVE: usize = 2;
    pub(super) const PARTS: usize = 4;
    pub(super) const SET_PART: usize = 7;
    pub(super) const REGISTER_CALLBACK: usize = 14;
    pub(super) const POST_COMMAND: usize = 17;
    pub(super) const TEXT_SELECTION: usize = 19;
    pub(super) const COMMAND_VALUES: usize = 23;
    pub(super) const PART_INFO: usize = 42;
}

/// Calls a function of an object's table; `None` if the table does not contain it.
macro_rules! call {
    ($object:expr, $index:expr, fn($($type:ty),*) $(-> $result:ty)? $(, $argument:expr)*) => {{
        type Function = unsafe extern "C" fn(*mut c_void $(, $type)*) $(-> $result)?;
        let object: *mut c_void = $object;
        // SAFETY: objects come from the library and start with a pointer to their table, whose function at this index has
        // this type since LibreOffice 24.2; string arguments outlive the call.
        unsafe {
            function(object, $index)
                .map(|found| std::mem::transmute::<*const c_void, Function>(found))
                .map(|found| found(object $(, $argument)*))
        }
    }};
}

/// A function of an object's table.
///
/// # Safety
/// `object` must come from the library.
unsafe fn function(object: *mut c_void, index: usize) -> Option<*const c_void> {
    // SAFETY: an object starts with a pointer to its table, which consists of its size and function pointers.
    let found = unsafe {
        let table = *object.cast::<*const usize>();
        let entries = *table / size_of::<usize>();
        (index < entries).then(|| *table.add(index).cast::<*const c_void>())
    };
    found.filter(|function| !function.is_null())
}

/// The office object, which lives as long as the process.
pub(super) struct Office {
    object: *mut c_void,
    pub(super) library: Library,
}

impl Office {
    /// Loads the library of an installation and initializes it with a profile (a URL).
    pub(super) fn init(installation: &Path, profile: &CStr) -> Result<Self, String> {
        let library = load(installation)?;
        let path = c_string(installation.as_os_str().as_encoded_bytes())?;
        type Hook = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
        // SAFETY: the entry point has this type in every release; both strings outlive the call.
        let object = unsafe {
            let hook = library.get::<Hook>(b"libreofficekit_hook_2");
            let hook = hook.map_err(|error| format!("no LibreOfficeKit: {error}"))?;
            hook(path.as_ptr(), profile.as_ptr())
        };
        if object.is_null() {
            return Err("LibreOfficeKit failed to initialize".to_owned());
        }
        Ok(Self { object, library })
    }

    /// Runs LibreOffice's main loop, which completes the initialization and then calls `poll` repeatedly. `context` is passed
    /// to `poll` and must not be null, because the loop then calls nothing.
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

    /// Ends the worker threads; `false` if one cannot be ended.
    pub(super) fn join_threads(&self) -> bool {
        call!(self.object, office::JOIN_THREADS, fn() -> c_int).is_some_and(|joined| joined != 0)
    }

    /// Marks the process as a fork.
    pub(super) fn set_forked_child(&self) -> Option<()> {
        call!(self.object, office::SET_FORKED_CHILD, fn(bool), true)
    }

    /// Registers a callback for events.
    pub(super) fn register(&self, callback: Callback, context: *mut c_void) -> Option<()> {
        call!(
            self.object,
            office::REGISTER_CALLBACK,
            fn(Callback, *mut c_void),
            callback,
            context
        )
    }

    /// Enables optional features.
    pub(super) fn set_features(&self, features: c_ulonglong) -> Option<()> {
        call!(self.object, office::SET_FEATURES, fn(c_ulonglong), features)
    }

    /// Answers the password prompt of a document; with `None` the document is not opened.
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

    /// The office's last error message.
    pub(super) fn error(&self) -> String {
        self.owned_text(call!(self.object, office::GET_ERROR, fn() -> *mut c_char))
    }

    /// The version as a JSON text; empty if it is unknown.
    pub(super) fn version_info(&self) -> String {
        self.owned_text(call!(
            self.object,
            office::GET_VERSION_INFO,
            fn() -> *mut c_char
        ))
    }

    /// Copies and frees a string that a function of the office or of a document has returned.
    fn owned_text(&self, text: Option<*mut c_char>) -> String {
        let Some(text) = text.filter(|text| !text.is_null()) else {
            return String::new();
        };
        // SAFETY: the string is NUL-terminated and valid until it is freed below.
        let copied = unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned();
        type Free = unsafe extern "C" fn(*mut c_char);
        // SAFETY: unlike the others, this function takes no object, and the string is not used any more.
        unsafe {
            if let Some(free) = function(self.object, office::FREE_ERROR) {
                std::mem::transmute::<*const c_void, Free>(free)(text);
            }
        }
        copied
    }
}

/// Loads LibreOffice's library with lazy binding, because most of its functions are never called.
fn load(installation: &Path) -> Result<Library, String> {
    let mut reason = String::new();
    for name in LIBRARIES {
        // SAFETY: the constructors of LibreOffice's libraries do not affect other state of this single-threaded process.
        match unsafe { Library::open(Some(installation.join(name)), RTLD_LAZY | RTLD_LOCAL) } {
            Ok(library) => return Ok(library),
            Err(error) => reason = format!("{name} cannot be loaded: {error}"),
        }
    }
    Err(reason)
}

/// Converts bytes to a C string.
pub(super) fn c_string(text: &[u8]) -> Result<CString, String> {
    CString::new(text).map_err(|_| "a string contains a NUL byte".to_owned())
}

/// A loaded document. Closed only by [`Loaded::close`], not on drop: a process that exits need not close it.
pub(super) struct Loaded {
    object: *mut c_void,
}

impl Loaded {
    /// Saves the document; returns whether LibreOffice reports success.
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

    /// Registers a callback for events, which also reports some that happened before.
    pub(super) fn register(&self, callback: Callback, context: *mut c_void) {
        call!(
            self.object,
            document::REGISTER_CALLBACK,
            fn(Callback, *mut c_void),
            callback,
            context
        );
    }

    /// The number of parts: sheets, slides.
    pub(super) fn parts(&self) -> c_int {
        call!(self.object, document::PARTS, fn() -> c_int).unwrap_or(0)
    }

    /// Makes a part the current one.
    pub(super) fn set_part(&self, part: c_int) {
        call!(self.object, document::SET_PART, fn(c_int), part);
    }

    /// Properties of a part as JSON.
    pub(super) fn part_info(&self, office: &Office, part: c_int) -> String {
        let info = call!(
            self.object,
            document::PART_INFO,
            fn(c_int) -> *mut c_char,
            part
        );
        office.owned_text(info)
    }

    /// Executes a command (`.uno:…`) with arguments in JSON.
    pub(super) fn post_command(&self, command: &CStr, arguments: &CStr) {
        call!(
            self.object,
            document::POST_COMMAND,
            fn(*const c_char, *const c_char, bool),
            command.as_ptr(),
            arguments.as_ptr(),
            false
        );
    }

    /// The values of a command as JSON.
    pub(super) fn command_values(&self, office: &Office, command: &CStr) -> String {
        office.owned_text(call!(
            self.object,
            document::COMMAND_VALUES,
            fn(*const c_char) -> *mut c_char,
            command.as_ptr()
        ))
    }

    /// The selected text.
    pub(super) fn selected_text(&self, office: &Office) -> String {
        let (plain, unused) = (c"text/plain;charset=utf-8", std::ptr::null_mut());
        office.owned_text(call!(
            self.object,
            document::TEXT_SELECTION,
            fn(*const c_char, *mut *mut c_char) -> *mut c_char,
            plain.as_ptr(),
            unused
        ))
    }

    /// Frees the document.
    pub(super) fn close(self) {
        call!(self.object, document::DESTROY, fn());
    }
}
