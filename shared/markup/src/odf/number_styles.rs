//! Reads number styles as format codes of spreadsheets, so that values follow the locale.

use std::collections::HashMap;

use crate::number_format::NumberFormat;
use crate::number_format::conventions::{Conventions, LONG_DATE};
use crate::xml::Element;

/// Number of the built-in format of a short date.
const SHORT_DATE: u32 = 14;
/// Maximum length of a format code. A longer one would be cut.
const MAX_CODE: usize = 500;
/// Maximum number of digits before or after the decimal mark.
const MAX_DIGITS: usize = 30;

/// The formats of the styles that follow the locale, by name. A style with a language of its own, or with elements that a format
/// code does not have, is not among them.
pub(super) type NumberFormats = HashMap<String, NumberFormat>;

/// Reads the number styles in these elements; a later style replaces an earlier one with the same name.
pub(super) fn read<'a>(
    groups: impl Iterator<Item = &'a Element>,
    conventions: &'static Conventions,
) -> NumberFormats {
    let elements = groups.flat_map(Element::elements);
    let named = elements.filter_map(|element| {
        let is_number_style = element.name().starts_with("number:");
        Some((element.get("style:name")?, element)).filter(|_| is_number_style)
    });
    let styles: HashMap<&str, &Element> = named.collect();
    let formats = styles.iter().filter_map(|(name, element)| {
        let code = sections(element, &styles, conventions)?;
        let format = NumberFormat::parse(&code, conventions);
        (code.len() <= MAX_CODE).then(|| ((*name).to_owned(), format))
    });
    formats.collect()
}

/// The code of a style with the styles that its conditions apply: for positive numbers and zero, or for positive and negative numbers.
fn sections(
    style: &Element,
    styles: &HashMap<&str, &Element>,
    conventions: &Conventions,
) -> Option<String> {
    let own = section(style, conventions)?;
    let mut conditional = HashMap::new();
    for map in style.all("style:map") {
        let applied = styles.get(map.get("style:apply-style-name")?)?;
        let condition = map.get("style:condition")?.replace(' ', "");
        conditional.insert(condition, section(applied, conventions)?);
    }
    let code_for = |condition: &str| conditional.get(condition);
    match conditional.len() {
        0 => Some(own),
        1 => Some(format!("{};{own}", code_for("value()>=0")?)),
        2 => Some(format!(
            "{};{};{own}",
            code_for("value()>0")?,
            code_for("value()<0")?
        )),
        _ => None,
    }
}

/// The code of a style without its conditions; `None` if it has a language of its own or cannot be written as a code.
fn section(style: &Element, conventions: &Conventions) -> Option<String> {
    if style.get("number:language").is_some() {
        return None;
    }
    let parts = match style.name() {
        "number:number-style" | "number:currency-style" | "number:percentage-style" => {
            number_parts(style, conventions)
        }
        "number:date-style" | "number:time-style" => date_parts(style),
        _ => None,
    }?;
    let parts = match style.get("number:automatic-order") {
        Some("true") if style.is("number:date-style") => {
            let is_long = style.get("number:format-source") == Some("language")
                && style.find("number:day-of-week").is_some();
            let long = conventions.built_in(LONG_DATE).filter(|_| is_long);
            match long {
                Some(code) => vec![code.to_owned()],
                None => in_local_order(parts, conventions),
            }
        }
        _ => parts,
    };
    Some(parts.concat())
}

fn number_parts(style: &Element, conventions: &Conventions) -> Option<Vec<String>> {
    let is_percentage = style.is("number:percentage-style");
    let parts = style.elements().map(|element| match element.name() {
        "number:number" => number(element, is_percentage),
        "number:scientific-number" => scientific(element),
        "number:text" => Some(match is_percentage {
            true => {
                let text = element.text();
                let literals: Vec<String> = text.split('%').map(literal).collect();
                literals.join("%")
            }
            false => literal(&element.text()),
        }),
        "number:currency-symbol" => {
            let symbol = element.text();
            match symbol.is_empty() {
                true => conventions.currency_symbol().as_deref().map(literal),
                false => Some(literal(&symbol)),
            }
        }
        "style:text-properties" | "style:map" | "number:fill-character" => Some(String::new()),
        _ => None,
    });
    parts.collect()
}

