//! Checks sanitized PDFs with readers of their own: nothing that had to be removed is left anywhere in the object graph, and
//! everything else is as before.

mod leftovers;
mod pages;

use std::fs::File;
use std::io::Read as _;

use domain::operation::{SanitizeOptions, SanitizedPart};
use memchr::memmem;
use serde_json::Value;
use task::{Product, Task, TaskError, TaskResult, Verified, options};

use self::leftovers::check_objects;
use self::pages::{check_look, check_words};
use super::documents;
use super::field_tree::{FieldTree, rectangle};
use super::object_graph::ObjectGraph;

/// Annotations that show an icon or media.
const ICONS: [&str; 6] = [
    "/FileAttachment",
    "/Movie",
    "/Sound",
    "/Screen",
    "/3D",
    "/RichMedia",
];

/// Checks the pages as in [`documents`], that the result has one revision, that no object has a part that had to be removed, that
/// no layer is hidden, and that words, look and field values are as in the source, except for what was hidden.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn sanitized(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = documents(task, product)?;
    let options = options::sanitize(&task.operation)?;
    check_revisions(task)?;
    let read = |file: &std::path::Path, name: &str| {
        let directory = task.scratch.join(name);
        std::fs::create_dir_all(&directory)?;
        ObjectGraph::read(file, &directory)
    };
    let source = read(&task.readable(), "source")?;
    let result = read(&task.output(), "sanitized")?;
    check_objects(&result, options)?;
    check_layers(&result, options)?;
    let is_hidden = options.removes(SanitizedPart::HiddenLayers) && may_hide(&source);
    check_fields(&source, &result, is_hidden)?;
    check_words(task, is_hidden)?;
    check_look(task, &icons(&source))?;
    Ok(verified)
}

fn invalid(reason: &str) -> TaskError {
    TaskError::output_invalid(reason)
}

/// Checks that the file has no earlier revisions.
fn check_revisions(task: &Task) -> TaskResult<()> {
    const END: &[u8] = b"startxref";
    const PART: u64 = 1 << 16;
    let mut file = File::open(task.output())?;
    let (mut read, mut ends) = (Vec::new(), 0);
    // An end may begin in one part of the file and go on in the next.
    while file.by_ref().take(PART).read_to_end(&mut read)? > 0 {
        ends += memmem::find_iter(&read, END).count();
        read.drain(..read.len().saturating_sub(END.len() - 1));
    }
    match ends {
        1 => Ok(()),
        _ => Err(invalid("it has earlier revisions")),
    }
}

/// Whether the document may have hidden layers.
pub(super) fn may_hide(graph: &ObjectGraph) -> bool {
    let catalog = graph.catalog();
    catalog.is_some_and(|catalog| catalog.contains_key("/OCProperties"))
}

/// Checks that all layers are visible.
fn check_layers(graph: &ObjectGraph, options: &SanitizeOptions) -> TaskResult<()> {
    if !options.removes(SanitizedPart::HiddenLayers) {
        return Ok(());
    }
    let properties = graph.catalog().and_then(|it| it.get("/OCProperties"));
    let properties = properties.and_then(|properties| graph.dictionary(properties));
    let Some(properties) = properties else {
        return Ok(());
    };
    let configuration = properties.get("/D").and_then(|it| graph.dictionary(it));
    let hides = configuration.is_some_and(|configuration| {
        let keys = ["/OFF", "/AS", "/BaseState"];
        keys.iter().any(|key| configuration.contains_key(*key))
    });
    match hides || properties.contains_key("/Configs") {
        true => Err(invalid("a layer is hidden")),
        false => Ok(()),
    }
}

/// Checks that the fields have their values. Fields of hidden layers may be missing.
fn check_fields(source: &ObjectGraph, result: &ObjectGraph, is_hidden: bool) -> TaskResult<()> {
    let values = |graph: &ObjectGraph| -> Vec<(String, Value)> {
        let fields = FieldTree::of(graph).fields.into_iter();
        fields
            .map(|field| (field.name.clone(), field.value()))
            .collect()
    };
    let (before, after) = (values(source), values(result));
    let has_references = |value: &Value| value.as_str().is_some_and(|text| text.ends_with(" R"));
    let same = |(one, other): (&(String, Value), &(String, Value))| {
        one.0 == other.0 && (one.1 == other.1 || has_references(&one.1))
    };
    let are_same = match is_hidden {
        true => after
            .iter()
            .all(|field| before.iter().any(|other| same((other, field)))),
        false => before.len() == after.len() && before.iter().zip(&after).all(same),
    };
    match are_same {
        true => Ok(()),
        false => Err(invalid("a field has another value")),
    }
}

/// The rectangles of annotations with icons or media of each page, which the result may not show.
fn icons(graph: &ObjectGraph) -> Vec<Vec<[f32; 4]>> {
    let pages = FieldTree::of(graph).pages.into_iter();
    pages
        .map(|annotations| {
            let annotations = annotations.iter().filter_map(|it| graph.dictionary(it));
            let icons = annotations.filter(|annotation| {
                let subtype = graph.name(annotation, "/Subtype").unwrap_or_default();
                ICONS.contains(&subtype)
            });
            icons.filter_map(|icon| rectangle(graph, icon)).collect()
        })
        .collect()
}
