//! libqpdf, the only writer of customers' PDFs. Its command line runs in this process.

mod attachments;
mod bounded;
mod document;
mod form;
mod handle;
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
    qpdf_allow_print_high_res, qpdf_data, qpdf_is_encrypted,
};
use task::{Catalog, TaskError, TaskResult};

pub use self::attachments::{Attachment, AttachmentEncoding};
pub use self::document::{PendingWrite, QpdfDocument};
use self::handle::{Handle, ReadError};
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
    let read = match &content {
        Some(content) => Handle::read_memory(&path, content, &password),
        None => Handle::read(&path, &password),
    };
    Ok(match read {
        Ok(document) => read_access(&document),
        Err(ReadError::Locked) => Access::Locked,
        Err(ReadError::Unreadable) => Access::Unreadable,
    })
}

fn read_access(document: &Handle<'_>) -> Access {
    const ALLOWED: [(unsafe extern "C" fn(qpdf_data) -> QPDF_BOOL, Permission); 6] = [
        (qpdf_allow_print_high_res, Permission::Print),
        (qpdf_allow_extract_all, Permission::Copy),
        (qpdf_allow_modify_other, Permission::Modify),
        (qpdf_allow_modify_annotation, Permission::Annotate),
        (qpdf_allow_modify_form, Permission::FillForms),
        (qpdf_allow_modify_assembly, Permission::Assemble),
    ];
    // Must run before the pages are counted, which repairs the page tree.
    let has_valid_page_count = has_valid_page_count(document);
    read_objects(document);
    let Ok(pages) = u32::try_from(document.pages()) else {
        return Access::Unreadable;
    };
    let shape = FileStructure {
        pages,
        is_signed: is_signed(document),
        has_valid_page_count,
        has_size: document.trailer().get(c"/Size").is_integer(),
        uses_user_unit: (0..pages).any(|index| unit(document, index).is_some()),
        integrity: integrity(document),
        catalog: catalog(document),
    };
    if !document.is(qpdf_is_encrypted) {
        return Access::Open(shape);
    }
    let allowed = ALLOWED.iter().filter(|(allows, _)| document.is(*allows));
    Access::Unlocked {
        shape,
        permissions: allowed.map(|(_, permission)| *permission).collect(),
        accessible: document.is(qpdf_allow_accessibility),
    }
}

fn has_valid_page_count(document: &Handle<'_>) -> bool {
    let count = document.root().get(c"/Pages").get(c"/Count");
    count.is_integer() || count.is_null()
}

fn catalog(document: &Handle<'_>) -> Catalog {
    const OUTLINE_NAMES_OR_LAYERS: [&CStr; 4] =
        [c"/Outlines", c"/Names", c"/Dests", c"/OCProperties"];
    let root = document.root();
    Catalog {
        tags: root.has(c"/StructTreeRoot"),
        outline_names_or_layers: OUTLINE_NAMES_OR_LAYERS.into_iter().any(|key| root.has(key)),
        form: root.has(c"/AcroForm"),
    }
}

/// Whether the form has signatures that a rewrite invalidates, not just signature fields [ISO 32000-1, 12.7.2, table 219:
/// AppendOnly].
fn is_signed(document: &Handle<'_>) -> bool {
    const APPEND_ONLY: c_int = 2;
    let form = document.root().get(c"/AcroForm");
    // libqpdf logs a warning if a member of another type is requested.
    if !form.is_dictionary() {
        return false;
    }
    let flags = form.get(c"/SigFlags");
    flags.is_integer() && flags.as_int() & APPEND_ONLY != 0
}

fn integrity(document: &Handle<'_>) -> Integrity {
    let mut found = Integrity::Intact;
    while let Some(text) = document.next_warning() {
        match RECONSTRUCTION_WARNINGS.contains(&text.as_slice()) {
            true => return Integrity::Damaged,
            false => found = Integrity::Irregular,
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
fn read_objects(document: &Handle<'_>) {
    let size = document.trailer().get(c"/Size").as_int();
    for number in 1..size.clamp(1, MAX_OBJECTS) {
        document.by_id(number, 0).kind();
    }
}

/// Writes an unencrypted copy with correct `Count` entries in the page tree and `Size` in the trailer.
///
/// # Errors
/// [`TaskError::Document`] if it cannot be parsed.
pub fn rewrite_with_counts(source: &Path, target: &Path) -> TaskResult<()> {
    let source = c_string(source.as_os_str())?;
    let target = c_string(target.as_os_str())?;
    let read = Handle::read(&source, c"");
    match read.is_ok_and(|document| write_counts(document, &target)) {
        true => Ok(()),
        false => Err(TaskError::input_corrupt()),
    }
}

fn write_counts(document: Handle<'_>, target: &CStr) -> bool {
    let pages = document.pages();
    if pages < 1 {
        return false;
    }
    let count = document.integer(pages.into());
    document.root().get(c"/Pages").set(c"/Count", &count);
    // libqpdf writes its own value, but only if the key exists.
    document.trailer().set(c"/Size", &count);
    drop(count);
    document.write(target)
}
