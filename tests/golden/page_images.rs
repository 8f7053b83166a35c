//! Checks images of PDF pages.

use std::io::{Cursor, Read as _};

use image::DynamicImage;
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::run::Outcome;
use crate::{poppler, raster};

/// Resolution of the images in dpi.
const DENSITY: f64 = 150.0;

/// Number of pages that are compared visually; for the others only count and size are checked.
const COMPARED_PAGES: usize = 5;

/// Largest difference between two renderers, caused by fonts that are not embedded and antialiasing.
const DIFFERENCE: f64 = 8.0;

/// Expects one image for each page, with the page's size and looks according to poppler; an archive if there are several.
pub(crate) fn check(outcome: &Outcome) {
    let sizes = poppler::page_sizes(outcome.source_file.path());
    assert_eq!(outcome.job["output"]["pages"], sizes.len(), "{outcome}");
    let pictures = match sizes.len() {
        1 => single(outcome),
        _ => archived(outcome),
    };
    assert_eq!(pictures.len(), sizes.len(), "{outcome}");
    for (page, (picture, size)) in (1..).zip(pictures.iter().zip(&sizes)) {
        check_size(outcome, page, picture, *size);
        if page <= COMPARED_PAGES {
            let visible = poppler::picture(outcome.source_file.path(), page, 75);
            let difference = raster::difference(picture, &visible);
            assert!(
                difference < DIFFERENCE,
                "{outcome}: page {page} differs by {difference:.1}"
            );
        }
    }
}

fn check_size(outcome: &Outcome, page: usize, picture: &DynamicImage, (width, height): (f64, f64)) {
    for (pixels, points) in [(picture.width(), width), (picture.height(), height)] {
        let expected = points / 72.0 * DENSITY;
        let distance = (f64::from(pixels) - expected).abs();
        assert!(
            distance < 2.0,
            "{outcome}: page {page} has {pixels} pixels for {expected:.1}"
        );
    }
}

/// The single image.
fn single(outcome: &Outcome) -> Vec<DynamicImage> {
    assert_eq!(
        outcome.job["output"]["contentType"],
        media_type(outcome),
        "{outcome}"
    );
    assert_eq!(outcome.job["files"], Value::Null, "{outcome}");
    vec![picture(outcome, &outcome.result)]
}

/// The images of an archive, whose entries must match the job's list.
fn archived(outcome: &Outcome) -> Vec<DynamicImage> {
    assert_eq!(
        outcome.job["output"]["contentType"], "application/zip",
        "{outcome}"
    );
    let mut archive = ZipArchive::new(Cursor::new(&outcome.result)).unwrap();
    let (mut pictures, mut files) = (Vec::new(), Vec::new());
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let entry_name = entry.name().unwrap().into_owned();
        assert_eq!(entry_name, name(outcome, index + 1), "{outcome}");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        pictures.push(picture(outcome, &bytes));
        files.push(json!({
            "name": entry_name, "contentType": media_type(outcome), "sizeBytes": bytes.len(),
        }));
    }
    assert_eq!(outcome.job["files"], Value::Array(files), "{outcome}");
    pictures
}

fn picture(outcome: &Outcome, bytes: &[u8]) -> DynamicImage {
    let format = image::guess_format(bytes).unwrap();
    assert_eq!(format.to_mime_type(), media_type(outcome), "{outcome}");
    image::load_from_memory(bytes).unwrap()
}

fn media_type(outcome: &Outcome) -> String {
    format!("image/{}", outcome.pair.to)
}

fn name(outcome: &Outcome, number: usize) -> String {
    let stem = outcome.source.name().trim_end_matches(".pdf");
    let extension = match outcome.pair.to.as_str() {
        "jpeg" => "jpg",
        other => other,
    };
    format!("{stem}-{number:04}.{extension}")
}
