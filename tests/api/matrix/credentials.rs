//! Every route with every credential that is not good enough.

use contract::route::{Access, ROUTES, Route};
use domain::key::KeyId;
use domain::scope::Scope;
use tests::client::Client;
use tests::stack::admin;

use super::Owner;
use crate::account::Account;
use crate::refusal::assert_refused;
use crate::tokens::token;

/// Credentials that nobody has, and why.
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
        ("nothing", None),
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
            "a token that claims to need none",
            Some(format!("eyJhbGciOiJub25lIn0.{claims}.")),
        ),
        (
            "a token signed for another",
            Some(format!("{header}.{}.{signature}", other_claims())),
        ),
    ]
}

/// The claims of another account's token, which may be from another issuer as far as this signature goes.
fn other_claims() -> String {
    let token = token(&Account::new("business").id);
    token.split('.').nth(1).unwrap().to_owned()
}

fn scopes(route: &Route) -> Vec<Scope> {
    match route.access {
        Access::Scoped(scope) => vec![scope],
        Access::Both(one, other) => vec![one, other],
        Access::Open | Access::AnyCaller | Access::Account => Vec::new(),
    }
}

#[tokio::test]
async fn no_route_takes_a_credential_that_is_not_good_enough() {
    let owner = Owner::new().await;
    let account = Account::new("business");
    let bad = bad_credentials();
    let mut tried = 0;
    for route in ROUTES.iter().filter(|route| route.access != Access::Open) {
        let path = owner.path(route);
        for (what, credential) in &bad {
            let client = Client::with_key(credential.as_deref());
            let answer = client.send(route.method.name(), &path, &[], None).await;
            let code = match credential {
                None => "authentication_required",
                Some(_) => "invalid_api_key",
            };
            assert_eq!(
                answer.refusal(),
                (401, code.to_owned()),
                "{} with {what}",
                route.operation
            );
            tried += 1;
        }
        for missing in scopes(route) {
            let others = Scope::ALL.iter().filter(|scope| **scope != missing);
            let others: Vec<_> = others.map(|scope| scope.name()).collect();
            let (_, key) = account.new_key(&["--scopes", &others.join(",")]);
            let client = Client::with_key(Some(&key));
            let answer = client.send(route.method.name(), &path, &[], None).await;
            assert_refused(&answer, 403, "insufficient_scope", &[]);
            let lacks = format!("scope=\"{missing}\"");
            assert!(
                answer.header("www-authenticate").contains(&lacks),
                "{}",
                route.operation
            );
            tried += 1;
        }
    }
    println!("{tried} pairs of a route and a credential");
}
