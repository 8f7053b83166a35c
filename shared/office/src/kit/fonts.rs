//! Which fonts a document asked for, and which its text was set in.
//!
//! LibreOfficeKit tells names of missing fonts only. What replaced them is noted by the library that draws, whose two
//! functions for that (`vcl/outdev.hxx`) are called here; where it does not have them, nothing is told.
#![expect(
    unsafe_code,
    reason = "a C++ library has no other interface; what it answers is copied and bounded here"
)]

use std::ffi::c_int;
use std::slice;

use libloading::os::unix::Library;

/// Most uses that are read.
const USES: usize = 1_000;
/// Most fonts of one use that are read.
const FONTS: usize = 100;
/// Most characters of a name that are read.
const NAME: usize = 200;

const START: &[u8] = b"_ZN12OutputDevice27StartTrackingFontMappingUseEv";
const FINISH: &[u8] = b"_ZN12OutputDevice28FinishTrackingFontMappingUseEv";

/// A font that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontUse {
    /// Its family, or several with `;` between them.
    pub asked: String,
    /// What text was set in: family, `/` and style.
    pub used: Vec<String>,
}

/// A text of LibreOffice (`rtl_uString`), whose UTF-16 follows.
#[repr(C)]
struct Text {
    _references: c_int,
    length: c_int,
}

/// `std::vector`.
#[repr(C)]
struct Vector<T> {
    begin: *const T,
    end: *const T,
    _room: *const T,
}

/// `OutputDevice::FontMappingUseItem`.
#[repr(C)]
struct Item {
    asked: *const Text,
    used: Vector<*const Text>,
    _count: c_int,
}

/// Begins to note; false if the library cannot.
pub(super) fn track(library: &Library) -> bool {
    // SAFETY: the function takes and answers nothing.
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

/// Ends to note, and answers with what was; to be called after [`track`] said that it can be.
pub(super) fn tracked(library: &Library) -> Vec<FontUse> {
    type Finish = unsafe extern "C" fn() -> Vector<Item>;
    // SAFETY: the function takes nothing and answers with a vector, which is left to the process, as it ends soon.
    unsafe {
        let Ok(finish) = library.get::<Finish>(FINISH) else {
            return Vec::new();
        };
        let uses = finish();
        uses.read(USES).iter().map(|item| item.copied()).collect()
    }
}

impl Item {
    /// # Safety
    /// The item is the library's.
    unsafe fn copied(&self) -> FontUse {
        // SAFETY: its texts are the library's, too.
        unsafe {
            let used = self.used.read(FONTS).iter();
            FontUse {
                asked: text(self.asked),
                used: used.map(|name| text(*name)).collect(),
            }
        }
    }
}

impl<T> Vector<T> {
    /// # Safety
    /// The vector is the library's.
    unsafe fn read(&self, most: usize) -> &[T] {
        if self.begin.is_null() {
            return &[];
        }
        // SAFETY: what a vector holds lies between its two pointers.
        unsafe {
            let count = usize::try_from(self.end.offset_from(self.begin)).unwrap_or(0);
            slice::from_raw_parts(self.begin, count.min(most))
        }
    }
}

/// # Safety
/// The text is the library's.
unsafe fn text(text: *const Text) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: so many UTF-16 code units follow a text as it says.
    let units = unsafe {
        let count = usize::try_from((*text).length).unwrap_or(0);
        slice::from_raw_parts(text.add(1).cast::<u16>(), count.min(NAME))
    };
    String::from_utf16_lossy(units)
}
