//! Sources: what a client uploaded, and which format it is taken for.

use crate::filename::Filename;
use crate::format::Format;
use crate::id::{AccountId, JobId, SourceKey};

/// Where an account's upload lies in the object store.
#[must_use]
pub fn upload_object(account: &AccountId, source: &SourceKey) -> String {
    format!("uploads/{account}/{source}")
}

/// Where one attempt's result lies in the object store. A stale worker writes under another attempt.
#[must_use]
pub fn result_object(account: &AccountId, job: &JobId, attempt: u32, name: &str) -> String {
    format!("results/{account}/{job}/{attempt}/{name}")
}

/// The format that a source claims to have: what the request says, else the type it was uploaded with, else its
/// extension. Plain text is said of so many formats that there the extension counts first.
#[must_use]
pub fn claimed_format(
    stated: Option<Format>,
    content_type: &str,
    filename: &Filename,
) -> Option<Format> {
    let by_type = Format::from_mime_type(content_type);
    let by_name = filename
        .extension()
        .and_then(|extension| Format::from_extension(&extension));
    stated
        .or(by_type.filter(|format| *format != Format::Txt))
        .or(by_name)
        .or(by_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_outright_counts_most() {
        let name = Filename::try_from("table.csv".to_owned()).unwrap();
        assert_eq!(
            claimed_format(Some(Format::Ods), "application/pdf", &name),
            Some(Format::Ods)
        );
        assert_eq!(
            claimed_format(None, "application/pdf", &name),
            Some(Format::Pdf)
        );
        assert_eq!(claimed_format(None, "text/plain", &name), Some(Format::Csv));
        assert_eq!(
            claimed_format(None, "application/octet-stream", &name),
            Some(Format::Csv)
        );
        let bare = Filename::try_from("README".to_owned()).unwrap();
        assert_eq!(claimed_format(None, "text/plain", &bare), Some(Format::Txt));
        assert_eq!(
            claimed_format(None, "application/octet-stream", &bare),
            None
        );
    }
}
