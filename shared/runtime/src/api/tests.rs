//! Requests through router, authenticator and handler, checked by their HTTP responses.

use async_trait::async_trait;
use domain::account::{Admission, Caller, Credential, Identity};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::key::{ApiKey, KeyId, Pepper, SecretHash};
use domain::plan::Plan;
use domain::ports::{Callers, PortError};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use super::*;

struct Keys(fn(Caller) -> Result<Admission, PortError>);

#[async_trait]
impl Callers for Keys {
    async fn admit(
        &self,
        key: &KeyId,
        _: &SecretHash,
        _: Timestamp,
    ) -> Result<Admission, PortError> {
        (self.0)(Caller {
            account_id: AccountId::mint(Timestamp(1), 1),
            credential: Credential::Key(key.clone()),
            plan: Plan::Free,
            locale: None,
            scopes: vec![Scope::JobsCreate],
        })
    }

    async fn admit_identity(
        &self,
        _: &Identity,
        account: &AccountId,
        _: Timestamp,
    ) -> Result<Admission, PortError> {
        (self.0)(Caller {
            account_id: account.clone(),
            credential: Credential::Token,
            plan: Plan::Free,
            locale: None,
            scopes: Scope::ALL.to_vec(),
        })
    }

    async fn signing_keys(&self, _: &str) -> Result<Value, PortError> {
        Ok(json!({"keys": []}))
    }
}

fn admitted(caller: Caller) -> Result<Admission, PortError> {
    Ok(Admission::Admitted {
        caller,
        burst: Burst::after(5, 2),
    })
}

