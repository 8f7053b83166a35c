//! Attacks with PDF.

use tests::documents::pdf;

use crate::attack::{
    Attack, CORRUPT, EMPTY, Expected, MISMATCH, REPAIRABLE, all_altered, altered, damaged,
    from_corpus, valid,
};

pub(crate) fn attacks() -> Vec<Attack> {
    let too_many = Expected::Fails(&["too_many_pages"]);
    let mut attacks = vec![
        Attack::new(
            "a page of 14,400 points",
            "pdf",
            pdf(1, 14_400, 14_400),
            Expected::Completes,
        ),
        Attack::new(
            "a page of a million points",
            "pdf",
            pdf(1, 1_000_000, 1_000_000),
            Expected::Completes,
        ),
        Attack::new(
            "more pages than the plan allows",
            "pdf",
            pdf(2_001, 595, 842),
            too_many,
        ),
        Attack::new("no pages", "pdf", pdf(0, 595, 842), EMPTY),
        Attack::new(
            "pages that are not counted",
            "pdf",
            counting("Count 1"),
            Expected::Completes,
        ),
        Attack::new(
            "a count that is no number",
            "pdf",
            counting("Count /Three"),
            CORRUPT,
        ),
        Attack::new("nested arrays", "pdf", nested(), REPAIRABLE),
        Attack::new("a picture", "pdf", valid("png").bytes(), MISMATCH),
        Attack::new(
            "a word-processor document",
            "pdf",
            valid("docx").bytes(),
            MISMATCH,
        ),
    ];
    attacks.extend(damaged("pdf", REPAIRABLE));
    attacks.extend(altered(&valid("pdf"), "pdf", REPAIRABLE));
    attacks.extend(all_altered(&["pdf"]));
    attacks.extend(from_corpus(&["pdf"]));
    attacks
}

/// Three pages whose page tree has another `/Count`.
fn counting(count: &str) -> Vec<u8> {
    let valid = String::from_utf8(pdf(3, 595, 842)).unwrap();
    valid.replace("Count 3", count).into_bytes()
}

/// Nested arrays, deep enough to overflow the stack of a recursive parser.
fn nested() -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Deep ".to_vec();
    bytes.resize(bytes.len() + 2_000_000, b'[');
    bytes.extend(b" >>\nendobj\ntrailer\n<< /Root 1 0 R /Size 2 >>\n%%EOF\n");
    bytes
}
