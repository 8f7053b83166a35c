//! The OpenAPI 3.1 description, made from the table of routes.

mod alternative;
mod links;
mod servers;

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::map::Entry;
use serde_json::{Map, Value, json};

use crate::code::ErrorCode;
use crate::problem::{MEDIA_TYPE, Problem};
use crate::route::{Access, Header, Idempotency, ROUTES, Route, Success};
use crate::schema::without_null_defaults;
use crate::{BASE_PATH, DESCRIPTION_VERSION};

/// The description of the API of a stack with these host names; without any, its server is wherever it was read.
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
        "servers": servers,
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "headers": headers(),
            "securitySchemes": security_schemes(),
            "responses": {"Problem": {
                "description": "The request was refused.",
                "content": {MEDIA_TYPE: {"schema": problem}}
            }}
        }
    });
    links::add(&mut document);
    without_null_defaults(document)
}

/// The description as the file that is checked in: the two names of any stack, two spaces, a line end at the end.
///
/// # Errors
/// Never in practice: the document holds nothing that JSON cannot.
pub fn file() -> Result<String, serde_json::Error> {
    let document = describe(servers::of_any_stack());
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

fn info() -> Value {
    json!({
        "title": "Octavo",
        "summary": "Document processing in your own AWS account.",
        "description": "Convert and compress documents. Work is asynchronous: upload a file, create a job, poll it, download its result.",
        "version": DESCRIPTION_VERSION,
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.function],
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
            "in": parameter.place.name(),
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
            "description": "Your own name for this submission; repeating it never creates or charges a second one.",
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
            "description": "An API key: oct_<keyId>_<secret>. It may do what its scopes say.",
        },
        "accountToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "An OpenID Connect token of the service's user pool. It may do everything, and alone may manage keys.",
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
    for (status, code) in route.refusals() {
        by_status.entry(status).or_default().push(code);
    }
    for (status, codes) in by_status {
        responses.insert(status.to_string(), refusal_response(route, status, &codes));
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

/// A body of this schema: JSON, unless the schema names another media type [JSON Schema 2020-12, `contentMediaType`], or
/// a list of them.
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

fn refusal_response(route: &Route, status: u16, codes: &[ErrorCode]) -> Value {
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
        "description": format!("Refused: {}.", listed.join(", ")),
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
    fn every_route_is_described_with_all_its_answers() {
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
            for (status, code) in route.refusals() {
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
    fn an_answer_leads_to_the_routes_that_take_what_it_names() {
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
    fn what_is_handed_out_may_be_a_job_or_a_file() {
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
            let answer = &document["paths"][path]["post"]["responses"]["200"];
            let alternatives = &answer["content"]["application/json"]["schema"]["anyOf"];
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
    fn exactly_one_source_is_asked_for() {
        let document = document(&[]);
        let body = &document["components"]["schemas"]["CreateJob"];
        assert_eq!(body["required"], json!(["filename", "format"]));
        let either = json!([{"required": ["sourceKey"]}, {"required": ["url"]}]);
        assert_eq!(body["oneOf"], either);
    }
}
