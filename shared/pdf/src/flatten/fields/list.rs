//! Draws list boxes: the options that fit, with the selected ones highlighted [ISO 32000-1, 12.7.4.4].

use std::fmt::Write as _;

use lopdf::{Document, Object};
use task::TaskResult;

use super::layout::{AUTO_SIZES, Field, MARGIN};
use super::widget::{Widget, text};
use crate::text_drawing::FontSet;

/// Line height relative to the font size.
const LEADING: f32 = 1.2;
/// Distance of the baseline from the top of the line, relative to the font size.
const BASELINE: f32 = 0.95;
/// Background and text color of selected options.
const SELECTED: &str = "0 0.2 0.44314 rg";
const SELECTED_TEXT: &str = "1 g";

/// The options of a list box from the first visible one on.
pub(super) struct List {
    lines: Vec<(String, bool)>,
}

impl List {
    /// Reads the list box of a widget.
    pub(super) fn of(widget: &Widget<'_>) -> Self {
        let options = options(widget.document, widget.own(b"Opt"));
        let first = widget.own(b"TI").and_then(|first| first.as_i64().ok());
        let first = usize::try_from(first.unwrap_or(0)).unwrap_or(0);
        let selected = selected(widget, &options);
        let lines = options.into_iter().zip(selected);
        let lines = lines.map(|((_, display_text), selected)| (display_text, selected));
        Self {
            lines: lines.skip(first).collect(),
        }
    }
}

/// Returns the operators that draw the list box.
pub(super) fn content(list: &List, field: &Field, fonts: &mut FontSet) -> TaskResult<String> {
    let size = if field.size > 0.0 {
        field.size
    } else {
        AUTO_SIZES.0
    };
    let (mut marks, mut texts) = (String::new(), String::new());
    let mut top = field.height - MARGIN / 2.0;
    for (display_text, selected) in &list.lines {
        if top <= 0.0 {
            break;
        }
        let (below, base) = (top - size * LEADING, top - size * BASELINE);
        if *selected {
            let (width, height) = (field.width, size * LEADING);
            write!(marks, "{SELECTED} 0 {below} {width} {height} re f ").ok();
        }
        let color = if *selected {
            SELECTED_TEXT
        } else {
            &field.color
        };
        let line = fonts.line(display_text)?.operators(size);
        write!(texts, "{color} 1 0 0 1 {MARGIN} {base} Tm {line}").ok();
        top = below;
    }
    if texts.is_empty() {
        return Ok(field.background.clone());
    }
    let (ground, width, height) = (&field.background, field.width, field.height);
    Ok(format!(
        "{ground}/Tx BMC q 0 0 {width} {height} re W n {marks}BT {texts}ET Q EMC"
    ))
}

/// Returns the display text of an option value.
pub(super) fn display_text(document: &Document, all: Option<&Object>, value: String) -> String {
    let mut options = options(document, all).into_iter();
    let found = options.find(|(export, _)| *export == value);
    found.map_or(value, |(_, display_text)| display_text)
}

/// Returns the export value and the display text of each option.
fn options(document: &Document, options: Option<&Object>) -> Vec<(String, String)> {
    let options = options.and_then(|options| options.as_array().ok());
    let options = options.into_iter().flatten().filter_map(|option| {
        match document.dereference(option).ok()?.1 {
            Object::Array(pair) => match pair.as_slice() {
                [export, display_text] => Some((text(export)?, text(display_text)?)),
                _ => None,
            },
            option => text(option).map(|text| (text.clone(), text)),
        }
    });
    options.collect()
}

/// Returns which options are selected, by the field's value. Indexes take precedence where they agree with it, because values
/// may repeat.
fn selected(widget: &Widget<'_>, options: &[(String, String)]) -> Vec<bool> {
    let values: Option<Vec<String>> = widget.own(b"V").map(|value| match value {
        Object::Array(values) => values.iter().filter_map(text).collect(),
        value => text(value).into_iter().collect(),
    });
    let places = widget.own(b"I").and_then(|places| places.as_array().ok());
    let places = places.into_iter().flatten();
    let places = places.filter_map(|place| usize::try_from(place.as_i64().ok()?).ok());
    let places: Vec<usize> = places.collect();
    let is_named = |option: &(String, String)| match &values {
        Some(values) => values.contains(&option.0),
        None => true,
    };
    let agree = |place: &usize| options.get(*place).is_some_and(is_named);
    let by_place = !places.is_empty() && places.iter().all(agree);
    let options = options.iter().enumerate();
    options
        .map(|(place, option)| match by_place {
            true => places.contains(&place),
            false => values.is_some() && is_named(option),
        })
        .collect()
}
