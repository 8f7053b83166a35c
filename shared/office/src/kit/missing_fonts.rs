//! The names of a document's fonts that are not installed, as LibreOfficeKit reports them in every version, without substitutes.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Mutex;

use serde::Deserialize;

use super::{Document, FontUsage};

/// `LOK_CALLBACK_FONTS_MISSING` (`LibreOfficeKitEnums.h`).
const FONTS_MISSING: c_int = 57;
/// Maximum number of fonts read.
const MAX_FONTS: usize = 1_000;

#[derive(Deserialize)]
struct Missing {
    #[serde(rename = "fontsmissing")]
    names: Vec<String>,
}

impl Document<'_> {
    /// The fonts of the document that are not installed; the fonts used for them are not known.
    #[must_use]
    pub fn missing_fonts(&self) -> Vec<FontUsage> {
        // LibreOffice may call back later, so this is never freed; a process reads one document.
        let names: &'static Mutex<Vec<String>> = Box::leak(Box::default());
        self.loaded
            .register(on_event, std::ptr::from_ref(names).cast_mut().cast());
        let names = names.lock().map(|names| names.clone()).unwrap_or_default();
        let usage = names
            .into_iter()
            .take(MAX_FONTS)
            .map(|requested| FontUsage {
                requested,
                used: Vec::new(),
            });
        usage.collect()
    }
}

#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn on_event(kind: c_int, payload: *const c_char, names: *mut c_void) {
    if kind != FONTS_MISSING || payload.is_null() {
        return;
    }
    // SAFETY: the payload is a NUL-terminated string during the call; the list is never freed.
    let (payload, list) = unsafe {
        (
            CStr::from_ptr(payload),
            &*names.cast::<Mutex<Vec<String>>>(),
        )
    };
    let missing: Option<Missing> = serde_json::from_slice(payload.to_bytes()).ok();
    if let (Some(missing), Ok(mut list)) = (missing, list.lock()) {
        list.extend(missing.names);
    }
}
