//! Presigned URLs: one object, one method, 15 minutes.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use aws_sdk_s3::presigning::PresigningConfig;
use domain::filename::Filename;
use domain::id::{AccountId, SourceKey};
use domain::ports::{PortError, SignUrls, UploadGrant};
use domain::source::upload_object;
use domain::timestamp::Timestamp;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "s3";
const VALID_FOR: Duration = Duration::from_secs(15 * 60);

#[async_trait]
impl SignUrls for Services {
    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError> {
        let length = i64::try_from(size_bytes)
            .map_err(|_| unavailable(SERVICE, "larger than any object can be"))?;
        let signed = self
            .objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(upload_object(account, source))
            .content_type(content_type)
            .content_length(length)
            // The URL makes an object and never replaces one.
            .if_none_match("*")
            .presigned(valid_from(now)?)
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(UploadGrant {
            url: signed.uri().to_owned(),
            headers: vec![
                ("Content-Type".to_owned(), content_type.to_owned()),
                ("Content-Length".to_owned(), size_bytes.to_string()),
                ("If-None-Match".to_owned(), "*".to_owned()),
            ],
            expires_at: now.plus(VALID_FOR),
        })
    }

    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError> {
        let validity = PresigningConfig::expires_in(VALID_FOR)
            .map_err(|error| unavailable(SERVICE, error.to_string()))?;
        let signed = self
            .objects()
            .get_object()
            .bucket(self.bucket()?)
            .key(object)
            .response_content_type(content_type)
            .response_content_disposition(filename.content_disposition())
            .presigned(validity)
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(signed.uri().to_owned())
    }
}

fn valid_from(now: Timestamp) -> Result<PresigningConfig, PortError> {
    let since_epoch = Duration::from_millis(u64::try_from(now.milliseconds()).unwrap_or(0));
    PresigningConfig::builder()
        .start_time(SystemTime::UNIX_EPOCH + since_epoch)
        .expires_in(VALID_FOR)
        .build()
        .map_err(|error| unavailable(SERVICE, error.to_string()))
}
