//! A document that libqpdf holds in memory: looked at without the content of its streams, changed, and written once.

use std::collections::HashSet;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::{self, Write};
use std::marker::{PhantomData, PhantomPinned};
use std::path::Path;

use lopdf::{Document, ObjectId};
use qpdf_sys::{
    qpdf_cleanup, qpdf_data, qpdf_get_num_pages, qpdf_get_object_by_id, qpdf_get_root, qpdf_init,
    qpdf_make_indirect_object, qpdf_more_warnings, qpdf_next_warning,
    qpdf_object_type_e_ot_dictionary, qpdf_object_type_e_ot_null, qpdf_object_type_e_ot_stream,
    qpdf_object_type_e_ot_uninitialized, qpdf_oh, qpdf_oh_get_dict, qpdf_oh_get_int_value,
    qpdf_oh_get_key, qpdf_oh_get_object_id, qpdf_oh_get_type_code, qpdf_oh_is_integer,
    qpdf_oh_new_null, qpdf_oh_release, qpdf_oh_release_all, qpdf_oh_unparse,
    qpdf_oh_unparse_resolved, qpdf_read, qpdf_set_suppress_warnings, qpdf_silence_errors,
    qpdf_update_from_json_file,
};
use task::{Fault, Outcome};

use super::hollow::{Hollow, references};
use super::{Job, QPDF_ERRORS, WITH_WARNINGS, c_string, with_pointers};

/// libqpdf's own [qpdf/qpdfjob-c.h].
#[repr(C)]
struct JobHandle {
    _opaque: [u8; 0],
    _stays: PhantomData<(*mut u8, PhantomPinned)>,
}

/// libqpdf's own [qpdf/qpdflogger-c.h].
#[repr(C)]
struct Logger {
    _opaque: [u8; 0],
    _stays: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Takes bytes; anything but 0 is a failure.
type Take = unsafe extern "C" fn(*const c_char, usize, *mut c_void) -> c_int;

/// Says that bytes go to a function [qpdf/qpdflogger-c.h].
const CUSTOM: c_int = 4;

#[expect(
    unsafe_code,
    reason = "the functions are linked with the crate but missing in its bindings; declared as in qpdf/qpdfjob-c.h and qpdf/qpdflogger-c.h"
)]
unsafe extern "C" {
    fn qpdfjob_init() -> *mut JobHandle;
    fn qpdfjob_cleanup(job: *mut *mut JobHandle);
    fn qpdfjob_set_logger(job: *mut JobHandle, logger: *mut Logger);
    fn qpdfjob_initialize_from_argv(job: *mut JobHandle, arguments: *const *const c_char) -> c_int;
    fn qpdfjob_create_qpdf(job: *mut JobHandle) -> qpdf_data;
    fn qpdfjob_write_qpdf(job: *mut JobHandle, document: qpdf_data) -> c_int;
    fn qpdflogger_create() -> *mut Logger;
    fn qpdflogger_cleanup(logger: *mut *mut Logger);
    fn qpdflogger_set_save(
        logger: *mut Logger,
        destination: c_int,
        take: Option<Take>,
        taker: *mut c_void,
        only_if_not_set: c_int,
    );
}

/// A document in memory. The content of its streams stays in the files that it was read from.
pub struct Held {
    pub(super) handle: qpdf_data,
}

/// A document that a run of qpdf has put together and not yet written.
pub struct Unwritten {
    job: Run,
    document: Held,
}

/// An object of a document, as it is met.
struct Met<'a> {
    id: ObjectId,
    /// Whether it is a stream.
    is_stream: bool,
    /// How many bytes its content has, where it is a stream and says so.
    length: i64,
    /// The object, or what a stream says about itself.
    text: &'a [u8],
}

