//! Records the fonts that a document requests and those that its text is rendered with.
//!
//! LibreOfficeKit only reports the names of missing fonts. Their substitutes are tracked by two functions of the VCL library
//! (`vcl/outdev.hxx`) that return C++ objects. Their layout is not part of any interface, so they are called only in the
//! version of LibreOffice that they were measured with.
#![expect(
    unsafe_code,
    reason = "calls a C++ library; results are copied and bounded here"
)]

use std::ffi::c_int;
use std::slice;

use libloading::os::unix::Library;

use super::measured::is_measured;

/// Maximum number of items read.
const MAX_ITEMS: usize = 1_000;
/// Maximum number of used fonts read per item.
const MAX_FONTS: usize = 100;
/// Maximum length of a font name, in UTF-16 code units.
const MAX_NAME: usize = 200;

const START: &[u8] = b"_ZN12OutputDevice27StartTrackingFontMappingUseEv";
const FINISH: &[u8] = b"_ZN12OutputDevice28FinishTrackingFontMappingUseEv";

/// A requested font and the fonts used for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontUsage {
    /// The requested family, or several separated by `;`.
    pub requested: String,
    /// The fonts used for rendering: family, `/`, style. Empty if they are not known.
    pub used: Vec<String>,
}

/// Header of a LibreOffice string (`rtl_uString`); its UTF-16 code units follow.
#[repr(C)]
pub(super) struct Text {
    _references: c_int,
    pub(super) length: c_int,
}

/// Layout of `std::vector`.
#[repr(C)]
struct Vector<T> {
    begin: *const T,
    end: *const T,
    _room: *const T,
}

/// Layout of `OutputDevice::FontMappingUseItem`.
#[repr(C)]
struct Item {
    requested: *const Text,
    used: Vector<*const Text>,
    _count: c_int,
}

/// Starts tracking; `false` if it is not known how this version does it.
pub(super) fn start_tracking(library: &Library, version: &str) -> bool {
    if !is_measured(version) {
        return false;
    }
    // SAFETY: the function takes and returns nothing.
    unsafe {
        let start = library.get::<unsafe extern "C" fn()>(START);
        let known = library.get::<unsafe extern "C" fn()>(FINISH).is_ok();
        start.is_ok_and(|start| {
            if known {
                start();
            }
            known
        })
    }
}

/// Ends tracking and returns the result. Call it only after [`start_tracking`] returned `true`.
pub(super) fn finish_tracking(library: &Library) -> Vec<FontUsage> {
    type Finish = unsafe extern "C" fn() -> Vector<Item>;
    // SAFETY: the function takes nothing and returns a vector, which is leaked because the process exits soon.
    unsafe {
        let Ok(finish) = library.get::<Finish>(FINISH) else {
            return Vec::new();
        };
        let uses = finish();
        uses.read(MAX_ITEMS)
            .iter()
            .map(|item| item.to_usage())
            .collect()
    }
}

impl Item {
    /// # Safety
    /// The item must come from the library.
    unsafe fn to_usage(&self) -> FontUsage {
        // SAFETY: its strings come from the library, too.
        unsafe {
            let used = self.used.read(MAX_FONTS).iter();
            FontUsage {
                requested: text(self.requested),
                used: used.map(|name| text(*name)).collect(),
            }
        }
    }
}

impl<T> Vector<T> {
    /// # Safety
    /// The vector must come from the library.
    unsafe fn read(&self, max: usize) -> &[T] {
        if self.begin.is_null() {
            return &[];
        }
        // SAFETY: the elements of a vector are between its two pointers.
        unsafe {
            let count = usize::try_from(self.end.offset_from(self.begin)).unwrap_or(0);
            slice::from_raw_parts(self.begin, count.min(max))
        }
    }
}

/// # Safety
/// The string must come from the library.
unsafe fn text(text: *const Text) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the header is followed by `length` UTF-16 code units.
    let units = unsafe {
        let count = usize::try_from((*text).length).unwrap_or(0);
        slice::from_raw_parts(text.add(1).cast::<u16>(), count.min(MAX_NAME))
    };
    String::from_utf16_lossy(units)
}
