//! What anybody may read: the public pages, health, formats and the API's description; and the answer to every unknown
//! route.

mod pages;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use contract::formats::Formats;
use contract::route::Header;
use contract::site::Health;
use domain::key::{Pepper, hex};
use runtime::api::{Answer, Api, Call};
use runtime::refusal::Refusal;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::pages::Pages;

/// What does not change while the process lives.
struct Site {
    formats: Formats,
    formats_etag: String,
    description: Value,
    pages: Pages,
    pepper: Pepper,
}

/// The open routes and the public pages, the first of which carries a token that is signed under `pepper`. The
/// description of the API names `hosts` as its servers.
#[must_use]
pub fn api(pepper: Pepper, hosts: &[String]) -> Api<impl Send + Sync + 'static> {
    let formats = Formats::of_tables();
    let site = Site {
        formats_etag: etag(&formats),
        formats,
        description: contract::openapi::document(hosts),
        pages: Pages::of_tables(),
        pepper,
    };
    Api::new("site", Arc::new(site), None)
        .route("getHealth", get_health)
        .route("listFormats", list_formats)
        .route("getOpenApi", get_open_api)
        .page("/", |site| site.pages.index(&site.pepper))
        .page("/guide", |site| site.pages.guide())
        .page("/site.css", |_| pages::style())
        .page("/site.js", |_| pages::script())
        .page("/icon.svg", |_| pages::icon())
}

async fn get_health(_: Arc<Site>, _: Call) -> Result<Answer, Refusal> {
    Ok(Answer::json(200, &Health::default()))
}

async fn list_formats(site: Arc<Site>, call: Call) -> Result<Answer, Refusal> {
    let known = call.header("if-none-match").is_some_and(|tags| {
        tags.split(',').any(|tag| {
            matches!(tag.trim().trim_start_matches("W/"), "*")
                || tag.trim().trim_start_matches("W/") == site.formats_etag
        })
    });
    let answer = if known {
        Answer::empty(304)
    } else {
        Answer::json(200, &site.formats)
    };
    Ok(answer
        .public()
        .with(Header::ETag, site.formats_etag.clone()))
}

async fn get_open_api(site: Arc<Site>, _: Call) -> Result<Answer, Refusal> {
    Ok(Answer::json(200, &site.description).public())
}

fn etag(formats: &Formats) -> String {
    let bytes = serde_json::to_vec(formats).unwrap_or_default();
    let digest = hex(&Sha256::digest(bytes));
    format!("\"{}\"", digest.chars().take(16).collect::<String>())
}
