//! Attacks with office documents.

use tests::documents::{archive, pdf};

use crate::attack::{
    Attack, CORRUPT, End, MISMATCH, NOISE, REPAIRABLE, TEXT, TOO_LARGE, damaged, known, sound,
};
use crate::bombs;

/// Office Open XML: what the format invites, and what only claims to be of it.
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
            End::Fails(&["input_too_large", "input_corrupt"]),
        ),
        Attack::new("last cell", "xlsx", bombs::last_cell(), TOO_LARGE),
        Attack::new("a picture", "docx", sound("png").bytes(), MISMATCH),
        Attack::new("a PDF", "pptx", pdf(1, 595, 842), MISMATCH),
        Attack::new(
            "a word-processor document",
            "xlsx",
            sound("docx").bytes(),
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
    attacks.extend(known(&["docx", "xlsx", "pptx"]));
    attacks
}

/// OpenDocument.
pub(crate) fn open_document() -> Vec<Attack> {
    let mut attacks = vec![Attack::new("a text", "ods", sound("odt").bytes(), MISMATCH)];
    for format in ["odt", "ods", "odp"] {
        attacks.extend(damaged(format, CORRUPT));
    }
    attacks.extend(known(&["odt", "ods", "odp"]));
    attacks
}

/// The binary formats, rich and plain text.
pub(crate) fn others() -> Vec<Attack> {
    let mut attacks = vec![
        Attack::new(
            "a word-processor document",
            "doc",
            sound("docx").bytes(),
            MISMATCH,
        ),
        Attack::new("a workbook", "ppt", sound("xls").bytes(), MISMATCH),
        Attack::new("a picture", "txt", sound("png").bytes(), MISMATCH),
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
    attacks.extend(known(&["doc", "xls", "ppt", "rtf", "txt", "csv"]));
    attacks
}
