//! Sample imports and documents.

use domain::account::{Account, Caller, Credential};
use domain::filename::Filename;
use domain::library::{
    Document, DocumentSource, DocumentStatus, Import, ImportStart, ROOT_FOLDER, Version,
};
use domain::scope::Scope;
use domain::timestamp::Timestamp;

use crate::environment::Environment;

/// The start of an import of `account` at `now`, with the idempotency key `fingerprint` if given.
pub fn import(
    env: &impl Environment,
    account: &Account,
    fingerprint: Option<&str>,
    now: Timestamp,
) -> ImportStart {
    let caller = Caller {
        account_id: account.id.clone(),
        credential: Credential::Token,
        plan: account.plan,
        locale: None,
        scopes: Scope::ALL.to_vec(),
    };
    let mut import = Import::begin(&caller, None, 30, now, env.random());
    import.fingerprint = fingerprint.map(str::to_owned);
    ImportStart {
        import,
        plan: account.plan,
        body_hash: "body".to_owned(),
    }
}

/// The document and version that an import creates.
///
/// # Panics
/// If `filename` is invalid.
#[must_use]
pub fn imported_document(import: &Import, filename: &str) -> (Document, Version) {
    let filename = Filename::try_from(filename.to_owned()).unwrap();
    let version = Version {
        record_version: Version::RECORD_VERSION,
        id: import.version_id.clone(),
        document_id: import.document_id.clone(),
        account_id: import.account_id.clone(),
        number: 1,
        filename: filename.clone(),
        content_type: "application/pdf".to_owned(),
        size_bytes: 4,
        sha256: "00".repeat(32),
        etag: "\"0123456789abcdef\"".to_owned(),
        page_count: None,
        page_sizes: Vec::new(),
        source: DocumentSource::Import,
        job_id: None,
        operation: None,
        parent_version_id: None,
        created_at: import.created_at,
    };
    let document = Document {
        record_version: Document::RECORD_VERSION,
        id: import.document_id.clone(),
        account_id: import.account_id.clone(),
        filename,
        content_type: version.content_type.clone(),
        size_bytes: version.size_bytes,
        folder_id: ROOT_FOLDER.to_owned(),
        group_id: None,
        current_version_id: Some(version.id.clone()),
        version_count: 1,
        source: version.source,
        status: DocumentStatus::Ready,
        tags: Vec::new(),
        ocr_indexed: false,
        revision: 1,
        created_at: import.created_at,
        updated_at: import.created_at,
    };
    (document, version)
}