impl Held {
    /// Opens a file that needs no password.
    ///
    /// # Errors
    /// [`Fault::Document`] if it cannot be read.
    #[expect(
        unsafe_code,
        reason = "the handle is made here and cleaned up when this is dropped, after the text was used"
    )]
    pub fn open(path: &Path) -> Outcome<Self> {
        let path = c_string(path.as_os_str())?;
        unsafe {
            let held = Self::silent(qpdf_init());
            let read = qpdf_read(held.handle, path.as_ptr(), c"".as_ptr());
            // Counting mends the tree of pages, as putting them together does.
            match read & QPDF_ERRORS == 0 && qpdf_get_num_pages(held.handle) > 0 {
                true => Ok(held),
                false => Err(Fault::corrupt()),
            }
        }
    }

    #[expect(unsafe_code, reason = "the caller's handle is a new one")]
    unsafe fn silent(handle: qpdf_data) -> Self {
        unsafe {
            qpdf_silence_errors(handle);
            qpdf_set_suppress_warnings(handle, 1);
        }
        Self { handle }
    }

    /// Its objects, numbered as libqpdf numbers them, without the content of its streams.
    ///
    /// # Errors
    /// [`Fault::Document`] if they cannot be understood.
    pub fn skeleton(&self) -> Outcome<Document> {
        let mut hollow = Hollow::default();
        self.walk(|met| hollow.add(met.id, met.is_stream, met.text));
        hollow.read(&self.root())
    }

    /// What streams whose content has so many bytes at least say about themselves.
    ///
    /// # Errors
    /// [`Fault::Document`] if that cannot be understood.
    pub fn streams_from(&self, least: i64) -> Outcome<Document> {
        let mut hollow = Hollow::default();
        self.walk(|met| {
            if met.length >= least {
                hollow.add(met.id, met.is_stream, met.text);
            }
        });
        hollow.read(&self.root())
    }

    /// How many pages it has.
    #[expect(unsafe_code, reason = "the handle has a document")]
    pub(super) fn pages(&self) -> u32 {
        u32::try_from(unsafe { qpdf_get_num_pages(self.handle) }).unwrap_or(0)
    }

    /// Changes it as a file of qpdf's JSON says.
    ///
    /// # Errors
    /// [`Fault::Document`] if that does not fit.
    #[expect(
        unsafe_code,
        reason = "the handle has a document, and the file's name outlives the call"
    )]
    pub fn update(&self, json: &Path) -> Outcome<()> {
        let json = c_string(json.as_os_str())?;
        match unsafe { qpdf_update_from_json_file(self.handle, json.as_ptr()) } & QPDF_ERRORS {
            0 => Ok(()),
            _ => Err(Fault::corrupt()),
        }
    }

    /// A number above those of all objects.
    #[expect(unsafe_code, reason = "the handle has a document")]
    fn free_number(&self) -> u32 {
        // What nothing leads to is not written.
        let number = unsafe {
            let object = qpdf_make_indirect_object(self.handle, qpdf_oh_new_null(self.handle));
            qpdf_oh_get_object_id(self.handle, object)
        };
        u32::try_from(number).unwrap_or(0)
    }

    /// The catalog as the trailer has it.
    #[expect(
        unsafe_code,
        reason = "the handle has a document; the text lives until the next call"
    )]
    fn root(&self) -> Vec<u8> {
        unsafe {
            let root = qpdf_oh_unparse(self.handle, qpdf_get_root(self.handle));
            CStr::from_ptr(root).to_bytes().to_vec()
        }
    }

    /// Meets every object that the catalog leads to, once.
    fn walk(&self, mut visit: impl FnMut(&Met<'_>)) {
        let mut seen = HashSet::new();
        let mut due: Vec<ObjectId> = references(&self.root()).collect();
        while let Some(id) = due.pop() {
            if seen.insert(id) {
                self.meet(id, |met| {
                    due.extend(references(met.text));
                    visit(met);
                });
            }
        }
    }

    #[expect(
        unsafe_code,
        reason = "the handle has a document; the text lives until the next call, which is after the visit"
    )]
    fn meet(&self, id: ObjectId, visit: impl FnOnce(&Met<'_>)) {
        let Ok(number) = c_int::try_from(id.0) else {
            return;
        };
        unsafe {
            let object = qpdf_get_object_by_id(self.handle, number, id.1.into());
            let kind = qpdf_oh_get_type_code(self.handle, object);
            let is_stream = kind == qpdf_object_type_e_ot_stream;
            if kind != qpdf_object_type_e_ot_null && kind != qpdf_object_type_e_ot_uninitialized {
                let (about, length) = match is_stream {
                    true => {
                        let about = qpdf_oh_get_dict(self.handle, object);
                        (about, self.length(about))
                    }
                    false => (object, 0),
                };
                let text = CStr::from_ptr(qpdf_oh_unparse_resolved(self.handle, about));
                visit(&Met {
                    id,
                    is_stream,
                    length,
                    text: text.to_bytes(),
                });
            }
            qpdf_oh_release_all(self.handle);
        }
    }

    /// How many bytes the content of a stream has, as it says itself.
    #[expect(unsafe_code, reason = "the caller's object belongs to the handle")]
    unsafe fn length(&self, about: qpdf_oh) -> i64 {
        unsafe {
            if qpdf_oh_get_type_code(self.handle, about) != qpdf_object_type_e_ot_dictionary {
                return 0;
            }
            let length = qpdf_oh_get_key(self.handle, about, c"/Length".as_ptr());
            let known = qpdf_oh_is_integer(self.handle, length) != 0;
            let value = known.then(|| qpdf_oh_get_int_value(self.handle, length));
            qpdf_oh_release(self.handle, length);
            value.unwrap_or(0)
        }
    }

    /// Lets go of all warnings so far.
    #[expect(unsafe_code, reason = "the handle has a document")]
    fn forget_warnings(&self) {
        unsafe {
            while qpdf_more_warnings(self.handle) != 0 {
                qpdf_next_warning(self.handle);
            }
        }
    }
}

