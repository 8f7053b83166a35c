//! Writes a PDF with the pages of both versions side by side: the earlier one on the left, the later one on the right. Deleted
//! text is marked in red, inserted text in green, and areas that look different have an orange frame.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};
use task::comparison::{Area, ChangedText, Comparison, PagePair};
use task::{AttachmentFile, Inspection, Task, TaskError, TaskResult};

use crate::objects::{inherited, member};
use crate::patch::{self, Patch};
use crate::qpdf::{QpdfDocument, QpdfJob};
use crate::{flatten, merge};

/// Distance between the two pages in points.
const GAP: f32 = 12.0;
/// Opacity of the marks.
const OPACITY: f32 = 0.3;
/// Color of deleted text, of inserted text, and of frames: red, green and blue.
const DELETED: &str = "1 0 0 rg";
const INSERTED: &str = "0 1 0 rg";
const FRAME: &str = "1 0.5 0 RG 0.75 w";
/// Color of the place of a missing page.
const MISSING: &str = "0.9 g";
/// The size of pages without a media box: US Letter.
const LETTER: [f32; 4] = [0.0, 0.0, 612.0, 792.0];

/// Writes [`Task::output`].
pub(super) fn write(
    task: &Task,
    inspection: &Inspection,
    comparison: &Comparison,
) -> TaskResult<()> {
    let plain = both(task, inspection)?;
    let document = patch::skeleton(&plain)?;
    let mut writer = Writer {
        directory: &task.directory,
        plain: QpdfDocument::open(&plain)?,
        patch: Patch::of(&document),
        pages: document.get_pages().into_values().collect(),
        document: &document,
        forms: HashMap::new(),
    };
    let first_before = usize::try_from(comparison.pages_after).unwrap_or(usize::MAX);
    let (tree, state) = (writer.patch.new_id(), writer.patch.new_id());
    let opacity = dictionary! { "CA" => OPACITY, "ca" => OPACITY };
    writer.patch.set(state, &opacity.into());
    let mut kids: Vec<Object> = Vec::new();
    for pair in &comparison.pages {
        let index = |number: Option<u32>| Some(usize::try_from(number?).ok()? - 1);
        let before = index(pair.before).map(|index| writer.form(index + first_before));
        let after = index(pair.after).map(|index| writer.form(index));
        let mut page = writer.page(pair, (before.transpose()?, after.transpose()?), state)?;
        page.set("Parent", tree);
        kids.push(writer.patch.add(&page.into()).into());
    }
    let count = i64::try_from(kids.len()).unwrap_or(i64::MAX);
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    writer.patch.set(tree, &pages.into());
    let mut catalog = dictionary! { "Type" => "Catalog", "Pages" => tree };
    // Without it, hidden layers would be visible.
    let layers = document.catalog().and_then(|own| own.get(b"OCProperties"));
    if let Ok(layers) = layers {
        catalog.set("OCProperties", layers.clone());
    }
    let root = document.trailer.get(b"Root").and_then(Object::as_reference);
    let root = root.map_err(|_| TaskError::input_corrupt())?;
    writer.patch.set(root, &catalog.into());
    let job = writer.patch.job(&plain, &task.directory.join("patch"))?;
    job.option("--object-streams=generate")
        .unencrypted()
        .write(&task.output())
}

/// Writes a document with the pages of the later and then of the earlier version, upright, with annotations as content.
fn both(task: &Task, inspection: &Inspection) -> TaskResult<std::path::PathBuf> {
    let directory = task.directory.join("both");
    std::fs::create_dir(&directory)?;
    let attachments = task.attachment_tasks().map(|attached| AttachmentFile {
        path: attached.readable(),
        format: attached.from,
    });
    let mut both = Task {
        source: task.readable(),
        attachments: attachments.collect(),
        directory: directory.clone(),
        ..task.clone()
    };
    both.limits.pages = u32::MAX;
    merge::run(&both, inspection)?;
    let [flat, upright, plain] =
        ["flat.pdf", "upright.pdf", "plain.pdf"].map(|name| directory.join(name));
    flatten::write(&both.output(), &directory, &flat)?;
    // In one job, qpdf would join the contents before it adds those that turn the page.
    QpdfJob::read(&flat)
        .option("--flatten-rotation")
        .unencrypted()
        .write(&upright)?;
    QpdfJob::read(&upright)
        .options(&["--coalesce-contents", "--object-streams=disable"])
        .unencrypted()
        .write(&plain)?;
    Ok(plain)
}

/// The content of a page as a form XObject.
#[derive(Clone, Copy)]
struct Form {
    id: Option<ObjectId>,
    /// Left, lower, right and upper edge of the displayed area, in points.
    bounds: [f32; 4],
}

impl Form {
    fn width(&self) -> f32 {
        let [left, _, right, _] = self.bounds;
        right - left
    }

    fn height(&self) -> f32 {
        let [_, bottom, _, top] = self.bounds;
        top - bottom
    }
}

struct Writer<'a> {
    directory: &'a Path,
    plain: QpdfDocument,
    document: &'a Document,
    pages: Vec<ObjectId>,
    patch: Patch,
    /// Dictionaries of the content streams that became forms.
    forms: HashMap<ObjectId, Dictionary>,
}

