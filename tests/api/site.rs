//! The public routes: health, formats and OpenAPI.

use serde_json::{Value, json};
use tests::client::Client;
use tests::conformance::description;

fn anonymous() -> Client {
    Client::with_key(None)
}

#[tokio::test]
async fn health_has_status_service_and_version() {
    let response = anonymous().get("/health").await;
    assert_eq!(response.status, 200);
    let expected = json!({"status": "ok", "service": "octavo", "version": "v1"});
    assert_eq!(response.json(), expected);
    assert_eq!(response.header("content-type"), "application/json");
}

#[tokio::test]
async fn public_routes_ignore_invalid_keys() {
    let client = Client::with_key(Some("oct_x_y"));
    for path in ["/health", "/formats", "/openapi.json"] {
        assert_eq!(client.get(path).await.status, 200, "{path}");
    }
}

fn texts<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item[member].as_str().unwrap()).collect()
}

fn names(list: &Value) -> Vec<&str> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item.as_str().unwrap()).collect()
}

fn price(operation: &Value) -> (&str, u64) {
    let name = operation["name"].as_str().unwrap();
    (name, operation["credits"].as_u64().unwrap())
}

#[tokio::test]
async fn formats_lists_conversions_and_operations() {
    let response = anonymous().get("/formats").await;
    assert_eq!(response.header("cache-control"), "public, max-age=300");
    let formats = response.json();
    assert_eq!(formats["version"], "v1");
    let office = [
        "docx doc odt rtf > docx odt rtf txt pdf md html json xlsx csv",
        "txt > docx odt rtf txt pdf",
        "xlsx ods csv tsv > xlsx ods csv tsv pdf md html json",
        "xls xlsb > xlsx ods csv tsv pdf md html json",
        "pptx ppt odp > pptx odp pdf md html json txt",
        "epub > pdf docx md html json txt",
        "eml > pdf docx md html json txt",
        "msg > pdf docx md html json txt",
        "html md > pdf png docx md html json xlsx csv txt",
        "pdf > docx xlsx pptx html md csv json png jpeg webp txt",
    ];
    let images = "png jpeg webp avif tiff gif bmp";
    let documents = "docx xlsx pptx html md csv json txt";
    let conversions = formats["conversions"].as_object().unwrap();
    let read = format!("{images} > {images} pdf {documents}");
    let drawn = format!("svg heic > {images} pdf");
    for group in office.into_iter().chain([read.as_str(), drawn.as_str()]) {
        let (from, to) = group.split_once(" > ").unwrap();
        for from in from.split(' ') {
            let mut expected: Vec<_> = to.split(' ').filter(|to| *to != from).collect();
            let mut found = texts(&conversions[from], "format");
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{from}");
        }
    }
    assert_eq!(conversions.len(), 14 + 1 + 2 + 2 + 9 + 1);
    let operations = formats["operations"].as_array().unwrap();
    let prices: Vec<_> = operations.iter().map(price).collect();
    for (name, credits) in [("convert", 2), ("ocr", 3)] {
        assert!(prices.contains(&(name, credits)), "{name}");
    }
    let one: Vec<_> = prices.iter().filter(|(_, credits)| *credits == 1).collect();
    assert_eq!((one.len(), prices.len()), (23, 25));
    for format in formats["formats"].as_array().unwrap() {
        let id = format["id"].as_str().unwrap();
        let targets = conversions.values().flat_map(|list| texts(list, "format"));
        let written = operations.iter().flat_map(|row| names(&row["output"]));
        let mut known = targets.chain(written);
        assert!(
            conversions.contains_key(id) || known.any(|to| to == id),
            "{id}"
        );
        assert!(
            format["extensions"]
                .as_array()
                .is_some_and(|list| !list.is_empty())
        );
    }
}

#[tokio::test]
async fn formats_lists_the_limits_of_each_plan() {
    let formats = anonymous().get("/formats").await.json();
    let row = |plan: &str, megabytes: u64, pages: u64, side: u64, burst: u64| {
        json!({
            "plan": plan, "fileBytes": megabytes * 1_000_000, "pages": pages, "imageSide": side,
            "requestsPerSecond": burst
        })
    };
    let expected = json!([
        row("free", 25, 200, 4_000, 5),
        row("starter", 100, 1_000, 8_000, 20),
        row("pro", 250, 2_000, 12_000, 50),
        row("business", 1_024, 5_000, 20_000, 200)
    ]);
    assert_eq!(formats["limits"], expected);
}

#[tokio::test]
async fn option_schemas_validate_options() {
    let formats = anonymous().get("/formats").await.json();
    let options = |name: &str| {
        let operations = formats["operations"].as_array().unwrap();
        let operation = operations.iter().find(|o| o["name"] == name).unwrap();
        jsonschema::validator_for(&operation["options"]).unwrap()
    };
    let compress = options("compress");
    let good = json!({"quality": 80, "format": "webp", "maxWidth": 10, "maxHeight": 65_535});
    assert!(compress.is_valid(&json!({})) && compress.is_valid(&good));
    for bad in [
        json!({"quality": 0}),
        json!({"maxWidth": 0}),
        json!({"x": 1}),
        json!({"format": 1}),
    ] {
        assert!(!compress.is_valid(&bad), "{bad}");
    }
    let convert = options("convert");
    assert!(convert.is_valid(&json!({"format": "pdf"})) && !convert.is_valid(&json!({})));
}

#[tokio::test]
async fn formats_support_etags() {
    let first = anonymous().get("/formats").await;
    let etag = first.header("etag").to_owned();
    assert!(
        etag.starts_with('"') && etag.ends_with('"') && etag.len() > 8,
        "{etag}"
    );
    let send = async |tags: &str| {
        let headers = [("if-none-match", tags)];
        anonymous().send("GET", "/formats", &headers, None).await
    };
    for known in [
        etag.clone(),
        format!("W/{etag}"),
        format!("\"other\", {etag}"),
        "*".to_owned(),
    ] {
        let response = send(&known).await;
        assert_eq!(
            (response.status, response.header("etag")),
            (304, &*etag),
            "{known}"
        );
        assert_eq!(response.header("cache-control"), "public, max-age=300");
    }
    for other in ["\"other\"", "", etag.trim_matches('"')] {
        let response = send(other).await;
        assert_eq!(
            (response.status, response.bytes.len()),
            (200, first.bytes.len()),
            "{other}"
        );
    }
}

#[tokio::test]
async fn openapi_matches_the_checked_in_document() {
    let response = anonymous().get("/openapi.json").await;
    assert_eq!(response.header("content-type"), "application/json");
    let without_servers = |mut description: Value| {
        description
            .as_object_mut()
            .unwrap()
            .remove("servers")
            .unwrap();
        description
    };
    let served = without_servers(response.json());
    let checked_in = without_servers(description().clone());
    assert!(
        served == checked_in,
        "infra/openapi.json is outdated: run `make openapi`"
    );
    assert_eq!(served["openapi"], "3.1.0");
    assert_eq!(served["info"]["version"], "1.0.0");
}
