//! Lists that choices are made from: as many of their lines as there is room for, the chosen ones marked
//! [ISO 32000-1, 12.7.4.4].

use std::fmt::Write as _;

use lopdf::{Document, Object};
use task::Outcome;

use super::layout::{Field, MARGIN, SIZES};
use super::widget::{Widget, text};
use crate::lettering::Lettering;

/// From one line to the next, in sizes.
const LEADING: f32 = 1.2;
/// How far below the top of its line a text stands, in sizes.
const RISE: f32 = 0.95;
/// What is behind a chosen line, and its text.
const CHOSEN: &str = "0 0.2 0.44314 rg";
const ON_CHOSEN: &str = "1 g";

/// The lines of a list, from the first one that is shown on.
pub(super) struct List {
    lines: Vec<(String, bool)>,
}

impl List {
    /// The list of a field.
    pub(super) fn of(widget: &Widget<'_>) -> Self {
        let options = options(widget.document, widget.own(b"Opt"));
        let first = widget.own(b"TI").and_then(|first| first.as_i64().ok());
        let first = usize::try_from(first.unwrap_or(0)).unwrap_or(0);
        let chosen = chosen(widget, &options);
        let lines = options.into_iter().zip(chosen);
        let lines = lines.map(|((_, shown), chosen)| (shown, chosen));
        Self {
            lines: lines.skip(first).collect(),
        }
    }
}

/// Operators that draw a field with the list.
pub(super) fn content(list: &List, field: &Field, lettering: &mut Lettering) -> Outcome<String> {
    let size = if field.size > 0.0 {
        field.size
    } else {
        SIZES.0
    };
    let (mut marks, mut texts) = (String::new(), String::new());
    let mut top = field.height - MARGIN / 2.0;
    for (shown, chosen) in &list.lines {
        if top <= 0.0 {
            break;
        }
        let (below, base) = (top - size * LEADING, top - size * RISE);
        if *chosen {
            let (width, height) = (field.width, size * LEADING);
            write!(marks, "{CHOSEN} 0 {below} {width} {height} re f ").ok();
        }
        let colour = if *chosen { ON_CHOSEN } else { &field.colour };
        let line = lettering.line(shown)?.operators(size);
        write!(texts, "{colour} 1 0 0 1 {MARGIN} {base} Tm {line}").ok();
        top = below;
    }
    if texts.is_empty() {
        return Ok(field.ground.clone());
    }
    let (ground, width, height) = (&field.ground, field.width, field.height);
    Ok(format!(
        "{ground}/Tx BMC q 0 0 {width} {height} re W n {marks}BT {texts}ET Q EMC"
    ))
}

/// What a choice is shown as.
pub(super) fn shown(document: &Document, all: Option<&Object>, value: String) -> String {
    let mut options = options(document, all).into_iter();
    let found = options.find(|(export, _)| *export == value);
    found.map_or(value, |(_, shown)| shown)
}

/// What each option stands for, and what it is shown as.
fn options(document: &Document, options: Option<&Object>) -> Vec<(String, String)> {
    let options = options.and_then(|options| options.as_array().ok());
    let options = options.into_iter().flatten().filter_map(|option| {
        match document.dereference(option).ok()?.1 {
            Object::Array(pair) => match pair.as_slice() {
                [export, shown] => Some((text(export)?, text(shown)?)),
                _ => None,
            },
            option => text(option).map(|text| (text.clone(), text)),
        }
    });
    options.collect()
}

/// Which options are chosen: those that the field's value names; by their places where these agree with it, since
/// two may have one name.
fn chosen(widget: &Widget<'_>, options: &[(String, String)]) -> Vec<bool> {
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