impl Writer<'_> {
    /// Turns the content of a page into a form XObject.
    fn form(&mut self, index: usize) -> TaskResult<Form> {
        let corrupt = TaskError::input_corrupt;
        let page = self.pages.get(index).ok_or_else(corrupt)?;
        let page = self.document.get_dictionary(*page).map_err(|_| corrupt())?;
        let bounds = displayed(self.document, page);
        let Some((content, stream)) = content(self.document, page) else {
            return Ok(Form { id: None, bounds });
        };
        let mut dict = stream.clone();
        let resources = inherited(self.document, page, b"Resources").cloned();
        let mut group = dictionary! { "Type" => "Group", "S" => "Transparency" };
        if let Some(space) = member(self.document, page, b"Group").and_then(|it| it.get(b"CS").ok())
        {
            group.set("CS", space.clone());
        }
        dict.extend(&dictionary! {
            "Type" => "XObject",
            "Subtype" => "Form",
            "BBox" => bounds.map(Object::from).to_vec(),
            "Resources" => resources.unwrap_or_else(|| Dictionary::new().into()),
            "Group" => group,
        });
        let id = match self.forms.get(&content) {
            None => {
                self.patch.set_stream_dictionary(content, &dict);
                self.forms.insert(content, dict);
                content
            }
            Some(known) if *known == dict => content,
            // Pages with the same content and other resources.
            Some(_) => {
                let id = self.patch.new_id();
                let file = self.directory.join(format!("shared-{}", id.0));
                let is_whole = self.plain.copy_stream(content, &mut File::create(&file)?)?;
                if !is_whole {
                    return Err(corrupt());
                }
                self.patch.set_stream(id, &dict, &file);
                id
            }
        };
        Ok(Form {
            id: Some(id),
            bounds,
        })
    }

    /// A page with both versions and their marks. A missing page has the size of the other one.
    fn page(
        &mut self,
        pair: &PagePair,
        (before, after): (Option<Form>, Option<Form>),
        state: ObjectId,
    ) -> TaskResult<Dictionary> {
        let any = before.or(after).ok_or_else(TaskError::input_corrupt)?;
        let (left, right) = (before.unwrap_or(any), after.unwrap_or(any));
        let height = left.height().max(right.height());
        let offset = left.width() + GAP;
        let mut content = String::new();
        let mut forms = Dictionary::new();
        let mut layers = [
            (before, left, 0.0, "L", DELETED, &pair.deleted),
            (after, right, offset, "R", INSERTED, &pair.inserted),
        ];
        for (form, place, x, name, color, texts) in &mut layers {
            match form {
                Some(form) => {
                    let [left, _, _, top] = form.bounds;
                    if let Some(id) = form.id {
                        forms.set(*name, id);
                        let (right, up) = (*x - left, height - top);
                        write!(content, "q 1 0 0 1 {right} {up} cm /{name} Do Q ").ok();
                    }
                    content.push_str(&marks(texts, &pair.regions, color, (*x, height)));
                }
                None => {
                    let (wide, high) = (place.width(), place.height());
                    let bottom = height - high;
                    write!(content, "q {MISSING} {x} {bottom} {wide} {high} re f Q ").ok();
                }
            }
        }
        let stream = self.patch.new_id();
        let file = self.directory.join(format!("page-{}", stream.0));
        std::fs::write(&file, content)?;
        self.patch.set_stream(stream, &Dictionary::new(), &file);
        let width = offset + right.width();
        Ok(dictionary! {
            "Type" => "Page",
            "MediaBox" => vec![0.into(), 0.into(), width.into(), height.into()],
            "Contents" => stream,
            "Resources" => dictionary! {
                "XObject" => forms,
                "ExtGState" => dictionary! { "M" => state },
            },
        })
    }
}

/// Operators that mark changes of a page whose upper left corner is at this point.
fn marks(texts: &[ChangedText], regions: &[Area], color: &str, (x, y): (f32, f32)) -> String {
    let rectangle = |area: &Area| {
        let (width, height) = (area.right - area.left, area.bottom - area.top);
        format!("{} {} {width} {height} re ", x + area.left, y - area.bottom)
    };
    let words: String = texts
        .iter()
        .flat_map(|text| text.areas.iter().map(rectangle))
        .collect();
    let frames: String = regions.iter().map(rectangle).collect();
    let mut operators = String::new();
    if !words.is_empty() {
        write!(operators, "q /M gs {color} {words} f Q ").ok();
    }
    if !frames.is_empty() {
        write!(operators, "q {FRAME} {frames} S Q ").ok();
    }
    operators
}

/// The content stream of a page whose contents are joined, and its dictionary.
fn content<'d>(document: &'d Document, page: &Dictionary) -> Option<(ObjectId, &'d Dictionary)> {
    let contents = page.get(b"Contents").ok()?;
    let contents = match document.dereference(contents).ok()? {
        (_, Object::Array(contents)) => contents.first()?,
        _ => contents,
    };
    let id = contents.as_reference().ok()?;
    Some((id, &document.get_object(id).ok()?.as_stream().ok()?.dict))
}

/// The area of a page that readers display: its crop box within its media box [ISO 32000-1, 14.11.2].
fn displayed(document: &Document, page: &Dictionary) -> [f32; 4] {
    let bounds = |key: &[u8]| -> Option<[f32; 4]> {
        let numbers = inherited(document, page, key)?.as_array().ok()?.iter();
        let numbers = numbers.map(|it| document.dereference(it).ok()?.1.as_float().ok());
        let numbers: Option<Vec<f32>> = numbers.collect();
        let [a, b, c, d] = <[f32; 4]>::try_from(numbers?).ok()?;
        let bounds = [a.min(c), b.min(d), a.max(c), b.max(d)];
        (bounds[0] < bounds[2] && bounds[1] < bounds[3]).then_some(bounds)
    };
    let media = bounds(b"MediaBox").unwrap_or(LETTER);
    let [left, bottom, right, top] = media;
    let Some([a, b, c, d]) = bounds(b"CropBox") else {
        return media;
    };
    let common = [left.max(a), bottom.max(b), right.min(c), top.min(d)];
    let is_empty = common[0] >= common[2] || common[1] >= common[3];
    if is_empty { media } else { common }
}
