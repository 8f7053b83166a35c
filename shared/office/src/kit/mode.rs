//! Ends the mode of LibreOfficeKit while a document is printed: in this mode LibreOffice draws some pictures, such as icon sets of
//! conditional formats, at a scale for screens.
#![expect(
    unsafe_code,
    reason = "calls a C++ library; the function takes a boolean"
)]

use libloading::os::unix::Library;

const SET_ACTIVE: &[u8] = b"_ZN10comphelper14LibreOfficeKit9setActiveEb";

/// Calls `print` outside the mode; inside it in versions without the function.
pub(super) fn outside<T>(library: &Library, print: impl FnOnce() -> T) -> T {
    set_active(library, false);
    let printed = print();
    set_active(library, true);
    printed
}

fn set_active(library: &Library, is_active: bool) {
    // SAFETY: the function has this type in every version, and only sets a variable.
    unsafe {
        if let Ok(set) = library.get::<unsafe extern "C" fn(bool)>(SET_ACTIVE) {
            set(is_active);
        }
    }
}
