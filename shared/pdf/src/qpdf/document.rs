//! A document that libqpdf keeps in memory: its object graph is read without stream data, changed, and written once.

use std::collections::{BTreeSet, HashSet};
use std::ffi::{c_char, c_int, c_void};
use std::io::{self, Write};
use std::marker::{PhantomData, PhantomPinned};
use std::path::Path;

use lopdf::{Document, ObjectId};
use qpdf_sys::{
    qpdf_data, qpdf_object_type_e_ot_dictionary, qpdf_object_type_e_ot_null,
    qpdf_object_type_e_ot_stream, qpdf_object_type_e_ot_uninitialized,
};
use task::{TaskError, TaskResult};

use super::bounded::Bounded;
use super::handle::{Handle, Object};
use super::skeleton_writer::{SkeletonWriter, reference, references};
use super::{EXIT_WARNINGS, QpdfJob, c_string, with_pointers};

/// Opaque type of libqpdf [qpdf/qpdfjob-c.h].
#[repr(C)]
struct JobHandle {
    _opaque: [u8; 0],
    _stays: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Opaque type of libqpdf [qpdf/qpdflogger-c.h].
#[repr(C)]
struct Logger {
    _opaque: [u8; 0],
    _stays: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Receives bytes; any result but 0 is a failure.
type WriteBytes = unsafe extern "C" fn(*const c_char, usize, *mut c_void) -> c_int;

/// Log destination: a function [qpdf/qpdflogger-c.h].
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
        take: Option<WriteBytes>,
        writer: *mut c_void,
        only_if_not_set: c_int,
    );
}

/// A document in memory. Stream data stays in the files that it was read from.
///
/// It stays on its thread, because libqpdf shares state between a document and its objects without locks:
///
/// ```compile_fail
/// fn moved(document: pdf::qpdf::QpdfDocument) {
///     std::thread::spawn(move || drop(document));
/// }
/// ```
///
/// ```compile_fail
/// fn shared(document: &pdf::qpdf::QpdfDocument) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| document.language());
///     });
/// }
/// ```
///
/// On one thread, the same is possible:
///
/// ```
/// fn used(document: pdf::qpdf::QpdfDocument) {
///     document.language();
///     drop(document);
/// }
/// ```
pub struct QpdfDocument {
    pub(super) handle: Handle<'static>,
}

/// A document that a qpdf job has created and not yet written.
///
/// Its document cannot outlive it:
///
/// ```compile_fail
/// fn kept(write: pdf::qpdf::PendingWrite) -> Option<String> {
///     let document = write.document();
///     write.write().ok()?;
///     document.language()
/// }
/// ```
///
/// ```
/// fn read_first(write: pdf::qpdf::PendingWrite) -> Option<String> {
///     let language = write.document().language();
///     write.write().ok()?;
///     language
/// }
/// ```
pub struct PendingWrite {
    job: QpdfRun,
    document: QpdfDocument,
}

/// An object during the walk over the object graph.
struct WalkedObject<'a> {
    id: ObjectId,
    /// Whether it is a stream.
    is_stream: bool,
    /// The stream length that its dictionary states; 0 for other objects.
    length: i64,
    /// The serialized object, or the dictionary of a stream.
    text: &'a [u8],
}

impl QpdfDocument {
    /// Opens a file that needs no password.
    ///
    /// # Errors
    /// [`TaskError::Document`] if it cannot be parsed.
    pub fn open(path: &Path) -> TaskResult<Self> {
        let path = c_string(path.as_os_str())?;
        let handle = Handle::read(&path, c"").map_err(|_| TaskError::input_corrupt())?;
        // Counting the pages repairs the page tree, as [`QpdfJob::create`] does.
        match handle.pages() > 0 {
            true => Ok(Self { handle }),
            false => Err(TaskError::input_corrupt()),
        }
    }

    /// Returns the object graph with libqpdf's object numbers and without stream data.
    ///
    /// # Errors
    /// [`TaskError::Document`] if an object cannot be parsed.
    pub fn skeleton(&self) -> TaskResult<Document> {
        let mut writer = SkeletonWriter::default();
        self.walk(|object| writer.add(object.id, object.is_stream, object.text));
        writer.read(&self.root())
    }

    /// Returns the dictionaries of all streams of at least `least` bytes.
    ///
    /// # Errors
    /// [`TaskError::Document`] if an object cannot be parsed.
    pub fn streams_of_at_least(&self, least: i64) -> TaskResult<Document> {
        let mut writer = SkeletonWriter::default();
        self.walk(|object| {
            if object.length >= least {
                writer.add(object.id, object.is_stream, object.text);
            }
        });
        writer.read(&self.root())
    }

