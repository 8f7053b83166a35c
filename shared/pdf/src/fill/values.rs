//! The values of fields: checks them against the field, and encodes them [ISO 32000-1, 12.7.4].

use domain::operation::FieldValue;
use lopdf::Object;

use super::change::{FieldChange, WidgetChange, WidgetState};
use crate::form::{FieldKind, FieldOption, FormField, OnState};

/// Maximum number of options in a message, and of characters of each.
const MAX_LISTED: usize = 10;
const MAX_CHARACTERS: usize = 60;

/// Members of a field to set, or to remove.
type Members = Vec<(&'static str, Option<Object>)>;

/// Returns the members of a text field.
pub(super) fn text(field: &FormField<'_>, value: &FieldValue) -> Result<Members, String> {
    let FieldValue::Text(text) = value else {
        return Err("is a text field, which takes a string".to_owned());
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let length = text.chars().count();
    if let Some(most) = field.max_length()
        && length > usize::try_from(most).unwrap_or(usize::MAX)
    {
        return Err(format!(
            "takes at most {most} characters, but the value has {length}"
        ));
    }
    // A rich text would be shown instead of the value.
    Ok(vec![("V", Some(lopdf::text_string(&text))), ("RV", None)])
}

/// Returns the members of a drop-down list.
pub(super) fn choice(
    field: &FormField<'_>,
    value: &FieldValue,
    editable: bool,
) -> Result<Members, String> {
    let text = match value {
        FieldValue::Text(text) => text.as_str(),
        FieldValue::Selected(selected) => match selected.as_slice() {
            [] => "",
            [one] => one.as_str(),
            _ => return Err("takes only one of its options".to_owned()),
        },
        FieldValue::Flag(_) => return Err("is a list, which takes one of its options".to_owned()),
    };
    let options = field.options();
    let export = match place(&options, text) {
        Some((_, option)) => option.export.as_str(),
        None if text.is_empty() || editable => text,
        None => return Err(not_an_option(text, &options)),
    };
    Ok(vec![("V", Some(lopdf::text_string(export))), ("I", None)])
}

/// Returns the members of a list.
pub(super) fn selection(
    field: &FormField<'_>,
    value: &FieldValue,
    several: bool,
) -> Result<Members, String> {
    let texts: Vec<&str> = match value {
        FieldValue::Text(text) if text.is_empty() => Vec::new(),
        FieldValue::Text(text) => vec![text],
        FieldValue::Selected(selected) => selected.iter().map(String::as_str).collect(),
        FieldValue::Flag(_) => return Err("is a list, which takes its options".to_owned()),
    };
    if texts.len() > 1 && !several {
        return Err("takes only one of its options".to_owned());
    }
    let options = field.options();
    let mut selected = Vec::new();
    for text in texts {
        let found = place(&options, text);
        selected.push(found.ok_or_else(|| not_an_option(text, &options))?);
    }
    selected.sort_by_key(|(place, _)| *place);
    selected.dedup_by_key(|(place, _)| *place);
    let mut exports = selected
        .iter()
        .map(|(_, option)| lopdf::text_string(&option.export));
    let value = match selected.len() {
        0 => None,
        1 => exports.next(),
        _ => Some(Object::Array(exports.collect())),
    };
    let places = selected
        .iter()
        .filter_map(|(place, _)| i64::try_from(*place).ok());
    let places: Vec<Object> = places.map(Object::from).collect();
    let places = (!places.is_empty()).then_some(Object::Array(places));
    // The first selected option becomes the first visible one.
    let first = selected
        .first()
        .and_then(|(place, _)| i64::try_from(*place).ok());
    let first = first.filter(|first| *first > 0).map(Object::from);
    Ok(vec![("V", value), ("I", places), ("TI", first)])
}

/// Returns the change of check boxes and radio buttons.
pub(super) fn states(field: &FormField<'_>, value: &FieldValue) -> Result<FieldChange, String> {
    let states = field.on_states();
    let wanted = match value {
        FieldValue::Flag(false) => None,
        FieldValue::Flag(true) if field.kind == FieldKind::CheckBox => Some(only(&states)?),
        FieldValue::Text(text) if text.is_empty() || text == "Off" => None,
        FieldValue::Text(text) => Some(named(&states, text)?),
        _ => return Err(format!("takes one of its options: {}", exports(&states))),
    };
    let is_radio = field.kind == FieldKind::Radio;
    // Radio buttons are told apart by the names of their appearances.
    if is_radio && wanted.is_some_and(|wanted| wanted.state.is_none()) {
        return Err("has radio buttons without appearances, which cannot be filled".to_owned());
    }
    let name = wanted.map(|wanted| {
        let own = wanted.state.clone();
        own.unwrap_or_else(|| wanted.export.clone().into_bytes())
    });
    let value = name.clone().unwrap_or_else(|| b"Off".to_vec());
    let widgets = states.iter().map(|state| {
        let is_on = match (&state.state, &name) {
            (Some(own), Some(name)) => own == name,
            (None, Some(_)) => wanted.is_some_and(|wanted| wanted.export == state.export),
            (_, None) => false,
        };
        WidgetChange {
            id: state.widget,
            state: match (is_on, &state.state) {
                (true, None) => WidgetState::NewlyNamed(value.clone()),
                (true, Some(_)) => WidgetState::Named(value.clone()),
                (false, _) => WidgetState::Named(b"Off".to_vec()),
            },
        }
    });
    Ok(FieldChange {
        field: field.id,
        widgets: widgets.collect(),
        members: vec![("V", Some(Object::Name(value)))],
    })
}

/// The state of a check box that has only one.
fn only(states: &[OnState]) -> Result<&OnState, String> {
    let first = states.first().ok_or("has no check box on a page")?;
    match states.iter().all(|state| state.state == first.state) {
        true => Ok(first),
        false => Err(format!(
            "has several check boxes and takes one of their names: {}",
            exports(states)
        )),
    }
}

/// The state with this exported value, or the name of whose appearance is this.
fn named<'s>(states: &'s [OnState], text: &str) -> Result<&'s OnState, String> {
    let exported = states.iter().find(|state| state.export == text);
    let of_name = |state: &&OnState| state.state.as_deref() == Some(text.as_bytes());
    let found = exported.or_else(|| states.iter().find(of_name));
    found.ok_or_else(|| {
        let (text, exports) = (shortened(text), exports(states));
        format!("has no option `{text}`. Its options are: {exports}")
    })
}