fn api(keys: fn(Caller) -> Result<Admission, PortError>) -> Api<()> {
    let authenticator = Authenticator::new(
        Arc::new(Keys(keys)),
        Pepper::new("pepper".to_owned().into()),
        Issuer {
            url: "https://issuer.example".to_owned(),
            client_id: "client".to_owned(),
        },
    );
    Api::new("jobs", Arc::new(()), Some(authenticator))
        .route("createJob", |_, request: Request| async move {
            request.required_idempotency_key()?;
            Ok(Response::json(202, &json!({"body": request.json()?})))
        })
        .route("getJob", |_, request: Request| async move {
            Ok(Response::json(200, &json!(request.parameter("jobId"))))
        })
        .route("listJobs", |_, request: Request| async move {
            Ok(Response::json(200, request.query()))
        })
        .route("cancelJob", |_, _: Request| async move { panic!("broken") })
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> http::Request<Bytes> {
    let mut request = http::Request::builder()
        .method(method)
        .uri(format!("https://octavo.test{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Bytes::from(body.to_owned())).unwrap()
}

fn bearer() -> String {
    format!("Bearer {}", ApiKey::mint(&[3; 48]).reveal())
}

async fn problem(
    api: &Api<()>,
    request: http::Request<Bytes>,
) -> (u16, Value, HashMap<String, String>) {
    let response = api.respond(request, "req-1").await;
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().into()))
        .collect();
    (
        response.status().as_u16(),
        serde_json::from_slice(response.body()).unwrap(),
        headers,
    )
}

#[tokio::test]
async fn errors_are_complete_problem_details() {
    let (status, body, headers) =
        problem(&api(admitted), request("GET", "/api/v1/nothing", &[], "")).await;
    assert_eq!(status, 404);
    let detail = &body["detail"];
    assert!(detail.is_string());
    assert_eq!(
        body,
        json!({
            "type": "urn:octavo:problem:route_not_found",
            "title": "The route does not exist",
            "status": 404,
            "detail": detail,
            "instance": "/api/v1/nothing",
            "code": "route_not_found",
            "requestId": "req-1",
            "retryable": false,
            "errors": [],
            "error": {"code": "route_not_found", "message": detail}
        })
    );
    assert_eq!(headers["x-request-id"], "req-1");
    assert_eq!(headers["cache-control"], "no-store");
}

#[tokio::test]
async fn an_unsupported_method_lists_the_allowed_methods() {
    let (status, body, headers) = problem(
        &api(admitted),
        request("PUT", "/api/v1/jobs/job_1", &[], ""),
    )
    .await;
    assert_eq!(
        (status, body["code"].as_str()),
        (405, Some("method_not_allowed"))
    );
    assert_eq!(headers["allow"], "GET, DELETE");
    for path in ["/api/v1/jobs/", "/api/v1/jobs/a/b", "/jobs", "/api/v1"] {
        assert_eq!(
            problem(&api(admitted), request("GET", path, &[], ""))
                .await
                .0,
            404,
            "{path}"
        );
    }
}

/// Admits the caller with all scopes.
fn allowed(caller: Caller) -> Result<Admission, PortError> {
    let scopes = Scope::ALL.to_vec();
    admitted(Caller { scopes, ..caller })
}

/// An authenticated request with a decoded `rawPath`, as API Gateway passes it to Lambda.
fn by_gateway(path: &str, query: &str) -> http::Request<Bytes> {
    let event = json!({
        "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": query, "isBase64Encoded": false,
        "headers": {"host": "octavo.test", "authorization": bearer()},
        "requestContext": {
            "stage": "$default", "http": {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "203.0.113.9"},
        },
    });
    let event = lambda_http::request::from_str(&event.to_string()).unwrap();
    event.map(into_bytes)
}

#[tokio::test]
async fn path_parameters_are_passed_unchanged() {
    let send = async |path: &str| {
        let response = api(allowed).respond(by_gateway(path, ""), "req-1").await;
        let body: Value = serde_json::from_slice(response.body()).unwrap();
        (response.status().as_u16(), body)
    };
    for id in [
        "job_1",
        "job_1 ",
        " job_1",
        "job_1\t",
        "job\n_1",
        "\rjob_1",
        "job_1\u{0}",
        "job_1\u{1f}",
        "job_1?a",
        "job_1#a",
        "job\\1",
        "..",
        "%2525",
    ] {
        let path = format!("/api/v1/jobs/{id}");
        assert_eq!(send(&path).await, (200, json!(id)), "{id:?}");
    }
    for path in [
        "/api/v1/webhooks/../jobs/job_1",
        "/api/v1/jobs?",
        "/api/v1/jobs ",
        "/api/v1/a/../jobs",
    ] {
        let (status, body) = send(path).await;
        let rejected = (status, body["code"].as_str().unwrap());
        assert_eq!(rejected, (404, "route_not_found"), "{path:?}");
    }
}

#[tokio::test]
async fn repeated_query_parameters_of_the_route_are_rejected() {
    let list = async |query: &str| {
        let response = api(allowed)
            .respond(by_gateway("/api/v1/jobs", query), "req-1")
            .await;
        let body: Value = serde_json::from_slice(response.body()).unwrap();
        (response.status().as_u16(), body)
    };
    for (query, paths) in [
        ("limit=1&limit=2", &["$.limit"] as &[&str]),
        ("limit=1&limit=1", &["$.limit"]),
        ("limit=1&a=1&lim%69t=2&limit=3", &["$.limit"]),
        (
            "limit&status=failed&limit&status=",
            &["$.status", "$.limit"],
        ),
    ] {
        let (status, body) = list(query).await;
        assert_eq!(
            (status, &body["code"]),
            (400, &json!("invalid_request")),
            "{query}: {body}"
        );
        let errors = body["errors"].as_array().unwrap().iter();
        let mut got: Vec<_> = errors
            .map(|error| error["path"].as_str().unwrap())
            .collect();
        got.sort_unstable();
        let mut paths = paths.to_vec();
        paths.sort_unstable();
        assert_eq!(got, paths, "{query}");
    }
    let once = (200, json!({"limit": "1,2", "utm": "a"}));
    assert_eq!(list("limit=1,2&utm=a&utm=b").await, once);
}

#[tokio::test]
async fn credentials_are_required_verified_and_rate_limited() {
    let rejected = |_: Caller| Ok(Admission::InvalidCredential);
    let too_fast = |_: Caller| Ok(Admission::RateLimited(Burst::after(5, 5)));
    let key = bearer();
    for (keys, authorization, status, code) in [
        (
            admitted as fn(Caller) -> Result<Admission, PortError>,
            None,
            401,
            "authentication_required",
        ),
        (admitted, Some("Bearer junk"), 401, "invalid_api_key"),
        (admitted, Some("Basic dXNlcg=="), 401, "invalid_api_key"),
        (rejected, Some(key.as_str()), 401, "invalid_api_key"),
        (too_fast, Some(key.as_str()), 429, "rate_limited"),
        (admitted, Some(key.as_str()), 403, "insufficient_scope"),
    ] {
        let headers: Vec<_> = authorization
            .iter()
            .map(|value| ("authorization", *value))
            .collect();
        let (got, body, headers) = problem(
            &api(keys),
            request("GET", "/api/v1/jobs/job_1", &headers, ""),
        )
        .await;
        assert_eq!((got, body["code"].as_str().unwrap()), (status, code));
        match status {
            401 => assert_eq!(
                headers["www-authenticate"],
                "Bearer error=\"invalid_token\""
            ),
            403 => assert_eq!(
                headers["www-authenticate"],
                "Bearer error=\"insufficient_scope\", scope=\"jobs:read\""
            ),
            _ => assert_eq!(
                (
                    headers["retry-after"].as_str(),
                    headers["ratelimit"].contains("r=0")
                ),
                ("1", true)
            ),
        }
    }
}

#[tokio::test]
async fn responses_have_rate_limit_headers() {
    let key = bearer();
    let headers = [
        ("authorization", key.as_str()),
        ("content-type", "application/json; charset=utf-8"),
        ("idempotency-key", "12345678"),
    ];
    let response = api(admitted)
        .respond(request("POST", "/api/v1/jobs", &headers, "{\"a\":1}"), "r")
        .await;
    assert_eq!(response.status(), 202);
    assert_eq!(response.body(), r#"{"body":{"a":1}}"#);
    assert_eq!(response.headers()["ratelimit-policy"], "\"burst\";q=5;w=1");
    assert_eq!(response.headers()["ratelimit"], "\"burst\";r=3;t=1");
}

#[tokio::test]
async fn invalid_bodies_and_idempotency_keys_are_rejected() {
    let deep = format!("{}1{}", "[".repeat(65), "]".repeat(65));
    let large = format!("\"{}\"", "x".repeat(1_000_000));
    let key = bearer();
    for (content_type, idempotency, body, status, code) in [
        (
            "text/plain",
            Some("12345678"),
            "{}",
            415,
            "unsupported_media_type",
        ),
        (
            "application/json",
            Some("12345678"),
            "{",
            400,
            "invalid_request",
        ),
        (
            "application/json",
            Some("12345678"),
            deep.as_str(),
            400,
            "invalid_request",
        ),
        (
            "application/json",
            Some("12345678"),
            large.as_str(),
            413,
            "payload_too_large",
        ),
        (
            "application/json",
            Some("1234567"),
            "{}",
            400,
            "idempotency_key_invalid",
        ),
        (
            "application/json",
            None,
            "{}",
            400,
            "idempotency_key_required",
        ),
    ] {
        let mut headers = vec![
            ("authorization", key.as_str()),
            ("content-type", content_type),
        ];
        headers.extend(idempotency.map(|value| ("idempotency-key", value)));
        let (got, response, _) = problem(
            &api(admitted),
            request("POST", "/api/v1/jobs", &headers, body),
        )
        .await;
        assert_eq!((got, response["code"].as_str().unwrap()), (status, code));
    }
}

#[tokio::test]
async fn internal_errors_disclose_no_details() {
    let down = |_: Caller| {
        Err(PortError::Unavailable {
            service: "DynamoDB",
            reason: "table octavo-secret".into(),
        })
    };
    let key = bearer();
    let headers = [("authorization", key.as_str())];
    let (status, body, _) =
        problem(&api(down), request("GET", "/api/v1/jobs/j", &headers, "")).await;
    assert_eq!(status, 500);
    assert!(!body.to_string().contains("octavo-secret"), "{body}");
    let (status, body, _) = problem(
        &api(admitted),
        request("DELETE", "/api/v1/jobs/j", &headers, ""),
    )
    .await;
    assert_eq!(
        (status, body["code"].as_str()),
        (500, Some("internal_error"))
    );
}

#[tokio::test]
async fn routes_without_a_handler_are_detected() {
    let mut mismatched = api(admitted).mismatched_operations();
    mismatched.sort_unstable();
    assert_eq!(mismatched, ["createPipeline", "getJobResult"]);
}

#[test]
fn long_and_binary_bodies_are_sent_as_base64() {
    use lambda_http::Body;
    let body = |bytes: Vec<u8>| into_body(Bytes::from(bytes));
    assert!(matches!(body(Vec::new()), Body::Empty));
    assert!(matches!(body(vec![b'a'; MAX_TEXT_BYTES]), Body::Text(_)));
    assert!(matches!(
        body(vec![b'a'; MAX_TEXT_BYTES + 1]),
        Body::Binary(_)
    ));
    assert!(matches!(body(vec![0xff]), Body::Binary(_)));
    // Escaped as JSON, the longest text leaves room for headers within Lambda's limit of 6 MB.
    let worst = serde_json::to_string(&"\u{1}".repeat(MAX_TEXT_BYTES)).unwrap();
    assert!(worst.len() < 6_000_000);
}

#[test]
fn a_file_is_an_attachment_with_its_filename() {
    let name = domain::filename::Filename::try_from("Übersicht.pdf".to_owned()).unwrap();
    let response = Response::file(200, "application/pdf", &name, Bytes::from_static(b"%PDF"));
    let response = response::into_response(Ok(response), "/convert", "req-1");
    let header = |name: &str| response.headers()[name].to_str().unwrap();
    assert_eq!(header("content-type"), "application/pdf");
    assert_eq!(header("content-disposition"), name.content_disposition());
    assert_eq!(header("cache-control"), "no-store");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(response.body(), &b"%PDF"[..]);
}

#[test]
fn the_source_address_comes_from_the_gateway_and_not_from_headers() {
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequestContext;
    let headers = [("x-forwarded-for", "203.0.113.9")];
    let mut parts = request("GET", "/api/v1/health", &headers, "")
        .into_parts()
        .0;
    assert_eq!(source_address::of(&parts), None);
    let mut context = ApiGatewayV2httpRequestContext::default();
    context.http.source_ip = Some("2001:db8::7".to_owned());
    let context = lambda_http::request::RequestContext::ApiGatewayV2(context);
    parts.extensions.insert(context);
    assert_eq!(
        source_address::of(&parts),
        Some("2001:db8::7".parse().unwrap())
    );
    let extension = SourceAddress("203.0.113.7".parse().unwrap());
    parts.extensions.insert(extension);
    assert_eq!(source_address::of(&parts), Some(extension.0));
}
