//! How large the pictures of a PDF are shown: the content of pages, forms, patterns and annotations is followed, and the
//! largest use of a picture counts.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use pdf::objects::{self, is_a, member, resource};
use task::matrix::Matrix;

use super::content::operators;
use super::plain::Plain;

/// Most uses of pictures in one content.
const USES: usize = 20_000;
/// Most bytes of content that are followed.
pub(super) const CONTENT: usize = 512 * 1024 * 1024;
/// Deepest nesting of forms.
pub(super) const DEPTH: u32 = 30;

/// How large pictures are shown at most, in points across and down.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    shown: HashMap<ObjectId, (f64, f64)>,
    /// Pictures that are letters of fonts, too.
    letters: HashSet<ObjectId>,
}

impl Sizes {
    /// Follows the whole document; `None` where a part of it cannot be followed, so that nothing is known.
    pub(super) fn of(plain: &Plain) -> Option<Self> {
        let mut walk = Walk {
            plain,
            forms: HashMap::new(),
            left: CONTENT,
        };
        let mut sizes = Self {
            letters: letters(&plain.document),
            ..Self::default()
        };
        for page in plain.document.get_pages().into_values() {
            sizes.note(&walk.page(page)?);
        }
        Some(sizes)
    }

    /// How large a picture is shown; `None` if that is not known.
    pub(super) fn shown(&self, picture: ObjectId) -> Option<(f64, f64)> {
        let shown = self.shown.get(&picture).copied();
        shown.filter(|_| !self.letters.contains(&picture))
    }

    fn note(&mut self, uses: &[Use]) {
        for used in uses {
            let (width, height) = used.matrix.extent();
            let largest = self.shown.entry(used.picture).or_default();
            *largest = (largest.0.max(width), largest.1.max(height));
        }
    }
}

/// Pictures among the resources of fonts whose letters are drawn.
fn letters(document: &Document) -> HashSet<ObjectId> {
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

/// A picture that is drawn.
#[derive(Clone, Copy, Debug)]
struct Use {
    picture: ObjectId,
    matrix: Matrix,
}

struct Walk<'a> {
    plain: &'a Plain,
    /// What forms draw, with these resources around those that have none; nothing while they are followed themselves.
    forms: HashMap<(ObjectId, Option<*const Dictionary>), Rc<[Use]>>,
    /// Bytes of content that may be followed yet.
    left: usize,
}

impl<'a> Walk<'a> {
    fn page(&mut self, id: ObjectId) -> Option<Vec<Use>> {
        let document = &self.plain.document;
        let page = document.get_dictionary(id).ok()?;
        let content = self.plain.content_of_page(id)?;
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

    /// What a content draws.
    fn content(
        &mut self,
        content: &[u8],
        resources: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<Vec<Use>> {
        self.left = self.left.checked_sub(content.len())?;
        let mut uses = Vec::new();
        let mut matrices = vec![Matrix::SAME];
        operators(content, |operator, operands| {
            let matrix = matrices.last().copied().unwrap_or(Matrix::SAME);
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
                    self.is_among(resources, b"XObject", name)?;
                    if let Some((id, object)) =
                        resource(&self.plain.document, resources, b"XObject", name)
                    {
                        self.object((id, object), (resources, matrix), depth, &mut uses)?;
                    }
                }
                b"gs" => {
                    let name = operands.name.as_ref()?;
                    self.is_among(resources, b"ExtGState", name)?;
                    if let Some((id, group)) = self.soft_mask(resources, name) {
                        self.object((id, group), (resources, matrix), depth, &mut uses)?;
                    }
                }
                _ => {}
            }
            (uses.len() <= USES && matrices.len() <= USES).then_some(())
        })?;
        self.patterns(resources, depth, &mut uses)?;
        Some(uses)
    }

    /// `None` for what is not among the resources: readers look for it among those of the page.
    fn is_among(&self, resources: Option<&'a Dictionary>, kind: &[u8], name: &[u8]) -> Option<()> {
        let among = member(&self.plain.document, resources?, kind)?;
        among.has(name).then_some(())
    }

    /// The form by whose light what follows is masked.
    fn soft_mask(
        &self,
        resources: Option<&'a Dictionary>,
        name: &[u8],
    ) -> Option<(ObjectId, &'a Stream)> {
        let document = &self.plain.document;
        let states = member(document, resources?, b"ExtGState")?;
        let mask = member(document, member(document, states, name)?, b"SMask")?;
        let id = mask.get(b"G").ok()?.as_reference().ok()?;
        Some((id, document.get_object(id).ok()?.as_stream().ok()?))
    }

