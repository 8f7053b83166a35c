//! Finds the largest displayed size of each image of a PDF, by following the content of pages, forms, patterns and
//! annotations.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use pdf::objects::{self, is_a, member, resource};
use pdf::operators::for_each_operator;
use task::matrix::Matrix;

use super::lazy_document::LazyDocument;

/// Maximum image uses in one content.
const MAX_USES: usize = 20_000;
/// Maximum bytes of content followed.
pub(super) const MAX_CONTENT: usize = 512 * 1024 * 1024;
/// Maximum nesting of forms.
pub(super) const MAX_DEPTH: u32 = 30;

/// Largest displayed width and height of each image, in points.
#[derive(Debug, Default)]
pub(super) struct DisplaySizes {
    displayed: HashMap<ObjectId, (f64, f64)>,
    /// Images also used in Type 3 glyphs, whose displayed size is unknown.
    type3_images: HashSet<ObjectId>,
}

impl DisplaySizes {
    /// Follows the content of all pages; `None` if part of it cannot be parsed or exceeds the limits.
    pub(super) fn of(source: &LazyDocument) -> Option<Self> {
        let mut walk = Walk {
            source,
            forms: HashMap::new(),
            left: MAX_CONTENT,
        };
        let mut sizes = Self {
            type3_images: type3_images(&source.document),
            ..Self::default()
        };
        for page in source.document.get_pages().into_values() {
            sizes.record(&walk.page(page)?);
        }
        Some(sizes)
    }

    /// Returns the largest displayed size of an image; `None` if unknown.
    pub(super) fn displayed(&self, image: ObjectId) -> Option<(f64, f64)> {
        let displayed = self.displayed.get(&image).copied();
        displayed.filter(|_| !self.type3_images.contains(&image))
    }

    fn record(&mut self, uses: &[ImageUse]) {
        for used in uses {
            let (width, height) = used.matrix.extent();
            let largest = self.displayed.entry(used.image).or_default();
            *largest = (largest.0.max(width), largest.1.max(height));
        }
    }
}

/// Returns the images in the resources of Type 3 fonts.
fn type3_images(document: &Document) -> HashSet<ObjectId> {
    let dictionaries = document
        .objects
        .values()
        .filter_map(|object| object.as_dict().ok());
    dictionaries
        .filter(|font| is_a(font, b"Type3"))
        .filter_map(|font| member(document, member(document, font, b"Resources")?, b"XObject"))
        .flat_map(|objects| objects.iter().filter_map(|(_, id)| id.as_reference().ok()))
        .collect()
}

fn numbers<const N: usize>(document: &Document, of: &Dictionary, key: &[u8]) -> Option<[f64; N]> {
    let items = of.get_deref(key, document).ok()?.as_array().ok()?;
    let number = |item| document.dereference(item).ok()?.1.as_float().ok();
    let numbers: Option<Vec<f64>> = items
        .iter()
        .map(|item| number(item).map(f64::from))
        .collect();
    numbers?.try_into().ok()
}

/// An image drawn with a matrix.
#[derive(Clone, Copy, Debug)]
struct ImageUse {
    image: ObjectId,
    matrix: Matrix,
}

struct Walk<'a> {
    source: &'a LazyDocument,
    /// Images drawn by each form, by surrounding resources; empty while the form is being followed.
    forms: HashMap<(ObjectId, Option<*const Dictionary>), Rc<[ImageUse]>>,
    /// Remaining content bytes to follow.
    left: usize,
}

impl<'a> Walk<'a> {
    fn page(&mut self, id: ObjectId) -> Option<Vec<ImageUse>> {
        let document = &self.source.document;
        let page = document.get_dictionary(id).ok()?;
        let content = self.source.content_of_page(id)?;
        let mut uses = self.content(&content, objects::resources(document, page), 0)?;
        uses.extend(self.annotations(page)?);
        let unit = page
            .get_deref(b"UserUnit", document)
            .and_then(Object::as_float);
        let unit = f64::from(unit.unwrap_or(1.0));
        for used in &mut uses {
            used.matrix = used.matrix.then(Matrix::scale(unit, unit));
        }
        Some(uses)
    }

