//! libqpdf, the only writer of customers' PDFs. Its command line runs in this process.

mod document;
mod language;
mod parent_tree;
mod skeleton_writer;
mod units;

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use domain::operation::Permission;
use qpdf_sys::{
    QPDF_BOOL, qpdf_allow_accessibility, qpdf_allow_extract_all, qpdf_allow_modify_annotation,
    qpdf_allow_modify_assembly, qpdf_allow_modify_form, qpdf_allow_modify_other,
    qpdf_allow_print_high_res, qpdf_cleanup, qpdf_data, qpdf_error_code_e_qpdf_e_password,
    qpdf_get_error, qpdf_get_error_code, qpdf_get_error_message_detail, qpdf_get_num_pages,
    qpdf_get_object_by_id, qpdf_get_root, qpdf_get_trailer, qpdf_has_error, qpdf_init,
    qpdf_init_write, qpdf_is_encrypted, qpdf_more_warnings, qpdf_next_warning,
    qpdf_oh_get_int_value_as_int, qpdf_oh_get_key, qpdf_oh_get_type_code, qpdf_oh_has_key,
    qpdf_oh_is_dictionary, qpdf_oh_is_integer, qpdf_oh_is_null, qpdf_oh_new_integer,
    qpdf_oh_release, qpdf_oh_replace_key, qpdf_read, qpdf_read_memory, qpdf_set_deterministic_ID,
    qpdf_set_preserve_encryption, qpdf_set_suppress_warnings, qpdf_silence_errors, qpdf_write,
};
use task::{Catalog, TaskError, TaskResult};

pub use self::document::{PendingWrite, QpdfDocument};
use self::units::unit;

/// Exit status of qpdf if it had to repair its input [qpdf manual, Exit Status].
const EXIT_WARNINGS: c_int = 3;
/// Result bit for errors [qpdf/qpdf-c.h].
const QPDF_ERRORS: c_int = 1 << 1;

#[expect(
    unsafe_code,
    reason = "the function is linked with the crate but missing in its bindings; declared as in qpdf/qpdfjob-c.h"
)]
unsafe extern "C" {
    /// Runs the command line; the array is null-terminated [qpdf/qpdfjob-c.h].
    fn qpdfjob_run_from_argv(arguments: *const *const c_char) -> c_int;
}

/// A run of qpdf's command line, with the options of its manual. Values are never separate arguments, so that none can be
/// parsed as an option.
pub struct QpdfJob {
    arguments: Vec<OsString>,
}

impl QpdfJob {
    /// Creates a job that reads a file.
    pub fn read(input: &Path) -> Self {
        let arguments = ["qpdf", "--no-warn"].map(OsString::from).to_vec();
        Self { arguments }.value(input)
    }

    /// Adds an option.
    pub fn option(mut self, option: impl AsRef<OsStr>) -> Self {
        self.arguments.push(option.as_ref().to_owned());
        self
    }

    /// Adds options.
    pub fn options(self, options: &[&str]) -> Self {
        options.iter().fold(self, Self::option)
    }

    /// Adds a positional argument that no client controls, such as an absolute path.
    pub fn value(self, value: impl AsRef<OsStr>) -> Self {
        self.option(value)
    }

    /// Makes the output unencrypted and reproducible.
    pub fn unencrypted(self) -> Self {
        self.options(&["--decrypt", "--deterministic-id"])
    }

    /// Writes the output, even if the input had to be repaired.
    ///
    /// # Errors
    /// [`TaskError::Document`] if qpdf cannot read the input.
    pub fn write(self, output: &Path) -> TaskResult<()> {
        match run(&self.value(output).arguments)? {
            0 | EXIT_WARNINGS => Ok(()),
            _ => Err(TaskError::input_corrupt()),
        }
    }
}

