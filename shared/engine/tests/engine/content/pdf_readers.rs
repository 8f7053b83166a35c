//! Verification reads the same words in PDFs as poppler. The converter reads them with the same library as verification, so only
//! another one shows what that library misses.

use std::io::Write as _;
use std::path::Path;

use domain::format::Format;
use task::{OUTPUT, Product, Warning};

use crate::{corpus, harness, poppler};

/// How many words in a thousand, and at least how many, one reader may have and the other one not: they differ in where words end.
const TOLERATED: (u64, u64) = (5, 2);

/// What the readers differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// Words of poppler that verification does not read.
    InVerification,
    /// Words of verification that poppler does not read.
    InPoppler,
}

const LISTS: &str =
    "The options of list boxes without an appearance depend on the reader that draws them.";
const LIGATURES: &str = "Poppler has the letters of Arabic ligatures in another order.";
const CMAPS: &str =
    "Poppler has character maps of Japanese fonts only with the package poppler-data.";

/// Documents in which the readers may differ, and why.
const DIFFERENT: [(&str, Missing, &str); 6] = [
    (
        "pdf-text/right_to_left_01.pdf",
        Missing::InVerification,
        LIGATURES,
    ),
    (
        "pdf-text/right_to_left_01.pdf",
        Missing::InPoppler,
        LIGATURES,
    ),
    (
        "pdf-text/basicapi.pdf",
        Missing::InVerification,
        "A line of each page is invisible.",
    ),
    ("pdf-text/vertical.pdf", Missing::InPoppler, CMAPS),
    ("pdf-text/noembed-sjis.pdf", Missing::InPoppler, CMAPS),
    ("pdf-forms/field-types.pdf", Missing::InVerification, LISTS),
];

#[test]
fn verification_and_poppler_read_the_same_words() {
    let kinds = ["pdf-text", "pdf-forms", "pdf-scan", "ocr-truth"];
    let mut entries = corpus::entries(&kinds, &["ok"]);
    entries.retain(|(_, format)| *format == Format::Pdf);
    assert!(entries.len() > 30, "{}", entries.len());
    harness::each(entries, |(entry, _)| {
        let document = entry.path();
        let directory = tempfile::tempdir().unwrap();
        let text = directory.path().join("text");
        std::fs::write(&text, poppler::texts(&document).join("\n")).unwrap();
        let words = verify::count_words(&std::fs::read_to_string(&text).unwrap());
        let (per_thousand, least) = TOLERATED;
        let tolerated = (words * per_thousand / 1_000).max(least);
        let found = [
            (
                Missing::InVerification,
                missing((&text, Format::Txt), (&document, Format::Pdf)),
            ),
            (
                Missing::InPoppler,
                missing((&document, Format::Pdf), (&text, Format::Txt)),
            ),
        ];
        for (side, count) in found {
            let line = format!(
                "{}: {count} of {words} words are missing {side:?}",
                entry.file
            );
            writeln!(std::io::stdout(), "{line}").ok();
            let is_known = DIFFERENT
                .iter()
                .any(|(file, known, _)| *file == entry.file && *known == side);
            assert!(count <= tolerated || is_known, "{line}");
        }
    });
}

/// The number of words of a source that verification does not find in a result.
fn missing((source, from): (&Path, Format), (result, to): (&Path, Format)) -> u64 {
    let directory = tempfile::tempdir().unwrap();
    std::fs::copy(result, directory.path().join(OUTPUT)).unwrap();
    let task = harness::conversion_task((source, from), to, directory.path());
    let Ok(warnings) = verify::content(&task, &Product::default()) else {
        // The result is incomplete.
        return u64::MAX;
    };
    let missing = warnings.into_iter().map(|warning| match warning {
        Warning::ContentMissing(missing) => missing.words.missing,
        Warning::ContentNotVerified(reason) => panic!("{reason:?}"),
        _ => 0,
    });
    missing.sum()
}
