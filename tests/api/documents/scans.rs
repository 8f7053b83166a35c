//! Pages of multi-page TIFF scans.

use std::time::{Duration, Instant};

use image::{DynamicImage, GenericImageView as _};
use serde_json::{Value, json};
use tests::corpus::directory;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::{Account, job_id};
use crate::documents::process::{detail, process};

/// Imports a scan of three pages; returns its pages and its version.
async fn import_scan(account: &Account) -> (String, Value) {
    let scan = std::fs::read(directory().join("images/tiff/g4-multi.tiff")).unwrap();
    let host = TrustedHost::serve(move |_| StubResponse::ok("image/tiff", scan.clone())).await;
    let body = json!({"url": TrustedHost::url("/scan.tiff")});
    let response = account.client.post("/documents/import", &[], &body).await;
    assert_eq!(response.status, 201, "{}", response.text());
    drop(host);
    let document = response.json()["documentId"].as_str().unwrap().to_owned();
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let version = detail(account, &document).await["versions"][0].clone();
        if version["pageCount"] == 3 {
            return (document, version);
        }
        assert!(
            Instant::now() < deadline,
            "not inspected in time: {version}"
        );
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

/// Runs a job on a page; returns the completed job and its result.
async fn process_page(account: &Account, target: &str, body: &Value) -> (Value, Vec<u8>) {
    let response = process(account, target, body, None).await;
    assert_eq!(response.status, 202, "{body}: {}", response.text());
    let job = account.client.wait(&job_id(&response.json())).await;
    assert_eq!(job["status"], "completed", "{body}: {job}");
    assert_eq!(job["output"]["pages"], 1, "{body}");
    let result = account.client.result(&job).await;
    (job, result)
}

fn decode(file: &[u8]) -> DynamicImage {
    image::load_from_memory(file).unwrap()
}

#[tokio::test]
async fn each_page_of_a_multi_page_tiff_is_processed_separately() {
    let account = Account::new("starter");
    let (document, version) = import_scan(&account).await;
    let page = |place: usize| {
        let id = version["pages"][place]["id"].as_str().unwrap();
        format!("{document}/pages/{id}")
    };
    let scan = std::fs::read(directory().join("images/tiff/g4-multi.tiff")).unwrap();
    let first = decode(&scan).into_luma8();
    let png = json!({"operation": "convert", "format": "png"});
    let mut pictures = Vec::new();
    for place in 0..3 {
        let (job, picture) = process_page(&account, &page(place), &png).await;
        assert_eq!(job["creditsCharged"], 2);
        assert_eq!(job["warnings"], json!([]), "no page is dropped");
        pictures.push(decode(&picture).into_luma8());
    }
    assert_eq!(pictures[0], first);
    assert!(pictures[1] != first && pictures[2] != first && pictures[1] != pictures[2]);

    let second = page(1);
    let resize = json!({"operation": "resize", "width": 300});
    let compress = json!({"operation": "compress"});
    let crop = json!({"operation": "crop", "x": 10, "y": 20, "width": 200, "height": 100});
    for (steps, media_type, width) in [
        (json!([resize]), "image/tiff", 300),
        (json!([crop]), "image/tiff", 200),
        (
            json!([{"operation": "cleanup", "denoise": true}]),
            "image/tiff",
            pictures[1].width(),
        ),
        (json!([resize, compress]), "image/png", 300),
    ] {
        let body = json!({"operation": "image", "steps": steps});
        let (job, result) = process_page(&account, &second, &body).await;
        assert_eq!(job["output"]["contentType"], media_type, "{body}");
        assert_eq!(decode(&result).dimensions().0, width, "{body}");
        if steps[0] == crop {
            let part = image::imageops::crop_imm(&pictures[1], 10, 20, 200, 100).to_image();
            assert_eq!(decode(&result).into_luma8(), part);
        }
    }
    for (format, beginning) in [
        ("pdf", &b"%PDF-"[..]),
        ("jpeg", &b"\xff\xd8"[..]),
        ("tiff", &b"II*\0"[..]),
    ] {
        let body = json!({"operation": "convert", "format": format});
        let (_, result) = process_page(&account, &second, &body).await;
        assert!(result.starts_with(beginning), "{format}");
    }
    let ocr = json!({"operation": "pipeline", "pipeline": [{"operation": "ocr"}]});
    let mut texts = Vec::new();
    for place in 0..3 {
        let (job, text) = process_page(&account, &page(place), &ocr).await;
        assert_eq!(job["creditsCharged"], 3);
        texts.push(String::from_utf8(text).unwrap());
    }
    assert!(texts.iter().all(|text| text.contains("Page")), "{texts:?}");
    assert!(texts[0] != texts[1] && texts[1] != texts[2], "{texts:?}");

    let after = detail(&account, &document).await;
    assert_eq!(after["document"]["currentVersionId"], version["id"]);
    assert_eq!(after["document"]["versionCount"], 14);
    for version in after["versions"].as_array().unwrap().iter().take(13) {
        assert!(
            matches!(version["pageCount"].as_u64(), None | Some(1)),
            "{version}"
        );
    }
}