fn run(arguments: &[OsString]) -> TaskResult<c_int> {
    #[expect(
        unsafe_code,
        reason = "the array is null-terminated and outlives the call, which does not retain it"
    )]
    with_pointers(arguments, |pointers| unsafe {
        qpdfjob_run_from_argv(pointers)
    })
}

/// Calls `call` with a null-terminated array of C strings that lives as long as the call.
fn with_pointers<T>(
    texts: &[OsString],
    call: impl FnOnce(*const *const c_char) -> T,
) -> TaskResult<T> {
    let texts: Vec<CString> = texts
        .iter()
        .map(|text| c_string(text))
        .collect::<TaskResult<_>>()?;
    let mut pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    pointers.push(std::ptr::null());
    Ok(call(pointers.as_ptr()))
}

fn c_string(text: &OsStr) -> TaskResult<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| TaskError::Installation("an option of qpdf contains a null byte".to_owned()))
}

/// Whether a file opens with a password, or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is not encrypted.
    Open(FileStructure),
    /// It is encrypted, and the password is correct.
    Unlocked {
        /// Structure of the file.
        shape: FileStructure,
        /// User access permissions.
        permissions: Vec<Permission>,
        /// Whether text extraction for accessibility is allowed.
        accessible: bool,
    },
    /// The password is wrong.
    Locked,
    /// It cannot be parsed.
    Unreadable,
}

impl Access {
    /// Returns the structure of the file, if it could be read.
    pub fn shape(&self) -> Option<FileStructure> {
        match self {
            Self::Open(shape) | Self::Unlocked { shape, .. } => Some(*shape),
            Self::Locked | Self::Unreadable => None,
        }
    }
}

/// Structure of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStructure {
    /// Number of leaf nodes of the page tree, which may differ from the `Count` of its root.
    pub pages: u32,
    /// Whether it has digital signatures that any rewrite invalidates.
    pub is_signed: bool,
    /// Whether the `Count` of the page tree is an integer or missing, and not another type.
    pub has_valid_page_count: bool,
    /// Whether the trailer has a `Size`. libqpdf does not write one if it did not read one.
    pub has_size: bool,
    /// Whether a page has a `UserUnit` other than 1 point.
    pub uses_user_unit: bool,
    /// Integrity of its objects, not considering stream data.
    pub integrity: Integrity,
    /// Entries of the catalog outside the page tree.
    pub catalog: Catalog,
}

/// Integrity of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrity {
    /// No problem was found.
    Intact,
    /// Parsers may interpret it differently.
    Irregular,
    /// The cross-reference table or stream lengths had to be reconstructed.
    Damaged,
}

/// Largest file that is read into memory at once. libqpdf seeks for almost every byte of a file that it reads itself.
const MAX_IN_MEMORY: u64 = 16 * 1024 * 1024;

/// Tries a password on a file. An empty password equals none.
///
/// # Errors
/// If the file cannot be read. An unparsable file is [`Access::Unreadable`].
pub fn access(path: &Path, password: &str) -> TaskResult<Access> {
    let content = match std::fs::metadata(path)?.len() {
        0..=MAX_IN_MEMORY => Some(std::fs::read(path)?),
        _ => None,
    };
    let path = c_string(path.as_os_str())?;
    let password = c_string(OsStr::new(password))?;
    Ok(try_password((&path, content.as_deref()), &password))
}

