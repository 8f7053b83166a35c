//! Finds the requested fields, and decides how their objects change.

use domain::operation::{FieldValue, FillOptions};
use lopdf::Object;
use task::{TaskError, TaskResult};

use super::change::{FieldChange, WidgetChange, WidgetState};
use super::values;
use crate::form::{FieldKind, Form, FormField};

/// Maximum number of names in a message.
const MAX_LISTED: usize = 10;
/// Maximum length of a name in a message, in characters.
const MAX_NAME: usize = 100;

/// Returns the changes that give the fields their values.
///
/// # Errors
/// `fields_invalid` with the first field that is unknown or does not accept its value.
pub(super) fn changes(form: &Form<'_>, options: &FillOptions) -> TaskResult<Vec<FieldChange>> {
    let mut changes = Vec::new();
    for (name, value) in options.fields.iter() {
        let mut fields = form.fields.iter().filter(|field| field.name == name);
        let first = fields.next().ok_or_else(|| unknown(form, name))?;
        // Fields of the same name are one field.
        for field in [first].into_iter().chain(fields) {
            if field.is_read_only() && options.fill_read_only != Some(true) {
                return Err(invalid(
                    name,
                    "is read-only. Set `fillReadOnly` to fill it nevertheless",
                ));
            }
            let change = change(field, value);
            changes.push(change.map_err(|message| invalid(name, &message))?);
        }
    }
    Ok(changes)
}

fn change(field: &FormField<'_>, value: &FieldValue) -> Result<FieldChange, String> {
    match field.kind {
        FieldKind::Text => Ok(drawn(field, values::text(field, value)?)),
        FieldKind::Dropdown { editable } => {
            Ok(drawn(field, values::choice(field, value, editable)?))
        }
        FieldKind::List { several } => Ok(drawn(field, values::selection(field, value, several)?)),
        FieldKind::CheckBox | FieldKind::Radio => values::states(field, value),
        FieldKind::Button => Err("is a push button, which has no value".to_owned()),
        FieldKind::Signature => Err("is a signature, which cannot be filled".to_owned()),
    }
}

fn drawn(field: &FormField<'_>, members: Vec<(&'static str, Option<Object>)>) -> FieldChange {
    let widgets = field.widgets.iter().map(|id| WidgetChange {
        id: *id,
        state: WidgetState::Drawn,
    });
    FieldChange {
        field: field.id,
        members,
        widgets: widgets.collect(),
    }
}

fn invalid(name: &str, message: &str) -> TaskError {
    TaskError::fields_invalid(&format!("The field `{}` {message}.", shortened(name)))
}

/// The form has no such field: lists similar names first.
fn unknown(form: &Form<'_>, name: &str) -> TaskError {
    let mut names: Vec<&str> = form
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    names.dedup();
    let count = names.len();
    let own = name.to_lowercase();
    let last = own.rsplit('.').next().unwrap_or_default();
    let is_similar = |name: &&str| {
        let name = name.to_lowercase();
        !last.is_empty() && (name.contains(last) || own.contains(&name))
    };
    names.sort_by_key(|name| !is_similar(name));
    let listed = names.iter().take(MAX_LISTED);
    let listed: Vec<String> = listed
        .map(|name| format!("`{}`", shortened(name)))
        .collect();
    let more = match count > MAX_LISTED {
        true => ", …",
        false => "",
    };
    let (name, listed) = (shortened(name), listed.join(", "));
    TaskError::fields_invalid(&format!(
        "The form has no field `{name}`. It has {count} fields: {listed}{more}. The operation `info` lists them."
    ))
}

fn shortened(name: &str) -> String {
    let printable = name.chars().filter(|character| !character.is_control());
    printable.take(MAX_NAME).collect()
}
