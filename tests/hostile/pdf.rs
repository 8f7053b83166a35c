//! Attacks with PDF.

use tests::documents::{noise, pdf};

use crate::attack::{
    Attack, CORRUPT, EMPTY, Expected, MISMATCH, REPAIRABLE, TOO_LARGE, damaged, from_corpus, valid,
};

pub(crate) fn attacks() -> Vec<Attack> {
    let too_many = Expected::Fails(&["too_many_pages"]);
    let mut attacks = vec![
        Attack::new(
            "a page of 14,400 points",
            "pdf",
            pdf(1, 14_400, 14_400),
            TOO_LARGE,
        ),
        Attack::new(
            "a page of a million points",
            "pdf",
            pdf(1, 1_000_000, 1_000_000),
            TOO_LARGE,
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
    attacks.extend(altered());
    attacks.extend(from_corpus(&["pdf"]));
    attacks
}

/// A valid document truncated to a quarter, truncated by one byte, and with single bits flipped.
fn altered() -> Vec<Attack> {
    let original = valid("pdf").bytes();
    let part = |length: usize| original[..length].to_vec();
    let mut attacks = vec![
        Attack::new("a quarter", "pdf", part(original.len() / 4), REPAIRABLE),
        Attack::new(
            "all but a byte",
            "pdf",
            part(original.len() - 1),
            REPAIRABLE,
        ),
    ];
    for (index, places) in noise(6 * 64).chunks(64).enumerate() {
        let mut bytes = original.clone();
        for (number, place) in places.chunks_exact(4).enumerate() {
            let place = u32::from_le_bytes(place.try_into().unwrap()) as usize;
            bytes[place % original.len()] ^= 1 << (number % 8);
        }
        let name = format!("bits turned, {}", index + 1);
        attacks.push(Attack::new(&name, "pdf", bytes, REPAIRABLE));
    }
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