    /// Returns the dictionaries of fonts and of their encodings, with their arrays and names.
    ///
    /// # Errors
    /// [`TaskError::Document`] if an object cannot be parsed.
    pub fn fonts(&self) -> TaskResult<Document> {
        const KEYS: [&[u8]; 2] = [b"/BaseFont ", b"/Differences "];
        const VALUES: [&[u8]; 3] = [b"/DescendantFonts ", b"/Differences ", b"/Encoding "];
        let mut writer = SkeletonWriter::default();
        let mut values: BTreeSet<ObjectId> = BTreeSet::new();
        self.walk(|object| {
            let has = |key: &&[u8]| object.text.windows(key.len()).any(|part| part == *key);
            if !object.is_stream && KEYS.iter().any(has) {
                writer.add(object.id, false, object.text);
                values.extend(VALUES.iter().filter_map(|key| reference(object.text, key)));
            }
        });
        for id in values {
            self.visit_object(id, |object| {
                if !object.is_stream {
                    writer.add(id, false, object.text);
                }
            });
        }
        writer.read(&self.root())
    }

    /// Number of pages.
    pub(super) fn pages(&self) -> u32 {
        u32::try_from(self.handle.pages()).unwrap_or(0)
    }

    /// Applies the changes of a qpdf JSON file.
    ///
    /// # Errors
    /// [`TaskError::Document`] if libqpdf rejects it.
    pub fn update(&self, json: &Path) -> TaskResult<()> {
        match self.handle.update(json)? {
            true => Ok(()),
            false => Err(TaskError::input_corrupt()),
        }
    }

    /// Returns an unused object number. The object is unreachable, hence not written.
    fn free_number(&self) -> u32 {
        u32::try_from(self.handle.new_indirect().number()).unwrap_or(0)
    }

    /// Returns the reference to the catalog as the trailer has it.
    fn root(&self) -> Vec<u8> {
        self.handle.root().unparsed()
    }

    /// Visits every object that is reachable from the catalog once.
    fn walk(&self, mut visit: impl FnMut(&WalkedObject<'_>)) {
        let mut seen = HashSet::new();
        let mut due: Vec<ObjectId> = references(&self.root()).collect();
        while let Some(id) = due.pop() {
            if seen.insert(id) {
                self.visit_object(id, |object| {
                    due.extend(references(object.text));
                    visit(object);
                });
            }
        }
    }

    fn visit_object(&self, id: ObjectId, visit: impl FnOnce(&WalkedObject<'_>)) {
        let Ok(number) = c_int::try_from(id.0) else {
            return;
        };
        let object = self.handle.by_id(number, id.1.into());
        let kind = object.kind();
        if kind == qpdf_object_type_e_ot_null || kind == qpdf_object_type_e_ot_uninitialized {
            return;
        }
        let is_stream = kind == qpdf_object_type_e_ot_stream;
        let (dict, length) = match is_stream {
            true => {
                let dict = object.stream_dictionary();
                let length = stated_length(&dict);
                (dict, length)
            }
            false => (object, 0),
        };
        visit(&WalkedObject {
            id,
            is_stream,
            length,
            text: &dict.unparsed_resolved(),
        });
    }

    /// Copies the stored data of a stream to `writer`, decrypted. Returns whether it was complete.
    ///
    /// # Errors
    /// Any error of `writer`.
    pub fn copy_stream(&self, id: ObjectId, writer: &mut dyn Write) -> TaskResult<bool> {
        self.show_stream(id, "--raw-stream-data", writer)
    }

    /// Returns the decoded data of a stream; `None` if it has more than `most` bytes, is damaged, or has a filter that libqpdf
    /// does not decode.
    pub(crate) fn decoded_stream(&self, id: ObjectId, most: usize) -> Option<Vec<u8>> {
        let mut data = Bounded::new(most);
        let is_whole = self.show_stream(id, "--filtered-stream-data", &mut data);
        is_whole.ok()?.then_some(data.bytes)
    }

    /// Writes what an option of qpdf shows of a stream. Returns whether it was complete.
    #[expect(
        unsafe_code,
        reason = "the logger belongs to the job, which ends before the writer does"
    )]
    fn show_stream(&self, id: ObjectId, option: &str, writer: &mut dyn Write) -> TaskResult<bool> {
        self.forget_warnings();
        let mut writer = StreamWriter {
            writer,
            failed: None,
        };
        let show = QpdfJob {
            arguments: vec!["qpdf".into(), "--no-warn".into()],
        };
        let object = format!("--show-object={},{}", id.0, id.1);
        let show = show.option(object).option(option);
        // The input file name is required but not opened: the document exists already.
        let run = QpdfRun::start(&show.value("held"))?;
        let code = unsafe {
            let mut logger = qpdflogger_create();
            qpdflogger_set_save(
                logger,
                CUSTOM,
                Some(write_bytes),
                (&raw mut writer).cast(),
                0,
            );
            qpdfjob_set_logger(run.0, logger);
            let code = qpdfjob_write_qpdf(run.0, self.handle.raw());
            drop(run);
            qpdflogger_cleanup(&raw mut logger);
            code
        };
        match writer.failed {
            Some(error) => Err(error.into()),
            None => Ok(code == 0),
        }
    }

    /// Discards all warnings so far.
    fn forget_warnings(&self) {
        while self.handle.next_warning().is_some() {}
    }
}

