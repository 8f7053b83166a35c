//! Fills the fields of a form, and writes the appearance of each, so that every viewer shows the values [ISO 32000-1, 12.7].

mod change;
mod changes;
mod values;

use std::path::Path;

use domain::operation::FillOptions;
use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning, options};

use self::change::{FieldChange, WidgetState};
use self::changes::changes;
use crate::flatten::{self, fields};
use crate::form::Form;
use crate::objects::member;
use crate::patch::{self, Patch};

/// The name of the filled form before it is flattened, which verification reads.
pub const FILLED: &str = "filled";

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// `fields_invalid` if the form does not accept the values; errors of the document, or of the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let options = options::fill(&task.operation)?;
    let is_flattened = options.flatten == Some(true);
    let filled = match is_flattened {
        true => task.directory.join(FILLED),
        false => task.output(),
    };
    let mut warnings = Vec::from_iter(fill(task, options, &filled)?);
    if is_flattened {
        let directory = task.directory.join("flattening");
        std::fs::create_dir_all(&directory)?;
        warnings.extend(flatten::write(&filled, &directory, &task.output())?);
    }
    Ok(Product {
        pages: inspection.pages,
        warnings,
        ..Product::default()
    })
}

fn fill(task: &Task, options: &FillOptions, output: &Path) -> TaskResult<Option<Warning>> {
    let plain = task.directory.join("unfilled");
    patch::write_normalized(&task.readable(), &plain)?;
    let mut document = patch::skeleton(&plain)?;
    let Some(form) = Form::of(&document) else {
        return Err(TaskError::fields_invalid("The document has no form."));
    };
    if form.is_dynamic() {
        let message = "The document is a dynamic XFA form, which has no fields that can be filled. Save it as a static form first.";
        return Err(TaskError::fields_invalid(message));
    }
    let warning = form.has_xfa.then_some(Warning::XfaDropped);
    let mut changes = changes(&form, options)?;
    apply(&mut document, &changes);
    let mut patch = Patch::of(&document);
    let is_complete = draw_outdated(&mut document, &mut changes, &mut patch, &task.directory)?;
    let directory = task.directory.join("appearances");
    draw(&mut document, &changes, &mut patch, &directory)?;
    let is_outdated = !is_complete;
    update_form(&mut document, &mut patch, is_outdated);
    for change in &changes {
        let widgets = change.widgets.iter().map(|widget| widget.id);
        for id in widgets.chain([change.field]) {
            if let Ok(dictionary) = document.get_object(id) {
                patch.set(id, dictionary);
            }
        }
    }
    let job = patch.job(&plain, &task.directory.join("filling"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .write(output)?;
    Ok(warning)
}

/// Sets values and states in the document.
fn apply(document: &mut Document, changes: &[FieldChange]) {
    for change in changes {
        for widget in &change.widgets {
            if let Ok(dictionary) = document.get_dictionary_mut(widget.id) {
                // The value belongs to the field.
                if widget.id != change.field {
                    dictionary.remove(b"V");
                }
                match &widget.state {
                    WidgetState::Drawn => dictionary.remove(b"AS"),
                    WidgetState::Named(state) | WidgetState::NewlyNamed(state) => {
                        dictionary.set("AS", Object::Name(state.clone()));
                        None
                    }
                };
            }
        }
        if let Ok(dictionary) = document.get_dictionary_mut(change.field) {
            for (key, value) in &change.members {
                match value {
                    Some(value) => dictionary.set(*key, value.clone()),
                    None => {
                        dictionary.remove(key.as_bytes());
                    }
                }
            }
        }
    }
}

/// Draws the widgets that show text, or have no appearance for their state.
fn draw(
    document: &mut Document,
    changes: &[FieldChange],
    patch: &mut Patch,
    directory: &Path,
) -> TaskResult<()> {
    let widgets = changes.iter().flat_map(|change| &change.widgets);
    let needs_drawing = |state: &WidgetState| !matches!(state, WidgetState::Named(_));
    let widgets: Vec<(ObjectId, &WidgetState)> = widgets
        .filter(|widget| needs_drawing(&widget.state))
        .map(|widget| (widget.id, &widget.state))
        .collect();
    let ids: Vec<ObjectId> = widgets.iter().map(|(id, _)| *id).collect();
    let streams = fields::drawn(document, &ids, patch, directory)?;
    for ((id, state), stream) in widgets.into_iter().zip(streams) {
        let (Some(stream), Ok(dictionary)) = (stream, document.get_dictionary_mut(id)) else {
            continue;
        };
        let normal = match state {
            WidgetState::NewlyNamed(state) => {
                let mut states = Dictionary::new();
                states.set(state.clone(), stream);
                Object::from(states)
            }
            _ => stream.into(),
        };
        dictionary.set("AP", dictionary! { "N" => normal });
    }
    Ok(())
}

/// If viewers have to draw all fields, adds the other fields that they would draw to `changes`. Returns whether all of these
/// can be drawn.
fn draw_outdated(
    document: &mut Document,
    changes: &mut Vec<FieldChange>,
    patch: &mut Patch,
    directory: &Path,
) -> TaskResult<bool> {
    if !needs_appearances(document) {
        return Ok(true);
    }
    let filled: Vec<ObjectId> = changes
        .iter()
        .flat_map(|change| change.widgets.iter().map(|widget| widget.id))
        .collect();
    let outdated = fields::outdated(document, &filled)?;
    let widgets = outdated.drawable;
    let streams = fields::drawn(document, &widgets, patch, &directory.join("outdated"))?;
    for (id, stream) in widgets.into_iter().zip(streams) {
        if let (Some(stream), Ok(dictionary)) = (stream, document.get_dictionary_mut(id)) {
            dictionary.set("AP", dictionary! { "N" => stream });
            changes.push(FieldChange::unchanged(id));
        }
    }
    Ok(outdated.is_complete)
}

fn needs_appearances(document: &Document) -> bool {
    let catalog = document.catalog().ok();
    let form = catalog.and_then(|catalog| member(document, catalog, b"AcroForm"));
    let asks = form.and_then(|form| form.get_deref(b"NeedAppearances", document).ok());
    matches!(asks, Some(Object::Boolean(true)))
}

/// Removes the XFA form, whose values would differ, and the request that viewers draw the fields, unless some still need it.
fn update_form(document: &mut Document, patch: &mut Patch, is_outdated: bool) {
    let Ok(catalog_id) = document.trailer.get(b"Root").and_then(Object::as_reference) else {
        return;
    };
    let Ok(mut catalog) = document.get_dictionary(catalog_id).cloned() else {
        return;
    };
    let form_id = catalog.get(b"AcroForm").and_then(Object::as_reference).ok();
    let Some(mut form) = member(document, &catalog, b"AcroForm").cloned() else {
        return;
    };
    form.remove(b"XFA");
    if !is_outdated {
        form.remove(b"NeedAppearances");
    }
    match form_id {
        Some(id) => patch.set(id, &form.into()),
        None => catalog.set("AcroForm", form),
    }
    catalog.remove(b"NeedsRendering");
    patch.set(catalog_id, &catalog.into());
}
