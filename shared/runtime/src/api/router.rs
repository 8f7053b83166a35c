//! Matches a method and a path against the route table.

use std::collections::HashMap;

use contract::BASE_PATH;
use contract::route::{ROUTES, Route};
use http::Method;

/// Result of matching a request.
pub(super) enum Match {
    /// A route with its path parameters.
    Route {
        route: &'static Route,
        parameters: HashMap<&'static str, String>,
    },
    /// The path exists for other methods only, listed as in the `Allow` header.
    OtherMethods(String),
    /// No route has this path.
    NotFound,
}

/// Finds the route for `path`, which includes the base path.
pub(super) fn find(method: &Method, path: &str) -> Match {
    let Some(path) = path.strip_prefix(BASE_PATH) else {
        return Match::NotFound;
    };
    // A literal path takes precedence over a path with parameters, as in API Gateway.
    let is_literal = ROUTES.iter().any(|route| route.path == path);
    let candidates = ROUTES
        .iter()
        .filter(|route| !is_literal || route.path == path)
        .filter_map(|route| Some((route, parameters(route.path, path)?)));
    let mut methods = Vec::new();
    for (route, parameters) in candidates {
        if route.method.name() == method.as_str() {
            return Match::Route { route, parameters };
        }
        methods.push(route.method.name());
    }
    if methods.is_empty() {
        Match::NotFound
    } else {
        Match::OtherMethods(methods.join(", "))
    }
}

fn parameters(template: &'static str, path: &str) -> Option<HashMap<&'static str, String>> {
    if template.matches('/').count() != path.matches('/').count() {
        return None;
    }
    let mut found = HashMap::new();
    for (pattern, segment) in template.split('/').zip(path.split('/')) {
        match pattern
            .strip_prefix('{')
            .and_then(|name| name.strip_suffix('}'))
        {
            Some(_) if segment.is_empty() => return None,
            Some(name) => drop(found.insert(name, segment.to_owned())),
            None if pattern == segment => {}
            None => return None,
        }
    }
    Some(found)
}
