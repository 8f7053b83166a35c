//! Objects of the bucket: results, content of versions, artifacts of steps.

use std::path::Path;
use std::time::SystemTime;

use async_trait::async_trait;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::operation::delete_objects::DeleteObjectsOutput;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::operation::get_object::builders::GetObjectFluentBuilder;
use aws_sdk_s3::operation::head_object::HeadObjectOutput;
use aws_sdk_s3::operation::put_object::PutObjectOutput;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{ChecksumMode, Delete, Object, ObjectIdentifier};
use domain::filename::Filename;
use domain::id::AccountId;
use domain::ports::{ObjectMetadata, Objects, PortError, PresignedGet, StoredObject, UploadForm};
use domain::step_cache::{StepArtifact, StepKey, step_artifact_metadata_object, step_object};

use crate::config::request_timeouts;
use crate::error::{failed, unavailable};
use crate::presigned::sign_get;
use crate::services::Services;
use crate::transfer;

/// Service name in error messages.
pub(crate) const SERVICE: &str = "s3";
const NOT_FOUND: u16 = 404;
const PRECONDITION_FAILED: u16 = 412;
/// Response to a range of an empty object.
const RANGE_NOT_SATISFIABLE: u16 = 416;

#[async_trait]
impl Objects for Services {
    async fn store(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError> {
        let response = self.put_file(path, object, content_type).await?;
        let missing = || unavailable(SERVICE, "response without ETag");
        response.e_tag.ok_or_else(missing)
    }

    async fn copy(&self, from: &str, etag: &str, to: &str) -> Result<Option<String>, PortError> {
        let response = self
            .objects()
            .copy_object()
            .bucket(self.bucket()?)
            // Object keys contain no character that needs percent-encoding.
            .copy_source(format!("{}/{from}", self.bucket()?))
            .copy_source_if_match(etag)
            .key(to)
            .send()
            .await;
        match response {
            Ok(response) => {
                let etag = response.copy_object_result.and_then(|result| result.e_tag);
                let missing = || unavailable(SERVICE, "copy response without ETag");
                etag.ok_or_else(missing).map(Some)
            }
            Err(error) if is_missing_or_changed(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    async fn metadata(&self, object: &str) -> Result<Option<ObjectMetadata>, PortError> {
        self.head(object).await
    }

    async fn content(&self, object: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, PortError> {
        let Some(found) = self.get_object(object).await? else {
            return Ok(None);
        };
        match found
            .content_length()
            .and_then(|length| u64::try_from(length).ok())
        {
            Some(length) if length <= max_bytes => read_body(found, length).await.map(Some),
            Some(_) => Ok(None),
            None => Err(unavailable(SERVICE, "response without Content-Length")),
        }
    }

    async fn discard(&self, object: &str) -> Result<(), PortError> {
        self.objects()
            .delete_object()
            .bucket(self.bucket()?)
            .key(object)
            .send()
            .await
            .map(drop)
            .map_err(|error| failed(SERVICE, &error))
    }

    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError> {
        let get = self
            .get(object)?
            .response_content_type(content_type)
            .response_content_disposition(filename.content_disposition());
        Ok(sign_get(get).await?.uri().to_owned())
    }

    async fn step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepArtifact>, PortError> {
        let object = step_artifact_metadata_object(account, key);
        match self.get_object(&object).await? {
            Some(found) => read_step_artifact(found).await,
            None => Ok(None),
        }
    }

    async fn cache_step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
        artifact: &StepArtifact,
        object: &str,
        etag: &str,
    ) -> Result<bool, PortError> {
        let copy = step_object(account, key, &artifact.sha256);
        if self.copy(object, etag, &copy).await?.is_none() {
            return Ok(false);
        }
        let text = serde_json::to_vec(artifact).map_err(|error| {
            unavailable(
                SERVICE,
                format!("cannot serialize the artifact's metadata: {error}"),
            )
        })?;
        self.objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(step_artifact_metadata_object(account, key))
            .content_type("application/json")
            .body(ByteStream::from(text))
            .send()
            .await
            .map(|_| true)
            .map_err(|error| failed(SERVICE, &error))
    }

    async fn stored(&self, object: &str) -> Result<Option<StoredObject>, PortError> {
        let Some(head) = self
            .head_object(object, Some(ChecksumMode::Enabled))
            .await?
        else {
            return Ok(None);
        };
        Ok(Some(StoredObject {
            size_bytes: size(head.content_length())?,
            content_type: head.content_type.unwrap_or_default(),
            etag: head.e_tag.ok_or_else(|| incomplete("entity tag"))?,
            crc64nvme: head.checksum_crc64_nvme,
        }))
    }

    async fn first_bytes(
        &self,
        object: &str,
        max_bytes: u64,
    ) -> Result<Option<Vec<u8>>, PortError> {
        let Some(last) = max_bytes.checked_sub(1) else {
            return Ok(self.head(object).await?.map(|_| Vec::new()));
        };
        let range = format!("bytes=0-{last}");
        let response = self.get(object)?.range(range).send().await;
        match response {
            Ok(found) => match size(found.content_length())? {
                length if length <= max_bytes => read_body(found, length).await.map(Some),
                _ => Err(unavailable(SERVICE, "the response exceeds its range")),
            },
            Err(error) if status(&error) == Some(RANGE_NOT_SATISFIABLE) => Ok(Some(Vec::new())),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    async fn input_request(&self, object: &str, etag: &str) -> Result<PresignedGet, PortError> {
        let signed = sign_get(self.get(object)?.if_match(etag)).await?;
        let headers = signed.headers();
        Ok(PresignedGet {
            url: signed.uri().to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        })
    }

    async fn output_form(&self, object: &str, max_bytes: u64) -> Result<UploadForm, PortError> {
        self.output_form_at(object, max_bytes, SystemTime::now())
            .await
    }
}

impl Services {
    /// The metadata of an object; `None` if it does not exist.
    pub(crate) async fn head(&self, object: &str) -> Result<Option<ObjectMetadata>, PortError> {
        let Some(head) = self.head_object(object, None).await? else {
            return Ok(None);
        };
        Ok(Some(ObjectMetadata {
            size_bytes: size(head.content_length())?,
            content_type: head.content_type.unwrap_or_default(),
            etag: head.e_tag.ok_or_else(|| incomplete("entity tag"))?,
        }))
    }

    async fn head_object(
        &self,
        object: &str,
        checksum: Option<ChecksumMode>,
    ) -> Result<Option<HeadObjectOutput>, PortError> {
        let response = self
            .objects()
            .head_object()
            .bucket(self.bucket()?)
            .key(object)
            .set_checksum_mode(checksum)
            .customize()
            .config_override(aws_sdk_s3::config::Builder::new().timeout_config(request_timeouts()))
            .send()
            .await;
        match response {
            Ok(head) => Ok(Some(head)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    /// A GET of an object, to be sent or presigned.
    fn get(&self, object: &str) -> Result<GetObjectFluentBuilder, PortError> {
        let get = self.objects().get_object();
        Ok(get.bucket(self.bucket()?).key(object))
    }

    /// Gets an object; `None` if it does not exist.
    async fn get_object(&self, object: &str) -> Result<Option<GetObjectOutput>, PortError> {
        match self.get(object)?.send().await {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    /// Streams the file at `path` to `object`; the response has its ETag.
    async fn put_file(
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

/// Whether the error means that the object does not exist.
fn is_not_found<E>(error: &SdkError<E, HttpResponse>) -> bool {
    status(error) == Some(NOT_FOUND)
}

fn is_missing_or_changed<E>(error: &SdkError<E, HttpResponse>) -> bool {
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
    unavailable(SERVICE, format!("response without {what}"))
}

impl Services {
    /// Deletes every object whose key has the prefix `prefix`, up to 1,000 per request, and returns their number.
    pub(crate) async fn remove_objects(&self, prefix: &str) -> Result<u64, PortError> {
        let mut count = 0;
        loop {
            let page = self
                .objects()
                .list_objects_v2()
                .bucket(self.bucket()?)
                .prefix(prefix)
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
            count += self.remove_all(page.contents()).await?;
            // List again from the start: the objects of this page are deleted.
            if page.is_truncated() != Some(true) {
                return Ok(count);
            }
        }
    }

    async fn remove_all(&self, objects: &[Object]) -> Result<u64, PortError> {
        if objects.is_empty() {
            return Ok(0);
        }
        let names = objects.iter().map(|object| {
            let name = object.key().unwrap_or_default();
            ObjectIdentifier::builder().key(name).build()
        });
        let delete = names
            .collect::<Result<Vec<_>, _>>()
            .and_then(|names| Delete::builder().set_objects(Some(names)).build())
            .map_err(|error| unavailable(SERVICE, error.to_string()))?;
        let response = self
            .objects()
            .delete_objects()
            .bucket(self.bucket()?)
            .delete(delete)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        removed(objects.len(), &response)
    }
}

/// The number of deleted objects: all of `wanted`, or an error with the code of the first failed one.
fn removed(wanted: usize, response: &DeleteObjectsOutput) -> Result<u64, PortError> {
    let count = response.deleted().len();
    if let Some(rejected) = response.errors().first() {
        let code = rejected.code().unwrap_or("no code");
        return Err(unavailable(
            SERVICE,
            format!("an object was not deleted: {code}"),
        ));
    }
    if count != wanted {
        let reason = format!("{count} of {wanted} objects were deleted");
        return Err(unavailable(SERVICE, reason));
    }
    Ok(count as u64)
}

async fn read_body(object: GetObjectOutput, length: u64) -> Result<Vec<u8>, PortError> {
    let body = object.body.collect().await;
    let bytes = body.map_err(|_| unavailable(SERVICE, "the transfer was interrupted"))?;
    let bytes = bytes.to_vec();
    if bytes.len() as u64 == length {
        return Ok(bytes);
    }
    let reason = format!("{} bytes of {length}", bytes.len());
    Err(unavailable(SERVICE, reason))
}

/// Unreadable metadata counts as missing: the step is executed again.
async fn read_step_artifact(found: GetObjectOutput) -> Result<Option<StepArtifact>, PortError> {
    let body = found.body.collect().await;
    let body = body.map_err(|_| unavailable(SERVICE, "the transfer was interrupted"))?;
    let artifact = serde_json::from_slice(&body.into_bytes());
    if artifact.is_err() {
        tracing::warn!("cannot read the metadata of a step's artifact");
    }
    Ok(artifact.ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_sdk_s3::types::{DeletedObject, Error};

    #[test]
    fn objects_count_as_deleted_only_if_each_is_reported_as_deleted() {
        let deleted = |name: &str| DeletedObject::builder().key(name).build();
        let rejected = Error::builder().key("b").code("InternalError").build();
        let one = DeleteObjectsOutput::builder().deleted(deleted("a"));
        let both = one.clone().deleted(deleted("b")).build();
        assert_eq!(removed(2, &both).unwrap(), 2);
        assert!(removed(2, &one.clone().errors(rejected).build()).is_err());
        assert!(removed(2, &one.build()).is_err());
    }
}
