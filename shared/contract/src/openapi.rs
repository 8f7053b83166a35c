//! The OpenAPI 3.1 description, generated from the table of routes.

mod alternative;
mod links;
mod servers;

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::map::Entry;
use serde_json::{Map, Value, json};
use strum::VariantArray as _;

use crate::code::ErrorCode;
use crate::problem::{MEDIA_TYPE, Problem};
use crate::route::{Access, Header, Idempotency, ROUTES, Route, Success, Tag};
use crate::schema::without_null_defaults;
use crate::{BASE_PATH, DESCRIPTION_VERSION};

/// Returns the description of a stack with these host names. Without host names, the server URL is relative.
#[must_use]
pub fn document(hosts: &[String]) -> Value {
    describe(servers::of_hosts(hosts))
}

fn describe(servers: Value) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let problem = generator.subschema_for::<Problem>().to_value();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in ROUTES {
        let operation = operation(route, &mut generator);
        paths
            .entry(route.path)
            .or_default()
            .insert(route.method.name().to_lowercase(), operation);
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": info(),
        "tags": tags(),
        "servers": servers,
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "headers": headers(),
            "securitySchemes": security_schemes(),
            "responses": {"Problem": {
                "description": "The request failed. The body is a problem details object (RFC 9457).",
                "content": {MEDIA_TYPE: {"schema": problem}}
            }}
        }
    });
    links::add(&mut document);
    without_null_defaults(document)
}

/// Returns the description as the checked-in file: server URLs of any stack, indented by two spaces.
///
/// # Errors
/// Never in practice: every value of the document is valid JSON.
pub fn file() -> Result<String, serde_json::Error> {
    let document = describe(servers::of_any_stack());
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

/// Overview for API users, as Markdown.
const INFO: &str = "Octavo converts, compresses, merges, splits, protects and recognizes documents: PDF, office documents, \
images and web pages. It also keeps a library of saved documents with versions and full-text search.

Processing is asynchronous:

1. Authorize an upload with `POST /files/upload` and send the file to the returned URL, or use a public URL as the source.
2. Create a job with `POST /jobs`. A repeated request with the same `Idempotency-Key` returns the same job and is charged once.
3. Poll `GET /jobs/{jobId}`, or receive the event `job.completed` with a webhook.
4. Download the result from `GET /jobs/{jobId}/result`.

Authenticate with `Authorization: Bearer <API key>`. Errors are problem details (RFC 9457) with a stable `code`. Times are \
Unix milliseconds, sizes are bytes. Clients must ignore unknown members and must accept new codes and enumeration values.";

fn tags() -> Vec<Value> {
    Tag::VARIANTS
        .iter()
        .map(|tag| json!({"name": tag.name(), "description": tag.description()}))
        .collect()
}

fn info() -> Value {
    json!({
        "title": "Octavo",
        "summary": "Document processing API in your own AWS account.",
        "description": INFO,
        "version": DESCRIPTION_VERSION,
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "description": route.description,
        "tags": [route.tag.name()],
        "parameters": parameters(route),
        "responses": responses(route, generator),
        "security": security(route.access),
    });
    if route.is_deprecated() {
        set(&mut operation, "deprecated", json!(true));
    }
    if let Some(body) = &route.body {
        let example: Value = serde_json::from_str(body.example).unwrap_or_default();
        let content = json!({"schema": (body.schema)(generator).to_value(), "example": example});
        let request = json!({"required": true, "content": {"application/json": content}});
        set(&mut operation, "requestBody", request);
    }
    operation
}

fn parameters(route: &Route) -> Vec<Value> {
    let declared = route.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "in": parameter.location.name(),
            "required": parameter.required,
            "description": parameter.description,
            "schema": serde_json::from_str::<Value>(parameter.schema).unwrap_or_default(),
        })
    });
    let key = (route.idempotency != Idempotency::None).then(|| {
        json!({
            "name": "Idempotency-Key",
            "in": "header",
            "required": route.idempotency == Idempotency::Required,
            "description": "Unique key of this request, such as a UUID: 8 to 200 visible ASCII characters. A repeated \
                            request with the same key and body returns the result of the first one and is not charged again.",
            "schema": {"type": "string", "minLength": 8, "maxLength": 200, "pattern": "^[!-~]+$"},
        })
    });
    declared.chain(key).collect()
}

