//! The objects of saved documents.

use std::path::Path;

use async_trait::async_trait;
use domain::ports::library::KeepContent;
use domain::ports::{PortError, SourceFacts};

use crate::documents::is_gone;
use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "s3";

#[async_trait]
impl KeepContent for Services {
    async fn keep(
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
        let length = found
            .content_length()
            .and_then(|length| u64::try_from(length).ok());
        if length.is_none_or(|length| length > most_bytes) {
            tracing::warn!(?length, "an object that is larger than it can be");
            return Ok(None);
        }
        let bytes = found.body.collect().await;
        let broken = |_| unavailable(SERVICE, "the transfer broke off");
        Ok(Some(bytes.map_err(broken)?.to_vec()))
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
}

impl Services {
    /// Removes every object whose name begins with `prefix`, and says how many there were.
    pub(crate) async fn remove_objects(&self, prefix: &str) -> Result<u64, PortError> {
        let mut count = 0;
        loop {
            let answer = self
                .objects()
                .list_objects_v2()
                .bucket(self.bucket()?)
                .prefix(prefix)
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
            for object in answer.contents() {
                self.discard(object.key().unwrap_or_default()).await?;
                count += 1;
            }
            // The next list begins anew: what was on this one is gone.
            if answer.is_truncated() != Some(true) {
                return Ok(count);
            }
        }
    }
}
