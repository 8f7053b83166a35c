//! OpenAPI links from a response to routes that use its identifiers.

use serde_json::{Map, Value, json};

use crate::route::{ParameterLocation, ROUTES, Route};

/// Adds links to each response that contains all path parameters of another route.
pub(super) fn add(document: &mut Value) {
    let schemas = document.pointer("/components/schemas").cloned();
    let schemas = schemas.unwrap_or_default();
    for route in ROUTES {
        for success in route.successes {
            let response = document.pointer_mut(&pointer(route, success.status));
            let Some(members) = response.and_then(Value::as_object_mut) else {
                continue;
            };
            let links = links(&schemas, members);
            if !links.is_empty() {
                members.insert("links".to_owned(), Value::Object(links));
            }
        }
    }
}

/// Returns the JSON Pointer of a response [RFC 6901].
fn pointer(route: &Route, status: u16) -> String {
    let path = route.path.replace('/', "~1");
    let method = route.method.name().to_lowercase();
    format!("/paths/{path}/{method}/responses/{status}")
}

fn links(schemas: &Value, response: &Map<String, Value>) -> Map<String, Value> {
    let reference = response
        .get("content")
        .and_then(|content| content.pointer("/application~1json/schema/$ref"));
    let name = reference
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next());
    let Some(name) = name else {
        return Map::new();
    };
    let Some(properties) = schemas.pointer(&format!("/{name}/properties")) else {
        return Map::new();
    };
    let leads = ROUTES.iter().filter_map(|route| {
        let parameters = expressions(route, name, properties)?;
        let link = json!({"operationId": route.operation, "parameters": parameters});
        Some((route.operation.to_owned(), link))
    });
    leads.collect()
}

/// Returns the runtime expression of each path parameter; `None` if the response lacks one, or the path has none.
fn expressions(route: &Route, schema: &str, properties: &Value) -> Option<Map<String, Value>> {
    let names = route
        .parameters
        .iter()
        .filter(|parameter| parameter.location == ParameterLocation::Path);
    let expressions: Option<Map<_, _>> = names
        .map(|parameter| {
            let member = member(schema, parameter.name);
            properties.get(member)?;
            let expression = format!("$response.body#/{member}");
            Some((parameter.name.to_owned(), Value::from(expression)))
        })
        .collect();
    expressions.filter(|expressions| !expressions.is_empty())
}

/// Returns the member of a schema that contains the value of a path parameter.
fn member<'a>(schema: &str, parameter: &'a str) -> &'a str {
    match (schema, parameter) {
        ("DocumentSummary", "documentId") => "id",
        _ => parameter,
    }
}
