//! Ends the mode of LibreOfficeKit while a document is printed: in this mode LibreOffice draws icon sets of conditional formats at a
//! quarter of their size, and three-dimensional charts with fewer samples.
#![expect(
    unsafe_code,
    reason = "calls a C++ library; the function takes a boolean"
)]

use libloading::os::unix::Library;

use super::measured::is_measured;

const SET_ACTIVE: &[u8] = b"_ZN10comphelper14LibreOfficeKit9setActiveEb";

/// Calls `print` outside the mode; inside it in versions that were not measured.
pub(super) fn outside<T>(library: &Library, version: &str, print: impl FnOnce() -> T) -> T {
    if !is_measured(version) {
        return print();
    }
    set_active(library, false);
    let printed = print();
    set_active(library, true);
    printed
}

fn set_active(library: &Library, is_active: bool) {
    // SAFETY: the function takes a boolean and returns nothing in the measured version.
    unsafe {
        if let Ok(set) = library.get::<unsafe extern "C" fn(bool)>(SET_ACTIVE) {
            set(is_active);
        }
    }
}
