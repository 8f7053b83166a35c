//! Replaces the location of a loaded document, which fields, headers and formulas show, by the root directory.
//!
//! It is in an object (`SfxMedium`, `sfx2/docfile.hxx`) that no function of the library returns, but that the current document
//! (`SfxObjectShell`, `sfx2/objsh.hxx`) points to.
#![expect(
    unsafe_code,
    reason = "calls a C++ library; its objects are checked for null pointers here"
)]

use std::ffi::{c_char, c_void};
use std::path::Path;

use libloading::os::unix::Library;

use super::measured::is_measured;
use super::url::file_url;

/// Offset in bytes of the pointer to the medium.
const MEDIUM: usize = 0x88;

const CURRENT: &[u8] = b"_ZN14SfxObjectShell7CurrentEv";
const SET_NAME: &[u8] = b"_ZN9SfxMedium7SetNameERKN3rtl8OUStringEb";
const NEW_TEXT: &[u8] = b"rtl_uString_newFromAscii";

/// Hides the directory of the document that was loaded last from `file`; `None` if it is not known how this version does it.
pub(super) fn hide(library: &Library, version: &str, file: &Path) -> Option<()> {
    type Current = unsafe extern "C" fn() -> *const c_void;
    type SetName = unsafe extern "C" fn(*mut c_void, *const *mut c_void, bool);
    type NewText = unsafe extern "C" fn(*mut *mut c_void, *const c_char);
    if !is_measured(version) {
        return None;
    }
    let url = file_url(&Path::new("/").join(file.file_name()?)).ok()?;
    // SAFETY: the functions have these types in the measured version, in which the document points to its medium at this offset. The
    // text is leaked, because the process exits soon.
    unsafe {
        let current = library.get::<Current>(CURRENT).ok()?;
        let set_name = library.get::<SetName>(SET_NAME).ok()?;
        let new_text = library.get::<NewText>(NEW_TEXT).ok()?;
        let document = current();
        if document.is_null() {
            return None;
        }
        let medium = *document.byte_add(MEDIUM).cast::<*mut c_void>();
        let mut name = std::ptr::null_mut();
        new_text(&raw mut name, url.as_ptr());
        if medium.is_null() || name.is_null() {
            return None;
        }
        set_name(medium, &raw const name, false);
    }
    Some(())
}
