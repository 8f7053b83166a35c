//! Uploads.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use domain::id::{AccountId, SourceKey};
use domain::ports::{ObjectMetadata, PortError, RecordedUpload, UploadGrant, Uploads};
use domain::source::upload_object;
use domain::timestamp::Timestamp;

use super::objects::UPLOAD;
use super::state::{Record, State, Subject};
use super::stored_files::{SEPARATOR, metadata_of, put};
use super::{Call, Fakes};

#[async_trait]
impl Uploads for Fakes {
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<ObjectMetadata>, PortError> {
        let name = upload_object(account, source);
        self.call(Call::Inspect, |state| {
            Ok(state.objects.get(&name).map(metadata_of))
        })
        .await
    }

    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError> {
        let size = size_bytes.to_string();
        let parts = [UPLOAD, &upload_object(account, source), content_type, &size];
        let url = parts.join(&SEPARATOR.to_string());
        self.call(Call::UploadUrl, |_| {
            Ok(UploadGrant {
                url,
                headers: vec![
                    ("Content-Type".to_owned(), content_type.to_owned()),
                    ("Content-Length".to_owned(), size.clone()),
                    ("If-None-Match".to_owned(), "*".to_owned()),
                ],
                expires_at: now.plus(Duration::from_secs(900)),
            })
        })
        .await
    }

    async fn record_upload(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        source: &SourceKey,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<RecordedUpload, PortError> {
        self.call(Call::Remember, |state| {
            if let Some(record) = state.recorded(fingerprint, now) {
                return Ok(match &record.subject {
                    Subject::Source(earlier) if record.body_hash == body_hash => {
                        RecordedUpload::Replayed(earlier.clone())
                    }
                    _ => RecordedUpload::KeyReused,
                });
            }
            let record = Record {
                body_hash: body_hash.to_owned(),
                subject: Subject::Source(source.clone()),
                uploader: Some(account.clone()),
                expires_at,
            };
            state.idempotency.insert(fingerprint.to_owned(), record);
            Ok(RecordedUpload::New)
        })
        .await
    }

    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError> {
        let name = upload_object(account, source);
        self.call(Call::Store, |state| {
            put(state, self.directory(), &name, content_type, bytes);
            Ok(())
        })
        .await
    }
}

/// Serves a PUT to a fake URL, with the checks that S3 applies to a presigned URL.
pub(super) fn upload(
    state: &mut State,
    directory: &Path,
    url: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> u16 {
    let parts: Vec<&str> = url.split(SEPARATOR).collect();
    let [UPLOAD, name, content_type, size] = parts.as_slice() else {
        return 403;
    };
    let header = |wanted: &str| {
        let found = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.as_str())
    };
    let as_signed = header("content-type") == Some(content_type)
        && header("if-none-match") == Some("*")
        && body.len().to_string() == *size;
    if !as_signed {
        return 403;
    }
    if state.objects.contains_key(*name) {
        return 412;
    }
    put(state, directory, name, content_type, body);
    200
}
