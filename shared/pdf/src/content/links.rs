//! Link areas of a page, in display coordinates.

use layout::LinkArea;

use super::handles::{PageHandle, Target};
use super::transform::PageTransform;

/// Returns the link areas of a page. Each quadrilateral becomes an area.
pub(super) fn of_page(page: &PageHandle<'_>, transform: &PageTransform) -> Vec<LinkArea> {
    let areas = page.areas().areas.iter();
    let parts = areas.flat_map(|(parts, target)| parts.iter().map(move |part| (part, target)));
    let parts = parts.map(|(part, target)| LinkArea {
        bounds: transform.rect(part.map(f64::from)),
        target: uri(target),
    });
    parts.collect()
}

fn uri(target: &Target) -> String {
    match target {
        Target::Uri(address) => address.clone(),
        Target::Page(number) => format!("#page={number}"),
    }
}
