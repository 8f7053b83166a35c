//! Generates tables in the docs from the service's data: `cargo xtask tables` writes them between `<!-- table: NAME -->`
//! and `<!-- end of table -->`.

use std::collections::BTreeMap;
use std::path::Path;

use contract::route::{Access, ROUTES, Route};
use domain::event::EventType;
use domain::library::Import;
use domain::operation::OPERATIONS;
use domain::plan::{MEGABYTE, PLANS, PlanLimits, Unit};
use domain::subscription::Trigger;
use serde::Deserialize;

use crate::text::{grouped, pascal_case};
use crate::{Outcome, generated, options, template};

const FILES: [&str; 2] = ["docs/api.md", "docs/deploy.md"];
const START: &str = "<!-- table: ";
const NAMED: &str = " -->\n\n";
const END: &str = "\n<!-- end of table -->";

pub(crate) fn write(root: &Path) -> Outcome {
    FILES
        .iter()
        .try_for_each(|file| generated::write(root, file, &of_file(root, file)?))
}

pub(crate) fn check(root: &Path) -> Outcome {
    FILES
        .iter()
        .try_for_each(|file| generated::check(root, file, &of_file(root, file)?, "tables"))
}

/// The file's text with current tables.
fn of_file(root: &Path, file: &str) -> Result<String, Vec<String>> {
    let fault = |error: String| vec![format!("{file}: {error}")];
    let text =
        std::fs::read_to_string(root.join(file)).map_err(|error| fault(error.to_string()))?;
    filled(root, &text).map_err(fault)
}

fn filled(root: &Path, text: &str) -> Result<String, String> {
    let mut parts = text.split(START);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let unclosed = || {
            format!(
                "{START}{} …: a table starts with its name and ends with the end marker",
                first_line(part)
            )
        };
        let (name, rest) = part.split_once(NAMED).ok_or_else(unclosed)?;
        let (_, rest) = rest.split_once(END).ok_or_else(unclosed)?;
        let table = table(root, name)?;
        filled.extend([START, name, NAMED, &table, END, rest]);
    }
    Ok(filled)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}

fn table(root: &Path, name: &str) -> Result<String, String> {
    if let Some(operation) = name.strip_prefix("options ") {
        return options::table(operation);
    }
    match name {
        "events" => Ok(events()),
        "parameters" => parameters(root),
        "plans" => Ok(plans()),
        "prices" => Ok(prices()),
        "routes" => Ok(routes()),
        "triggers" => Ok(triggers()),
        _ => Err(format!("unknown table {name}")),
    }
}

/// Table of the template's parameters.
fn parameters(root: &Path) -> Result<String, String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Parameter {
        default: Option<serde_yaml_ng::Value>,
        description: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Template {
        parameters: serde_yaml_ng::Mapping,
    }
    let fault = |error: serde_yaml_ng::Error| format!("the template's parameters: {error}");
    let template: Template =
        serde_yaml_ng::from_str(&template::parameters(root)?).map_err(fault)?;
    let mut table = "| parameter | default | meaning |\n|---|---|---|\n".to_owned();
    for (name, parameter) in template.parameters {
        let name: String = serde_yaml_ng::from_value(name).map_err(fault)?;
        let parameter: Parameter = serde_yaml_ng::from_value(parameter).map_err(fault)?;
        let default = parameter
            .default
            .map(|value| serde_yaml_ng::to_string(&value));
        let default = default.transpose().map_err(fault)?.unwrap_or_default();
        let default = match default.trim().trim_matches('\'') {
            "" => "none".to_owned(),
            value => format!("`{value}`"),
        };
        let description = parameter.description.trim_end_matches('.');
        table.push_str(&format!("| `{name}` | {default} | {description} |\n"));
    }
    Ok(table)
}

