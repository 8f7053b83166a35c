//! Documents between the bucket and scratch, streamed.

use std::path::Path;

use async_trait::async_trait;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::operation::put_object::PutObjectOutput;
use domain::id::{AccountId, SourceKey};
use domain::ports::{InspectSources, MoveDocuments, PortError, SourceFacts};
use domain::source::upload_object;

use crate::config::small_calls;
use crate::error::{failed, unavailable};
use crate::services::Services;
use crate::transfer;

const SERVICE: &str = "s3";
const NOT_FOUND: u16 = 404;
const PRECONDITION_FAILED: u16 = 412;

#[async_trait]
impl InspectSources for Services {
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<SourceFacts>, PortError> {
        self.head(&upload_object(account, source)).await
    }
}

#[async_trait]
impl MoveDocuments for Services {
    async fn fetch(&self, object: &str, etag: &str, path: &Path) -> Result<bool, PortError> {
        self.get_file(object, Some(etag), path).await
    }

    async fn store(&self, path: &Path, object: &str, content_type: &str) -> Result<(), PortError> {
        self.put_file(path, object, content_type).await.map(drop)
    }
}

impl Services {
    /// The facts of an object; `None` when it is gone.
    pub(crate) async fn head(&self, object: &str) -> Result<Option<SourceFacts>, PortError> {
        let answer = self
            .objects()
            .head_object()
            .bucket(self.bucket()?)
            .key(object)
            .customize()
            .config_override(aws_sdk_s3::config::Builder::new().timeout_config(small_calls()))
            .send()
            .await;
        match answer {
            Ok(head) => Ok(Some(SourceFacts {
                size_bytes: size(head.content_length())?,
                content_type: head.content_type.unwrap_or_default(),
                etag: head.e_tag.ok_or_else(|| incomplete("entity tag"))?,
            })),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    /// An object, which must have this entity tag if one is given; `None` when it is gone or another.
    pub(crate) async fn get_object(
        &self,
        object: &str,
        etag: Option<&str>,
    ) -> Result<Option<GetObjectOutput>, PortError> {
        let answer = self
            .objects()
            .get_object()
            .bucket(self.bucket()?)
            .key(object)
            .set_if_match(etag.map(str::to_owned))
            .send()
            .await;
        match answer {
            Ok(found) => Ok(Some(found)),
            Err(error) if gone_or_changed(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    /// Streams an object to `path`; `false` when it is gone or another. Nothing is left there after an error.
    pub(crate) async fn get_file(
        &self,
        object: &str,
        etag: Option<&str>,
        path: &Path,
    ) -> Result<bool, PortError> {
        let Some(found) = self.get_object(object, etag).await? else {
            return Ok(false);
        };
        let length = size(found.content_length())?;
        let written = transfer::write(found.body, length, path).await;
        if written.is_err() {
            remove(path).await;
        }
        written.map(|()| true)
    }

    /// Streams the file at `path` to `object`; the answer tells its entity tag.
    pub(crate) async fn put_file(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<PutObjectOutput, PortError> {
        self.objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(object)
            .content_type(content_type)
            .body(transfer::body(path).await?)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))
    }
}

async fn remove(path: &Path) {
    if let Err(error) = tokio::fs::remove_file(path).await {
        tracing::warn!(%error, "a partial document stays in scratch until that is wiped");
    }
}

/// Whether an object is not there.
pub(crate) fn is_gone<E>(error: &SdkError<E, HttpResponse>) -> bool {
    status(error) == Some(NOT_FOUND)
}

fn gone_or_changed<E>(error: &SdkError<E, HttpResponse>) -> bool {
    matches!(status(error), Some(NOT_FOUND | PRECONDITION_FAILED))
}

fn status<E>(error: &SdkError<E, HttpResponse>) -> Option<u16> {
    error.raw_response().map(|raw| raw.status().as_u16())
}

fn size(length: Option<i64>) -> Result<u64, PortError> {
    length
        .and_then(|length| u64::try_from(length).ok())
        .ok_or_else(|| incomplete("length"))
}

fn incomplete(what: &str) -> PortError {
    unavailable(SERVICE, format!("an object without {what}"))
}
