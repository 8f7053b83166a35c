//! libqpdf: the only writer of PDF that customers made. Its whole command line runs in this process.

mod held;
mod hollow;
mod language;
mod parent_tree;
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
use task::{Catalog, Fault, Outcome};

pub use self::held::{Held, Unwritten};
use self::units::unit;

/// How qpdf ends when it had to mend what it read [qpdf manual, Exit Status].
const WITH_WARNINGS: c_int = 3;
/// The bit of a result that says that there was an error [qpdf/qpdf-c.h].
const QPDF_ERRORS: c_int = 1 << 1;

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
pub struct Job {
    arguments: Vec<OsString>,
}

impl Job {
    /// Reads a file.
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

    /// Adds a value that no client words, such as an absolute path.
    pub fn value(self, value: impl AsRef<OsStr>) -> Self {
        self.option(value)
    }

    /// Makes the result reproducible, without any encryption.
    pub fn open(self) -> Self {
        self.options(&["--decrypt", "--deterministic-id"])
    }

    /// Writes the result, also where the source had to be mended for that.
    ///
    /// # Errors
    /// [`Fault::Document`] if qpdf could make nothing of what it read.
    pub fn write(self, output: &Path) -> Outcome<()> {
        match run(&self.value(output).arguments)? {
            0 | WITH_WARNINGS => Ok(()),
            _ => Err(Fault::corrupt()),
        }
    }
}

fn run(arguments: &[OsString]) -> Outcome<c_int> {
    #[expect(
        unsafe_code,
        reason = "the array ends with a null pointer and outlives the call, which keeps none of it"
    )]
    with_pointers(arguments, |pointers| unsafe {
        qpdfjob_run_from_argv(pointers)
    })
}

/// Calls with an array of texts that ends with a null pointer, and lives as long as the call.
fn with_pointers<T>(
    texts: &[OsString],
    call: impl FnOnce(*const *const c_char) -> T,
) -> Outcome<T> {
    let texts: Vec<CString> = texts
        .iter()
        .map(|text| c_string(text))
        .collect::<Outcome<_>>()?;
    let mut pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    pointers.push(std::ptr::null());
    Ok(call(pointers.as_ptr()))
}

fn c_string(text: &OsStr) -> Outcome<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| Fault::Installation("an option of qpdf holds a zero".to_owned()))
}

/// What a file is to one who has a password, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is not encrypted.
    Open(Shape),
    /// It is encrypted, and the password opens it.
    Unlocked {
        /// What it is made of.
        shape: Shape,
        /// What it allows whoever has the password.
        permissions: Vec<Permission>,
        /// Whether its text may be taken out to be read aloud.
        accessible: bool,
    },
    /// The password does not open it.
    Locked,
    /// It cannot be read.
    Unreadable,
}

impl Access {
    /// What the file is made of, if it can be read.
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Self::Open(shape) | Self::Unlocked { shape, .. } => Some(*shape),
            Self::Locked | Self::Unreadable => None,
        }
    }
}

/// What a file is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many pages its tree holds, whatever number it states.
    pub pages: u32,
    /// Whether it holds signatures that a rewritten copy breaks.
    pub signed: bool,
    /// Whether the tree states a number of pages, or none at all, but nothing else in its place.
    pub counts: bool,
    /// Whether its trailer says how many objects there are: libqpdf writes none where it has read none.
    pub sized: bool,
    /// Whether one of its pages is measured in another unit than points.
    pub scaled: bool,
    /// How whole it is, as far as its objects tell without the content of its streams.
    pub wholeness: Wholeness,
    /// What it holds that none of its pages leads to.
    pub catalog: Catalog,
}

/// How whole a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wholeness {
    /// Nothing is wrong with it.
    Sound,
    /// Readers may differ about it.
    Odd,
    /// Its objects had to be searched for, or the ends of its streams.
    Damaged,
}

/// Most bytes of a file that is read at once: the library seeks for almost every byte of one that it reads itself.
const AT_ONCE: u64 = 16 * 1024 * 1024;

/// Tries a password on a file; the empty one is as good as none.
pub fn access(path: &Path, password: &str) -> Outcome<Access> {
    let content = match std::fs::metadata(path)?.len() {
        0..=AT_ONCE => Some(std::fs::read(path)?),
        _ => None,
    };
    let path = c_string(path.as_os_str())?;
    let password = c_string(OsStr::new(password))?;
    Ok(try_password((&path, content.as_deref()), &password))
}

