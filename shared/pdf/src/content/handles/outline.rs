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

#[cfg(test)]
mod tests {
    use crate::content::samples::pages;

    /// The titles and depths of the entries of each page of three pages with this outline, whose objects begin with number 6.
    fn outlined(entries: &[&str]) -> Vec<Vec<(String, u8)>> {
        let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>";
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/Dests<</place[5 0 R/Fit]>>>>",
            "<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>",
            page,
            page,
            page,
        ];
        let pages = pages(&[&objects, entries].concat(), None);
        let entries = pages.into_iter().map(|page| {
            let entries = page.outline.into_iter();
            entries.map(|entry| (entry.title, entry.depth)).collect()
        });
        entries.collect()
    }

    #[test]
    fn entries_are_in_the_content_of_the_pages_that_they_lead_to() {
        let found = outlined(&[
            "<</Type/Outlines/First 7 0 R/Last 8 0 R/Count 4>>",
            "<</Title<FEFF00C4006C0074>/Parent 6 0 R/Next 8 0 R/Dest[3 0 R/Fit]>>",
            "<</Title(Part)/Parent 6 0 R/Prev 7 0 R/First 9 0 R/Last 10 0 R/Count 2/Dest/place>>",
            "<</Title(Chapter)/Parent 8 0 R/Next 10 0 R/A<</S/GoTo/D[5 0 R/Fit]>>>>",
            "<</Title(Elsewhere)/Parent 8 0 R/Prev 9 0 R/A<</S/URI/URI(http://a.example/)>>>>",
        ]);
        let entry = |title: &str, depth| (title.to_owned(), depth);
        let last = vec![entry("Part", 1), entry("Chapter", 2)];
        assert_eq!(found, [vec![entry("Ält", 1)], vec![], last]);
    }

    #[test]
    fn entries_below_the_title_of_the_document_are_at_the_top() {
        let found = outlined(&[
            "<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 2>>",
            "<</Title(Title)/Parent 6 0 R/First 8 0 R/Last 8 0 R/Count 1/Dest[3 0 R/Fit]>>",
            "<</Title(Chapter)/Parent 7 0 R/Dest[4 0 R/Fit]>>",
        ]);
        let entry = |title: &str| vec![(title.to_owned(), 1)];
        assert_eq!(found, [entry("Title"), entry("Chapter"), vec![]]);
    }
}
