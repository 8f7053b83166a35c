//! Checks that the template serves exactly the routes of `contract`, with the same functions.

use std::collections::BTreeSet;
use std::path::Path;

use contract::BASE_PATH;
use contract::route::ROUTES;
use serde_yaml_ng::Value;

use crate::template::crate_of;
use crate::{Outcome, outcome};

type Served = BTreeSet<(String, String, String)>;

pub(crate) fn check(root: &Path) -> Outcome {
    let text = std::fs::read_to_string(root.join("template.yaml"))
        .map_err(|error| vec![error.to_string()])?;
    let template: Value =
        serde_yaml_ng::from_str(&text).map_err(|error| vec![format!("template.yaml: {error}")])?;
    let (declared, served) = (declared(), served(&template));
    let missing = declared.difference(&served).map(|route| {
        format!("template.yaml does not serve the route {route:?} of contract::route")
    });
    let extra = served.difference(&declared).map(|route| {
        format!("template.yaml serves {route:?}, which contract::route does not have")
    });
    let functions = function_crates(root)
        .into_iter()
        .filter(|name| !template_names(&template).contains(name));
    let undeployed =
        functions.map(|name| format!("template.yaml has no function for functions/{name}"));
    let faults: Vec<_> = missing.chain(extra).chain(undeployed).collect();
    outcome(faults)
}

fn declared() -> Served {
    let row = |route: &contract::route::Route| {
        (
            route.method.name().to_owned(),
            format!("{BASE_PATH}{}", route.path),
            route.function.to_owned(),
        )
    };
    ROUTES.iter().map(row).collect()
}

fn served(template: &Value) -> Served {
    let mut served = Served::new();
    for (id, function) in functions(template) {
        let events = function["Properties"]["Events"].as_mapping();
        for event in events.into_iter().flat_map(|events| events.values()) {
            let (method, path) = (
                event["Properties"]["Method"].as_str(),
                event["Properties"]["Path"].as_str(),
            );
            if let (Some("HttpApi"), Some(method), Some(path)) =
                (event["Type"].as_str(), method, path)
            {
                served.insert((method.to_uppercase(), path.to_owned(), crate_of(id)));
            }
        }
    }
    served
        .into_iter()
        .filter(|(_, path, _)| path != "$default")
        .collect()
}

fn functions(template: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let resources = template["Resources"].as_mapping().into_iter().flatten();
    resources
        .filter(|(_, resource)| resource["Type"].as_str() == Some("AWS::Serverless::Function"))
        .filter_map(|(id, resource)| Some((id.as_str()?, resource)))
}

fn template_names(template: &Value) -> BTreeSet<String> {
    functions(template).map(|(id, _)| crate_of(id)).collect()
}

fn function_crates(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join("functions"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
