//! Tests of every route in the route table: credentials, fields of bodies, identifiers in paths.

mod credentials;
mod fields;
mod identifiers;
mod requests;

use contract::route::{ParameterLocation, Route};
use serde_json::Value;
use tests::client::Client;
use tests::library_fixture::LibraryFixture;

use crate::account::Account;
use crate::subscriber::Subscriber;
use crate::tokens::token;

/// An account with one resource of each type, and a client with full access to it.
struct Owner {
    client: Client,
    job: String,
    key: String,
    document: String,
    version: String,
    page: String,
    webhook: String,
    delivery: String,
}

impl Owner {
    async fn new() -> Self {
        let account = Account::new("business");
        let job = account.run_job(&account.conversion_body().await).await["jobId"].clone();
        let document = LibraryFixture::open(&account.id).await.add("a.pdf").await;
        let client = Client::with_key(Some(&token(&account.id))).with_retries();
        let detail = client.get(&format!("/documents/{document}")).await.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let version = &detail["versions"][0];
        let keys = client.get("/account/keys").await.json();
        let webhook = Subscriber::webhook_at_unreachable_host(&account).await;
        let delivery = webhook.send_test_event(&account).await;
        Self {
            job: text(&job),
            key: text(&keys["keys"][0]["keyId"]),
            document: document.to_string(),
            version: text(&version["id"]),
            page: text(&version["pages"][0]["id"]),
            webhook: webhook.id,
            delivery,
            client,
        }
    }

    /// Returns the identifier of this account's resource for the path parameter `name`.
    fn id(&self, name: &str) -> &str {
        match name {
            "jobId" => &self.job,
            "keyId" => &self.key,
            "documentId" => &self.document,
            "versionId" => &self.version,
            "pageId" => &self.page,
            "webhookId" => &self.webhook,
            "deliveryId" => &self.delivery,
            _ => panic!("path parameter {name} is not covered by this test"),
        }
    }

    /// Returns the route's path with the identifiers of this account's resources.
    fn path(&self, route: &Route) -> String {
        self.path_with(route, "", "")
    }

    /// As [`Owner::path`], with `value` for the parameter `name`.
    fn path_with(&self, route: &Route, name: &str, value: &str) -> String {
        let names = path_parameters(route);
        names.fold(route.path.to_owned(), |path, parameter| {
            let value = if parameter == name {
                value
            } else {
                self.id(parameter)
            };
            path.replace(&format!("{{{parameter}}}"), value)
        })
    }
}

/// Returns the names of a route's path parameters.
fn path_parameters(route: &Route) -> impl Iterator<Item = &'static str> {
    let parameters = route.parameters.iter();
    let of_path = parameters.filter(|parameter| parameter.location == ParameterLocation::Path);
    of_path.map(|parameter| parameter.name)
}