    /// A picture with its masks, or what a form draws.
    fn object(
        &mut self,
        (id, object): (ObjectId, &'a Stream),
        (resources, matrix): (Option<&'a Dictionary>, Matrix),
        depth: u32,
        uses: &mut Vec<Use>,
    ) -> Option<()> {
        if is_a(&object.dict, b"Image") {
            let masks = [b"SMask" as &[u8], b"Mask"].into_iter();
            let masks = masks.filter_map(|key| object.dict.get(key).ok()?.as_reference().ok());
            uses.extend(masks.chain([id]).map(|picture| Use { picture, matrix }));
            return Some(());
        }
        let drawn = self.form((id, object), resources, depth + 1)?;
        let placed = |used: &Use| Use {
            matrix: used.matrix.then(matrix),
            ..*used
        };
        uses.extend(drawn.iter().map(placed));
        (uses.len() <= USES).then_some(())
    }

    fn form(
        &mut self,
        (id, form): (ObjectId, &'a Stream),
        around: Option<&'a Dictionary>,
        depth: u32,
    ) -> Option<Rc<[Use]>> {
        let document = &self.plain.document;
        let own = member(document, &form.dict, b"Resources");
        let resources = own.or(around);
        let key = (id, resources.map(std::ptr::from_ref));
        if let Some(known) = self.forms.get(&key) {
            return Some(Rc::clone(known));
        }
        if depth > DEPTH || self.forms.len() > USES {
            return None;
        }
        self.forms.insert(key, Rc::new([]));
        let content = self.plain.decoded(form)?;
        let mut uses = self.content(&content, resources, depth)?;
        let matrix = numbers(document, &form.dict, b"Matrix").map_or(Matrix::SAME, Matrix);
        for used in &mut uses {
            used.matrix = used.matrix.then(matrix);
        }
        let uses: Rc<[Use]> = uses.into();
        self.forms.insert(key, Rc::clone(&uses));
        Some(uses)
    }

    /// What all patterns among the resources draw, whether they are painted with or not.
    fn patterns(
        &mut self,
        resources: Option<&'a Dictionary>,
        depth: u32,
        uses: &mut Vec<Use>,
    ) -> Option<()> {
        let document = &self.plain.document;
        let patterns = resources.and_then(|resources| member(document, resources, b"Pattern"));
        for (name, _) in patterns.into_iter().flatten() {
            if let Some(pattern) = resource(&self.plain.document, resources, b"Pattern", name) {
                uses.extend(self.form(pattern, resources, depth + 1)?.iter());
            }
            if uses.len() > USES {
                return None;
            }
        }
        Some(())
    }

    /// What the annotations of a page look like, in all of their states.
    fn annotations(&mut self, page: &'a Dictionary) -> Option<Vec<Use>> {
        let document = &self.plain.document;
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
                let scale = fitted(document, annotation, &form.dict);
                let drawn = self.form((id, form), None, 1)?;
                uses.extend(drawn.iter().map(|used| Use {
                    matrix: used.matrix.then(scale),
                    ..*used
                }));
                if uses.len() > USES {
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

/// By how much an appearance is scaled to fit its annotation [ISO 32000-1, 12.5.5].
fn fitted(document: &Document, annotation: &Dictionary, form: &Dictionary) -> Matrix {
    let sides = |of: &Dictionary, key: &[u8]| {
        let [left, bottom, right, top] = numbers(document, of, key)?;
        Some(((right - left).abs(), (top - bottom).abs()))
    };
    let matrix = numbers(document, form, b"Matrix").map_or(Matrix::SAME, Matrix);
    let (Some((width, height)), Some((across, down))) =
        (sides(annotation, b"Rect"), sides(form, b"BBox"))
    else {
        return Matrix::SAME;
    };
    let [a, b, c, d, ..] = matrix.0;
    let (drawn_width, drawn_height) = (
        (a * across).abs() + (c * down).abs(),
        (b * across).abs() + (d * down).abs(),
    );
    let by = |shown: f64, drawn: f64| if drawn > 0.0 { shown / drawn } else { 1.0 };
    Matrix::scale(by(width, drawn_width), by(height, drawn_height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_follow_one_another() {
        let half = Matrix::scale(0.5, 0.25);
        let turned = Matrix([0.0, 2.0, -2.0, 0.0, 10.0, 10.0]);
        assert_eq!(half.then(turned).extent(), (1.0, 0.5));
        assert_eq!(Matrix::SAME.then(turned), turned);
    }
}
