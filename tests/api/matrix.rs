//! Matrices made from the table of routes: every credential, every member of every body, every identifier of every path.

mod credentials;
mod identifiers;
mod members;
mod requests;

use contract::route::{Place, Route};
use serde_json::Value;
use tests::client::Client;
use tests::shelf::Shelf;

use crate::account::Account;
use crate::subscriber::Subscriber;
use crate::tokens::token;

/// An account that has one of everything that a path can name, and a client that may do everything with it.
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
        let job = account.ended(&account.conversion().await).await["jobId"].clone();
        let document = Shelf::of(&account.id).await.put("a.pdf").await;
        let client = Client::with_key(Some(&token(&account.id))).patient();
        let detail = client.get(&format!("/documents/{document}")).await.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let version = &detail["versions"][0];
        let keys = client.get("/account/keys").await.json();
        let webhook = Subscriber::out_of_reach(&account).await;
        let delivery = webhook.try_out(&account).await;
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

    /// What this account has of what a path calls `name`.
    fn own(&self, name: &str) -> &str {
        match name {
            "jobId" => &self.job,
            "keyId" => &self.key,
            "documentId" => &self.document,
            "versionId" => &self.version,
            "pageId" => &self.page,
            "webhookId" => &self.webhook,
            "deliveryId" => &self.delivery,
            _ => panic!("{name} is not in this test yet"),
        }
    }

    /// The route's path with what this account has.
    fn path(&self, route: &Route) -> String {
        self.path_with(route, "", "")
    }

    /// The same, with `value` in the place of `name`.
    fn path_with(&self, route: &Route, name: &str, value: &str) -> String {
        let names = path_parameters(route);
        names.fold(route.path.to_owned(), |path, parameter| {
            let value = if parameter == name {
                value
            } else {
                self.own(parameter)
            };
            path.replace(&format!("{{{parameter}}}"), value)
        })
    }
}

/// What the path of a route names.
fn path_parameters(route: &Route) -> impl Iterator<Item = &'static str> {
    let parameters = route.parameters.iter();
    let of_path = parameters.filter(|parameter| parameter.place == Place::Path);
    of_path.map(|parameter| parameter.name)
}
