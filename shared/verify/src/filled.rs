//! Checks filled forms with a reader of their own: every requested value is there and is shown, and nothing else changed.

mod pages;

use std::path::Path;

use domain::operation::{FieldValue, FieldValues};
use serde_json::Value;
use task::{Product, Task, TaskError, TaskResult, Verified, Warning, options};

use self::pages::{check_flattened, check_pages};
use super::documents;
use super::field_tree::{FieldTree, FoundField, text};
use super::object_graph::ObjectGraph;

/// The name of the filled form before it is flattened.
const FILLED: &str = "filled";

/// Checks the pages as in [`documents`], the values and appearances of the requested fields, that all other fields have their
/// values, and that the pages look as before except for the fields. Of a flattened form, the form before it was flattened is
/// checked, and that the result looks like it.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn filled(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = documents(task, product)?;
    let options = options::fill(&task.operation)?;
    let is_flattened = options.flatten == Some(true);
    let result = match is_flattened {
        true => task.directory.join(FILLED),
        false => task.output(),
    };
    let source = read(&task.readable(), task, "source")?;
    let filled = read(&result, task, "filled")?;
    let (before, after) = (FieldTree::of(&source), FieldTree::of(&filled));
    check_values(&before, &after, &options.fields)?;
    let is_requested = |field: &FoundField<'_>| {
        let mut names = options.fields.iter();
        names.any(|(name, _)| name == field.name)
    };
    check_pages(task, &result, (&before, &after), &is_requested)?;
    if is_flattened {
        check_flattened(task, &result, &after, &is_requested)?;
        let keeps_fields = |warning| matches!(warning, &Warning::FieldsNotFlattened(_));
        let output = read(&task.output(), task, "flattened")?;
        let output = FieldTree::of(&output);
        if !product.warnings.iter().any(keeps_fields) && output.fields.iter().any(is_requested) {
            return Err(invalid("a field is still interactive"));
        }
    }
    Ok(verified)
}

fn read(file: &Path, task: &Task, name: &str) -> TaskResult<ObjectGraph> {
    let directory = task.scratch.join(name);
    std::fs::create_dir_all(&directory)?;
    ObjectGraph::read(file, &directory)
}

fn invalid(reason: &str) -> TaskError {
    TaskError::output_invalid(reason)
}

/// Checks that both documents have the same fields, and that only requested ones have other values.
fn check_values(
    before: &FieldTree<'_>,
    after: &FieldTree<'_>,
    requested: &FieldValues,
) -> TaskResult<()> {
    let names = |tree: &FieldTree<'_>| -> Vec<String> {
        let fields = tree.fields.iter();
        fields.map(|field| field.name.clone()).collect()
    };
    if names(before) != names(after) {
        return Err(invalid("its fields differ from those of the source"));
    }
    if after.needs_rendering() {
        return Err(invalid("viewers show its XFA form"));
    }
    for (old, new) in before.fields.iter().zip(&after.fields) {
        let value = requested.iter().find(|(name, _)| *name == new.name);
        match value {
            None if old.value() != new.value() => {
                return Err(invalid("a field that was not requested has another value"));
            }
            None => {}
            Some((_, value)) if has_value(new, value) && is_shown(new) => {}
            Some(_) => return Err(invalid("a field does not have the requested value")),
        }
    }
    for (name, _) in requested.iter() {
        if !after.fields.iter().any(|field| field.name == name) {
            return Err(invalid("a requested field is missing"));
        }
    }
    Ok(())
}

/// Whether a field has the requested value.
fn has_value(field: &FoundField<'_>, value: &FieldValue) -> bool {
    let texts: Vec<String> = match value {
        FieldValue::Text(text) => vec![text.replace("\r\n", "\n").replace('\r', "\n")],
        FieldValue::Selected(selected) => selected.clone(),
        FieldValue::Flag(flag) => {
            let is_on = field.state().is_some_and(|state| state != "/Off");
            return field.kind == "/Btn" && is_on == *flag;
        }
    };
    if field.kind == "/Btn" {
        return texts.len() == 1 && texts.iter().all(|text| has_state(field, text));
    }
    let mut found = match field.value() {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().filter_map(text).collect(),
        value => Vec::from_iter(text(&value)),
    };
    let mut expected = match field.kind {
        "/Ch" => texts.iter().map(|text| field.export(text)).collect(),
        _ => texts,
    };
    let is_text = |text: &String| !text.is_empty();
    found.retain(is_text);
    expected.retain(is_text);
    found.sort_unstable();
    expected.sort_unstable();
    expected.dedup();
    found == expected
}

/// Whether a button has the state with this name or exported value.
fn has_state(field: &FoundField<'_>, text: &str) -> bool {
    let Some(state) = field.state() else {
        return false;
    };
    if text.is_empty() || text == "Off" {
        return state == "/Off";
    }
    let is_named = state.strip_prefix('/') == Some(text);
    is_named
        || field
            .exports_of_state(state)
            .iter()
            .any(|export| export == text)
}

/// Whether the widgets of a field have appearances for its value.
fn is_shown(field: &FoundField<'_>) -> bool {
    if field.kind != "/Btn" {
        return field.widgets.iter().all(|widget| widget.has_stream(None));
    }
    let Some(state) = field.state() else {
        return false;
    };
    let mut widgets = field.widgets.iter();
    let agrees = |own: &str| own == "/Off" || own == state;
    let has_on = field.widgets.iter().any(|widget| {
        let is_on = widget.state() == Some(state);
        is_on && widget.has_stream(Some(state))
    });
    widgets.all(|widget| widget.state().is_some_and(agrees))
        && (state == "/Off" || field.widgets.is_empty() || has_on)
}
