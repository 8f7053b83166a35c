//! Attacks with office documents.

use tests::documents::{archive, pdf};

use crate::attack::{
    Attack, CORRUPT, Expected, MISMATCH, NOISE, REPAIRABLE, TEXT, TOO_LARGE, all_altered, damaged,
    from_corpus, valid,
};
use crate::bombs;

/// Office Open XML: attacks on the format, and mislabeled files.
pub(crate) fn open_xml() -> Vec<Attack> {
    let mut attacks = vec![
        Attack::new("ratio bomb", "docx", bombs::by_ratio(), TOO_LARGE),
        Attack::new("size bomb", "docx", bombs::by_size(), TOO_LARGE),
        Attack::new("10,001 parts", "docx", bombs::by_count(), TOO_LARGE),
        Attack::new("billion laughs", "docx", bombs::billion_laughs(), CORRUPT),
        Attack::new("external entity", "docx", bombs::external_entity(), CORRUPT),
        Attack::new(
            "deep",
            "docx",
            bombs::deep(),
            Expected::Fails(&["input_too_large", "input_corrupt"]),
        ),
        Attack::new("last cell", "xlsx", bombs::last_cell(), TOO_LARGE),
        Attack::new("a picture", "docx", valid("png").bytes(), MISMATCH),
        Attack::new("a PDF", "pptx", pdf(1, 595, 842), MISMATCH),
        Attack::new(
            "a word-processor document",
            "xlsx",
            valid("docx").bytes(),
            MISMATCH,
        ),
        Attack::new(
            "an archive",
            "docx",
            archive([("readme.txt", "nothing")]),
            MISMATCH,
        ),
    ];
    for format in ["docx", "xlsx", "pptx"] {
        attacks.extend(damaged(format, CORRUPT));
    }
    attacks.extend(all_altered(&["docx", "xlsx", "pptx"]));
    attacks.extend(from_corpus(&["docx", "xlsx", "pptx"]));
    attacks
}

/// OpenDocument.
pub(crate) fn open_document() -> Vec<Attack> {
    let mut attacks = vec![Attack::new("a text", "ods", valid("odt").bytes(), MISMATCH)];
    for format in ["odt", "ods", "odp"] {
        attacks.extend(damaged(format, CORRUPT));
    }
    attacks.extend(all_altered(&["odt", "ods", "odp"]));
    attacks.extend(from_corpus(&["odt", "ods", "odp"]));
    attacks
}

/// The binary formats, rich and plain text.
pub(crate) fn others() -> Vec<Attack> {
    let mut attacks = vec![
        Attack::new(
            "a word-processor document",
            "doc",
            valid("docx").bytes(),
            MISMATCH,
        ),
        Attack::new("a workbook", "ppt", valid("xls").bytes(), MISMATCH),
        Attack::new("a picture", "txt", valid("png").bytes(), MISMATCH),
        Attack::new("a PDF", "csv", pdf(1, 595, 842), MISMATCH),
        Attack::new("a text", "rtf", b"not rich".to_vec(), NOISE),
        Attack::new(
            "too many cells",
            "csv",
            "1,2,3,4\n".repeat(500_001).into_bytes(),
            TOO_LARGE,
        ),
    ];
    for format in ["doc", "xls", "ppt"] {
        attacks.extend(damaged(format, CORRUPT));
    }
    attacks.extend(damaged("rtf", REPAIRABLE));
    for format in ["txt", "csv"] {
        attacks.extend(damaged(format, TEXT));
    }
    attacks.extend(all_altered(&["doc", "xls", "ppt", "rtf", "txt", "csv"]));
    attacks.extend(from_corpus(&["doc", "xls", "ppt", "rtf", "txt", "csv"]));
    attacks
}
