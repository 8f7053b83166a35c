//! Display size and visible area of a page [ISO 32000-1, 14.11.2].

use lopdf::{Dictionary, Document, Object};

use crate::objects::inherited;

/// A page as displayed after rotation, in points. The origin is the lower left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DisplayedPage {
    /// Width of the overlay page.
    pub(super) width: f32,
    /// Height of the overlay page.
    pub(super) height: f32,
    /// The visible area.
    pub(super) seen: Area,
    /// Matrix from overlay coordinates to the user space of the page: `[a b c d e f]`.
    pub(super) placement: [f32; 6],
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    /// The left edge.
    pub(super) left: f32,
    /// The lower edge.
    pub(super) bottom: f32,
    /// The right edge.
    pub(super) right: f32,
    /// The upper edge.
    pub(super) top: f32,
}

impl Area {
    /// Width.
    pub(super) fn width(self) -> f32 {
        self.right - self.left
    }

    /// Height.
    pub(super) fn height(self) -> f32 {
        self.top - self.bottom
    }

    /// Center.
    pub(super) fn center(self) -> (f32, f32) {
        let half = |a: f32, b: f32| f32::midpoint(a, b);
        (half(self.left, self.right), half(self.bottom, self.top))
    }

    /// Intersection; `None` if they do not overlap.
    fn intersection(self, other: Self) -> Option<Self> {
        let common = Self {
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.min(other.right),
            top: self.top.min(other.top),
        };
        (common.width() > 0.0 && common.height() > 0.0).then_some(common)
    }

    fn of(object: &Object, document: &Document) -> Option<Self> {
        let numbers = object.as_array().ok()?.iter().map(|number| {
            let (_, number) = document.dereference(number).ok()?;
            number.as_float().ok()
        });
        let numbers: Vec<f32> = numbers.collect::<Option<_>>()?;
        let [a, b, c, d] = numbers.as_slice() else {
            return None;
        };
        let area = Self {
            left: a.min(*c),
            bottom: b.min(*d),
            right: a.max(*c),
            top: b.max(*d),
        };
        (area.width() > 0.0 && area.height() > 0.0).then_some(area)
    }
}

/// Default media box of readers.
const US_LETTER: Area = Area {
    left: 0.0,
    bottom: 0.0,
    right: 612.0,
    top: 792.0,
};

impl DisplayedPage {
    /// Returns all pages of a document.
    pub(super) fn all(document: &Document) -> Vec<Self> {
        let pages = document.get_pages().into_values();
        let pages = pages.filter_map(|page| document.get_dictionary(page).ok());
        pages.map(|page| Self::of(document, page)).collect()
    }

    /// Returns a page with the size of its trim box, which defaults to the crop box.
    pub(super) fn of(document: &Document, page: &Dictionary) -> Self {
        let inherited = |key: &[u8]| Area::of(inherited(document, page, key)?, document);
        let own = |key: &[u8]| Area::of(page.get_deref(key, document).ok()?, document);
        let media = inherited(b"MediaBox").unwrap_or(US_LETTER);
        let crop = inherited(b"CropBox").unwrap_or(media);
        let trim = own(b"TrimBox").unwrap_or(crop);
        let visible = crop.intersection(media).unwrap_or(crop);
        let seen = visible.intersection(trim).unwrap_or(trim);
        let unit = page
            .get_deref(b"UserUnit", document)
            .and_then(Object::as_float);
        Self::rotated(trim, seen, unit.unwrap_or(1.0), rotation(document, page))
    }

    fn rotated(trim: Area, seen: Area, unit: f32, rotation: i64) -> Self {
        let (width, height) = (trim.width(), trim.height());
        let place = |x: f32, y: f32| {
            let (x, y) = (x - trim.left, y - trim.bottom);
            match rotation {
                90 => (y, width - x),
                180 => (width - x, height - y),
                270 => (height - y, x),
                _ => (x, y),
            }
        };
        let (left, bottom, one) = (trim.left, trim.bottom, 1.0 / unit);
        let placement = match rotation {
            90 => [0.0, one, -one, 0.0, left + width, bottom],
            180 => [-one, 0.0, 0.0, -one, left + width, bottom + height],
            270 => [0.0, -one, one, 0.0, left, bottom + height],
            _ => [one, 0.0, 0.0, one, left, bottom],
        };
        let (a, b) = (place(seen.left, seen.bottom), place(seen.right, seen.top));
        let (width, height) = match rotation {
            90 | 270 => (height, width),
            _ => (width, height),
        };
        Self {
            width: width * unit,
            height: height * unit,
            placement,
            seen: Area {
                left: a.0.min(b.0) * unit,
                bottom: a.1.min(b.1) * unit,
                right: a.0.max(b.0) * unit,
                top: a.1.max(b.1) * unit,
            },
        }
    }
}

/// Returns the clockwise rotation of a page: 0, 90, 180 or 270.
fn rotation(document: &Document, page: &Dictionary) -> i64 {
    let rotation = inherited(document, page, b"Rotate").and_then(|rotation| rotation.as_i64().ok());
    rotation.unwrap_or(0).rem_euclid(360)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(left: f32, bottom: f32, right: f32, top: f32) -> Area {
        Area {
            left,
            bottom,
            right,
            top,
        }
    }

    #[test]
    fn a_rotated_page_is_displayed_upright() {
        let (trim, seen) = (
            area(10.0, 10.0, 110.0, 210.0),
            area(10.0, 60.0, 110.0, 210.0),
        );
        for (rotation, sides, expected) in [
            (0, (100.0, 200.0), area(0.0, 50.0, 100.0, 200.0)),
            (90, (200.0, 100.0), area(50.0, 0.0, 200.0, 100.0)),
            (180, (100.0, 200.0), area(0.0, 0.0, 100.0, 150.0)),
            (270, (200.0, 100.0), area(0.0, 0.0, 150.0, 100.0)),
        ] {
            let page = DisplayedPage::rotated(trim, seen, 1.0, rotation);
            assert_eq!((page.width, page.height), sides, "{rotation}");
            assert_eq!(page.seen, expected, "{rotation}");
        }
        assert_eq!(DisplayedPage::rotated(trim, seen, 2.0, 0).width, 200.0);
    }
}