    /// Returns the images that a content draws.
    fn content(
        &mut self,
        content: &[u8],
        resources: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<Vec<ImageUse>> {
        self.left = self.left.checked_sub(content.len())?;
        let mut uses = Vec::new();
        let mut matrices = vec![Matrix::IDENTITY];
        for_each_operator(content, |operator, operands| {
            let matrix = matrices.last().copied().unwrap_or(Matrix::IDENTITY);
            match operator {
                b"q" => matrices.push(matrix),
                b"Q" if matrices.len() > 1 => {
                    matrices.pop();
                }
                b"cm" => {
                    let change = Matrix(operands.numbers.as_slice().try_into().ok()?);
                    if let Some(last) = matrices.last_mut() {
                        *last = change.then(matrix);
                    }
                }
                b"Do" => {
                    let name = operands.name.as_ref()?;
                    self.require_resource(resources, b"XObject", name)?;
                    if let Some((id, object)) =
                        resource(&self.source.document, resources, b"XObject", name)
                    {
                        self.object((id, object), (resources, matrix), depth, &mut uses)?;
                    }
                }
                b"gs" => {
                    let name = operands.name.as_ref()?;
                    self.require_resource(resources, b"ExtGState", name)?;
                    if let Some((id, group)) = self.soft_mask(resources, name) {
                        self.object((id, group), (resources, matrix), depth, &mut uses)?;
                    }
                }
                _ => {}
            }
            (uses.len() <= MAX_USES && matrices.len() <= MAX_USES).then_some(())
        })?;
        self.patterns(resources, depth, &mut uses)?;
        Some(uses)
    }

    /// Returns `None` for a missing resource, because readers may look it up in the resources of the page.
    fn require_resource(
        &self,
        resources: Option<&'a Dictionary>,
        kind: &[u8],
        name: &[u8],
    ) -> Option<()> {
        let among = member(&self.source.document, resources?, kind)?;
        among.has(name).then_some(())
    }

    /// Returns the transparency group of a soft mask.
    fn soft_mask(
        &self,
        resources: Option<&'a Dictionary>,
        name: &[u8],
    ) -> Option<(ObjectId, &'a Stream)> {
        let document = &self.source.document;
        let states = member(document, resources?, b"ExtGState")?;
        let mask = member(document, member(document, states, name)?, b"SMask")?;
        let id = mask.get(b"G").ok()?.as_reference().ok()?;
        Some((id, document.get_object(id).ok()?.as_stream().ok()?))
    }

    /// Adds an image with its masks, or the images of a form.
    fn object(
        &mut self,
        (id, object): (ObjectId, &'a Stream),
        (resources, matrix): (Option<&'a Dictionary>, Matrix),
        depth: u32,
        uses: &mut Vec<ImageUse>,
    ) -> Option<()> {
        if is_a(&object.dict, b"Image") {
            let masks = [b"SMask" as &[u8], b"Mask"].into_iter();
            let masks = masks.filter_map(|key| object.dict.get(key).ok()?.as_reference().ok());
            uses.extend(masks.chain([id]).map(|image| ImageUse { image, matrix }));
            return Some(());
        }
        let drawn = self.form((id, object), resources, depth + 1)?;
        let transformed = |used: &ImageUse| ImageUse {
            matrix: used.matrix.then(matrix),
            ..*used
        };
        uses.extend(drawn.iter().map(transformed));
        (uses.len() <= MAX_USES).then_some(())
    }

    fn form(
        &mut self,
        (id, form): (ObjectId, &'a Stream),
        around: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<Rc<[ImageUse]>> {
        let document = &self.source.document;
        let own = member(document, &form.dict, b"Resources");
        let resources = own.or(around);
        let key = (id, resources.map(std::ptr::from_ref));
        if let Some(known) = self.forms.get(&key) {
            return Some(Rc::clone(known));
        }
        if depth > MAX_DEPTH || self.forms.len() > MAX_USES {
            return None;
        }
        self.forms.insert(key, Rc::new([]));
        let content = self.source.decoded(form)?;
        let mut uses = self.content(&content, resources, depth)?;
        let matrix = numbers(document, &form.dict, b"Matrix").map_or(Matrix::IDENTITY, Matrix);
        for used in &mut uses {
            used.matrix = used.matrix.then(matrix);
        }
        let uses: Rc<[ImageUse]> = uses.into();
        self.forms.insert(key, Rc::clone(&uses));
        Some(uses)
    }

    /// Adds the images of all patterns in the resources, whether used or not.
    fn patterns(
        &mut self,
        resources: Option<&'a Dictionary>,
        depth: u32,
        uses: &mut Vec<ImageUse>,
    ) -> Option<()> {
        let document = &self.source.document;
        let patterns = resources.and_then(|resources| member(document, resources, b"Pattern"));
        for (name, _) in patterns.into_iter().flatten() {
            if let Some(pattern) = resource(&self.source.document, resources, b"Pattern", name) {
                uses.extend(self.form(pattern, resources, depth + 1)?.iter());
            }
            if uses.len() > MAX_USES {
                return None;
            }
        }
        Some(())
    }

    /// Returns the images in the appearances of all annotations, in all states.
    fn annotations(&mut self, page: &'a Dictionary) -> Option<Vec<ImageUse>> {
        let document = &self.source.document;
        let mut uses = Vec::new();
        let annotations = page
            .get_deref(b"Annots", document)
            .and_then(Object::as_array);
        for annotation in annotations.into_iter().flatten() {
            let annotation = document.dereference(annotation).ok();
            let Some(annotation) = annotation.and_then(|(_, object)| object.as_dict().ok()) else {
                continue;
            };
            for (id, form) in appearances(document, annotation) {
                let scale = appearance_scale(document, annotation, &form.dict);
                let drawn = self.form((id, form), None, 1)?;
                uses.extend(drawn.iter().map(|used| ImageUse {
                    matrix: used.matrix.then(scale),
                    ..*used
                }));
                if uses.len() > MAX_USES {
                    return None;
                }
            }
        }
        Some(uses)
    }
}

pub(super) fn appearances<'a>(
    document: &'a Document,
    annotation: &'a Dictionary,
) -> Vec<(ObjectId, &'a Stream)> {
    let mut found = Vec::new();
    let appearance = member(document, annotation, b"AP");
    let states = appearance.into_iter().flatten().map(|(_, state)| state);
    for state in states {
        let streams: Vec<&Object> = match document.dereference(state) {
            Ok((_, Object::Dictionary(states))) => states.iter().map(|(_, state)| state).collect(),
            _ => vec![state],
        };
        found.extend(streams.into_iter().filter_map(|stream| {
            let id = stream.as_reference().ok()?;
            Some((id, document.get_object(id).ok()?.as_stream().ok()?))
        }));
    }
    found
}

/// Returns the scale that fits an appearance to its annotation [ISO 32000-1, 12.5.5].
fn appearance_scale(document: &Document, annotation: &Dictionary, form: &Dictionary) -> Matrix {
    let sides = |of: &Dictionary, key: &[u8]| {
        let [left, bottom, right, top] = numbers(document, of, key)?;
        Some(((right - left).abs(), (top - bottom).abs()))
    };
    let matrix = numbers(document, form, b"Matrix").map_or(Matrix::IDENTITY, Matrix);
    let (Some((width, height)), Some((across, down))) =
        (sides(annotation, b"Rect"), sides(form, b"BBox"))
    else {
        return Matrix::IDENTITY;
    };
    let [a, b, c, d, ..] = matrix.0;
    let (drawn_width, drawn_height) = (
        (a * across).abs() + (c * down).abs(),
        (b * across).abs() + (d * down).abs(),
    );
    let by = |displayed: f64, drawn: f64| if drawn > 0.0 { displayed / drawn } else { 1.0 };
    Matrix::scale(by(width, drawn_width), by(height, drawn_height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_concatenate() {
        let half = Matrix::scale(0.5, 0.25);
        let turned = Matrix([0.0, 2.0, -2.0, 0.0, 10.0, 10.0]);
        assert_eq!(half.then(turned).extent(), (1.0, 0.5));
        assert_eq!(Matrix::IDENTITY.then(turned), turned);
    }
}
