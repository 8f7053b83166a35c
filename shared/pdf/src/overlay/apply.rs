//! Draws the pages of one document over pages of another. qpdf's `--overlay` is not used, because it moves the content of pages
//! whose crop box is not centered in the media box, and breaks the tags of the text.

use std::collections::HashMap;
use std::path::Path;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};
use task::{Task, TaskError, TaskResult};

use super::page::DisplayedPage;
use crate::objects::inherited;
use crate::patch::Patch;
use crate::qpdf::QpdfJob;

/// Writes the output: the document `plain`, with one page of `overlay` over each of these pages.
pub(super) fn draw_over(
    task: &Task,
    (plain, overlay): (&Path, &Path),
    pages: &[u32],
) -> TaskResult<()> {
    let both = task.directory.join("both");
    QpdfJob::read(plain)
        .options(&["--pages", ".", "1-z"])
        .value(overlay)
        .options(&["1-z", "--", "--object-streams=disable"])
        .unencrypted()
        .write(&both)?;
    let document = Document::load(&both).map_err(|_| TaskError::input_corrupt())?;
    let all: Vec<ObjectId> = document.get_pages().into_values().collect();
    let count = all
        .len()
        .checked_sub(pages.len())
        .ok_or_else(TaskError::input_corrupt)?;
    let mut layer = OverlayWriter {
        task,
        document: &document,
        patch: Patch::of(&document),
        streams: HashMap::new(),
    };
    for (page, mark) in pages.iter().zip(all.iter().skip(count)) {
        let page = all
            .get(*page as usize - 1)
            .ok_or_else(TaskError::input_corrupt)?;
        layer.apply(*page, *mark)?;
    }
    let job = layer.patch.job(&both, &task.directory.join("patch"))?;
    let kept = format!("1-{count}");
    job.options(&["--pages", ".", &kept, "--", "--object-streams=generate"])
        .unencrypted()
        .write(&task.output())
        .map(|_| ())
}

struct OverlayWriter<'a> {
    task: &'a Task,
    document: &'a Document,
    patch: Patch,
    /// Content streams that were added already, by content.
    streams: HashMap<String, ObjectId>,
}

impl OverlayWriter<'_> {
    fn apply(&mut self, page: ObjectId, mark: ObjectId) -> TaskResult<()> {
        let corrupt = |_| TaskError::input_corrupt();
        let document = self.document;
        let dictionary = document.get_dictionary(page).map_err(corrupt)?;
        let form = self.form(document.get_dictionary(mark).map_err(corrupt)?)?;
        let displayed = DisplayedPage::of(document, dictionary);
        let resources = inherited(document, dictionary, b"Resources");
        let resources = resources.and_then(|resources| resources.as_dict().ok());
        let mut resources = resources.cloned().unwrap_or_default();
        let forms = resources.get_deref(b"XObject", document);
        let mut forms = forms.and_then(Object::as_dict).cloned().unwrap_or_default();
        let name = free_name(&forms);
        forms.set(name.as_str(), form);
        resources.set("XObject", forms);
        let placement = displayed
            .placement
            .map(|number| number.to_string())
            .join(" ");
        let closing = "Q ".repeat(1 + self.unbalanced_saves(page));
        let mut contents = vec![Object::from(self.stream("q\n".to_owned())?)];
        contents.extend(own_contents(document, dictionary));
        let end = format!("\n{closing}q {placement} cm /{name} Do Q\n");
        contents.push(self.stream(end)?.into());
        let mut overlaid = dictionary.clone();
        overlaid.set("Resources", resources);
        overlaid.set("Contents", contents);
        self.patch.set(page, &overlaid.into());
        Ok(())
    }

    /// Turns the content of an overlay page into a form XObject.
    fn form(&mut self, page: &Dictionary) -> TaskResult<ObjectId> {
        let contents = own_contents(self.document, page);
        let content = contents
            .first()
            .and_then(|content| content.as_reference().ok());
        let content = content.ok_or_else(TaskError::input_corrupt)?;
        let stream = self
            .document
            .get_object(content)
            .and_then(Object::as_stream);
        let mut dict = stream.map_err(|_| TaskError::input_corrupt())?.dict.clone();
        let member = |key: &[u8]| inherited(self.document, page, key).cloned();
        dict.extend(&dictionary! {
            "Type" => "XObject",
            "Subtype" => "Form",
            "BBox" => member(b"MediaBox").ok_or_else(TaskError::input_corrupt)?,
            "Resources" => member(b"Resources").unwrap_or_else(|| Dictionary::new().into()),
        });
        self.patch.set_stream_dictionary(content, &dict);
        Ok(content)
    }

    /// Number of unbalanced `q` operators of a page, whose graphics state would affect the overlay.
    fn unbalanced_saves(&self, page: ObjectId) -> usize {
        const MAX_SAVES: usize = 64;
        let content = self.document.get_page_content(page);
        let operations = Content::decode(&content).map(|content| content.operations);
        let operations = operations.unwrap_or_default();
        let open = operations.iter().fold(0_usize, |open, operation| {
            match operation.operator.as_str() {
                "q" => open + 1,
                "Q" => open.saturating_sub(1),
                _ => open,
            }
        });
        open.min(MAX_SAVES)
    }

    fn stream(&mut self, content: String) -> TaskResult<ObjectId> {
        if let Some(known) = self.streams.get(&content) {
            return Ok(*known);
        }
        let id = self.patch.new_id();
        let file = self.task.directory.join(format!("content-{}", id.0));
        std::fs::write(&file, &content)?;
        self.patch.set_stream(id, &Dictionary::new(), &file);
        self.streams.insert(content, id);
        Ok(id)
    }
}

/// Returns the content streams of a page.
fn own_contents(document: &Document, page: &Dictionary) -> Vec<Object> {
    match page.get(b"Contents") {
        Ok(Object::Array(contents)) => contents.clone(),
        Ok(Object::Reference(id)) => match document.get_object(*id) {
            Ok(Object::Array(contents)) => contents.clone(),
            Ok(Object::Stream(_)) => vec![Object::Reference(*id)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn free_name(taken: &Dictionary) -> String {
    let names = (0..).map(|number| format!("Mark{number}"));
    let mut free = names.filter(|name| !taken.has(name.as_bytes()));
    free.next().unwrap_or_default()
}
