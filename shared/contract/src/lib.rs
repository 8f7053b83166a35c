//! The API contract as data: routes, error codes, request and response schemas, and the OpenAPI description generated from
//! them.
#![cfg_attr(test, allow(clippy::string_slice, missing_docs))]

pub mod code;
pub mod compat;
pub mod document;
pub mod event;
pub mod formats;
pub mod hook;
pub mod job;
pub mod key;
pub mod list;
pub mod openapi;
pub mod problem;
pub mod route;
mod schema;
pub mod site;
pub mod upload;
pub mod usage;
pub mod webhook;

/// The API version, which is part of every path.
pub const API_VERSION: &str = "v1";

/// The prefix of every path.
pub const BASE_PATH: &str = "/api/v1";

/// The version of the OpenAPI description.
pub const DESCRIPTION_VERSION: &str = "1.0.0";
