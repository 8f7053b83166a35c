//! libqpdf: the only writer of PDF that customers made. Its whole command line runs in this process.

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use domain::operation::Permission;
use qpdf_sys::{
    QPDF_BOOL, qpdf_allow_extract_all, qpdf_allow_modify_annotation, qpdf_allow_modify_assembly,
    qpdf_allow_modify_form, qpdf_allow_modify_other, qpdf_allow_print_high_res, qpdf_cleanup,
    qpdf_data, qpdf_error_code_e_qpdf_e_password, qpdf_get_error, qpdf_get_error_code,
    qpdf_get_num_pages, qpdf_has_error, qpdf_init, qpdf_is_encrypted, qpdf_read,
    qpdf_set_suppress_warnings, qpdf_silence_errors,
};

use crate::fault::{Fault, Outcome};

/// How qpdf ends when it had to mend what it read [qpdf manual, Exit Status].
const WITH_WARNINGS: c_int = 3;

#[expect(
    unsafe_code,
    reason = "the function is linked with the crate but missing in its bindings; declared as in qpdf/qpdfjob-c.h"
)]
unsafe extern "C" {
    /// Runs the command line; the array ends with a null pointer [qpdf/qpdfjob-c.h].
    fn qpdfjob_run_from_argv(arguments: *const *const c_char) -> c_int;
}

/// One run of qpdf's command line. Options are as its manual names them; a value never stands alone, so that none is
/// taken for an option.
pub(crate) struct Job {
    arguments: Vec<OsString>,
}

/// How a run went that left a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// Without a word.
    Well,
    /// What was read had to be mended.
    Mended,
}

impl Job {
    /// Reads a file.
    pub(crate) fn read(input: &Path) -> Self {
        let arguments = ["qpdf", "--no-warn"].map(OsString::from).to_vec();
        Self { arguments }.value(input)
    }

    /// Adds an option.
    pub(crate) fn option(mut self, option: impl AsRef<OsStr>) -> Self {
        self.arguments.push(option.as_ref().to_owned());
        self
    }

    /// Adds options.
    pub(crate) fn options(self, options: &[&str]) -> Self {
        options.iter().fold(self, Self::option)
    }

    /// Adds a value that no client words, such as an absolute path.
    pub(crate) fn value(self, value: impl AsRef<OsStr>) -> Self {
        self.option(value)
    }

    /// Makes the result reproducible, without any encryption.
    pub(crate) fn open(self) -> Self {
        self.options(&["--decrypt", "--deterministic-id"])
    }

    /// Writes the result, also where the source had to be mended for that.
    ///
    /// # Errors
    /// [`Fault::Document`] if qpdf could make nothing of what it read.
    pub(crate) fn write(self, output: &Path) -> Outcome<Written> {
        match run(&self.value(output).arguments)? {
            0 => Ok(Written::Well),
            WITH_WARNINGS => Ok(Written::Mended),
            _ => Err(Fault::corrupt()),
        }
    }
}

fn run(arguments: &[OsString]) -> Outcome<c_int> {
    let arguments: Vec<CString> = arguments
        .iter()
        .map(|argument| c_string(argument))
        .collect::<Outcome<_>>()?;
    let mut pointers: Vec<*const c_char> = arguments.iter().map(|text| text.as_ptr()).collect();
    pointers.push(std::ptr::null());
    #[expect(
        unsafe_code,
        reason = "the array ends with a null pointer and outlives the call, which keeps none of it"
    )]
    let code = unsafe { qpdfjob_run_from_argv(pointers.as_ptr()) };
    Ok(code)
}

fn c_string(text: &OsStr) -> Outcome<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| Fault::Installation("an option of qpdf holds a zero".to_owned()))
}

/// What a file lets one do who has a password, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It is not encrypted.
    Open {
        /// How many pages it has.
        pages: u32,
    },
    /// It is encrypted, and the password opens it.
    Unlocked {
        /// How many pages it has.
        pages: u32,
        /// What it allows whoever has the password.
        permissions: Vec<Permission>,
    },
    /// The password does not open it.
    Locked,
    /// It cannot be read.
    Unreadable,
}

/// Tries a password on a file; the empty one is as good as none.
pub(crate) fn access(path: &Path, password: &str) -> Outcome<Access> {
    let path = c_string(path.as_os_str())?;
    let password = c_string(OsStr::new(password))?;
    Ok(try_password(&path, &password))
}

#[expect(
    unsafe_code,
    reason = "the handle is made, used by this thread alone and cleaned up here; both texts outlive the calls"
)]
fn try_password(path: &CStr, password: &CStr) -> Access {
    unsafe {
        let mut handle = qpdf_init();
        qpdf_silence_errors(handle);
        qpdf_set_suppress_warnings(handle, 1);
        qpdf_read(handle, path.as_ptr(), password.as_ptr());
        let access = if qpdf_has_error(handle) == 0 {
            opened(handle)
        } else {
            match qpdf_get_error_code(handle, qpdf_get_error(handle)) {
                code if code == qpdf_error_code_e_qpdf_e_password => Access::Locked,
                _ => Access::Unreadable,
            }
        };
        qpdf_cleanup(&raw mut handle);
        access
    }
}

#[expect(unsafe_code, reason = "the caller's handle has a document")]
fn opened(handle: qpdf_data) -> Access {
    const ALLOWED: [(unsafe extern "C" fn(qpdf_data) -> QPDF_BOOL, Permission); 6] = [
        (qpdf_allow_print_high_res, Permission::Print),
        (qpdf_allow_extract_all, Permission::Copy),
        (qpdf_allow_modify_other, Permission::Modify),
        (qpdf_allow_modify_annotation, Permission::Annotate),
        (qpdf_allow_modify_form, Permission::FillForms),
        (qpdf_allow_modify_assembly, Permission::Assemble),
    ];
    let Ok(pages) = u32::try_from(unsafe { qpdf_get_num_pages(handle) }) else {
        return Access::Unreadable;
    };
    if unsafe { qpdf_is_encrypted(handle) } == 0 {
        return Access::Open { pages };
    }
    let allowed = ALLOWED
        .iter()
        .filter(|(allows, _)| unsafe { allows(handle) } != 0);
    Access::Unlocked {
        pages,
        permissions: allowed.map(|(_, permission)| *permission).collect(),
    }
}
