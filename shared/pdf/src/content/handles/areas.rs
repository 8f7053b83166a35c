//! Areas of a page that lead elsewhere.

use std::ffi::c_ulong;
use std::ptr::null_mut;

use pdfium_render::prelude::{FPDF_LINK, FS_QUADPOINTSF};

use super::{Leaf, nowhere};

/// `PDFACTION_URI`.
const URI: c_ulong = 3;
/// Longest address that is read, with a zero behind it, bytes.
const ADDRESS: usize = 2049;
/// Most areas of a page that are looked at.
const AREAS: usize = 10_000;
/// Most parts of one area.
const PARTS: i32 = 64;
/// Most parts of all areas: each has a copy of where it leads.
const ALL_PARTS: usize = 20_000;

/// Where an area leads.
pub(in super::super) enum Target {
    /// A URI as the document has it.
    Address(String),
    /// A page of the same document, counted from 1.
    Page(u32),
}

/// An area as its parts, each left, bottom, right and top, and where it leads.
pub(in super::super) type Area = (Vec<[f32; 4]>, Target);

/// Those of a page.
#[derive(Default)]
pub(in super::super) struct Areas {
    pub(in super::super) areas: Vec<Area>,
    /// Whether there are more, or longer addresses.
    pub(in super::super) is_cut: bool,
}

impl Leaf<'_> {
    /// Every area with a target, as the page had them when it was read first.
    pub(in super::super) fn areas(&self) -> &Areas {
        &self.areas
    }

    pub(super) fn find_areas(&self) -> Areas {
        let mut found = Areas::default();
        let (mut position, mut link, mut parts) = (0, null_mut(), 0);
        loop {
            let bindings = self.bindings();
            // SAFETY: the page is open, and position and link are ours.
            let is_there = unsafe {
                bindings.FPDFLink_Enumerate(self.handle, &raw mut position, &raw mut link)
            };
            if is_there == 0 {
                return found;
            }
            let Some(target) = self.target(link, &mut found.is_cut) else {
                continue;
            };
            let area = self.parts(link, &mut found.is_cut);
            parts += area.len();
            if parts > ALL_PARTS || found.areas.len() >= AREAS {
                found.is_cut = true;
                return found;
            }
            found.areas.push((area, target));
        }
    }

    fn target(&self, link: FPDF_LINK, is_cut: &mut bool) -> Option<Target> {
        let (bindings, document) = (self.bindings(), self.document.handle);
        // SAFETY: the link is one of this page, which is open, and what has no such action or place is null.
        let place = unsafe {
            let action = bindings.FPDFLink_GetAction(link);
            if !action.is_null() && bindings.FPDFAction_GetType(action) == URI {
                return self.address(link, is_cut).map(Target::Address);
            }
            match bindings.FPDFLink_GetDest(document, link) {
                place if place.is_null() && !action.is_null() => {
                    bindings.FPDFAction_GetDest(document, action)
                }
                place => place,
            }
        };
        if place.is_null() {
            return None;
        }
        // SAFETY: the place is one of this document, which is open.
        let index = unsafe { bindings.FPDFDest_GetDestPageIndex(document, place) };
        u32::try_from(index)
            .ok()
            .map(|index| Target::Page(index + 1))
    }

    fn address(&self, link: FPDF_LINK, is_cut: &mut bool) -> Option<String> {
        let (bindings, document) = (self.bindings(), self.document.handle);
        let mut bytes = vec![0_u8; ADDRESS];
        let length = c_ulong::try_from(bytes.len()).ok()?;
        // SAFETY: the link is one of this page, which is open; the buffer is as long as said.
        let length = unsafe {
            let action = bindings.FPDFLink_GetAction(link);
            bindings.FPDFAction_GetURIPath(document, action, bytes.as_mut_ptr().cast(), length)
        };
        let length = usize::try_from(length).ok()?.checked_sub(1)?;
        let has_room = length < bytes.len();
        *is_cut |= !has_room;
        let address = bytes.get(..length).filter(|_| has_room)?;
        Some(String::from_utf8_lossy(address).into_owned())
    }

    fn parts(&self, link: FPDF_LINK, is_cut: &mut bool) -> Vec<[f32; 4]> {
        // SAFETY: the link is one of this page, which is open.
        let parts = unsafe { self.bindings().FPDFLink_CountQuadPoints(link) };
        *is_cut |= parts > PARTS;
        let parts: Vec<_> = (0..parts.min(PARTS))
            .filter_map(|part| self.part(link, part))
            .collect();
        match parts.is_empty() {
            false => parts,
            true => vec![self.whole(link)],
        }
    }

    fn part(&self, link: FPDF_LINK, index: i32) -> Option<[f32; 4]> {
        let mut quad = FS_QUADPOINTSF {
            x1: 0.0,
            y1: 0.0,
            x2: 0.0,
            y2: 0.0,
            x3: 0.0,
            y3: 0.0,
            x4: 0.0,
            y4: 0.0,
        };
        let bindings = self.bindings();
        // SAFETY: the link is one of this page, which is open, and the points are ours.
        let known = unsafe { bindings.FPDFLink_GetQuadPoints(link, index, &raw mut quad) };
        let (x, y) = (
            [quad.x1, quad.x2, quad.x3, quad.x4],
            [quad.y1, quad.y2, quad.y3, quad.y4],
        );
        let least = |all: [f32; 4]| all.into_iter().fold(f32::INFINITY, f32::min);
        let most = |all: [f32; 4]| all.into_iter().fold(f32::NEG_INFINITY, f32::max);
        (known != 0).then(|| [least(x), least(y), most(x), most(y)])
    }

    fn whole(&self, link: FPDF_LINK) -> [f32; 4] {
        let mut rect = nowhere();
        // SAFETY: the link is one of this page, which is open, and the rectangle is ours.
        unsafe { self.bindings().FPDFLink_GetAnnotRect(link, &raw mut rect) };
        [rect.left, rect.bottom, rect.right, rect.top]
    }
}
