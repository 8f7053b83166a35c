//! The objects of the bucket, streamed to scratch and back: results, the content of versions, the artifacts of steps.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::operation::delete_objects::DeleteObjectsOutput;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::operation::put_object::PutObjectOutput;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{Delete, Object, ObjectIdentifier};
use domain::filename::Filename;
use domain::id::AccountId;
use domain::ports::{Objects, PortError, SourceFacts};
use domain::step_cache::{StepFacts, StepKey, step_facts_object, step_object};

use crate::config::small_calls;
use crate::error::{failed, unavailable};
use crate::services::Services;
use crate::transfer;

/// The name under which failures of the bucket are reported.
pub(crate) const SERVICE: &str = "s3";
/// How long a presigned URL is valid.
pub(crate) const VALID_FOR: Duration = Duration::from_secs(15 * 60);
const NOT_FOUND: u16 = 404;
const PRECONDITION_FAILED: u16 = 412;

#[async_trait]
impl Objects for Services {
    async fn fetch(&self, object: &str, etag: &str, path: &Path) -> Result<bool, PortError> {
        self.get_file(object, Some(etag), path).await
    }

    async fn store(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError> {
        let answer = self.put_file(path, object, content_type).await?;
        let untold = || unavailable(SERVICE, "an object without entity tag");
        answer.e_tag.ok_or_else(untold)
    }

    async fn copy(&self, from: &str, to: &str) -> Result<Option<String>, PortError> {
        let answer = self
            .objects()
            .copy_object()
            .bucket(self.bucket()?)
            // The names of our objects hold nothing that a URL would have to escape.
            .copy_source(format!("{}/{from}", self.bucket()?))
            .key(to)
            .send()
            .await;
        match answer {
            Ok(answer) => {
                let etag = answer.copy_object_result.and_then(|result| result.e_tag);
                let untold = || unavailable(SERVICE, "a copy without entity tag");
                etag.ok_or_else(untold).map(Some)
            }
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    async fn facts(&self, object: &str) -> Result<Option<SourceFacts>, PortError> {
        self.head(object).await
    }

    async fn content(&self, object: &str, most_bytes: u64) -> Result<Option<Vec<u8>>, PortError> {
        let Some(found) = self.get_object(object, None).await? else {
            return Ok(None);
        };
        match found
            .content_length()
            .and_then(|length| u64::try_from(length).ok())
        {
            Some(length) if length <= most_bytes => whole(found, length).await.map(Some),
            Some(_) => Ok(None),
            None => Err(unavailable(SERVICE, "an object without length")),
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

    async fn kept_step(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepFacts>, PortError> {
        let object = step_facts_object(account, key);
        match self.get_object(&object, None).await? {
            Some(found) => read_step_facts(found).await,
            None => Ok(None),
        }
    }

    async fn fetch_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<bool, PortError> {
        let object = step_object(account, key, &facts.sha256);
        self.get_file(&object, None, path).await
    }

    async fn keep_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<(), PortError> {
        let object = step_object(account, key, &facts.sha256);
        self.put_file(path, &object, &facts.content_type).await?;
        let text = serde_json::to_vec(facts)
            .map_err(|error| unavailable(SERVICE, format!("facts cannot be stored: {error}")))?;
        self.objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(step_facts_object(account, key))
            .content_type("application/json")
            .body(ByteStream::from(text))
            .send()
            .await
            .map(drop)
            .map_err(|error| failed(SERVICE, &error))
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
    async fn get_object(
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
    async fn get_file(
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

async fn remove(path: &Path) {
    if let Err(error) = tokio::fs::remove_file(path).await {
        tracing::warn!(%error, "a partial document stays in scratch until that is wiped");
    }
}

/// Whether an object is not there.
fn is_gone<E>(error: &SdkError<E, HttpResponse>) -> bool {
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

impl Services {
    /// Removes every object whose name begins with `prefix`, a page of the list (at most 1,000 objects) in one request, and
    /// returns how many there were.
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
            // The next list starts over: the objects of this page are gone.
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
        let answer = self
            .objects()
            .delete_objects()
            .bucket(self.bucket()?)
            .delete(delete)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        removed(objects.len(), &answer)
    }
}

/// How many objects were removed: all of `wanted`, or an error with the code of the first that was refused.
fn removed(wanted: usize, answer: &DeleteObjectsOutput) -> Result<u64, PortError> {
    let count = answer.deleted().len();
    if let Some(refused) = answer.errors().first() {
        let code = refused.code().unwrap_or("no code");
        return Err(unavailable(
            SERVICE,
            format!("an object was not removed: {code}"),
        ));
    }
    if count != wanted {
        let reason = format!("{count} of {wanted} objects were removed");
        return Err(unavailable(SERVICE, reason));
    }
    Ok(count as u64)
}

async fn whole(object: GetObjectOutput, length: u64) -> Result<Vec<u8>, PortError> {
    let body = object.body.collect().await;
    let bytes = body.map_err(|_| unavailable(SERVICE, "the transfer broke off"))?;
    let bytes = bytes.to_vec();
    if bytes.len() as u64 == length {
        return Ok(bytes);
    }
    let reason = format!("{} bytes of {length}", bytes.len());
    Err(unavailable(SERVICE, reason))
}

/// Facts that cannot be read are as good as none: the step is done again.
async fn read_step_facts(found: GetObjectOutput) -> Result<Option<StepFacts>, PortError> {
    let body = found.body.collect().await;
    let body = body.map_err(|_| unavailable(SERVICE, "the transfer broke off"))?;
    let facts = serde_json::from_slice(&body.into_bytes());
    if facts.is_err() {
        tracing::warn!("facts about a kept step cannot be read");
    }
    Ok(facts.ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_sdk_s3::types::{DeletedObject, Error};

    #[test]
    fn objects_count_as_removed_only_if_each_of_them_is_reported_so() {
        let deleted = |name: &str| DeletedObject::builder().key(name).build();
        let refused = Error::builder().key("b").code("InternalError").build();
        let one = DeleteObjectsOutput::builder().deleted(deleted("a"));
        let both = one.clone().deleted(deleted("b")).build();
        assert_eq!(removed(2, &both).unwrap(), 2);
        assert!(removed(2, &one.clone().errors(refused).build()).is_err());
        assert!(removed(2, &one.build()).is_err());
    }
}