/// Finds an option by its exported value or its text.
fn place<'o>(options: &'o [FieldOption], text: &str) -> Option<(usize, &'o FieldOption)> {
    let find = |matches: &dyn Fn(&FieldOption) -> bool| {
        let mut options = options.iter().enumerate();
        options.find(|(_, option)| matches(option))
    };
    find(&|option| option.export == text).or_else(|| find(&|option| option.display == text))
}

fn not_an_option(text: &str, options: &[FieldOption]) -> String {
    let (text, options) = (shortened(text), options.iter().map(|option| &option.export));
    format!("has no option `{text}`. Its options are: {}", list(options))
}

fn exports(states: &[OnState]) -> String {
    let mut exports: Vec<&String> = states.iter().map(|state| &state.export).collect();
    exports.dedup();
    list(exports.into_iter())
}

fn list<'t>(texts: impl Iterator<Item = &'t String>) -> String {
    let texts: Vec<&String> = texts.take(MAX_LISTED + 1).collect();
    let listed = texts.iter().take(MAX_LISTED);
    let listed: Vec<String> = listed
        .map(|text| format!("`{}`", shortened(text)))
        .collect();
    match texts.len() > MAX_LISTED {
        true => format!("{}, …", listed.join(", ")),
        false => listed.join(", "),
    }
}

fn shortened(text: &str) -> String {
    let printable = text.chars().filter(|character| !character.is_control());
    printable.take(MAX_CHARACTERS).collect()
}