#[expect(
    unsafe_code,
    reason = "the handle is made, used by this thread alone and cleaned up here; both texts and the content outlive it"
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
    // Before the pages are counted, which mends their tree.
    let counts = counts(handle);
    read_objects(handle);
    let Ok(pages) = u32::try_from(unsafe { qpdf_get_num_pages(handle) }) else {
        return Access::Unreadable;
    };
    let shape = Shape {
        pages,
        signed: is_signed(handle),
        counts,
        sized: is_sized(handle),
        scaled: (0..pages).any(|index| unit(handle, index).is_some()),
        wholeness: wholeness(handle),
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
fn counts(handle: qpdf_data) -> bool {
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
fn is_sized(handle: qpdf_data) -> bool {
    unsafe {
        let trailer = qpdf_get_trailer(handle);
        let size = qpdf_oh_get_key(handle, trailer, c"/Size".as_ptr());
        qpdf_oh_is_integer(handle, size) != 0
    }
}

#[expect(unsafe_code, reason = "the caller's handle has a document")]
fn catalog(handle: qpdf_data) -> Catalog {
    const OTHERS: [&CStr; 4] = [c"/Outlines", c"/Names", c"/Dests", c"/OCProperties"];
    unsafe {
        let root = qpdf_get_root(handle);
        let has = |key: &CStr| qpdf_oh_has_key(handle, root, key.as_ptr()) != 0;
        Catalog {
            tags: has(c"/StructTreeRoot"),
            others: OTHERS.into_iter().any(has),
            form: has(c"/AcroForm"),
        }
    }
}

/// Whether its form says that there are signatures that a rewritten copy breaks, other than fields for them alone
/// [ISO 32000-1, 12.7.2, table 219: AppendOnly].
#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; a missing member is null there"
)]
fn is_signed(handle: qpdf_data) -> bool {
    const APPEND_ONLY: c_int = 2;
    unsafe {
        let root = qpdf_get_root(handle);
        let form = qpdf_oh_get_key(handle, root, c"/AcroForm".as_ptr());
        // It warns of members of what is no dictionary.
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
fn wholeness(handle: qpdf_data) -> Wholeness {
    let mut found = Wholeness::Sound;
    unsafe {
        while qpdf_more_warnings(handle) != 0 {
            let warning = qpdf_next_warning(handle);
            let text = qpdf_get_error_message_detail(handle, warning);
            let text = match text.is_null() {
                true => &[],
                false => CStr::from_ptr(text).to_bytes(),
            };
            match SEARCHED.contains(&text) {
                true => return Wholeness::Damaged,
                false => found = Wholeness::Odd,
            }
        }
    }
    found
}

/// What libqpdf warns of when it searches a file for its objects or for the end of a stream.
const SEARCHED: [&[u8]; 2] = [
    b"Attempting to reconstruct cross-reference table",
    b"attempting to recover stream length",
];
/// Most objects that are read to find out whether they can be.
const OBJECTS: c_int = 200_000;

/// Reads every object that the trailer knows of, so that all there is to warn of is warned of.
#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; what it does not hold is null there"
)]
fn read_objects(handle: qpdf_data) {
    unsafe {
        let trailer = qpdf_get_trailer(handle);
        let size = qpdf_oh_get_key(handle, trailer, c"/Size".as_ptr());
        let size = qpdf_oh_get_int_value_as_int(handle, size);
        for number in 1..size.clamp(1, OBJECTS) {
            let object = qpdf_get_object_by_id(handle, number, 0);
            qpdf_oh_get_type_code(handle, object);
            qpdf_oh_release(handle, object);
        }
    }
}

/// Writes a copy whose page tree states how many pages it holds, and its trailer how many objects, without any encryption.
///
/// # Errors
/// [`Fault::Document`] if it cannot be read.
pub fn recount(source: &Path, target: &Path) -> Outcome<()> {
    let source = c_string(source.as_os_str())?;
    let target = c_string(target.as_os_str())?;
    match write_recounted(&source, &target) {
        true => Ok(()),
        false => Err(Fault::corrupt()),
    }
}

#[expect(
    unsafe_code,
    reason = "the handle is made, used by this thread alone and cleaned up here; both texts outlive the calls"
)]
fn write_recounted(source: &CStr, target: &CStr) -> bool {
    unsafe {
        let mut handle = qpdf_init();
        qpdf_silence_errors(handle);
        qpdf_set_suppress_warnings(handle, 1);
        let read = qpdf_read(handle, source.as_ptr(), c"".as_ptr());
        let written = read & QPDF_ERRORS == 0 && recounted(handle, target);
        qpdf_cleanup(&raw mut handle);
        written
    }
}

#[expect(
    unsafe_code,
    reason = "the caller's handle has a document; the target's name outlives the call"
)]
fn recounted(handle: qpdf_data, target: &CStr) -> bool {
    unsafe {
        let pages = qpdf_get_num_pages(handle);
        if pages < 1 {
            return false;
        }
        let root = qpdf_oh_get_key(handle, qpdf_get_root(handle), c"/Pages".as_ptr());
        let count = qpdf_oh_new_integer(handle, pages.into());
        qpdf_oh_replace_key(handle, root, c"/Count".as_ptr(), count);
        // What is written there is what is written of the document, as long as there is something.
        let trailer = qpdf_get_trailer(handle);
        qpdf_oh_replace_key(handle, trailer, c"/Size".as_ptr(), count);
        qpdf_init_write(handle, target.as_ptr());
        qpdf_set_preserve_encryption(handle, 0);
        qpdf_set_deterministic_ID(handle, 1);
        qpdf_write(handle) & QPDF_ERRORS == 0
    }
}
