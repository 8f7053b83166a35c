//! Owned handles of libqpdf: a document, and objects that cannot outlive it.
//!
//! Neither is `Send` or `Sync`: a document and all its objects share state without locks.
#![expect(
    unsafe_code,
    reason = "libqpdf has a C interface; every handle is valid because its owner exists, and texts are copied before the next call"
)]

use std::ffi::{CStr, c_int, c_longlong};
use std::marker::PhantomData;
use std::path::Path;

use lopdf::ObjectId;
use qpdf_sys::{
    QPDF_BOOL, qpdf_cleanup, qpdf_data, qpdf_error_code_e_qpdf_e_password, qpdf_get_error,
    qpdf_get_error_code, qpdf_get_error_message_detail, qpdf_get_num_pages, qpdf_get_object_by_id,
    qpdf_get_page_n, qpdf_get_root, qpdf_get_trailer, qpdf_init, qpdf_init_write,
    qpdf_make_indirect_object, qpdf_more_warnings, qpdf_next_warning, qpdf_object_type_e, qpdf_oh,
    qpdf_oh_get_array_item, qpdf_oh_get_array_n_items, qpdf_oh_get_dict, qpdf_oh_get_generation,
    qpdf_oh_get_int_value, qpdf_oh_get_int_value_as_int, qpdf_oh_get_key, qpdf_oh_get_name,
    qpdf_oh_get_numeric_value, qpdf_oh_get_object_id, qpdf_oh_get_type_code,
    qpdf_oh_get_utf8_value, qpdf_oh_has_key, qpdf_oh_is_array, qpdf_oh_is_dictionary,
    qpdf_oh_is_integer, qpdf_oh_is_name, qpdf_oh_is_null, qpdf_oh_is_number, qpdf_oh_is_string,
    qpdf_oh_new_integer, qpdf_oh_new_null, qpdf_oh_release, qpdf_oh_replace_key, qpdf_oh_unparse,
    qpdf_oh_unparse_resolved, qpdf_read, qpdf_read_memory, qpdf_set_deterministic_ID,
    qpdf_set_preserve_encryption, qpdf_set_suppress_warnings, qpdf_silence_errors,
    qpdf_update_from_json_file, qpdf_write,
};
use task::TaskResult;

use super::{QPDF_ERRORS, c_string};

/// A document that libqpdf has read or created. Its content, if it was read from memory, outlives it.
pub(super) struct Handle<'c> {
    raw: qpdf_data,
    _content: PhantomData<&'c [u8]>,
}

/// Why a document was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The password is wrong.
    Locked,
    /// It cannot be parsed.
    Unreadable,
}

