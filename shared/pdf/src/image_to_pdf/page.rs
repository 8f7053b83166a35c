//! A PDF of pages that show one image each. Nothing in it depends on time or chance.

use image::metadata::Orientation;
use imaging::is_sideways;
use lopdf::{Document, Object, ObjectId, Stream, dictionary};

use super::turning;

/// Points an inch.
const POINTS: f32 = 72.0;
/// Longest side of a page in points [ISO 32000-1, annex C].
const LONGEST: f32 = 14_400.0;
/// Shortest side of a page in points [ISO 32000-1, annex C].
const SHORTEST: f32 = 3.0;

/// How large an image is and how it stands.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    /// Width and height as stored.
    pub(super) pixels: (u32, u32),
    /// Pixels an inch, across and down as stored.
    pub(super) density: (f32, f32),
    /// How it has to be turned.
    pub(super) orientation: Orientation,
}

/// The pages so far.
pub(super) struct Pages {
    document: Document,
    tree: ObjectId,
    pages: Vec<Object>,
}

impl Pages {
    /// No page yet.
    pub(super) fn new() -> Self {
        let mut document = Document::with_version("1.7");
        let tree = document.new_object_id();
        Self {
            document,
            tree,
            pages: Vec::new(),
        }
    }

    /// How many pages there are.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Adds an object and returns its reference.
    pub(super) fn object(&mut self, object: impl Into<Object>) -> Object {
        Object::Reference(self.document.add_object(object))
    }

    /// A colour space: of the profile if there is one, else of the device.
    pub(super) fn colour_space(
        &mut self,
        device: &str,
        channels: i64,
        profile: Option<Vec<u8>>,
    ) -> Object {
        let Some(profile) = profile else {
            return Object::from(device);
        };
        let about = dictionary! { "N" => channels, "Alternate" => device };
        let mut stream = Stream::new(about, profile);
        // Left as it is when it does not become smaller.
        stream.compress().ok();
        let stream = self.object(stream);
        Object::Array(vec!["ICCBased".into(), stream])
    }

    /// Adds a page that an image fills.
    pub(super) fn add(&mut self, image: Stream, placement: Placement) {
        let (width, height) = placement.page_sides();
        let [a, b, c, d, e, f] = turning(placement.orientation);
        let matrix = [
            a * width,
            b * height,
            c * width,
            d * height,
            e * width,
            f * height,
        ];
        let matrix = matrix.map(|number| number.to_string()).join(" ");
        let image = self.object(image);
        let content = Stream::new(
            dictionary! {},
            format!("q {matrix} cm /Image Do Q").into_bytes(),
        );
        let content = self.object(content);
        let page = dictionary! {
            "Type" => "Page",
            "Parent" => self.tree,
            "MediaBox" => vec![0.into(), 0.into(), width.into(), height.into()],
            "Resources" => dictionary! { "XObject" => dictionary! { "Image" => image } },
            "Contents" => content,
        };
        let page = self.object(page);
        self.pages.push(page);
    }

    /// The document.
    pub(super) fn finish(mut self) -> Document {
        let count = i64::try_from(self.pages.len()).unwrap_or(i64::MAX);
        let tree = dictionary! { "Type" => "Pages", "Kids" => self.pages, "Count" => count };
        self.document
            .objects
            .insert(self.tree, Object::Dictionary(tree));
        let catalog = dictionary! { "Type" => "Catalog", "Pages" => self.tree };
        let catalog = self.document.add_object(catalog);
        let information = dictionary! { "Producer" => Object::string_literal("Octavo") };
        let information = self.document.add_object(information);
        self.document.trailer.set("Root", catalog);
        self.document.trailer.set("Info", information);
        self.document
    }
}

impl Placement {
    /// Width and height of the upright page in points. An image too large for a page is shown at a higher resolution.
    fn page_sides(self) -> (f32, f32) {
        #[expect(clippy::cast_precision_loss, reason = "at most 20,000 pixels")]
        let side = |pixels: u32, density: f32| pixels as f32 / density * POINTS;
        let (across, down) = (
            side(self.pixels.0, self.density.0),
            side(self.pixels.1, self.density.1),
        );
        let shrink = (LONGEST / across.max(down)).min(1.0);
        let bounded = |side: f32| (side * shrink).max(SHORTEST);
        match is_sideways(self.orientation) {
            true => (bounded(down), bounded(across)),
            false => (bounded(across), bounded(down)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(pixels: (u32, u32), density: f32, orientation: Orientation) -> (f32, f32) {
        Placement {
            pixels,
            density: (density, density),
            orientation,
        }
        .page_sides()
    }

    #[test]
    fn a_page_is_as_large_as_the_resolution_says_within_what_a_page_may_be() {
        let upright = Orientation::NoTransforms;
        assert_eq!(sides((960, 480), 96.0, upright), (720.0, 360.0));
        assert_eq!(
            sides((960, 480), 96.0, Orientation::Rotate90),
            (360.0, 720.0)
        );
        let (across, down) = sides((20_000, 10_000), 72.0, upright);
        assert!((across - 14_400.0).abs() < 0.01 && (down - 7_200.0).abs() < 0.01);
        assert_eq!(sides((1, 1), 96.0, upright), (3.0, 3.0));
    }
}
