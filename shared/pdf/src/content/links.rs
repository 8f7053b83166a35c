//! Areas of a page that lead elsewhere, as they are shown.

use layout::LinkArea;

use super::handles::{Leaf, Target};
use super::place::Place;

/// Those of a page; an area of several parts is as many areas.
pub(super) fn on(leaf: &Leaf<'_>, place: &Place) -> Vec<LinkArea> {
    let areas = leaf.areas().areas.iter();
    let parts = areas.flat_map(|(parts, target)| parts.iter().map(move |part| (part, target)));
    let parts = parts.map(|(part, target)| LinkArea {
        bounds: place.rect(part.map(f64::from)),
        target: written(target),
    });
    parts.collect()
}

fn written(target: &Target) -> String {
    match target {
        Target::Address(address) => address.clone(),
        Target::Page(number) => format!("#page={number}"),
    }
}