impl Handle<'_> {
    /// Reads a file with a password; an empty one equals none.
    pub(super) fn read(path: &CStr, password: &CStr) -> Result<Self, ReadError> {
        Self::read_with(|raw| unsafe { qpdf_read(raw, path.as_ptr(), password.as_ptr()) })
    }

    fn read_with(read: impl FnOnce(qpdf_data) -> c_int) -> Result<Self, ReadError> {
        let handle = unsafe { Self::own(qpdf_init()) };
        if read(handle.raw) & QPDF_ERRORS == 0 {
            return Ok(handle);
        }
        match unsafe { qpdf_get_error_code(handle.raw, qpdf_get_error(handle.raw)) } {
            code if code == qpdf_error_code_e_qpdf_e_password => Err(ReadError::Locked),
            _ => Err(ReadError::Unreadable),
        }
    }

    /// Takes the ownership of a handle, and turns logging off.
    ///
    /// # Safety
    /// The handle is valid and has no other owner, and its content lives as long as this value.
    pub(super) unsafe fn own(raw: qpdf_data) -> Self {
        unsafe {
            qpdf_silence_errors(raw);
            qpdf_set_suppress_warnings(raw, 1);
        }
        Self {
            raw,
            _content: PhantomData,
        }
    }

    /// The handle, for functions that do not keep it.
    pub(super) fn raw(&self) -> qpdf_data {
        self.raw
    }

    fn object(&self, raw: qpdf_oh) -> Object<'_> {
        Object {
            document: self,
            raw,
        }
    }

    /// The trailer dictionary.
    pub(super) fn trailer(&self) -> Object<'_> {
        self.object(unsafe { qpdf_get_trailer(self.raw) })
    }

    /// The catalog.
    pub(super) fn root(&self) -> Object<'_> {
        self.object(unsafe { qpdf_get_root(self.raw) })
    }

    /// An object by number and generation; null if there is none.
    pub(super) fn by_id(&self, number: c_int, generation: c_int) -> Object<'_> {
        self.object(unsafe { qpdf_get_object_by_id(self.raw, number, generation) })
    }

    /// A page, counted from 0.
    pub(super) fn page(&self, index: u32) -> Object<'_> {
        self.object(unsafe { qpdf_get_page_n(self.raw, index as usize) })
    }

    /// Number of pages; negative if they cannot be counted. Repairs the page tree.
    pub(super) fn pages(&self) -> c_int {
        unsafe { qpdf_get_num_pages(self.raw) }
    }

    /// A new integer.
    pub(super) fn integer(&self, value: c_longlong) -> Object<'_> {
        self.object(unsafe { qpdf_oh_new_integer(self.raw, value) })
    }

    /// A new indirect object, which is null.
    pub(super) fn new_indirect(&self) -> Object<'_> {
        let null = self.object(unsafe { qpdf_oh_new_null(self.raw) });
        self.object(unsafe { qpdf_make_indirect_object(self.raw, null.raw) })
    }

    /// Whether a query about the document is true.
    pub(super) fn is(&self, query: unsafe extern "C" fn(qpdf_data) -> QPDF_BOOL) -> bool {
        unsafe { query(self.raw) != 0 }
    }

    /// The text of the next warning, which is removed; `None` if there is none.
    pub(super) fn next_warning(&self) -> Option<Vec<u8>> {
        unsafe {
            if qpdf_more_warnings(self.raw) == 0 {
                return None;
            }
            let warning = qpdf_next_warning(self.raw);
            Some(copied(qpdf_get_error_message_detail(self.raw, warning)))
        }
    }

    /// Applies a qpdf JSON file; whether libqpdf accepts it.
    pub(super) fn update(&self, json: &Path) -> TaskResult<bool> {
        let json = c_string(json.as_os_str())?;
        let updated = unsafe { qpdf_update_from_json_file(self.raw, json.as_ptr()) };
        Ok(updated & QPDF_ERRORS == 0)
    }

    /// Writes the document unencrypted and reproducibly; whether it succeeds.
    pub(super) fn write(self, target: &CStr) -> bool {
        unsafe {
            qpdf_init_write(self.raw, target.as_ptr());
            qpdf_set_preserve_encryption(self.raw, 0);
            qpdf_set_deterministic_ID(self.raw, 1);
            qpdf_write(self.raw) & QPDF_ERRORS == 0
        }
    }
}

impl<'c> Handle<'c> {
    /// Reads a file whose content is in memory.
    pub(super) fn read_memory(
        path: &CStr,
        content: &'c [u8],
        password: &CStr,
    ) -> Result<Self, ReadError> {
        let (begin, size) = (content.as_ptr().cast(), content.len() as u64);
        Self::read_with(|raw| unsafe {
            qpdf_read_memory(raw, path.as_ptr(), begin, size, password.as_ptr())
        })
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        unsafe { qpdf_cleanup(&raw mut self.raw) }
    }
}

/// An object of a document.
pub(super) struct Object<'d> {
    document: &'d Handle<'d>,
    raw: qpdf_oh,
}

