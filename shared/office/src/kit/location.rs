//! Replaces the location of a loaded document, which fields, headers and formulas show, by the root directory.
//!
//! It is in an object (`SfxMedium`, `sfx2/docfile.hxx`) that no function of the library returns, but that the current document
//! (`SfxObjectShell`, `sfx2/objsh.hxx`) points to.
#![expect(
    unsafe_code,
    reason = "calls a C++ library; the object is recognized by its name before it is changed"
)]

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::slice;

use libloading::os::unix::Library;

use super::fonts::Text;
use super::measured::is_measured;
use super::url::file_url;

/// Offset in bytes of the pointer to the medium.
const MEDIUM: usize = 0x88;

const CURRENT: &[u8] = b"_ZN14SfxObjectShell7CurrentEv";
const GET_NAME: &[u8] = b"_ZNK9SfxMedium7GetNameEv";
const SET_NAME: &[u8] = b"_ZN9SfxMedium7SetNameERKN3rtl8OUStringEb";
const NEW_TEXT: &[u8] = b"rtl_uString_newFromAscii";

/// Hides the directory of the document that was loaded last, from `file` as `loaded`; `None` if this version was not measured, or
/// the current document has another name.
pub(super) fn hide(library: &Library, version: &str, file: &Path, loaded: &CStr) -> Option<()> {
    type Current = unsafe extern "C" fn() -> *const c_void;
    type GetName = unsafe extern "C" fn(*const c_void) -> *const *const Text;
    type SetName = unsafe extern "C" fn(*mut c_void, *const *mut c_void, bool);
    type NewText = unsafe extern "C" fn(*mut *mut c_void, *const c_char);
    if !is_measured(version) {
        return None;
    }
    let url = file_url(&Path::new("/").join(file.file_name()?)).ok()?;
    // SAFETY: the functions have these types in the measured version, in which the document points to its medium at this offset.
    // LibreOffice's lock (the solar mutex) is not taken: only this thread runs LibreOffice's main code, and it is between two calls
    // of LibreOfficeKit, so that nothing else uses the document. The URL is ASCII, as `rtl_uString_newFromAscii` requires. The text
    // is leaked, because the process exits soon.
    unsafe {
        let current = library.get::<Current>(CURRENT).ok()?;
        let get_name = library.get::<GetName>(GET_NAME).ok()?;
        let set_name = library.get::<SetName>(SET_NAME).ok()?;
        let new_text = library.get::<NewText>(NEW_TEXT).ok()?;
        let document = current();
        if document.is_null() {
            return None;
        }
        let medium = *document.byte_add(MEDIUM).cast::<*mut c_void>();
        if medium.is_null() || !medium.cast::<usize>().is_aligned() {
            return None;
        }
        let present = get_name(medium).as_ref()?;
        if !is_equal(*present, loaded) {
            return None;
        }
        let mut name = std::ptr::null_mut();
        new_text(&raw mut name, url.as_ptr());
        if name.is_null() {
            return None;
        }
        set_name(medium, &raw const name, false);
    }
    Some(())
}

/// # Safety
/// The text must come from the library.
unsafe fn is_equal(text: *const Text, expected: &CStr) -> bool {
    let expected = expected.to_bytes();
    // SAFETY: the header is followed by `length` UTF-16 code units.
    let units = unsafe {
        let length = text.as_ref().map(|text| usize::try_from(text.length));
        if length != Some(Ok(expected.len())) {
            return false;
        }
        slice::from_raw_parts(text.add(1).cast::<u16>(), expected.len())
    };
    units
        .iter()
        .copied()
        .eq(expected.iter().copied().map(u16::from))
}