impl Drop for Held {
    #[expect(unsafe_code, reason = "nobody else has the handle")]
    fn drop(&mut self) {
        unsafe { qpdf_cleanup(&raw mut self.handle) }
    }
}

impl Job {
    /// Puts together what is to be written, without writing it yet.
    ///
    /// # Errors
    /// [`Fault::Document`] if qpdf can make nothing of what it reads.
    #[expect(
        unsafe_code,
        reason = "the run and its document are cleaned up when they are dropped"
    )]
    pub fn hold(self, output: &Path) -> Outcome<Unwritten> {
        let job = Run::begin(&self.value(output))?;
        let handle = unsafe { qpdfjob_create_qpdf(job.0) };
        if handle.is_null() {
            return Err(Fault::corrupt());
        }
        let document = unsafe { Held::silent(handle) };
        Ok(Unwritten { job, document })
    }
}

impl Unwritten {
    /// The document as it would be written, to be changed before that.
    pub fn document(&self) -> &Held {
        &self.document
    }

    /// [`Held::skeleton`], with room for new objects above those that it shows.
    ///
    /// # Errors
    /// As there.
    pub fn skeleton(&self) -> Outcome<Document> {
        let mut document = self.document.skeleton()?;
        document.max_id = document.max_id.max(self.document.free_number());
        Ok(document)
    }

    /// Passes the content of a stream on as it is stored, but never encrypted. Whether it was whole.
    ///
    /// # Errors
    /// Whatever the taker fails with.
    #[expect(
        unsafe_code,
        reason = "the logger belongs to the run, which ends before the taker does"
    )]
    pub fn pass(&self, id: ObjectId, taker: &mut dyn Write) -> Outcome<bool> {
        self.document.forget_warnings();
        let mut taker = Taker {
            taker,
            failed: None,
        };
        let show = Job {
            arguments: vec!["qpdf".into(), "--no-warn".into()],
        };
        let object = format!("--show-object={},{}", id.0, id.1);
        let show = show.option(object).option("--raw-stream-data");
        // It reads nothing: the document is there already.
        let run = Run::begin(&show.value("held"))?;
        let code = unsafe {
            let mut logger = qpdflogger_create();
            qpdflogger_set_save(logger, CUSTOM, Some(take), (&raw mut taker).cast(), 0);
            qpdfjob_set_logger(run.0, logger);
            let code = qpdfjob_write_qpdf(run.0, self.document.handle);
            drop(run);
            qpdflogger_cleanup(&raw mut logger);
            code
        };
        match taker.failed {
            Some(error) => Err(error.into()),
            None => Ok(code == 0),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// [`Fault::Document`] if qpdf could not.
    #[expect(unsafe_code, reason = "the run has made the document")]
    pub fn write(self) -> Outcome<()> {
        match unsafe { qpdfjob_write_qpdf(self.job.0, self.document.handle) } {
            0 | WITH_WARNINGS => Ok(()),
            _ => Err(Fault::corrupt()),
        }
    }
}

/// Who takes the content of a stream, and why no more of it.
struct Taker<'a> {
    taker: &'a mut dyn Write,
    failed: Option<io::Error>,
}

#[expect(
    unsafe_code,
    reason = "libqpdf passes bytes that live as long as the call, and what it was given with the function"
)]
unsafe extern "C" fn take(bytes: *const c_char, count: usize, taker: *mut c_void) -> c_int {
    if count == 0 {
        return 0;
    }
    let (taker, bytes) = unsafe {
        (
            &mut *taker.cast::<Taker<'_>>(),
            std::slice::from_raw_parts(bytes.cast::<u8>(), count),
        )
    };
    match taker.taker.write_all(bytes) {
        Ok(()) => 0,
        Err(error) => {
            taker.failed = Some(error);
            1
        }
    }
}

/// A run of qpdf in two steps: reading and writing.
struct Run(*mut JobHandle);

impl Run {
    #[expect(
        unsafe_code,
        reason = "the array ends with a null pointer and outlives the call, which keeps none of it"
    )]
    fn begin(job: &Job) -> Outcome<Self> {
        let run = Self(unsafe { qpdfjob_init() });
        let begun = with_pointers(&job.arguments, |arguments| unsafe {
            qpdfjob_initialize_from_argv(run.0, arguments)
        });
        match begun? {
            0 => Ok(run),
            _ => Err(Fault::corrupt()),
        }
    }
}

impl Drop for Run {
    #[expect(unsafe_code, reason = "nobody else has the handle")]
    fn drop(&mut self) {
        unsafe { qpdfjob_cleanup(&raw mut self.0) }
    }
}