#[expect(
    unsafe_code,
    reason = "the handle is created, used by this thread alone and cleaned up here; both strings and the content outlive it"
)]
fn try_password((path, content): (&CStr, Option<&[u8]>), password: &CStr) -> Access {
    unsafe {
        let mut handle = qpdf_init();
        qpdf_silence_errors(handle);
        qpdf_set_suppress_warnings(handle, 1);
        match content {
            Some(content) => {
                let (begin, size) = (content.as_ptr().cast(), content.len() as u64);
                qpdf_read_memory(handle, path.as_ptr(), begin, size, password.as_ptr());
            }
            None => {
                qpdf_read(handle, path.as_ptr(), password.as_ptr());
            }
        }
        let access = if qpdf_has_error(handle) == 0 {
            read_access(handle)
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
fn read_access(handle: qpdf_data) -> Access {
    const ALLOWED: [(unsafe extern "C" fn(qpdf_data) -> QPDF_BOOL, Permission); 6] = [
        (qpdf_allow_print_high_res, Permission::Print),
        (qpdf_allow_extract_all, Permission::Copy),
        (qpdf_allow_modify_other, Permission::Modify),
        (qpdf_allow_modify_annotation, Permission::Annotate),
        (qpdf_allow_modify_form, Permission::FillForms),
        (qpdf_allow_modify_assembly, Permission::Assemble),
    ];
    // Must run before the pages are counted, which repairs the page tree.
    let has_valid_page_count = has_valid_page_count(handle);
    read_objects(handle);
    let Ok(pages) = u32::try_from(unsafe { qpdf_get_num_pages(handle) }) else {
        return Access::Unreadable;
    };
    let shape = FileStructure {
        pages,
        is_signed: is_signed(handle),
        has_valid_page_count,
        has_size: has_size(handle),
        uses_user_unit: (0..pages).any(|index| unit(handle, index).is_some()),
        integrity: integrity(handle),
        catalog: catalog(handle),
    };
    if unsafe { qpdf_is_encrypted(handle) } == 0 {
        return Access::Open(shape);
    }
    let allowed = ALLOWED
        .iter()
        .filter(|(allows, _)| unsafe { allows(handle) } != 0);
    Access::Unlocked {
        shape,
        permissions: allowed.map(|(_, permission)| *permission).collect(),
        accessible: unsafe { qpdf_allow_accessibility(handle) } != 0,
    }
}

#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; a missing member is null there"
)]
fn has_valid_page_count(handle: qpdf_data) -> bool {
    unsafe {
        let root = qpdf_get_root(handle);
        let pages = qpdf_oh_get_key(handle, root, c"/Pages".as_ptr());
        let count = qpdf_oh_get_key(handle, pages, c"/Count".as_ptr());
        qpdf_oh_is_integer(handle, count) != 0 || qpdf_oh_is_null(handle, count) != 0
    }
}

#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; a missing member is null there"
)]
fn has_size(handle: qpdf_data) -> bool {
    unsafe {
        let trailer = qpdf_get_trailer(handle);
        let size = qpdf_oh_get_key(handle, trailer, c"/Size".as_ptr());
        qpdf_oh_is_integer(handle, size) != 0
    }
}

#[expect(unsafe_code, reason = "the caller's handle has a document")]
fn catalog(handle: qpdf_data) -> Catalog {
    const OUTLINE_NAMES_OR_LAYERS: [&CStr; 4] =
        [c"/Outlines", c"/Names", c"/Dests", c"/OCProperties"];
    unsafe {
        let root = qpdf_get_root(handle);
        let has = |key: &CStr| qpdf_oh_has_key(handle, root, key.as_ptr()) != 0;
        Catalog {
            tags: has(c"/StructTreeRoot"),
            outline_names_or_layers: OUTLINE_NAMES_OR_LAYERS.into_iter().any(has),
            form: has(c"/AcroForm"),
        }
    }
}

/// Whether the form has signatures that a rewrite invalidates, not just signature fields [ISO 32000-1, 12.7.2, table 219:
/// AppendOnly].
#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; a missing member is null there"
)]
fn is_signed(handle: qpdf_data) -> bool {
    const APPEND_ONLY: c_int = 2;
    unsafe {
        let root = qpdf_get_root(handle);
        let form = qpdf_oh_get_key(handle, root, c"/AcroForm".as_ptr());
        // libqpdf logs a warning if a member of another type is requested.
        if qpdf_oh_is_dictionary(handle, form) == 0 {
            return false;
        }
        let flags = qpdf_oh_get_key(handle, form, c"/SigFlags".as_ptr());
        qpdf_oh_is_integer(handle, flags) != 0
            && qpdf_oh_get_int_value_as_int(handle, flags) & APPEND_ONLY != 0
    }
}

