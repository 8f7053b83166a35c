//! The open routes: health, formats and the description.

use serde_json::{Value, json};
use tests::client::Client;
use tests::conformance::description;

fn nobody() -> Client {
    Client::with_key(None)
}

#[tokio::test]
async fn health_is_told_whole() {
    let answer = nobody().get("/health").await;
    assert_eq!(answer.status, 200);
    let expected = json!({"status": "ok", "service": "octavo", "version": "v1"});
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.header("content-type"), "application/json");
}

#[tokio::test]
async fn an_open_route_does_not_mind_a_bad_key() {
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
async fn formats_lists_what_is_converted() {
    let answer = nobody().get("/formats").await;
    assert_eq!(answer.header("cache-control"), "public, max-age=300");
    let formats = answer.json();
    assert_eq!(formats["version"], "v1");
    let office = [
        "docx odt rtf > docx odt rtf txt pdf md html json xlsx csv",
        "doc txt > docx odt rtf txt pdf",
        "xlsx ods csv tsv > xlsx ods csv tsv pdf md html json",
        "xls xlsb > xlsx ods csv tsv pdf md html json",
        "pptx odp > pptx odp pdf md html json txt",
        "ppt > pptx odp pdf",
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
    assert_eq!(conversions.len(), 14 + 2 + 9 + 1);
    let operations = formats["operations"].as_array().unwrap();
    let prices: Vec<_> = operations.iter().map(price).collect();
    for (name, credits) in [("convert", 2), ("ocr", 3)] {
        assert!(prices.contains(&(name, credits)), "{name}");
    }
    let one: Vec<_> = prices.iter().filter(|(_, credits)| *credits == 1).collect();
    assert_eq!((one.len(), prices.len()), (19, 21));
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
    let formats = nobody().get("/formats").await.json();
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
async fn options_are_listed_as_schemas_that_hold() {
    let formats = nobody().get("/formats").await.json();
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
async fn formats_are_sent_once_a_version() {
    let first = nobody().get("/formats").await;
    let etag = first.header("etag").to_owned();
    assert!(
        etag.starts_with('"') && etag.ends_with('"') && etag.len() > 8,
        "{etag}"
    );
    let ask = async |tags: &str| {
        let headers = [("if-none-match", tags)];
        nobody().send("GET", "/formats", &headers, None).await
    };
    for known in [
        etag.clone(),
        format!("W/{etag}"),
        format!("\"other\", {etag}"),
        "*".to_owned(),
    ] {
        let answer = ask(&known).await;
        assert_eq!(
            (answer.status, answer.header("etag")),
            (304, &*etag),
            "{known}"
        );
        assert_eq!(answer.header("cache-control"), "public, max-age=300");
    }
    for other in ["\"other\"", "", etag.trim_matches('"')] {
        let answer = ask(other).await;
        assert_eq!(
            (answer.status, answer.bytes.len()),
            (200, first.bytes.len()),
            "{other}"
        );
    }
}

#[tokio::test]
async fn the_description_is_the_one_that_is_checked_in() {
    let answer = nobody().get("/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let without_servers = |mut description: Value| {
        description
            .as_object_mut()
            .unwrap()
            .remove("servers")
            .unwrap();
        description
    };
    let served = without_servers(answer.json());
    let checked_in = without_servers(description().clone());
    assert!(
        served == checked_in,
        "infra/openapi.json is another one: run `make openapi`"
    );
    assert_eq!(served["openapi"], "3.1.0");
    assert_eq!(served["info"]["version"], "1.0.0");
}