fn plans() -> String {
    let names = PLANS.map(|plan| pascal_case(plan.plan.name()));
    let row = |name: &str, of: &dyn Fn(&PlanLimits) -> String| {
        let values: Vec<_> = PLANS.iter().map(of).collect();
        format!("| {name} | {} |\n", values.join(" | "))
    };
    let rows = [
        format!("| limit | {} |\n|---|---|---|---|---|\n", names.join(" | ")),
        row("included", &included),
        row("file size", &|plan| {
            format!("{} MB", grouped(plan.file_bytes / MEGABYTE))
        }),
        row("pages of a document", &|plan| grouped(plan.pages.into())),
        row("longest side of an output image", &|plan| {
            format!("{} px", grouped(plan.image_side.into()))
        }),
        row("requests per second and key", &|plan| {
            grouped(plan.burst.into())
        }),
        row("API keys", &|plan| grouped(plan.keys.into())),
        row("webhooks and automation hooks", &|plan| {
            grouped(plan.subscriptions.into())
        }),
    ];
    rows.concat()
}

fn included(plan: &PlanLimits) -> String {
    let unit = match plan.unit {
        Unit::Requests => "requests",
        Unit::Credits => "credits",
    };
    let of = |limit: Option<u32>, period| {
        limit.map(|most| format!("{} {unit} a {period}", grouped(most.into())))
    };
    let limits = [of(plan.per_day, "day"), of(plan.per_month, "month")];
    let limits: Vec<_> = limits.into_iter().flatten().collect();
    match limits.as_slice() {
        [] => "unlimited".to_owned(),
        limits => limits.join(", "),
    }
}

fn prices() -> String {
    let mut by_price: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for row in OPERATIONS {
        let name = format!("`{}`", row.name);
        by_price.entry(row.credits).or_default().push(name);
    }
    let import = by_price.entry(Import::CREDITS).or_default();
    import.push("an import".to_owned());
    let row =
        |(credits, names): (&u32, &Vec<String>)| format!("| {credits} | {} |\n", names.join(", "));
    let rows: String = by_price.iter().map(row).collect();
    format!("| credits | operations |\n|---|---|\n{rows}")
}

fn routes() -> String {
    let row = |route: &Route| {
        let (method, path) = (route.method.name(), route.path);
        let access = match route.access {
            Access::Open => "open".to_owned(),
            Access::AnyCaller => "any key".to_owned(),
            Access::Account => "account token".to_owned(),
            Access::Scoped(scope) => format!("`{scope}`"),
            Access::Both(one, other) => format!("`{one}` and `{other}`"),
        };
        format!("| `{method} {path}` | {access} | {} |\n", route.summary)
    };
    let rows: String = ROUTES.iter().map(row).collect();
    format!("| route | scope | purpose |\n|---|---|---|\n{rows}")
}

fn triggers() -> String {
    let row = |trigger: &Trigger| {
        let plan = pascal_case(trigger.plan().name());
        format!("| `{trigger}` | {plan} | {} |\n", trigger.description())
    };
    let rows: String = Trigger::ALL.iter().map(row).collect();
    format!("| trigger | plan | fires when |\n|---|---|---|\n{rows}")
}

fn events() -> String {
    let row = |event: &EventType| format!("| `{event}` | {} |\n", event.description());
    let rows: String = EventType::ALL.iter().map(row).collect();
    format!("| event | meaning |\n|---|---|\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_replaced_and_the_text_around_it_is_kept() {
        let text = "Before.\n\n<!-- table: prices -->\n\nold\n<!-- end of table -->\n\nAfter.\n";
        let filled = filled(Path::new("."), text).unwrap();
        assert!(
            filled.starts_with("Before.\n\n<!-- table: prices -->\n\n| credits | operations |\n")
        );
        assert!(filled.ends_with("|\n\n<!-- end of table -->\n\nAfter.\n"));
        assert_eq!(super::filled(Path::new("."), &filled), Ok(filled));
    }

    #[test]
    fn an_unknown_or_unterminated_table_is_an_error() {
        assert!(
            filled(
                Path::new("."),
                "<!-- table: colors -->\n\n\n<!-- end of table -->"
            )
            .is_err()
        );
        assert!(filled(Path::new("."), "<!-- table: prices -->\n\n| credits |").is_err());
    }
}
