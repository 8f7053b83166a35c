//! Recognizes mails whose content is encrypted, or hidden in a signature.

use crate::error::MarkupError;

/// `signedData` [RFC 5652, 5.1] in DER: 1.2.840.113549.1.7.2.
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];

const OPEN_PGP: MarkupError = MarkupError::Protected("is encrypted with OpenPGP");
const RIGHTS_MANAGEMENT: MarkupError =
    MarkupError::Protected("is encrypted by Microsoft rights management");

/// The protection that a part of a media type means for the mail that it is in.
pub(super) fn of_part(media_type: &str, name: &str) -> Option<MarkupError> {
    match media_type {
        "multipart/encrypted" | "application/pgp-encrypted" => Some(OPEN_PGP),
        "application/x-microsoft-rpmsg-message" => Some(RIGHTS_MANAGEMENT),
        _ => (name.eq_ignore_ascii_case("message.rpmsg")).then_some(RIGHTS_MANAGEMENT),
    }
}

/// Whether a media type is that of an S/MIME message [RFC 8551, 3.2].
pub(super) fn is_smime(media_type: &str) -> bool {
    matches!(
        media_type,
        "application/pkcs7-mime" | "application/x-pkcs7-mime"
    )
}

/// The protection of an S/MIME message that is the whole content of a mail.
pub(super) fn of_smime(content: &[u8]) -> MarkupError {
    let head = content.get(..64).unwrap_or(content);
    let is_signed = head
        .windows(SIGNED_DATA.len())
        .any(|window| window == SIGNED_DATA);
    MarkupError::Protected(match is_signed {
        true => "has an opaque S/MIME signature around its content",
        false => "is encrypted with S/MIME",
    })
}

/// The protection of a mail by its text: OpenPGP without MIME.
pub(super) fn of_text(text: &str) -> Option<MarkupError> {
    let is_armored = text.trim_start().starts_with("-----BEGIN PGP MESSAGE-----");
    is_armored.then_some(OPEN_PGP)
}