#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; a warning's text lives until the next call"
)]
fn integrity(handle: qpdf_data) -> Integrity {
    let mut found = Integrity::Intact;
    unsafe {
        while qpdf_more_warnings(handle) != 0 {
            let warning = qpdf_next_warning(handle);
            let text = qpdf_get_error_message_detail(handle, warning);
            let text = match text.is_null() {
                true => &[],
                false => CStr::from_ptr(text).to_bytes(),
            };
            match RECONSTRUCTION_WARNINGS.contains(&text) {
                true => return Integrity::Damaged,
                false => found = Integrity::Irregular,
            }
        }
    }
    found
}

/// Warnings of libqpdf when it reconstructs the cross-reference table or a stream length.
const RECONSTRUCTION_WARNINGS: [&[u8]; 2] = [
    b"Attempting to reconstruct cross-reference table",
    b"attempting to recover stream length",
];
/// Maximum number of objects that are checked.
const MAX_OBJECTS: c_int = 200_000;

/// Reads all objects of the cross-reference table, so that libqpdf emits all warnings.
#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; a missing object is null there"
)]
fn read_objects(handle: qpdf_data) {
    unsafe {
        let trailer = qpdf_get_trailer(handle);
        let size = qpdf_oh_get_key(handle, trailer, c"/Size".as_ptr());
        let size = qpdf_oh_get_int_value_as_int(handle, size);
        for number in 1..size.clamp(1, MAX_OBJECTS) {
            let object = qpdf_get_object_by_id(handle, number, 0);
            qpdf_oh_get_type_code(handle, object);
            qpdf_oh_release(handle, object);
        }
    }
}

/// Writes an unencrypted copy with correct `Count` entries in the page tree and `Size` in the trailer.
///
/// # Errors
/// [`TaskError::Document`] if it cannot be parsed.
pub fn rewrite_with_counts(source: &Path, target: &Path) -> TaskResult<()> {
    let source = c_string(source.as_os_str())?;
    let target = c_string(target.as_os_str())?;
    match write_with_counts(&source, &target) {
        true => Ok(()),
        false => Err(TaskError::input_corrupt()),
    }
}

#[expect(
    unsafe_code,
    reason = "the handle is created, used by this thread alone and cleaned up here; both strings outlive the calls"
)]
fn write_with_counts(source: &CStr, target: &CStr) -> bool {
    unsafe {
        let mut handle = qpdf_init();
        qpdf_silence_errors(handle);
        qpdf_set_suppress_warnings(handle, 1);
        let read = qpdf_read(handle, source.as_ptr(), c"".as_ptr());
        let written = read & QPDF_ERRORS == 0 && write_counts(handle, target);
        qpdf_cleanup(&raw mut handle);
        written
    }
}

#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; the target's name outlives the call"
)]
fn write_counts(handle: qpdf_data, target: &CStr) -> bool {
    unsafe {
        let pages = qpdf_get_num_pages(handle);
        if pages < 1 {
            return false;
        }
        let root = qpdf_oh_get_key(handle, qpdf_get_root(handle), c"/Pages".as_ptr());
        let count = qpdf_oh_new_integer(handle, pages.into());
        qpdf_oh_replace_key(handle, root, c"/Count".as_ptr(), count);
        // libqpdf writes its own value, but only if the key exists.
        let trailer = qpdf_get_trailer(handle);
        qpdf_oh_replace_key(handle, trailer, c"/Size".as_ptr(), count);
        qpdf_init_write(handle, target.as_ptr());
        qpdf_set_preserve_encryption(handle, 0);
        qpdf_set_deterministic_ID(handle, 1);
        qpdf_write(handle) & QPDF_ERRORS == 0
    }
}
