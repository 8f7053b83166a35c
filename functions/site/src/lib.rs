//! Public website, health, formats and OpenAPI description; also the 404 response of unknown routes.

mod docs;
mod pages;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use contract::formats::Formats;
use contract::route::Header;
use contract::site::Health;
use domain::key::{Pepper, hex};
use runtime::api::{Api, Request, Response};
use runtime::error::ApiError;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::docs::{DOCS, PICTURES};
use crate::pages::Pages;

/// Content computed once per process.
struct Site {
    formats: Formats,
    formats_etag: String,
    openapi: Value,
    pages: Pages,
    pepper: Pepper,
}

/// Creates the open routes and the website. The home page contains a sandbox token signed with `pepper`; the OpenAPI
/// description lists `hosts` as servers.
#[must_use]
pub fn api(pepper: Pepper, hosts: &[String]) -> Api<impl Send + Sync + 'static> {
    let formats = Formats::of_tables();
    let site = Site {
        formats_etag: etag(&formats),
        formats,
        openapi: contract::openapi::document(hosts),
        pages: Pages::from_tables(),
        pepper,
    };
    let api = Api::new("site", Arc::new(site), None)
        .route("getHealth", get_health)
        .route("listFormats", list_formats)
        .route("getOpenApi", get_open_api)
        .static_file("/", |site| site.pages.index(&site.pepper))
        .static_file("/site.css", |_| pages::style())
        .static_file("/site.js", |_| pages::script())
        .static_file("/icon.svg", |_| pages::icon());
    let api = DOCS.iter().fold(api, |api, doc| {
        api.static_file(doc.path, |_| pages::doc(doc))
    });
    let with_picture = |api: Api<_>, (path, png): &(&'static str, &'static [u8])| {
        let png = *png;
        api.static_file(path, move |_| pages::picture(png))
    };
    PICTURES.iter().fold(api, with_picture)
}

async fn get_health(_: Arc<Site>, _: Request) -> Result<Response, ApiError> {
    Ok(Response::json(200, &Health::default()))
}

async fn list_formats(site: Arc<Site>, request: Request) -> Result<Response, ApiError> {
    let is_cached = request.header("if-none-match").is_some_and(|tags| {
        tags.split(',').any(|tag| {
            matches!(tag.trim().trim_start_matches("W/"), "*")
                || tag.trim().trim_start_matches("W/") == site.formats_etag
        })
    });
    let response = if is_cached {
        Response::empty(304)
    } else {
        Response::json(200, &site.formats)
    };
    Ok(response
        .public()
        .with_header(Header::ETag, site.formats_etag.clone()))
}

async fn get_open_api(site: Arc<Site>, _: Request) -> Result<Response, ApiError> {
    Ok(Response::json(200, &site.openapi).public())
}

fn etag(formats: &Formats) -> String {
    let bytes = serde_json::to_vec(formats).unwrap_or_default();
    let digest = hex(&Sha256::digest(bytes));
    format!("\"{}\"", digest.chars().take(16).collect::<String>())
}
