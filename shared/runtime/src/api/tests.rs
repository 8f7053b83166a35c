//! Requests through router, gate and handler, judged by what goes over the wire.

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
    let gate = Gate::new(
        Arc::new(Keys(keys)),
        Pepper::new("pepper".to_owned().into()),
        Issuer {
            url: "https://issuer.example".to_owned(),
            client_id: "client".to_owned(),
        },
    );
    Api::new("jobs", Arc::new(()), Some(gate))
        .route("createJob", |_, call: Call| async move {
            call.required_idempotency_key()?;
            Ok(Answer::json(202, &json!({"body": call.json()?})))
        })
        .route("getJob", |_, call: Call| async move {
            Ok(Answer::json(200, &json!(call.parameter("jobId"))))
        })
        .route("listJobs", |_, call: Call| async move {
            Ok(Answer::json(200, call.query()))
        })
        .route("cancelJob", |_, _: Call| async move { panic!("broken") })
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request<Bytes> {
    let mut request = Request::builder()
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

async fn problem(api: &Api<()>, request: Request<Bytes>) -> (u16, Value, HashMap<String, String>) {
    let response = api.answer(request, "req-1").await;
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
async fn a_refusal_is_a_whole_problem() {
    let (status, body, headers) =
        problem(&api(admitted), request("GET", "/api/v1/nothing", &[], "")).await;
    assert_eq!(status, 404);
    let detail = &body["detail"];
    assert!(detail.is_string());
    assert_eq!(
        body,
        json!({
            "type": "urn:octavo:problem:route_not_found",
            "title": "There is no such route",
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
async fn a_known_path_under_another_method_says_what_it_knows() {
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

/// A caller who may do everything.
fn allowed(caller: Caller) -> Result<Admission, PortError> {
    let scopes = Scope::ALL.to_vec();
    admitted(Caller { scopes, ..caller })
}

/// A request with a key as the gateway hands it over, with this decoded path.
fn by_gateway(path: &str, query: &str) -> Request<Bytes> {
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
async fn what_stands_in_a_path_is_taken_as_it_came() {
    let answer = async |path: &str| {
        let response = api(allowed).answer(by_gateway(path, ""), "req-1").await;
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
        assert_eq!(answer(&path).await, (200, json!(id)), "{id:?}");
    }
    for path in [
        "/api/v1/webhooks/../jobs/job_1",
        "/api/v1/jobs?",
        "/api/v1/jobs ",
        "/api/v1/a/../jobs",
    ] {
        let (status, body) = answer(path).await;
        let refused = (status, body["code"].as_str().unwrap());
        assert_eq!(refused, (404, "route_not_found"), "{path:?}");
    }
}

#[tokio::test]
async fn a_parameter_that_comes_twice_is_refused_where_it_means_something() {
    let list = async |query: &str| {
        let response = api(allowed)
            .answer(by_gateway("/api/v1/jobs", query), "req-1")
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
        let mut told: Vec<_> = errors
            .map(|error| error["path"].as_str().unwrap())
            .collect();
        told.sort_unstable();
        let mut paths = paths.to_vec();
        paths.sort_unstable();
        assert_eq!(told, paths, "{query}");
    }
    let once = (200, json!({"limit": "1,2", "utm": "a"}));
    assert_eq!(list("limit=1,2&utm=a&utm=b").await, once);
}

#[tokio::test]
async fn credentials_are_asked_for_checked_and_counted() {
    let refused = |_: Caller| Ok(Admission::Refused);
    let too_fast = |_: Caller| Ok(Admission::TooFast(Burst::after(5, 5)));
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
        (refused, Some(key.as_str()), 401, "invalid_api_key"),
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
async fn an_admitted_call_is_answered_with_the_state_of_its_burst() {
    let key = bearer();
    let headers = [
        ("authorization", key.as_str()),
        ("content-type", "application/json; charset=utf-8"),
        ("idempotency-key", "12345678"),
    ];
    let response = api(admitted)
        .answer(request("POST", "/api/v1/jobs", &headers, "{\"a\":1}"), "r")
        .await;
    assert_eq!(response.status(), 202);
    assert_eq!(response.body(), r#"{"body":{"a":1}}"#);
    assert_eq!(response.headers()["ratelimit-policy"], "\"burst\";q=5;w=1");
    assert_eq!(response.headers()["ratelimit"], "\"burst\";r=3;t=1");
}

#[tokio::test]
async fn bodies_and_keys_are_bounded() {
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
        let (got, answer, _) = problem(
            &api(admitted),
            request("POST", "/api/v1/jobs", &headers, body),
        )
        .await;
        assert_eq!((got, answer["code"].as_str().unwrap()), (status, code));
    }
}

#[tokio::test]
async fn failures_of_ours_say_nothing_about_the_inside() {
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
async fn a_table_and_handlers_that_disagree_are_noticed() {
    let mut disagreements = api(admitted).disagreements();
    disagreements.sort_unstable();
    assert_eq!(disagreements, ["createPipeline", "getJobResult"]);
}

#[test]
fn what_is_long_or_no_text_goes_as_base64() {
    use lambda_http::Body;
    let body = |bytes: Vec<u8>| into_body(Bytes::from(bytes));
    assert!(matches!(body(Vec::new()), Body::Empty));
    assert!(matches!(body(vec![b'a'; MOST_TEXT]), Body::Text(_)));
    assert!(matches!(body(vec![b'a'; MOST_TEXT + 1]), Body::Binary(_)));
    assert!(matches!(body(vec![0xff]), Body::Binary(_)));
    // The most that anything written out takes, with room for the headers below Lambda's 6 MB.
    let worst = serde_json::to_string(&"\u{1}".repeat(MOST_TEXT)).unwrap();
    assert!(worst.len() < 6_000_000);
}

#[test]
fn a_file_is_saved_under_its_name() {
    let name = domain::filename::Filename::try_from("Übersicht.pdf".to_owned()).unwrap();
    let answer = Answer::file(200, "application/pdf", &name, Bytes::from_static(b"%PDF"));
    let response = answer::into_response(Ok(answer), "/convert", "req-1");
    let header = |name: &str| response.headers()[name].to_str().unwrap();
    assert_eq!(header("content-type"), "application/pdf");
    assert_eq!(header("content-disposition"), name.content_disposition());
    assert_eq!(header("cache-control"), "no-store");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(response.body(), &b"%PDF"[..]);
}

#[test]
fn a_request_tells_where_it_came_from_and_no_header_does() {
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequestContext;
    let headers = [("x-forwarded-for", "203.0.113.9")];
    let mut parts = request("GET", "/api/v1/health", &headers, "")
        .into_parts()
        .0;
    assert_eq!(address::of(&parts), None);
    let mut context = ApiGatewayV2httpRequestContext::default();
    context.http.source_ip = Some("2001:db8::7".to_owned());
    let context = lambda_http::request::RequestContext::ApiGatewayV2(context);
    parts.extensions.insert(context);
    assert_eq!(address::of(&parts), Some("2001:db8::7".parse().unwrap()));
    let told = SourceAddress("203.0.113.7".parse().unwrap());
    parts.extensions.insert(told);
    assert_eq!(address::of(&parts), Some(told.0));
}
