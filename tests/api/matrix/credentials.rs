//! Every route with invalid and insufficient credentials.

use std::collections::BTreeMap;

use contract::route::{Access, ROUTES, Route};
use domain::key::KeyId;
use domain::scope::Scope;
use tests::client::Client;
use tests::stack::admin;

use super::Owner;
use crate::account::Account;
use crate::problem::assert_error;
use crate::tokens::token;

/// Returns invalid credentials with a description of each.
fn bad_credentials() -> Vec<(&'static str, Option<String>)> {
    let account = Account::new("business");
    let key = account.key.clone();
    let (key_id, revoked) = account.new_key(&[]);
    admin(&["key", "revoke", &key_id]);
    let token = token(&account.id);
    let [header, claims, signature] = token.split('.').collect::<Vec<_>>().try_into().unwrap();
    let last = if key.ends_with('0') { '1' } else { '0' };
    let unknown = KeyId::parse("0123456789abcdef").map(|id| id.as_str().to_owned());
    let secret = key.rsplit('_').next().unwrap();
    vec![
        ("no credential", None),
        ("junk", Some("junk".to_owned())),
        (
            "a wrong checksum",
            Some(format!("{}{last}", &key[..key.len() - 1])),
        ),
        (
            "another key's secret",
            unknown.map(|id| format!("oct_{id}_{secret}")),
        ),
        ("a revoked key", Some(revoked)),
        (
            "a token without a signature",
            Some(format!("{header}.{claims}.")),
        ),
        (
            "a token with alg=none",
            Some(format!("eyJhbGciOiJub25lIn0.{claims}.")),
        ),
        (
            "a token with another account's claims",
            Some(format!("{header}.{}.{signature}", other_claims())),
        ),
    ]
}

/// Returns the claims of another account's token, which the signature does not cover.
fn other_claims() -> String {
    let token = token(&Account::new("business").id);
    token.split('.').nth(1).unwrap().to_owned()
}

fn required_scopes(route: &Route) -> Vec<Scope> {
    match route.access {
        Access::Scoped(scope) => vec![scope],
        Access::Both(one, other) => vec![one, other],
        Access::Open | Access::AnyCaller | Access::Account => Vec::new(),
    }
}

#[tokio::test]
async fn every_route_rejects_insufficient_credentials() {
    let owner = Owner::new().await;
    let account = Account::new("business");
    let bad = bad_credentials();
    let (mut keys, mut cases) = (BTreeMap::new(), 0);
    for route in ROUTES.iter().filter(|route| route.access != Access::Open) {
        let path = owner.path(route);
        for (description, credential) in &bad {
            let client = Client::with_key(credential.as_deref());
            let response = client.send(route.method.name(), &path, &[], None).await;
            let code = match credential {
                None => "authentication_required",
                Some(_) => "invalid_api_key",
            };
            assert_eq!(
                response.problem(),
                (401, code.to_owned()),
                "{} with {description}",
                route.operation
            );
            cases += 1;
        }
        for missing in required_scopes(route) {
            let key = keys.entry(missing.name()).or_insert_with(|| {
                let others = Scope::ALL.iter().filter(|scope| **scope != missing);
                let others: Vec<_> = others.map(|scope| scope.name()).collect();
                account.new_key(&["--scopes", &others.join(",")]).1
            });
            let client = Client::with_key(Some(key.as_str()));
            let response = client.send(route.method.name(), &path, &[], None).await;
            assert_error(&response, 403, "insufficient_scope", &[]);
            let lacks = format!("scope=\"{missing}\"");
            assert!(
                response.header("www-authenticate").contains(&lacks),
                "{}",
                route.operation
            );
            cases += 1;
        }
    }
    println!("{cases} pairs of a route and a credential");
}
