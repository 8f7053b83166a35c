//! Functions other than processors: their hand-written fragments with routes, role and log group.

use std::path::Path;

use contract::BASE_PATH;
use contract::route::{ROUTES, Route};

use super::part::{part, role};
use super::processors;
use crate::text::pascal_case;

/// Maximum line length of an event source.
const LINE: usize = 115;

/// The function's resource, and its role with its log group.
pub(super) fn parts(root: &Path, name: &str) -> Result<[String; 2], String> {
    let routes = ROUTES.iter().filter(|route| route.function == name);
    let routes: Vec<_> = routes.map(event).collect();
    let values = [
        ("routes", routes.join("\n")),
        ("queue-urls", processors::queue_urls()),
        ("dead-letters", processors::dead_letters()),
    ];
    let function = part(root, &format!("functions/{name}"), &values)?;
    let values = [
        ("Name", pascal_case(name)),
        ("policy", name.to_owned()),
        ("queues", processors::arns("Queue")),
        ("dead-letter-queues", processors::arns("DeadLetterQueue")),
    ];
    Ok([function, role(root, name, &values)?])
}

fn event(route: &Route) -> String {
    let path = format!("{BASE_PATH}{}", route.path);
    let path = match path.contains('{') {
        true => format!("{path:?}"),
        false => path,
    };
    // Renaming an event would replace the deployed route.
    let name = match route.operation {
        "authorizeUpload" => "UploadFile".to_owned(),
        "listFormats" => "GetFormats".to_owned(),
        operation => pascal_case(operation),
    };
    let method = route.method.name();
    let properties = format!("{{ ApiId: !Ref Api, Method: {method}, Path: {path} }}");
    let line = format!("          Properties: {properties}");
    let properties = match line.len() > LINE {
        true => format!("          Properties:\n            {properties}"),
        false => line,
    };
    format!("        {name}:\n          Type: HttpApi\n{properties}")
}
