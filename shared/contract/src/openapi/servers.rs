//! Where the API is: the two names that an operator may give it.

use serde_json::{Value, json};

use crate::BASE_PATH;

/// The two names of a stack, as variables with what each stands for.
const NAMES: [(&str, &str, &str); 2] = [
    (
        "domainName",
        "octavo.example",
        "The stack's parameter DomainName: the public page and the API.",
    ),
    (
        "apiDomainName",
        "api.octavo.example",
        "The stack's parameter ApiDomainName: the same API under a second name.",
    ),
];

/// The servers of any stack: both of its names, left to whoever reads.
pub(super) fn of_any_stack() -> Value {
    let server = |(name, example, description): (&str, &str, &str)| {
        json!({
            "url": format!("https://{{{name}}}{BASE_PATH}"),
            "description": description,
            "variables": {name: {"default": example, "description": "A host name."}},
        })
    };
    NAMES.map(server).into_iter().collect()
}

/// The servers of a stack with these host names; without any, wherever the description was read.
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
    fn a_stack_without_names_is_where_its_description_is() {
        assert_eq!(of_hosts(&[]), json!([{"url": "/api/v1"}]));
        let hosts = ["octavo.example", "api.octavo.example"].map(str::to_owned);
        let expected = json!([
            {"url": "https://octavo.example/api/v1"},
            {"url": "https://api.octavo.example/api/v1"},
        ]);
        assert_eq!(of_hosts(&hosts), expected);
    }
}
