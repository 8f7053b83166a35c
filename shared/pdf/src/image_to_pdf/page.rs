//! Writes a PDF of pages with one image each. The output is reproducible.

use image::metadata::Orientation;
use imaging::swaps_dimensions;
use lopdf::{Document, Object, ObjectId, Stream, dictionary};

use super::orientation_matrix;

/// Points per inch.
const POINTS: f32 = 72.0;
/// Maximum side of a page in points [ISO 32000-1, annex C].
const MAX_SIDE: f32 = 14_400.0;
/// Minimum side of a page in points [ISO 32000-1, annex C].
const MIN_SIDE: f32 = 3.0;

/// Size and orientation of an image.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    /// Width and height as stored.
    pub(super) pixels: (u32, u32),
    /// Pixels per inch, horizontal and vertical, as stored.
    pub(super) density: (f32, f32),
    /// The orientation to apply.
    pub(super) orientation: Orientation,
}

/// The pages so far.
pub(super) struct Pages {
    document: Document,
    tree: ObjectId,
    pages: Vec<Object>,
}

impl Pages {
    /// Creates a document without pages.
    pub(super) fn new() -> Self {
        let mut document = Document::with_version("1.7");
        let tree = document.new_object_id();
        Self {
            document,
            tree,
            pages: Vec::new(),
        }
    }

    /// Number of pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Adds an object and returns its reference.
    pub(super) fn object(&mut self, object: impl Into<Object>) -> Object {
        Object::Reference(self.document.add_object(object))
    }

    /// Adds a color space: ICC-based with a profile, otherwise of the device.
    pub(super) fn color_space(
        &mut self,
        device: &str,
        channels: i64,
        profile: Option<Vec<u8>>,
    ) -> Object {
        let Some(profile) = profile else {
            return Object::from(device);
        };
        let dict = dictionary! { "N" => channels, "Alternate" => device };
        let mut stream = Stream::new(dict, profile);
        // Compression fails if it does not reduce the size.
        stream.compress().ok();
        let stream = self.object(stream);
        Object::Array(vec!["ICCBased".into(), stream])
    }

    /// Adds a page that the image fills.
    pub(super) fn add(&mut self, image: Stream, placement: Placement) {
        let (width, height) = placement.page_sides();
        let [a, b, c, d, e, f] = orientation_matrix(placement.orientation);
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

    /// Finishes the document.
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
    /// Returns width and height of the upright page in points.
    fn page_sides(self) -> (f32, f32) {
        #[expect(clippy::cast_precision_loss, reason = "at most 20,000 pixels")]
        let pixels = (self.pixels.0 as f32, self.pixels.1 as f32);
        let (across, down) = page_sides(pixels, self.density);
        match swaps_dimensions(self.orientation) {
            true => (down, across),
            false => (across, down),
        }
    }
}

/// Returns width and height of a page in points. The resolution is raised for an image that would exceed the maximum.
pub(super) fn page_sides(pixels: (f32, f32), density: (f32, f32)) -> (f32, f32) {
    let (across, down) = (pixels.0 / density.0 * POINTS, pixels.1 / density.1 * POINTS);
    let shrink = (MAX_SIDE / across.max(down)).min(1.0);
    let bounded = |side: f32| (side * shrink).max(MIN_SIDE);
    (bounded(across), bounded(down))
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
    fn the_page_size_follows_the_resolution_within_limits() {
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
