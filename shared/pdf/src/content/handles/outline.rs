//! Outline (bookmarks) of a document [ISO 32000-1, 12.3.3].

use std::collections::{BTreeMap, HashSet};
use std::ffi::c_ulong;
use std::ptr::null_mut;

use layout::OutlineEntry;
use pdfium_render::prelude::FPDF_BOOKMARK;

use super::Document;
use super::structure::utf16_text;

/// `PDFACTION_GOTO`.
const GO_TO: c_ulong = 1;
/// Maximum number of entries, and their maximum depth.
const MAX_ENTRIES: usize = 5_000;
const MAX_DEPTH: u8 = 16;
/// Maximum length of a title, characters. No heading is longer.
const MAX_TITLE: usize = 300;

impl Document {
    /// Returns the entries of the outline by page number, from 1. A single entry at the top is the title of the document: its
    /// children have its depth.
    pub(in super::super) fn outline(&self) -> BTreeMap<u32, Vec<OutlineEntry>> {
        let mut found: BTreeMap<u32, Vec<OutlineEntry>> = BTreeMap::new();
        let (mut seen, mut top) = (HashSet::new(), 0);
        let mut open = vec![(self.child(null_mut()), 1)];
        while let Some((entry, depth)) = open.pop() {
            // Entries may form cycles.
            if entry.is_null() || seen.len() >= MAX_ENTRIES || !seen.insert(entry.addr()) {
                continue;
            }
            top += usize::from(depth == 1);
            open.push((self.sibling(entry), depth));
            if depth < MAX_DEPTH {
                open.push((self.child(entry), depth + 1));
            }
            if let (Some(page), Some(title)) = (self.target(entry), self.title(entry)) {
                let entries = found.entry(page).or_default();
                entries.push(OutlineEntry { title, depth });
            }
        }
        if top == 1 {
            let entries = found.values_mut().flatten();
            entries.for_each(|entry| entry.depth = entry.depth.saturating_sub(1).max(1));
        }
        found
    }

    /// Returns the first child of an entry, or of the outline; null if there is none.
    fn child(&self, entry: FPDF_BOOKMARK) -> FPDF_BOOKMARK {
        // SAFETY: the document is open, and the entry is one of it or null.
        unsafe { self.bindings.FPDFBookmark_GetFirstChild(self.handle, entry) }
    }

    fn sibling(&self, entry: FPDF_BOOKMARK) -> FPDF_BOOKMARK {
        // SAFETY: the document is open, and the entry is one of it.
        unsafe {
            self.bindings
                .FPDFBookmark_GetNextSibling(self.handle, entry)
        }
    }

    fn title(&self, entry: FPDF_BOOKMARK) -> Option<String> {
        // SAFETY: the document of the entry is open; the buffer has the given length.
        let title = utf16_text(|buffer, length| unsafe {
            self.bindings.FPDFBookmark_GetTitle(entry, buffer, length)
        })?;
        Some(title.chars().take(MAX_TITLE).collect())
    }

    /// Returns the number of the page of an entry, from 1.
    fn target(&self, entry: FPDF_BOOKMARK) -> Option<u32> {
        // SAFETY: the document of the entry is open; a missing action or destination is null.
        let index = unsafe {
            let mut destination = self.bindings.FPDFBookmark_GetDest(self.handle, entry);
            if destination.is_null() {
                let action = self.bindings.FPDFBookmark_GetAction(entry);
                if action.is_null() || self.bindings.FPDFAction_GetType(action) != GO_TO {
                    return None;
                }
                destination = self.bindings.FPDFAction_GetDest(self.handle, action);
            }
            if destination.is_null() {
                return None;
            }
            let document = self.handle;
            self.bindings
                .FPDFDest_GetDestPageIndex(document, destination)
        };
        u32::try_from(index).ok().map(|index| index + 1)
    }
}
