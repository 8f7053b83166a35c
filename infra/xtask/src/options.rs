//! Tables of the options of each operation, from the JSON Schemas that `GET /formats` lists.

use contract::formats::Formats;
use serde_json::{Map, Value};

use crate::text::grouped;

const HEAD: &str = "| option | type | default | meaning |\n|---|---|---|---|\n";

/// Returns the table of the options of `operation`.
///
/// # Errors
/// The operation is unknown or has no options.
pub(crate) fn table(operation: &str) -> Result<String, String> {
    let formats = Formats::of_tables();
    let entry = formats.operations.iter().find(|row| row.name == operation);
    let schema = &entry.ok_or(format!("no operation {operation}"))?.options;
    let options = schema["properties"].as_object();
    let options = options.ok_or(format!("{operation} has no options"))?;
    let rows: String = options.iter().map(|option| row(schema, option)).collect();
    Ok(format!("{HEAD}{rows}"))
}

fn row(schema: &Value, (name, property): (&String, &Value)) -> String {
    let required = schema["required"].as_array();
    let is_in_schema = required.is_some_and(|names| names.contains(&name.as_str().into()));
    let description = flat(property["description"].as_str().unwrap_or_default());
    // A description ends with "Required." or "Default: …". The schema omits options that some routes add themselves.
    let is_required = is_in_schema || description.ends_with("Required.");
    let description = description.trim_end_matches("Required.").trim_end();
    let (meaning, default) = match description.split_once("Default: ") {
        Some((meaning, default)) => (meaning.trim_end(), default.trim_end_matches('.')),
        None => (description, if is_required { "required" } else { "none" }),
    };
    let definition = resolve(schema, property);
    let (kind, values) = (kind(schema, definition), values(definition));
    format!("| `{name}` | {kind} | {default} | {meaning}{values} |\n")
}

/// Follows a `$ref` into the schema's definitions.
fn resolve<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    let target = property["$ref"].as_str();
    let target = target.and_then(|path| schema.pointer(path.trim_start_matches('#')));
    target.unwrap_or(property)
}

/// Names the type with its bounds: `integer, 1 to 100`.
fn kind(schema: &Value, definition: &Value) -> String {
    if !constants(definition).is_empty() {
        return constants(definition).join(", ");
    }
    match definition["type"].as_str() {
        Some("array") => format!(
            "array of {}",
            kind(schema, resolve(schema, &definition["items"]))
        ),
        Some(name @ ("integer" | "number")) => {
            let bounds = [&definition["minimum"], &definition["maximum"]].map(number);
            format!("{name}, {}", bounds.join(" to "))
        }
        name => {
            let examples = definition["examples"].as_array().into_iter().flatten();
            let examples: Vec<_> = examples.map(code).collect();
            let such_as = if examples.is_empty() {
                ""
            } else {
                ", such as "
            };
            format!("{}{such_as}{}", name.unwrap_or("any"), examples.join(", "))
        }
    }
}

/// The values of an enumeration, each as code.
fn constants(definition: &Value) -> Vec<String> {
    let listed = definition["enum"].as_array().into_iter().flatten();
    listed
        .chain(alternatives(definition).filter_map(|one| one.get("const")))
        .map(code)
        .collect()
}

/// What each value of an enumeration means.
fn values(definition: &Value) -> String {
    let line = |one: &Map<String, Value>| {
        let (value, meaning) = (one.get("const")?, one.get("description")?);
        let meaning = flat(meaning.as_str()?);
        Some(format!("<br>{}: {meaning}", code(value)))
    };
    alternatives(definition)
        .filter_map(Value::as_object)
        .filter_map(line)
        .collect()
}

fn alternatives(definition: &Value) -> impl Iterator<Item = &Value> {
    definition["oneOf"].as_array().into_iter().flatten()
}

fn number(value: &Value) -> String {
    match value.as_u64() {
        Some(whole) => grouped(whole),
        None => value
            .as_f64()
            .map(|number| number.to_string())
            .unwrap_or_default(),
    }
}

fn code(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    format!("`{text}`")
}

/// One line: a row of a Markdown table cannot have more, nor a bare `|`.
fn flat(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