fn number(element: &Element, is_percentage: bool) -> Option<String> {
    // An empty replacement only says that the decimals are optional.
    let replacement = element
        .get("number:decimal-replacement")
        .unwrap_or_default();
    if !element.children().is_empty() || !replacement.is_empty() {
        return None;
    }
    let digits = |name| {
        element
            .number::<usize>(name)
            .filter(|count| *count <= MAX_DIGITS)
    };
    let Some(decimals) = digits("number:decimal-places") else {
        let is_general = element.get("number:decimal-places").is_none()
            && element.get("number:grouping") != Some("true")
            && digits("number:min-integer-digits").unwrap_or(0) <= 1
            && !is_percentage;
        return is_general.then(|| "General".to_owned());
    };
    let least = digits("number:min-decimal-places").unwrap_or(decimals);
    let whole = digits("number:min-integer-digits").unwrap_or(0);
    let mut code = String::new();
    let is_grouped = element.get("number:grouping") == Some("true");
    let places = whole.max(if is_grouped { 4 } else { 1 });
    for place in (0..places).rev() {
        code.push(if place < whole { '0' } else { '#' });
        if is_grouped && place > 0 && place % 3 == 0 {
            code.push(',');
        }
    }
    code.push_str(&decimal_places(least, decimals));
    let factor = element.number("number:display-factor").unwrap_or(1.0_f64);
    let thousands = factor.log(1_000.0).round().clamp(0.0, 5.0);
    if (1_000_f64.powf(thousands) - factor).abs() > 1.0e-6 * factor.abs() {
        return None;
    }
    code.push_str(&",".repeat(thousands as usize));
    Some(code)
}

fn decimal_places(least: usize, most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    let least = least.min(most);
    format!(".{}{}", "0".repeat(least), "#".repeat(most - least))
}

fn scientific(element: &Element) -> Option<String> {
    let digits = |name, usual| {
        let count = element.number::<usize>(name).unwrap_or(usual);
        (count <= MAX_DIGITS).then_some(count)
    };
    if digits("number:exponent-interval", 1)? > 1
        || element.get("number:forced-exponent-sign") == Some("false")
    {
        return None;
    }
    let decimals = digits("number:decimal-places", 0)?;
    let least = digits("number:min-decimal-places", decimals)?;
    let whole = "0".repeat(digits("number:min-integer-digits", 1)?.max(1));
    let exponent = "0".repeat(digits("number:min-exponent-digits", 2)?.max(1));
    let decimals = decimal_places(least, decimals);
    Some(format!("{whole}{decimals}E+{exponent}"))
}

fn date_parts(style: &Element) -> Option<Vec<String>> {
    // Only the first component exceeds its usual maximum.
    let mut exceeds = style.get("number:truncate-on-overflow") == Some("false");
    let names: Vec<&str> = style.elements().map(Element::name).collect();
    // Without hours before or seconds after them, the code of minutes would be that of months.
    let has_minutes = |at: usize| {
        let (before, after) = names.split_at(at);
        before.contains(&"number:hours") || after.contains(&"number:seconds")
    };
    let mut parts = Vec::new();
    for (at, element) in style.elements().enumerate() {
        if element
            .get("number:calendar")
            .is_some_and(|calendar| calendar != "gregorian")
        {
            return None;
        }
        let is_long = element.get("number:style") == Some("long");
        let is_textual = element.get("number:textual") == Some("true");
        let pick = |long: &str, short: &str| if is_long { long } else { short }.to_owned();
        let component = match element.name() {
            "number:day" => pick("dd", "d"),
            "number:month" if is_textual => pick("mmmm", "mmm"),
            "number:month" => pick("mm", "m"),
            "number:year" => pick("yyyy", "yy"),
            "number:day-of-week" => pick("dddd", "ddd"),
            "number:hours" => pick("hh", "h"),
            "number:minutes" if exceeds || has_minutes(at) => pick("mm", "m"),
            "number:seconds" => {
                let decimals = element
                    .number::<usize>("number:decimal-places")
                    .unwrap_or(0);
                pick("ss", "s") + &decimal_places(decimals.min(3), decimals.min(3))
            }
            "number:am-pm" => "AM/PM".to_owned(),
            "number:text" => {
                parts.push(literal(&element.text()));
                continue;
            }
            "style:text-properties" | "style:map" => continue,
            _ => return None,
        };
        parts.push(match std::mem::take(&mut exceeds) {
            true => format!("[{component}]"),
            false => component,
        });
    }
    Some(parts)
}

/// Replaces a date of day, month and year in numbers by the short date of the locale, with as many digits of the year.
fn in_local_order(mut parts: Vec<String>, conventions: &Conventions) -> Vec<String> {
    let is_day = |part: &str| matches!(part, "d" | "dd");
    let is_month = |part: &str| matches!(part, "m" | "mm");
    let is_year = |part: &str| matches!(part, "yy" | "yyyy");
    let is_date = |[first, _, second, _, third]: &[String; 5]| {
        let components = [first, second, third];
        let has = |is: &dyn Fn(&str) -> bool| components.iter().any(|part| is(part));
        has(&is_day) && has(&is_month) && has(&is_year)
    };
    let at = parts.array_windows().position(is_date);
    let code = conventions.built_in(SHORT_DATE);
    if let (Some(at), Some(code)) = (at, code) {
        let has_long_year = parts.iter().skip(at).take(5).any(|part| part == "yyyy");
        let code = match has_long_year {
            true => code.to_owned(),
            false => code.replace("yyyy", "yy"),
        };
        parts.splice(at..at + 5, [code]);
    }
    parts
}

/// Text as it is, in a code.
fn literal(text: &str) -> String {
    text.chars()
        .flat_map(|character| ['\\', character])
        .collect()
}
