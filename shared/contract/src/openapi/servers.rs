//! Server URLs: the two host names of a stack.

use serde_json::{Value, json};

use crate::BASE_PATH;

/// The two host names of a stack: variable, example and description.
const NAMES: [(&str, &str, &str); 2] = [
    (
        "domainName",
        "octavo.example",
        "Value of the stack parameter `DomainName`: the public site and the API.",
    ),
    (
        "apiDomainName",
        "api.octavo.example",
        "Value of the stack parameter `ApiDomainName`: a second host name of the API.",
    ),
];

/// Returns the servers of any stack, with variables for its host names.
pub(super) fn of_any_stack() -> Value {
    let server = |(name, example, description): (&str, &str, &str)| {
        json!({
            "url": format!("https://{{{name}}}{BASE_PATH}"),
            "description": description,
            "variables": {name: {"default": example, "description": "Host name."}},
        })
    };
    NAMES.map(server).into_iter().collect()
}

/// Returns the servers of a stack with these host names; a relative URL if there are none.
pub(super) fn of_hosts(hosts: &[String]) -> Value {
    let server = |url: String| json!({"url": url});
    match hosts {
        [] => json!([server(BASE_PATH.to_owned())]),
        hosts => hosts
            .iter()
            .map(|host| server(format!("https://{host}{BASE_PATH}")))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_are_variables_with_a_default() {
        let servers = of_any_stack();
        assert_eq!(servers[0]["url"], "https://{domainName}/api/v1");
        assert_eq!(servers[1]["url"], "https://{apiDomainName}/api/v1");
        assert_eq!(
            servers[1]["variables"]["apiDomainName"]["default"],
            "api.octavo.example"
        );
        assert_eq!(servers.as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn a_stack_without_host_names_has_a_relative_server_url() {
        assert_eq!(of_hosts(&[]), json!([{"url": "/api/v1"}]));
        let hosts = ["octavo.example", "api.octavo.example"].map(str::to_owned);
        let expected = json!([
            {"url": "https://octavo.example/api/v1"},
            {"url": "https://api.octavo.example/api/v1"},
        ]);
        assert_eq!(of_hosts(&hosts), expected);
    }
}
