//! Tables of README.md and docs/api.md that repeat a table of the service: written between `<!-- table: NAME -->` and
//! `<!-- end of table -->` by `cargo xtask tables`.

use std::collections::BTreeMap;
use std::path::Path;

use contract::route::{Access, ROUTES, Route};
use domain::event::EventType;
use domain::library::Import;
use domain::operation::OPERATIONS;
use domain::plan::{MEGABYTE, PLANS, PlanLimits, Unit};
use domain::subscription::Trigger;
use serde::Deserialize;

use crate::text::{capitalized, grouped};
use crate::{Outcome, generated, template};

const FILES: [&str; 2] = ["README.md", "docs/api.md"];
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

/// A file with its tables as they should be.
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
                "{START}{} …: a table begins with its name and ends with a line of its own",
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
    match name {
        "events" => Ok(events()),
        "parameters" => parameters(root),
        "plans" => Ok(plans()),
        "prices" => Ok(prices()),
        "routes" => Ok(routes()),
        "triggers" => Ok(triggers()),
        _ => Err(format!("there is no table {name}")),
    }
}

/// What an operator may set in the template.
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
    let names = PLANS.map(|plan| capitalized(plan.plan.name()));
    let row = |name: &str, of: &dyn Fn(&PlanLimits) -> String| {
        let values: Vec<_> = PLANS.iter().map(of).collect();
        format!("| {name} | {} |\n", values.join(" | "))
    };
    let rows = [
        format!("| | {} |\n|---|---|---|---|---|\n", names.join(" | ")),
        row("counted", &counted),
        row("one file", &|plan| {
            format!("{} MB", grouped(plan.file_bytes / MEGABYTE))
        }),
        row("pages", &|plan| grouped(plan.pages.into())),
        row("side of an output image", &|plan| {
            format!("{} px", grouped(plan.image_side.into()))
        }),
        row("requests a second and key", &|plan| {
            grouped(plan.burst.into())
        }),
        row("API keys", &|plan| grouped(plan.keys.into())),
        row("webhooks and automation hooks together", &|plan| {
            grouped(plan.subscriptions.into())
        }),
    ];
    rows.concat()
}

fn counted(plan: &PlanLimits) -> String {
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
        [] => "nothing".to_owned(),
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
    format!("| credits | for |\n|---|---|\n{rows}")
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
    format!("| route | scope | what it does |\n|---|---|---|\n{rows}")
}

fn triggers() -> String {
    let row = |trigger: &Trigger| {
        let plan = capitalized(trigger.plan().name());
        format!("| `{trigger}` | {plan} | {} |\n", trigger.description())
    };
    let rows: String = Trigger::ALL.iter().map(row).collect();
    format!("| Trigger | Plan | When it fires |\n|---|---|---|\n{rows}")
}

fn events() -> String {
    let row = |event: &EventType| format!("| `{event}` | {} |\n", event.description());
    let rows: String = EventType::ALL.iter().map(row).collect();
    format!("| Event | What it tells |\n|---|---|\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_anew_and_what_is_around_it_stays() {
        let text = "Before.\n\n<!-- table: prices -->\n\nold\n<!-- end of table -->\n\nAfter.\n";
        let filled = filled(Path::new("."), text).unwrap();
        assert!(filled.starts_with("Before.\n\n<!-- table: prices -->\n\n| credits | for |\n"));
        assert!(filled.ends_with("|\n\n<!-- end of table -->\n\nAfter.\n"));
        assert_eq!(super::filled(Path::new("."), &filled), Ok(filled));
    }

    #[test]
    fn an_unknown_or_unfinished_table_is_a_fault() {
        assert!(
            filled(
                Path::new("."),
                "<!-- table: colours -->\n\n\n<!-- end of table -->"
            )
            .is_err()
        );
        assert!(filled(Path::new("."), "<!-- table: prices -->\n\n| credits |").is_err());
    }
}