/// Returns the stream length that a dictionary states.
fn stated_length(dict: &Object<'_>) -> i64 {
    if dict.kind() != qpdf_object_type_e_ot_dictionary {
        return 0;
    }
    dict.get(c"/Length").integer().unwrap_or(0)
}

impl QpdfJob {
    /// Creates the document to be written, without writing it yet.
    ///
    /// # Errors
    /// [`TaskError::Document`] if qpdf cannot read its input.
    #[expect(
        unsafe_code,
        reason = "the job and its document are cleaned up on drop"
    )]
    pub fn create(self, output: &Path) -> TaskResult<PendingWrite> {
        let job = QpdfRun::start(&self.value(output))?;
        let handle = unsafe { qpdfjob_create_qpdf(job.0) };
        if handle.is_null() {
            return Err(TaskError::input_corrupt());
        }
        let handle = unsafe { Handle::own(handle) };
        Ok(PendingWrite {
            job,
            document: QpdfDocument { handle },
        })
    }
}

impl PendingWrite {
    /// The document as it would be written; it can still be changed.
    pub fn document(&self) -> &QpdfDocument {
        &self.document
    }

    /// As [`QpdfDocument::skeleton`], with `max_id` above all objects of the document.
    ///
    /// # Errors
    /// As there.
    pub fn skeleton(&self) -> TaskResult<Document> {
        let mut document = self.document.skeleton()?;
        document.max_id = document.max_id.max(self.document.free_number());
        Ok(document)
    }

    /// Writes the document.
    ///
    /// # Errors
    /// [`TaskError::Document`] if qpdf fails.
    #[expect(unsafe_code, reason = "the job has created the document")]
    pub fn write(self) -> TaskResult<()> {
        match unsafe { qpdfjob_write_qpdf(self.job.0, self.document.handle.raw()) } {
            0 | EXIT_WARNINGS => Ok(()),
            _ => Err(TaskError::input_corrupt()),
        }
    }
}

/// The writer for stream data, and its first error.
struct StreamWriter<'a> {
    writer: &'a mut dyn Write,
    failed: Option<io::Error>,
}

#[expect(
    unsafe_code,
    reason = "libqpdf passes bytes that live as long as the call, and the user data that was registered with the function"
)]
unsafe extern "C" fn write_bytes(bytes: *const c_char, count: usize, writer: *mut c_void) -> c_int {
    if count == 0 {
        return 0;
    }
    let (writer, bytes) = unsafe {
        (
            &mut *writer.cast::<StreamWriter<'_>>(),
            std::slice::from_raw_parts(bytes.cast::<u8>(), count),
        )
    };
    match writer.writer.write_all(bytes) {
        Ok(()) => 0,
        Err(error) => {
            writer.failed = Some(error);
            1
        }
    }
}

/// A qpdf job in two steps: reading and writing.
struct QpdfRun(*mut JobHandle);

impl QpdfRun {
    #[expect(
        unsafe_code,
        reason = "the array is null-terminated and outlives the call, which does not retain it"
    )]
    fn start(job: &QpdfJob) -> TaskResult<Self> {
        let run = Self(unsafe { qpdfjob_init() });
        let started = with_pointers(&job.arguments, |arguments| unsafe {
            qpdfjob_initialize_from_argv(run.0, arguments)
        });
        match started? {
            0 => Ok(run),
            _ => Err(TaskError::input_corrupt()),
        }
    }
}

impl Drop for QpdfRun {
    #[expect(unsafe_code, reason = "the handle has no other owner")]
    fn drop(&mut self) {
        unsafe { qpdfjob_cleanup(&raw mut self.0) }
    }
}

#[cfg(test)]
mod tests {
    use lopdf::{Object, dictionary};

    use super::*;
    use crate::objects::items;

    #[test]
    fn fonts_have_their_indirect_arrays() {
        let mut source = Document::with_version("1.7");
        let pages = source.new_object_id();
        let descendants = source.add_object(vec![Object::Dictionary(dictionary! {
            "Subtype" => "CIDFontType2", "BaseFont" => "Plain",
        })]);
        let font = source.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Plain",
            "Encoding" => "Identity-H", "DescendantFonts" => descendants,
        });
        let page = source.add_object(dictionary! {
            "Type" => "Page", "Parent" => pages,
            "MediaBox" => vec![0.into(), 0.into(), 9.into(), 9.into()],
            "Resources" => dictionary! { "Font" => dictionary! { "F" => font } },
        });
        let kids = dictionary! { "Type" => "Pages", "Count" => 1, "Kids" => vec![page.into()] };
        source.objects.insert(pages, kids.into());
        let root = source.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
        source.trailer.set("Root", root);
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("fonts.pdf");
        source.save(&file).unwrap();
        let found = QpdfDocument::open(&file).unwrap().fonts().unwrap();
        let fonts = found.objects.values();
        let mut fonts = fonts.filter_map(|font| font.as_dict().ok());
        let font = fonts.find(|font| font.has(b"DescendantFonts")).unwrap();
        assert_eq!(items(&found, font, b"DescendantFonts").len(), 1);
    }
}
