//! Lays the pages of one document over pages of another. (libqpdf can do that itself, but moves the content of pages whose
//! crop box is not in the middle of their media box, and takes the tags of the text from their places.)

use std::collections::HashMap;
use std::path::Path;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};
use task::{Fault, Outcome, Task};

use super::sheet::Sheet;
use crate::objects::inherited;
use crate::patch::Patch;
use crate::qpdf::Job;

/// Writes the result of a task: the document `plain`, with a page of `overlay` over each of these pages.
pub(super) fn over(task: &Task, (plain, overlay): (&Path, &Path), pages: &[u32]) -> Outcome<()> {
    let both = task.directory.join("both");
    Job::read(plain)
        .options(&["--pages", ".", "1-z"])
        .value(overlay)
        .options(&["1-z", "--", "--object-streams=disable"])
        .open()
        .write(&both)?;
    let document = Document::load(&both).map_err(|_| Fault::corrupt())?;
    let all: Vec<ObjectId> = document.get_pages().into_values().collect();
    let count = all
        .len()
        .checked_sub(pages.len())
        .ok_or_else(Fault::corrupt)?;
    let mut layer = Layer {
        task,
        document: &document,
        patch: Patch::of(&document),
        streams: HashMap::new(),
    };
    for (page, mark) in pages.iter().zip(all.iter().skip(count)) {
        let page = all.get(*page as usize - 1).ok_or_else(Fault::corrupt)?;
        layer.lay(*page, *mark)?;
    }
    let job = layer.patch.job(&both, &task.directory.join("patch"))?;
    let kept = format!("1-{count}");
    job.options(&["--pages", ".", &kept, "--", "--object-streams=generate"])
        .open()
        .write(&task.output())
        .map(|_| ())
}

struct Layer<'a> {
    task: &'a Task,
    document: &'a Document,
    patch: Patch,
    /// Streams that are there already, by their content.
    streams: HashMap<String, ObjectId>,
}

impl Layer<'_> {
    fn lay(&mut self, page: ObjectId, mark: ObjectId) -> Outcome<()> {
        let corrupt = |_| Fault::corrupt();
        let document = self.document;
        let dictionary = document.get_dictionary(page).map_err(corrupt)?;
        let form = self.form(document.get_dictionary(mark).map_err(corrupt)?)?;
        let sheet = Sheet::of(document, dictionary);
        let resources = inherited(document, dictionary, b"Resources");
        let resources = resources.and_then(|resources| resources.as_dict().ok());
        let mut resources = resources.cloned().unwrap_or_default();
        let forms = resources.get_deref(b"XObject", document);
        let mut forms = forms.and_then(Object::as_dict).cloned().unwrap_or_default();
        let name = free_name(&forms);
        forms.set(name.as_str(), form);
        resources.set("XObject", forms);
        let placement = sheet.placement.map(|number| number.to_string()).join(" ");
        let closing = "Q ".repeat(1 + self.left_open(page));
        let mut contents = vec![Object::from(self.stream("q\n".to_owned())?)];
        contents.extend(own_contents(document, dictionary));
        let end = format!("\n{closing}q {placement} cm /{name} Do Q\n");
        contents.push(self.stream(end)?.into());
        let mut laid = dictionary.clone();
        laid.set("Resources", resources);
        laid.set("Contents", contents);
        self.patch.set(page, &laid.into());
        Ok(())
    }

    /// The content of a page of the overlay as a form.
    fn form(&mut self, page: &Dictionary) -> Outcome<ObjectId> {
        let contents = own_contents(self.document, page);
        let content = contents
            .first()
            .and_then(|content| content.as_reference().ok());
        let content = content.ok_or_else(Fault::corrupt)?;
        let stream = self
            .document
            .get_object(content)
            .and_then(Object::as_stream);
        let mut about = stream.map_err(|_| Fault::corrupt())?.dict.clone();
        let member = |key: &[u8]| inherited(self.document, page, key).cloned();
        about.extend(&dictionary! {
            "Type" => "XObject",
            "Subtype" => "Form",
            "BBox" => member(b"MediaBox").ok_or_else(Fault::corrupt)?,
            "Resources" => member(b"Resources").unwrap_or_else(|| Dictionary::new().into()),
        });
        self.patch.set_about(content, &about);
        Ok(content)
    }

    /// How many states of graphics a page leaves saved, which would move what is drawn after it.
    fn left_open(&self, page: ObjectId) -> usize {
        const MOST: usize = 64;
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
        open.min(MOST)
    }

    fn stream(&mut self, content: String) -> Outcome<ObjectId> {
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

/// The streams of a page's content.
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
