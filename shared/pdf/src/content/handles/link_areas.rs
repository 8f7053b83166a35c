//! Link areas of a page.

use std::ffi::c_ulong;
use std::ptr::null_mut;

use pdfium_render::prelude::{FPDF_LINK, FS_QUADPOINTSF};

use super::{PageHandle, empty_rect};

/// `PDFACTION_URI`.
const URI: c_ulong = 3;
/// Maximum length of a URI in bytes, including the null terminator.
const MAX_URI: usize = 2049;
/// Maximum number of links of a page.
const MAX_LINKS: usize = 10_000;
/// Maximum number of quadrilaterals of a link.
const MAX_RECTANGLES: i32 = 64;
/// Maximum number of quadrilaterals of all links: each gets a copy of the target.
const MAX_ALL_RECTANGLES: usize = 20_000;

/// Target of a link.
pub(in super::super) enum Target {
    /// A URI as it is in the document.
    Uri(String),
    /// A page of the same document, from 1.
    Page(u32),
}

/// The rectangles of a link (left, bottom, right, top), and its target.
pub(in super::super) type Area = (Vec<[f32; 4]>, Target);

/// The links of a page.
#[derive(Default)]
pub(in super::super) struct LinkAreas {
    pub(in super::super) areas: Vec<Area>,
    /// Whether there are more links, or longer URIs, than the limits allow.
    pub(in super::super) is_cut: bool,
}

impl PageHandle<'_> {
    /// The links with a target, as they were before flattening.
    pub(in super::super) fn areas(&self) -> &LinkAreas {
        &self.areas
    }

    pub(super) fn read_link_areas(&self) -> LinkAreas {
        let mut found = LinkAreas::default();
        let (mut position, mut link, mut parts) = (0, null_mut(), 0);
        loop {
            let bindings = self.bindings();
            // SAFETY: the page is open, and position and link are local variables.
            let is_there = unsafe {
                bindings.FPDFLink_Enumerate(self.handle, &raw mut position, &raw mut link)
            };
            if is_there == 0 {
                return found;
            }
            let link = Link {
                page: self,
                handle: link,
            };
            let Some(target) = link.target(&mut found.is_cut) else {
                continue;
            };
            let area = link.rectangles(&mut found.is_cut);
            parts += area.len();
            if parts > MAX_ALL_RECTANGLES || found.areas.len() >= MAX_LINKS {
                found.is_cut = true;
                return found;
            }
            found.areas.push((area, target));
        }
    }
}

/// A link of an open page.
struct Link<'p> {
    page: &'p PageHandle<'p>,
    handle: FPDF_LINK,
}

impl Link<'_> {
    fn target(&self, is_cut: &mut bool) -> Option<Target> {
        let (bindings, document) = (self.page.bindings(), self.page.document.handle);
        let link = self.handle;
        // SAFETY: the page of the link is open; a missing action or destination is null.
        let destination = unsafe {
            let action = bindings.FPDFLink_GetAction(link);
            if !action.is_null() && bindings.FPDFAction_GetType(action) == URI {
                return self.address(is_cut).map(Target::Uri);
            }
            match bindings.FPDFLink_GetDest(document, link) {
                destination if destination.is_null() && !action.is_null() => {
                    bindings.FPDFAction_GetDest(document, action)
                }
                destination => destination,
            }
        };
        if destination.is_null() {
            return None;
        }
        // SAFETY: the destination is one of this document, which is open.
        let index = unsafe { bindings.FPDFDest_GetDestPageIndex(document, destination) };
        u32::try_from(index)
            .ok()
            .map(|index| Target::Page(index + 1))
    }

    fn address(&self, is_cut: &mut bool) -> Option<String> {
        let (bindings, document) = (self.page.bindings(), self.page.document.handle);
        let mut bytes = vec![0_u8; MAX_URI];
        let length = c_ulong::try_from(bytes.len()).ok()?;
        // SAFETY: the page of the link is open; the buffer has the given length.
        let length = unsafe {
            let action = bindings.FPDFLink_GetAction(self.handle);
            bindings.FPDFAction_GetURIPath(document, action, bytes.as_mut_ptr().cast(), length)
        };
        let length = usize::try_from(length).ok()?.checked_sub(1)?;
        let has_room = length < bytes.len();
        *is_cut |= !has_room;
        let address = bytes.get(..length).filter(|_| has_room)?;
        Some(String::from_utf8_lossy(address).into_owned())
    }

    fn rectangles(&self, is_cut: &mut bool) -> Vec<[f32; 4]> {
        // SAFETY: the page of the link is open.
        let parts = unsafe { self.page.bindings().FPDFLink_CountQuadPoints(self.handle) };
        *is_cut |= parts > MAX_RECTANGLES;
        let parts: Vec<_> = (0..parts.min(MAX_RECTANGLES))
            .filter_map(|part| self.rectangle(part))
            .collect();
        match parts.is_empty() {
            false => parts,
            true => vec![self.bounding_rectangle()],
        }
    }

    fn rectangle(&self, index: i32) -> Option<[f32; 4]> {
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
        let bindings = self.page.bindings();
        // SAFETY: the page of the link is open, and the points are local variables.
        let known = unsafe { bindings.FPDFLink_GetQuadPoints(self.handle, index, &raw mut quad) };
        let (x, y) = (
            [quad.x1, quad.x2, quad.x3, quad.x4],
            [quad.y1, quad.y2, quad.y3, quad.y4],
        );
        let least = |all: [f32; 4]| all.into_iter().fold(f32::INFINITY, f32::min);
        let most = |all: [f32; 4]| all.into_iter().fold(f32::NEG_INFINITY, f32::max);
        (known != 0).then(|| [least(x), least(y), most(x), most(y)])
    }

    fn bounding_rectangle(&self) -> [f32; 4] {
        let mut rect = empty_rect();
        // SAFETY: the page of the link is open, and the rectangle is a local variable.
        unsafe {
            self.page
                .bindings()
                .FPDFLink_GetAnnotRect(self.handle, &raw mut rect)
        };
        [rect.left, rect.bottom, rect.right, rect.top]
    }
}