impl<'d> Object<'d> {
    /// A member of a dictionary; null if there is none.
    pub(super) fn get(&self, key: &CStr) -> Object<'d> {
        self.inner(unsafe { qpdf_oh_get_key(self.document.raw, self.raw, key.as_ptr()) })
    }

    /// A member; `None` if this is no dictionary, or the member is null or missing.
    pub(super) fn find(&self, key: &CStr) -> Option<Object<'d>> {
        let found = self.is_dictionary().then(|| self.get(key));
        found.filter(|found| !found.is_null())
    }

    /// Whether a dictionary has a member.
    pub(super) fn has(&self, key: &CStr) -> bool {
        unsafe { qpdf_oh_has_key(self.document.raw, self.raw, key.as_ptr()) != 0 }
    }

    /// Sets a member of a dictionary.
    pub(super) fn set(&self, key: &CStr, value: &Object<'d>) {
        unsafe { qpdf_oh_replace_key(self.document.raw, self.raw, key.as_ptr(), value.raw) }
    }

    /// The dictionary of a stream.
    pub(super) fn stream_dictionary(&self) -> Object<'d> {
        self.inner(unsafe { qpdf_oh_get_dict(self.document.raw, self.raw) })
    }

    /// The items of an array, at most `most`; empty for other types.
    pub(super) fn items(&self, most: c_int) -> Vec<Object<'d>> {
        let count = match self.is(qpdf_oh_is_array) {
            false => 0,
            true => unsafe { qpdf_oh_get_array_n_items(self.document.raw, self.raw) },
        };
        let item = |index| unsafe { qpdf_oh_get_array_item(self.document.raw, self.raw, index) };
        (0..count.min(most))
            .map(|index| self.inner(item(index)))
            .collect()
    }

    /// Whether it is a dictionary.
    pub(super) fn is_dictionary(&self) -> bool {
        self.is(qpdf_oh_is_dictionary)
    }

    /// Whether it is an integer.
    pub(super) fn is_integer(&self) -> bool {
        self.is(qpdf_oh_is_integer)
    }

    /// Whether it is null or missing.
    pub(super) fn is_null(&self) -> bool {
        self.is(qpdf_oh_is_null)
    }

    /// Its type. Reads the object, so that libqpdf emits its warnings.
    pub(super) fn kind(&self) -> qpdf_object_type_e {
        unsafe { qpdf_oh_get_type_code(self.document.raw, self.raw) }
    }

    /// The object number; 0 for a direct object.
    pub(super) fn number(&self) -> c_int {
        unsafe { qpdf_oh_get_object_id(self.document.raw, self.raw) }
    }

    /// The object number and the generation; 0 for a direct object.
    pub(super) fn id(&self) -> ObjectId {
        let generation = unsafe { qpdf_oh_get_generation(self.document.raw, self.raw) };
        let number = u32::try_from(self.number()).unwrap_or(0);
        (number, u16::try_from(generation).unwrap_or(0))
    }

    /// The value of an integer, clamped. libqpdf logs a warning for other types.
    pub(super) fn as_int(&self) -> c_int {
        unsafe { qpdf_oh_get_int_value_as_int(self.document.raw, self.raw) }
    }

    /// The value of an integer; `None` for other types.
    pub(super) fn integer(&self) -> Option<i64> {
        self.is_integer()
            .then(|| unsafe { qpdf_oh_get_int_value(self.document.raw, self.raw) })
    }

    /// The value of a number; `None` for other types.
    pub(super) fn numeric(&self) -> Option<f64> {
        self.is(qpdf_oh_is_number)
            .then(|| unsafe { qpdf_oh_get_numeric_value(self.document.raw, self.raw) })
    }

    /// The value of a string; `None` for other types.
    pub(super) fn text(&self) -> Option<String> {
        if !self.is(qpdf_oh_is_string) {
            return None;
        }
        let text = unsafe { copied(qpdf_oh_get_utf8_value(self.document.raw, self.raw)) };
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// The value of a name, without its slash; `None` for other types.
    pub(super) fn name(&self) -> Option<String> {
        if !self.is(qpdf_oh_is_name) {
            return None;
        }
        let name = unsafe { copied(qpdf_oh_get_name(self.document.raw, self.raw)) };
        Some(String::from_utf8_lossy(name.strip_prefix(b"/")?).into_owned())
    }

    /// The serialized object, or its reference if it is indirect.
    pub(super) fn unparsed(&self) -> Vec<u8> {
        unsafe { copied(qpdf_oh_unparse(self.document.raw, self.raw)) }
    }

    /// The serialized object.
    pub(super) fn unparsed_resolved(&self) -> Vec<u8> {
        unsafe { copied(qpdf_oh_unparse_resolved(self.document.raw, self.raw)) }
    }

    fn inner(&self, raw: qpdf_oh) -> Object<'d> {
        self.document.object(raw)
    }

    fn is(&self, query: unsafe extern "C" fn(qpdf_data, qpdf_oh) -> QPDF_BOOL) -> bool {
        unsafe { query(self.document.raw, self.raw) != 0 }
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        unsafe { qpdf_oh_release(self.document.raw, self.raw) }
    }
}

/// Copies a text of libqpdf, which lives until the next call; empty if it is null.
///
/// # Safety
/// The text is null, or null-terminated and valid.
unsafe fn copied(text: *const std::ffi::c_char) -> Vec<u8> {
    if text.is_null() {
        return Vec::new();
    }
    unsafe { CStr::from_ptr(text) }.to_bytes().to_vec()
}
