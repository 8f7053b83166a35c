//! Finds the row of the table of routes that a request means.

use std::collections::HashMap;

use contract::BASE_PATH;
use contract::route::{ROUTES, Route};
use http::Method;

/// What a method and a path mean.
pub(super) enum Match {
    /// A route, and what stands in its path for each parameter.
    Route {
        route: &'static Route,
        parameters: HashMap<&'static str, String>,
    },
    /// A known path under other methods, as `Allow` lists them.
    OtherMethods(String),
    /// Nothing.
    Nothing,
}

/// Looks `path` up, base path included.
pub(super) fn find(method: &Method, path: &str) -> Match {
    let Some(path) = path.strip_prefix(BASE_PATH) else {
        return Match::Nothing;
    };
    // A path that is written out is no other path's parameter, as the gateway judges it too.
    let written_out = ROUTES.iter().any(|route| route.path == path);
    let same_path = ROUTES
        .iter()
        .filter(|route| !written_out || route.path == path)
        .filter_map(|route| Some((route, parameters(route.path, path)?)));
    let mut methods = Vec::new();
    for (route, parameters) in same_path {
        if route.method.name() == method.as_str() {
            return Match::Route { route, parameters };
        }
        methods.push(route.method.name());
    }
    if methods.is_empty() {
        Match::Nothing
    } else {
        Match::OtherMethods(methods.join(", "))
    }
}

fn parameters(template: &'static str, path: &str) -> Option<HashMap<&'static str, String>> {
    if template.matches('/').count() != path.matches('/').count() {
        return None;
    }
    let mut found = HashMap::new();
    for (wanted, given) in template.split('/').zip(path.split('/')) {
        match wanted
            .strip_prefix('{')
            .and_then(|name| name.strip_suffix('}'))
        {
            Some(_) if given.is_empty() => return None,
            Some(name) => drop(found.insert(name, given.to_owned())),
            None if wanted == given => {}
            None => return None,
        }
    }
    Some(found)
}