fn security(access: Access) -> Value {
    match access {
        Access::Open => json!([]),
        Access::AnyCaller => json!([{"apiKey": []}, {"accountToken": []}]),
        Access::Account => json!([{"accountToken": []}]),
        Access::Scoped(scope) => json!([{"apiKey": [scope.name()]}, {"accountToken": []}]),
        Access::Both(one, other) => {
            json!([{"apiKey": [one.name(), other.name()]}, {"accountToken": []}])
        }
    }
}

fn security_schemes() -> Value {
    json!({
        "apiKey": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key: `oct_<keyId>_<secret>`. Its scopes limit the routes that it may call.",
        },
        "accountToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "An OpenID Connect token of the user pool of the service. It has every scope, and is required to \
                            manage API keys.",
        },
    })
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut responses = Map::new();
    for success in route.successes {
        let response = success_response(route, success, generator);
        match responses.entry(success.status.to_string()) {
            Entry::Vacant(entry) => drop(entry.insert(response)),
            Entry::Occupied(mut entry) => alternative::join(entry.get_mut(), response),
        }
    }
    let mut by_status: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for (status, code) in route.error_codes() {
        by_status.entry(status).or_default().push(code);
    }
    for (status, codes) in by_status {
        responses.insert(status.to_string(), error_response(route, status, &codes));
    }
    responses
}

fn success_response(route: &Route, success: &Success, generator: &mut SchemaGenerator) -> Value {
    let burst: &[Header] = match route.access {
        Access::Open => &[],
        _ => &[Header::RateLimitPolicy, Header::RateLimit],
    };
    let mut response = json!({
        "description": success.description,
        "headers": header_references(success.headers.iter().chain(burst)),
    });
    if let Some(schema) = success.schema {
        set(
            &mut response,
            "content",
            content(schema(generator).to_value()),
        );
    }
    response
}

/// Returns the `content` of a response with this schema: JSON, unless the schema names one or several media types in
/// `contentMediaType` [JSON Schema 2020-12].
fn content(mut schema: Value) -> Value {
    let members = schema.as_object_mut();
    let named = members.and_then(|members| members.shift_remove("contentMediaType"));
    let types = match named {
        Some(Value::Array(types)) => types,
        Some(one) => vec![one],
        None => vec!["application/json".into()],
    };
    let names = types.iter().filter_map(Value::as_str);
    let contents = names.map(|name| (name.to_owned(), json!({"schema": schema})));
    Value::Object(contents.collect())
}

fn set(object: &mut Value, name: &str, member: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), member);
    }
}

fn error_response(route: &Route, status: u16, codes: &[ErrorCode]) -> Value {
    let listed: Vec<_> = codes
        .iter()
        .map(|code| format!("`{}`", code.name()))
        .collect();
    let headers: &[Header] = match status {
        401 | 403 => &[Header::WwwAuthenticate],
        429 => &[
            Header::RetryAfter,
            Header::RateLimitPolicy,
            Header::RateLimit,
        ],
        402 | 503 => &[Header::RetryAfter],
        _ => &[],
    };
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| {
            (
                code.name().to_owned(),
                json!({"value": example_problem(route, status, *code)}),
            )
        })
        .collect();
    json!({
        "description": format!("Error: {}.", listed.join(", ")),
        "headers": header_references(headers.iter()),
        "content": {MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "examples": examples,
        }}
    })
}

fn example_problem(route: &Route, status: u16, code: ErrorCode) -> Value {
    let instance = format!("{BASE_PATH}{}", route.path);
    let problem = Problem::new(
        code,
        status,
        code.title().to_owned(),
        instance,
        "01KBQWZ6F0".to_owned(),
    );
    serde_json::to_value(problem).unwrap_or_default()
}

fn header_references<'a>(headers: impl Iterator<Item = &'a Header>) -> Map<String, Value> {
    headers
        .map(|header| {
            (
                header.name().to_owned(),
                json!({"$ref": format!("#/components/headers/{}", header.name())}),
            )
        })
        .collect()
}

fn headers() -> Map<String, Value> {
    [
        Header::Allow,
        Header::ContentDisposition,
        Header::ETag,
        Header::IdempotencyReplayed,
        Header::Location,
        Header::PreferenceApplied,
        Header::RateLimit,
        Header::RateLimitPolicy,
        Header::RetryAfter,
        Header::WwwAuthenticate,
    ]
    .into_iter()
    .map(|header| {
        (
            header.name().to_owned(),
            json!({"description": header.description(), "schema": {"type": "string"}}),
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use domain::format::Format;
    use domain::operation::CONVERSIONS;

    use super::*;

    #[test]
    fn every_reference_has_a_target() {
        let document = document(&[]);
        let text = document.to_string();
        for reference in text.split(r##""$ref":"#"##).skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer}");
        }
    }

    #[test]
    fn every_operation_has_a_declared_tag() {
        let document = document(&[]);
        let tags: Vec<_> = document["tags"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tag| &tag["name"])
            .collect();
        for route in ROUTES {
            let operation = &document["paths"][route.path][route.method.name().to_lowercase()];
            assert!(tags.contains(&&operation["tags"][0]), "{}", route.operation);
        }
    }

    #[test]
    fn every_route_has_all_its_responses() {
        let document = document(&[]);
        for route in ROUTES {
            let operation = &document["paths"][route.path][route.method.name().to_lowercase()];
            assert_eq!(operation["operationId"], route.operation);
            for success in route.successes {
                assert!(
                    operation["responses"]
                        .get(success.status.to_string())
                        .is_some()
                );
            }
            for (status, code) in route.error_codes() {
                let examples =
                    &operation["responses"][status.to_string()]["content"][MEDIA_TYPE]["examples"];
                assert!(
                    examples.get(code.name()).is_some(),
                    "{} {}",
                    route.operation,
                    code.name()
                );
            }
        }
    }

    #[test]
    fn links_lead_to_routes_that_use_identifiers_of_the_response() {
        let document = document(&[]);
        let links = &document["paths"]["/jobs"]["post"]["responses"]["202"]["links"];
        let job = json!({"jobId": "$response.body#/jobId"});
        for operation in ["getJob", "getJobResult", "cancelJob"] {
            assert_eq!(links[operation]["operationId"], operation);
            assert_eq!(links[operation]["parameters"], job);
        }
        assert!(links.get("getDocument").is_none());
    }

    #[test]
    fn conversions_return_a_job_or_a_file() {
        let document = document(&[]);
        let convert = &document["paths"]["/convert"]["post"];
        assert_eq!(convert["deprecated"], true);
        let content = &convert["responses"]["200"]["content"];
        let file = json!({"type": "string", "format": "binary"});
        let formats = CONVERSIONS.iter().map(|row| row.to);
        for format in formats.filter(|format| *format != Format::Json) {
            assert_eq!(content[format.mime_type()]["schema"], file, "{format}");
        }
        assert_eq!(content["application/zip"]["schema"], file);
        assert!(content.get("*/*").is_none());
        let headers = convert["responses"]["200"]["headers"].as_object().unwrap();
        assert!(headers.contains_key("Location") && headers.contains_key("Content-Disposition"));
        for path in ["/convert", "/ocr"] {
            let response = &document["paths"][path]["post"]["responses"]["200"];
            let alternatives = &response["content"]["application/json"]["schema"]["anyOf"];
            let alternatives = alternatives.as_array().unwrap();
            let job = json!({"$ref": "#/components/schemas/JobCreated"});
            assert!(
                alternatives.len() == 2 && alternatives.contains(&job),
                "{path}"
            );
        }
        let page = &document["paths"]["/webpage-to-pdf"]["post"]["responses"];
        let blocked = &page["400"]["content"][MEDIA_TYPE]["examples"]["url_blocked"];
        assert_eq!(blocked["value"]["status"], 400);
        assert!(page.get("422").is_none() && page.get("202").is_none());
        assert!(
            document["paths"]["/jobs"]["post"]
                .get("deprecated")
                .is_none()
        );
    }

    #[test]
    fn exactly_one_source_is_required() {
        let document = document(&[]);
        let body = &document["components"]["schemas"]["CreateJob"];
        assert_eq!(body["required"], json!(["filename", "format"]));
        let either = json!([{"required": ["sourceKey"]}, {"required": ["url"]}]);
        assert_eq!(body["oneOf"], either);
    }
}
